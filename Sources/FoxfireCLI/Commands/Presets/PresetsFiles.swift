import Graph
import Media
import Presets

extension Command {
    /// `foxfire presets export`: writes presets into a file.
    static let presetsExport = Command(
        name: "presets export",
        summary: "Write a preset, several, or the whole store into a file.",
        operands: [
            Operand(
                name: "PRESET",
                kind: .preset,
                isOptional: true,
                isRepeated: true,
                help: "A preset's name, a slot, or a preset file; the whole store, unless given."
            )
        ],
        options: [.store, .output, .replace, .keep, .errorsAsJSON],
        details: [
            "One preset is written as a preset file, which graphs can name by its path; several as a "
                + "list of them. \"foxfire presets import\" reads all of these."
        ],
        examples: [
            (line: "foxfire presets export -o presets.json", purpose: "Keep the whole store."),
            (line: "foxfire presets export Foxfire -o mine.json", purpose: "Write one preset."),
        ],
        perform: { arguments in
            let access = try StoreAccess(arguments)
            let presets = try arguments.operands.map { try access.preset($0) }
            switch presets.count {
            case 0:
                let (slots, code) = try access.read()
                let end = try arguments.deliver(JSON.pretty(slots.payload))
                return end == .done ? code : end
            case 1: return try arguments.deliver(presets[0].text)
            default: return try arguments.deliver(PresetList.text(presets))
            }
        }
    )

    /// `foxfire presets import`: takes presets over from files.
    static let presetsImport = Command(
        name: "presets import",
        summary: "Put the presets of files into slots.",
        operands: [
            Operand(
                name: "FILE",
                kind: .file,
                isRepeated: true,
                help: "A preset file, or what \"foxfire presets export\" wrote; \"-\" for standard "
                    + "input."
            )
        ],
        options: [.takeBack, .store, .errorsAsJSON],
        details: [
            "A preset goes to the slot that it comes from where that is empty, or with --replace "
                + "whatever it holds; else to the lowest empty slot. Of a whole store the presets that "
                + "were somebody's own are taken, and its pins. When there is no room for all, nothing "
                + "is imported."
        ],
        perform: { arguments in
            let access = try StoreAccess(arguments)
            let imports = try PresetImport(arguments.operands, asJSON: access.asJSON)
            var ids: [SlotID] = []
            let (slots, code) = try access.update { slots in
                ids = try imports.place(in: &slots, replacing: arguments.has(.takeBack))
            }
            try StandardStreams.write(result: SlotTable.text(slots, ids))
            return code
        }
    )

    /// `foxfire presets migrate`: takes presets over from another place, once.
    static let presetsMigrate = Command(
        name: "presets migrate",
        summary: "Take presets over from another program, once per store.",
        operands: [
            Operand(
                name: "FILE",
                kind: .file,
                isRepeated: true,
                help: "A preset file, or a list of presets; \"-\" for standard input."
            )
        ],
        options: [.output, .replace, .keep, .store, .errorsAsJSON],
        details: [
            "The presets go to the lowest empty slots, in order, as your own. Those that find none "
                + "are written to the file that -o names; without it, nothing is migrated then."
        ],
        examples: [
            (
                line: "foxfire presets migrate old.json -o rest.json",
                purpose: "Take over what fits, and keep the rest in a file."
            )
        ],
        perform: { arguments in
            let access = try StoreAccess(arguments)
            let imports = try PresetImport(arguments.operands, asJSON: access.asJSON)
            let customs = imports.presets
            // What would be left over is known, and can be written, before anything is changed.
            var trial = try access.read().slots
            let ahead = try overflow(of: customs, in: &trial)
            if !ahead.isEmpty { try checkOutput(arguments, ahead.count) }
            var rest: [PresetFile] = []
            var ids: [SlotID] = []
            let (slots, code) = try access.update { slots in
                let before = slots
                rest = try overflow(of: customs, in: &slots)
                ids = SlotID.all.filter { slots[$0] != before[$0] }
                if rest.count > ahead.count { try checkOutput(arguments, rest.count) }
                // Written while nothing is stored yet, so that no preset is ever nowhere.
                if !rest.isEmpty { _ = try arguments.deliver(PresetList.text(rest)) }
            }
            let isOnOutput = !rest.isEmpty && arguments.text(.output) == "-"
            if !isOnOutput { try StandardStreams.write(result: SlotTable.text(slots, ids)) }
            return code
        }
    )

    private static func overflow(of customs: [PresetFile], in slots: inout PresetSlots) throws
        -> [PresetFile]
    {
        do {
            return try slots.migrate(customs)
        } catch {
            throw Failure(.failed, Message(.error, "migrated", "\(error)", hint: "import them"))
        }
    }

    private static func checkOutput(_ arguments: Arguments, _ count: Int) throws {
        let what = "\(count) \(count == 1 ? "preset finds" : "presets find") no empty slot"
        guard arguments.text(.output) != nil else {
            let message = Message(
                .error,
                "full",
                "\(what); nothing was migrated",
                hint: "name a file for them with -o, or clear slots"
            )
            throw Failure(.failed, message)
        }
    }
}
