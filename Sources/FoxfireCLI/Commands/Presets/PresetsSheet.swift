import Graph
import Media
import Presets

extension Command {
    /// `foxfire presets sheet`: a picture of every preset.
    static let presetsSheet = Command(
        name: "presets sheet",
        summary: "Draw a contact sheet: a picture of each preset.",
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
            "Each preset is grown for ten seconds without sound and shown as a film shows it; the "
                + "whole store in slot order, four in a row from the left. \"-o -\" writes the PNG "
                + "file to standard output."
        ],
        examples: [
            (line: "foxfire presets sheet -o presets.png", purpose: "Show what the slots hold."),
            (
                line: "foxfire presets sheet -o two.png Foxfire mine.json",
                purpose: "Show two presets beside each other."
            ),
        ],
        perform: { arguments in
            guard arguments.text(.output) != nil else {
                throw UsageError(
                    text: "an output is missing",
                    hint: "name a PNG file with -o",
                    command: "presets sheet"
                )
            }
            let access = try StoreAccess(arguments)
            var presets = try arguments.operands.map { try access.preset($0) }
            var code = ExitCode.done
            if arguments.operands.isEmpty {
                let reading = try access.read()
                (presets, code) = (reading.slots.filled.map(\.preset), reading.code)
            }
            guard !presets.isEmpty else {
                throw Failure(.failed, Message(.error, "empty", "no slot holds a preset"))
            }
            let end = try arguments.deliver { try ContactSheet(presets.map(\.preset)).png() }
            return end == .done ? code : end
        }
    )
}
