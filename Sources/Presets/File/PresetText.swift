import Graph
import Physarum

/// Reads and writes the object of a preset.
///
/// `{name, author, tags, tagSignal, params: {PARAMETER: number…, palette, background, species, spawn, audioReactive}}`.
enum PresetText {
    static let keys = ["foxfire", "id", "name", "author", "tags", "tagSignal", "params"]
    private static let parameterKeys =
        ParameterTable.rows.map(\.name) + [
            "palette", "background", "species", "spawn", "audioReactive",
        ]

    // MARK: Reading

    /// Reads a preset; nil when there is any fault, all of which are kept.
    static func read(_ json: JSON, _ pointer: String, _ faults: inout Faults) -> PresetFile? {
        let before = faults.problems.count
        guard let fields = Fields(json, pointer, "a preset", &faults) else { return nil }
        fields.warnOfSlips(known: keys + ["audioReactive"], &faults)
        readVersion(fields, &faults)
        let id = fields.string("id", &faults)
        let name = fields.string("name", &faults)
        fields.require("name", "a string: what the preset is called", &faults)
        if let name, name.isEmpty, let value = fields.value("name") {
            faults.refuse(.range, "\"name\" must not be empty", at: value, fields.pointer("name"))
        }
        let author = fields.string("author", &faults)
        let tags = fields.strings("tags", &faults) ?? []
        let tagSignal = Self.tagSignal(fields, &faults)
        fields.require("params", "an object with the parameters", &faults)
        let params = fields.value("params").flatMap {
            Fields($0, fields.pointer("params"), "\"params\"", &faults)
        }
        let parameters = params.map { Self.parameters($0, &faults) } ?? Parameters()
        let palette = params.flatMap { Self.palette($0, &faults) } ?? .foxfire
        let background = params.flatMap { fields in
            fields.value("background").flatMap {
                PaletteText.color($0, fields.pointer("background"), &faults)
            }
        }
        let species = params.map { SpeciesText.read($0, &faults) } ?? []
        let spawn: Spawn? = params.flatMap { $0.word("spawn", &faults) }
        let audioReactive = Self.audioReactive(fields, params, &faults)
        guard faults.problems.count == before, let name else { return nil }
        return PresetFile(
            read: document(fields),
            preset: Preset(
                name: name,
                parameters: parameters,
                palette: palette,
                background: background ?? .black,
                species: species,
                spawn: spawn ?? .uniform,
                audioReactive: audioReactive
            ),
            id: id,
            author: author,
            tags: tags,
            tagSignal: tagSignal
        )
    }

    private static func readVersion(_ fields: Fields, _ faults: inout Faults) {
        guard let version = fields.value("foxfire") else { return }
        if version.value == .integer(PresetFile.formatVersion) { return }
        faults.refuse(
            .version,
            "\"foxfire\" must be \(PresetFile.formatVersion), not \(JSON.text(of: version.value))",
            at: version,
            fields.pointer("foxfire"),
            hint: "it is the version of the format; a newer Foxfire may read it"
        )
    }

    static func tagSignal(_ fields: Fields, _ faults: inout Faults) -> PresetFile.TagSignal? {
        guard let value = fields.value("tagSignal") else { return nil }
        if value.string != nil {
            let band: AudioReactive.Source? = fields.word("tagSignal", &faults)
            return band.map { .all($0) }
        }
        let pointer = fields.pointer("tagSignal")
        guard case .object = value.value,
            let tags = Fields(value, pointer, "\"tagSignal\"", &faults)
        else {
            let bands = AudioReactive.Source.allCases.map(\.rawValue)
            faults.refuse(
                "\"tagSignal\" must be one of \(bands.quotedList), or an object from tags to these, "
                    + "not \(value.kindName)",
                at: value,
                pointer
            )
            return nil
        }
        var bands: [String: AudioReactive.Source] = [:]
        for member in tags.members {
            if let band: AudioReactive.Source = tags.word(member.key, &faults) {
                bands[member.key] = band
            }
        }
        return .each(bands)
    }

    private static func parameters(_ params: Fields, _ faults: inout Faults) -> Parameters {
        params.warnOfSlips(known: parameterKeys, &faults)
        var parameters = Parameters()
        for row in ParameterTable.rows {
            let value = params.number(row.name, in: row.range, default: row.defaultValue, &faults)
            if let value { parameters[base: row.parameter] = value }
        }
        return parameters
    }

    private static func palette(_ params: Fields, _ faults: inout Faults) -> Palette? {
        params.value("palette").flatMap {
            PaletteText.read($0, params.pointer("palette"), &faults)
        }
    }

    /// The wiring inside `params`, else beside it.
    private static func audioReactive(
        _ fields: Fields,
        _ params: Fields?,
        _ faults: inout Faults
    ) -> AudioReactive? {
        func read(_ fields: Fields?) -> AudioReactive? {
            guard let fields, let value = fields.value("audioReactive") else { return nil }
            return AudioReactiveText.read(value, fields.pointer("audioReactive"), &faults)
        }
        let (inside, beside) = (read(params), read(fields))
        if let inside, let beside, inside != beside, let value = fields.value("audioReactive") {
            faults.refuse(
                .duplicateKey,
                "\"audioReactive\" says something else than the one in \"params\"",
                at: value,
                fields.pointer("audioReactive"),
                hint: "take one of them out"
            )
        }
        return inside ?? beside
    }

    /// What is kept of the text: all but the format's version; the wiring stands in `params`.
    private static func document(_ fields: Fields) -> JSON.Value {
        var members = Members(fields.json.unplaced.value)
        members["foxfire"] = nil
        if let beside = members["audioReactive"] {
            var params = Members(members["params"])
            if params["audioReactive"] ?? .null == .null { params["audioReactive"] = beside }
            members["params"] = params.value
            members["audioReactive"] = nil
        }
        return members.value
    }
}
