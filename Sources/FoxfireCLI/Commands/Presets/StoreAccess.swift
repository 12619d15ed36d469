import Graph
import Media
import Presets

/// The store that a command line means, and what is to be told of it.
struct StoreAccess {
    let store: any PresetStore
    let factory: FactoryPresets
    /// Whether messages are told as JSON.
    let asJSON: Bool

    /// Finds the store and the factory presets; what is wrong with the latter is told, and nothing is
    /// seeded then.
    ///
    /// - Throws: `Failure` where there is no store.
    init(_ arguments: Arguments) throws {
        guard let path = arguments.text(.store) ?? StoreLocation.usersOwn() else {
            throw Failure(
                .usage,
                Message(
                    .error,
                    "usage",
                    "neither XDG_DATA_HOME nor HOME says where your presets are",
                    hint: "name a folder or a file with --store"
                )
            )
        }
        store = StoreLocation.open(path)
        asJSON = arguments.has(.json) || arguments.has(.errorsAsJSON)
        let reading = FactoryPresets.installed()
        factory = reading.factory
        var messages = reading.problems.map { Message($0, .warning) }
        if !messages.isEmpty { messages.append(Self.withoutFactory(.warning, "nothing is seeded")) }
        StandardStreams.tell(messages, asJSON: asJSON)
    }

    private static func withoutFactory(_ severity: Message.Severity, _ text: String) -> Message {
        Message(severity, "factory", "the factory presets are missing or broken: \(text)")
    }

    /// The slots as they look once newer factory presets are seeded; nothing is written.
    ///
    /// What there is to know is told.
    func read() throws -> (slots: PresetSlots, code: ExitCode) {
        try told { try store.read(seeding: factory) }
    }

    /// Seeds newer factory presets and stores what `edit` changes.
    ///
    /// What there is to know is told.
    func update(_ edit: (inout PresetSlots) throws -> Void) throws -> (
        slots: PresetSlots, code: ExitCode
    ) {
        try told { try store.update(seeding: factory, edit) }
    }

    /// Refuses what needs the factory presets where there are none.
    func requireFactory(_ text: String) throws(Failure) {
        if factory.version == 0 { throw Failure(.failed, Self.withoutFactory(.error, text)) }
    }

    private func told(_ reading: () throws -> StoreReading) throws -> (
        slots: PresetSlots, code: ExitCode
    ) {
        do {
            let reading = try reading()
            StandardStreams.tell(reading.findings.flatMap(Message.of), asJSON: asJSON)
            let isDamaged = reading.findings.contains { $0.kind == .damaged || $0.kind == .newer }
            return (reading.slots, isDamaged ? .damaged : .done)
        } catch let error as SlotError {
            throw Failure(.failed, Message(.error, "slot", "\(error)"))
        } catch let error as StoreError {
            throw Failure(.failed, Message(.error, "newer", "\(error)"))
        }
    }

    // MARK: What command lines name

    /// The preset that a command line names; warnings are told.
    ///
    /// - Throws: `Failure` with every problem.
    func preset(_ text: String) throws -> PresetFile {
        let (store, factory) = (store, factory)
        let lookup = PresetLookup(
            factory: { FactoryPresets.Reading(factory) },
            store: { store }
        )
        let found: PresetFile.Reading
        if text == "-" {
            let bytes = try InputText.read("-", limit: JSONReader.byteLimit)
            found = PresetLookup.read(bytes, file: "-")
        } else {
            found = lookup.find(PresetName(text))
        }
        StandardStreams.tell(found.warnings.map { Message($0, .warning) }, asJSON: asJSON)
        guard let preset = found.preset else { throw Failure(found.problems) }
        return preset
    }

    /// The slot that a command line names: by its id, its number, or the name of what it holds.
    static func slot(_ text: String, in slots: PresetSlots) throws(UsageError) -> SlotID {
        if let id = SlotID(written: text) { return id }
        let found = slots.filled.filter { $0.preset.name == text }.map(\.id)
        if found.count == 1 { return found[0] }
        let names = slots.filled.map(\.preset.name)
        throw UsageError(
            text: found.isEmpty
                ? "\"\(text)\" is no slot, and no preset of that name is in one"
                : "the preset \"\(text)\" is in \(found.map(\.description).joined(separator: ", "))",
            hint: found.isEmpty
                ? closestMatch(to: text, in: names).map { "did you mean \"\($0)\"?" }
                    ?? "slots are slot-00 to slot-\(SlotID.count - 1)"
                : "name the slot",
            command: "presets"
        )
    }
}

extension Message {
    /// What is to be told of a store: each fault with its place, and what it means.
    static func of(_ finding: StoreFinding) -> [Message] {
        let severity: Severity =
            switch finding.kind {
            case .damaged, .newer: .damage
            case .conflict, .setAside, .stray: .warning
            }
        var message = Message(severity, finding.kind.rawValue, finding.text, hint: finding.hint)
        message.file = finding.path
        return finding.problems.map { Message($0, severity) } + [message]
    }
}

/// Slots as people read them.
enum SlotTable {
    /// One line for each slot: its id, the preset, and what else there is to know.
    static func text(_ slots: PresetSlots, _ ids: some Sequence<SlotID>) -> String {
        let names = ids.map { (id: $0, name: printable(slots[$0].preset?.name ?? "-")) }
        let width = min(40, names.map(\.name.count).max() ?? 0)
        return names.map { id, name in
            "\(id)  \(filled(name, to: width))  \(notes(slots[id]).joined(separator: ", "))\n"
        }.joined()
    }

    private static func notes(_ slot: PresetSlots.Slot) -> [String] {
        if slot.isUnreadable { return ["cannot be read"] }
        guard slot.preset != nil else { return [slot.isUserOwned ? "cleared" : "empty"] }
        return [slot.isUserOwned ? "own" : "factory"] + (slot.isPinned ? ["pinned"] : [])
    }
}
