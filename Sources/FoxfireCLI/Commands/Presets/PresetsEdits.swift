import Graph
import Presets

extension Command {
    /// `foxfire presets clear`: empties slots.
    static let presetsClear = Command(
        name: "presets clear",
        summary: "Empty slots, and take them out of the rotation.",
        operands: [.slots],
        options: [.store, .errorsAsJSON],
        details: [
            "In a shared folder a cleared slot stays empty until a reset; in a file, newer factory "
                + "presets fill it again."
        ],
        perform: { arguments in try edit(arguments) { $0.clear($1) } }
    )

    /// `foxfire presets pin`: puts slots into the rotation.
    static let presetsPin = Command(
        name: "presets pin",
        summary: "Put filled slots into the rotation.",
        operands: [.slots],
        options: [.store, .errorsAsJSON],
        examples: [(line: "foxfire presets pin 0 3 7", purpose: "Rotate through these three.")],
        perform: { arguments in try edit(arguments) { try $0.pin($1) } }
    )

    /// `foxfire presets unpin`: takes slots out of the rotation.
    static let presetsUnpin = Command(
        name: "presets unpin",
        summary: "Take slots out of the rotation.",
        operands: [.slots],
        options: [.store, .errorsAsJSON],
        perform: { arguments in try edit(arguments) { $0.unpin($1) } }
    )

    /// Changes the slots that are named, all or none, and prints them.
    private static func edit(
        _ arguments: Arguments,
        _ change: (inout PresetSlots, SlotID) throws -> Void
    ) throws -> ExitCode {
        let access = try StoreAccess(arguments)
        var ids: [SlotID] = []
        let (slots, code) = try access.update { slots in
            ids = try arguments.operands.map { try StoreAccess.slot($0, in: slots) }
            for id in ids { try change(&slots, id) }
        }
        try StandardStreams.write(result: SlotTable.text(slots, ids))
        return code
    }

    /// `foxfire presets reset`: makes a store as it is at first.
    static let presetsReset = Command(
        name: "presets reset",
        summary: "Fill the store with the factory's presets, and drop your own.",
        options: [.yes, .store, .errorsAsJSON],
        details: [
            "It is asked about on a terminal; elsewhere --yes must be given. \"foxfire presets export "
                + "-o FILE\" keeps what would be lost."
        ],
        perform: { arguments in
            let access = try StoreAccess(arguments)
            try access.requireFactory("a reset would leave nothing")
            if !arguments.has(.yes) { try confirmReset(try access.read().slots, access.store.name) }
            let factory = access.factory
            let (slots, code) = try access.update { $0.resetToFactory(factory) }
            try StandardStreams.write(result: SlotTable.text(slots, slots.filled.map(\.id)))
            return code
        }
    )

    private static func confirmReset(_ slots: PresetSlots, _ name: String) throws {
        let own = slots.filled.filter { slots[$0.id].isUserOwned }
        let loss =
            own.isEmpty
            ? "no preset of your own is in it"
            : "\(own.count) \(own.count == 1 ? "preset" : "presets") of your own would be lost: "
                + own.prefix(5).map { printable($0.preset.name) }.joined(separator: ", ")
                + (own.count > 5 ? ", …" : "")
        switch OutputPolicy.ask("Reset \(name)? \(loss). [y/N] ") {
        case true?: return
        case false?: throw Failure(.failed, Message(.error, "reset", "nothing was reset"))
        case nil:
            let message = Message(
                .error,
                "reset",
                "a reset of \(name) must be confirmed: \(loss)",
                hint: "give --yes"
            )
            throw Failure(.failed, message)
        }
    }
}
