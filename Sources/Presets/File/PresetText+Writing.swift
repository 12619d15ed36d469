import Graph
import Physarum

extension PresetText {
    /// The object of `file`, in the words of `old` where these say the same.
    static func write(_ file: PresetFile, over old: JSON.Value) -> JSON.Value {
        var members = Members(old)
        if text(members["id"]) != file.id {
            members["id"] = nil
            if let id = file.id { members.insertFirst("id", .string(id)) }
        }
        if text(members["name"]) != file.name { members["name"] = .string(file.name) }
        if text(members["author"]) != file.author {
            members["author"] = file.author.map { .string($0) }
        }
        if members["tags"].map({ JSON($0).strings }) ?? [] != file.tags {
            members["tags"] = file.tags.isEmpty ? nil : .list(file.tags.map { .string($0) })
        }
        let before = quietly { faults in
            Fields(JSON(members.value), "", "", &faults).flatMap { tagSignal($0, &faults) }
        }
        if before != file.tagSignal { members["tagSignal"] = file.tagSignal.map(write) }
        members["params"] = write(file.preset, over: members["params"])
        return members.value
    }

    private static func text(_ value: JSON.Value?) -> String? { value.flatMap { JSON($0).string } }

    private static func write(_ signal: PresetFile.TagSignal) -> JSON.Value {
        switch signal {
        case .all(let band): .string(band.rawValue)
        case .each(let bands):
            .members(bands.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value.rawValue)) })
        }
    }

    /// The object `params` of a preset; one that was not there before says every parameter.
    private static func write(_ preset: Preset, over old: JSON.Value?) -> JSON.Value {
        var members = Members(old)
        for row in ParameterTable.rows {
            let before = members[row.name]
            let value = preset.parameters[base: row.parameter]
            let said = before.map(number) ?? (old == nil ? nil : row.defaultValue)
            if said != value { members[row.name] = .real(value) }
        }
        let palette = members["palette"].flatMap { value in
            quietly { PaletteText.read(JSON(value), "", &$0) }
        }
        if palette ?? (old == nil ? nil : .foxfire) != preset.palette {
            members["palette"] = PaletteText.write(preset.palette)
        }
        let background = members["background"].flatMap { value in
            quietly { PaletteText.color(JSON(value), "", &$0) }
        }
        if background ?? .black != preset.background {
            members["background"] =
                preset.background == .black ? nil : PaletteText.write(color: preset.background)
        }
        SpeciesText.write(preset.species, into: &members)
        let spawn = members["spawn"].flatMap { JSON($0).string }.flatMap { Spawn(rawValue: $0) }
        if spawn ?? .uniform != preset.spawn { members["spawn"] = .string(preset.spawn.rawValue) }
        let wiring = members["audioReactive"] ?? .null
        if let audioReactive = preset.audioReactive {
            let old = wiring == .null ? nil : wiring
            members["audioReactive"] = AudioReactiveText.write(audioReactive, over: old)
        } else if wiring != .null {
            members["audioReactive"] = nil
        }
        return members.value
    }

    private static func number(_ value: JSON.Value) -> Double? {
        guard case .number(let text) = value else { return nil }
        return Double(text)
    }
}
