public import Graph
import Media
import Physarum

/// Finds presets as graphs and command lines name them.
///
/// A text that holds a `/` or ends in `.json` is the path of a preset file. A slot's id, or its number
/// alone, is what that slot of the store holds. Anything else is a preset's name: of a built-in
/// preset, else of a factory preset, else of a preset in a slot, the lowest if there are several. So a
/// graph that names a factory preset is the same for everybody.
///
/// Nothing is written: a store that was never seeded looks as if it were.
public struct PresetLookup: Sendable {
    private let store: @Sendable () -> (any PresetStore)?
    private let factory: @Sendable () -> FactoryPresets.Reading

    /// Looks into a store, which is opened only when it is needed.
    ///
    /// - Parameters:
    ///   - factory: the presets that come with Foxfire.
    ///   - store: opens the store; nil: there is none.
    public init(
        factory: @escaping @Sendable () -> FactoryPresets.Reading = { FactoryPresets.installed() },
        store: @escaping @Sendable () -> (any PresetStore)? = {
            StoreLocation.usersOwn().map { StoreLocation.open($0) }
        }
    ) {
        self.factory = factory
        self.store = store
    }

    /// Finds a preset.
    ///
    /// - Parameter name: a path, a slot, or a preset's name.
    /// - Returns: the preset, or what is wrong; problems of a preset file say their file.
    public func find(_ name: PresetName) -> PresetFile.Reading {
        if let file = name.file { return Self.read(file.path) }
        if let id = SlotID(written: name.text) { return find(id) }
        if name.text.hasPrefix("slot-") {
            let problem = Problem(
                .range,
                "there is no slot \(JSON.quoted(name.text)); there are slot-00 to "
                    + "slot-\(SlotID.count - 1)"
            )
            return PresetFile.Reading(nil, [problem])
        }
        return find(called: name.text)
    }

    /// The presets of the store's rotation, in its order.
    ///
    /// - Returns: the presets, or why there are none.
    public func rotation() -> (presets: [PresetFile], problems: [Problem]) {
        let factory = factory()
        switch slots(factory.factory) {
        case .success((let slots, let findings, let store)?):
            let presets = slots.rotation.map(\.preset)
            if !presets.isEmpty { return (presets, []) }
            let problem = Problem(.file, "no slot of \(store) holds a preset")
            return ([], [problem] + findings.compactMap(\.problem) + factory.problems)
        case .success(nil):
            let text = "there is no rotation: neither XDG_DATA_HOME nor HOME says where presets are"
            return ([], [Problem(.file, text)])
        case .failure(let problem): return ([], [problem])
        }
    }

    private func find(called name: String) -> PresetFile.Reading {
        if let preset = Preset.named(name) { return PresetFile.Reading(PresetFile(preset)) }
        let factory = factory()
        if let preset = factory.factory.presets.first(where: { $0.name == name }) {
            return PresetFile.Reading(preset, warnings: [])
        }
        var names = Preset.builtIn.map(\.name) + factory.factory.presets.map(\.name)
        var problems = factory.problems
        switch slots(factory.factory) {
        case .success((let slots, let findings, _)?):
            if let preset = slots.filled.first(where: { $0.preset.name == name })?.preset {
                return PresetFile.Reading(preset)
            }
            names += slots.filled.map(\.preset.name)
            problems += findings.compactMap(\.problem)
        case .success(nil): break
        case .failure(let problem): problems.append(problem)
        }
        names = names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        let problem = Problem(
            .range,
            "there is no preset \(JSON.quoted(name)), built in, of the factory, or in a slot",
            hint: suggestion(for: name, in: names)
                ?? "known are \(names.prefix(30).map { $0 }.quotedList); a file's path holds a \"/\" "
                + "or ends in .json"
        )
        return PresetFile.Reading(nil, [problem] + problems)
    }

    private func find(_ id: SlotID) -> PresetFile.Reading {
        let factory = factory()
        switch slots(factory.factory) {
        case .success((let slots, let findings, let store)?):
            if let preset = slots[id].preset { return PresetFile.Reading(preset) }
            let told = findings.filter { $0.slot == nil || $0.slot == id }.compactMap(\.problem)
            let text =
                slots[id].isUnreadable
                ? "what \(id) of \(store) holds cannot be read" : "\(id) of \(store) is empty"
            return PresetFile.Reading(
                nil,
                [Problem(.file, text, hint: "foxfire presets list shows all slots")] + told
                    + factory.problems
            )
        case .success(nil):
            let text = "\(id) is in no store: neither XDG_DATA_HOME nor HOME says where it is"
            return PresetFile.Reading(nil, [Problem(.file, text)])
        case .failure(let problem): return PresetFile.Reading(nil, [problem])
        }
    }

    /// What the store holds; nil where there is no store.
    private func slots(
        _ factory: FactoryPresets
    ) -> Result<(PresetSlots, [StoreFinding], store: String)?, Problem> {
        guard let store = store() else { return .success(nil) }
        do {
            let reading = try store.read(seeding: factory)
            return .success((reading.slots, reading.findings, store.name))
        } catch {
            return .failure(Problem(.file, "the presets in slots cannot be read: \(error)"))
        }
    }

    /// Reads a preset file, or another file that holds one preset, as a slot's in a shared folder.
    ///
    /// - Parameter path: of the file.
    /// - Returns: the preset, or what is wrong.
    public static func read(_ path: String) -> PresetFile.Reading {
        do throws(FileError) {
            return read(try FileContents.read(path, limit: JSONReader.byteLimit), file: path)
        } catch {
            return PresetFile.Reading(nil, [Problem(.file, "the preset cannot be read: \(error)")])
        }
    }

    /// Reads the text of such a file; any bytes may come.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - file: what problems call it.
    /// - Returns: the preset, or what is wrong.
    public static func read(_ bytes: [UInt8], file: String) -> PresetFile.Reading {
        let found = PresetCollection.read(bytes, file: file)
        guard found.problems.isEmpty, found.presets.count != 1 else {
            return PresetFile.Reading(found.presets.first, found.problems, warnings: found.warnings)
        }
        let problem = Problem(
            .range,
            "the file holds \(found.presets.count) presets, where one is asked for",
            hint: "foxfire presets import takes them all",
            file: file
        )
        return PresetFile.Reading(nil, [problem])
    }
}

extension PresetFile.Reading {
    fileprivate init(
        _ preset: PresetFile?,
        _ problems: [Problem] = [],
        warnings: [Problem] = []
    ) {
        self.init(preset: preset, problems: problems, warnings: warnings)
    }
}

extension StoreFinding {
    /// What keeps a preset from being found; nil for what is only worth knowing.
    fileprivate var problem: Problem? {
        switch kind {
        case .damaged, .newer: Problem(.file, "\(self)")
        case .conflict, .setAside, .stray: nil
        }
    }
}
