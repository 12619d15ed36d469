import Graph
import Physarum
import Presets

extension Command {
    /// `foxfire presets save`: puts a preset into a slot.
    static let presetsSave = Command(
        name: "presets save",
        summary: "Put a preset into a slot, which is your own from then on.",
        operands: [
            Operand(
                name: "PRESET",
                kind: .preset,
                help: "A preset file, \"-\" for standard input, a preset's name, or a slot."
            )
        ],
        options: [.slot, .rename, .yes, .store, .errorsAsJSON],
        details: [
            "Without --slot it goes into the first empty slot. When none is empty, the first one that "
                + "is the factory's and not pinned is asked about on a terminal, or taken with --yes; "
                + "elsewhere nothing is saved. The slot is printed."
        ],
        examples: [
            (line: "foxfire presets save mine.json", purpose: "Save a preset file."),
            (
                line: "foxfire presets save Foxfire --slot 7 --name Mine",
                purpose: "Start a preset of your own from another one."
            ),
        ],
        perform: { arguments in
            let access = try StoreAccess(arguments)
            var preset = try access.preset(arguments.operands[0])
            if let name = arguments.text(.rename) {
                guard !name.isEmpty else {
                    throw UsageError(text: "\"--name\" must not be empty", command: "presets save")
                }
                preset.preset.name = name
            }
            let named = try arguments.text(.slot).map(slotID)
            return try save(preset, in: named, access, asks: !arguments.has(.yes))
        }
    )

    /// The slot that `--slot` says.
    private static func slotID(_ text: String) throws(UsageError) -> SlotID {
        if let id = SlotID(written: text) { return id }
        throw UsageError(
            text: "\"--slot\" must be slot-00 to slot-\(SlotID.count - 1), or its number, "
                + "not \"\(text)\"",
            command: "presets save"
        )
    }

    /// Nobody said yet that this slot may be replaced.
    private struct Unasked: Error {
        let id: SlotID
        let name: String
    }

    private static func save(
        _ preset: PresetFile,
        in named: SlotID?,
        _ access: StoreAccess,
        asks: Bool
    ) throws -> ExitCode {
        var allowed: (id: SlotID, name: String)?
        while true {
            var saved: SlotID?
            do {
                let (slots, code) = try access.update { slots in
                    let id =
                        try named ?? slots.firstEmpty ?? replaceable(slots, allowed, asks: asks)
                    slots.overwrite(id, with: preset)
                    saved = id
                }
                try StandardStreams.write(result: SlotTable.text(slots, saved.map { [$0] } ?? []))
                return code
            } catch let unasked as Unasked {
                // Asked while nobody else is kept waiting; looked at again afterwards.
                let what = "\(unasked.id) holds the factory's preset \"\(printable(unasked.name))\""
                switch OutputPolicy.ask("No slot is empty. \(what). Replace it? [y/N] ") {
                case true?: allowed = (unasked.id, unasked.name)
                case false?: throw Failure(.failed, Message(.error, "full", "nothing was saved"))
                case nil:
                    let hint = "give --slot SLOT, or --yes to replace what is in \(unasked.id)"
                    let message = Message(
                        .error,
                        "full",
                        "no slot is empty; \(what)",
                        hint: hint
                    )
                    throw Failure(.failed, message)
                }
            }
        }
    }

    /// The factory's slot that may be replaced, once it was asked about.
    private static func replaceable(
        _ slots: PresetSlots,
        _ allowed: (id: SlotID, name: String)?,
        asks: Bool
    ) throws -> SlotID {
        guard let id = slots.firstReplaceable, let name = slots[id].preset?.name else {
            throw Failure(
                .failed,
                Message(
                    .error,
                    "full",
                    "no slot is empty, and each is your own or pinned",
                    hint: "give --slot SLOT, or clear or unpin one"
                )
            )
        }
        if asks, allowed?.id != id || allowed?.name != name { throw Unasked(id: id, name: name) }
        return id
    }
}
