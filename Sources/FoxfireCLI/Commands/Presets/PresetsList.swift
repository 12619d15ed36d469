import Graph
import Presets

extension Command {
    /// `foxfire presets list`: what is in the slots.
    static let presetsList = Command(
        name: "presets list",
        summary: "List the slots with their presets.",
        options: [.store, .json, .names],
        details: [
            "A preset is the factory's or your own; a slot that you have cleared is told from one that "
                + "was never filled. What is damaged or in conflict is told on standard error, with "
                + "exit code 4 when something could not be read."
        ],
        perform: { arguments in
            let access = try StoreAccess(arguments)
            let (slots, code) = try access.read()
            let text =
                arguments.has(.json)
                ? JSON.pretty(json(slots, access.store.name, slots.filled.map(\.id)))
                : arguments.has(.names)
                    ? slots.filled.map { printable($0.preset.name) + "\n" }.joined()
                    : SlotTable.text(slots, SlotID.all)
            try StandardStreams.write(result: text)
            return code
        }
    )

    /// `foxfire presets rotation`: what modulate.rotation walks through.
    static let presetsRotation = Command(
        name: "presets rotation",
        summary: "List the presets of the rotation, in its order.",
        options: [.store, .json, .names],
        details: [
            "These are the pinned slots in slot order; while nothing is pinned, all filled slots."
        ],
        perform: { arguments in
            let access = try StoreAccess(arguments)
            let (slots, code) = try access.read()
            let ids = slots.rotation.map(\.id)
            let text =
                arguments.has(.json)
                ? JSON.pretty(json(slots, access.store.name, ids))
                : arguments.has(.names)
                    ? slots.rotation.map { printable($0.preset.name) + "\n" }.joined()
                    : SlotTable.text(slots, ids)
            try StandardStreams.write(result: text)
            return code
        }
    )

    private static func json(_ slots: PresetSlots, _ store: String, _ ids: [SlotID]) -> JSON.Value {
        [
            "foxfire": 1,
            "store": .string(store),
            "seedVersion": .integer(slots.seedVersion),
            "slots": .list(
                ids.map { id in
                    let preset = slots[id].preset
                    return .record([
                        "slot": .string("\(id)"),
                        "name": preset.map { .string($0.name) },
                        "author": preset?.author.map { .string($0) },
                        "tags": preset.map { .list($0.tags.map { .string($0) }) },
                        "owned": .boolean(slots[id].isUserOwned),
                        "pinned": .boolean(slots[id].isPinned),
                    ])
                }
            ),
        ]
    }
}
