extension Command {
    /// `foxfire help`: the overview, a command's help, or the manual page.
    static let help = Command(
        name: "help",
        summary: "Print help about a command, or the manual page.",
        operands: [
            Operand(
                name: "COMMAND",
                kind: .command,
                isOptional: true,
                isRepeated: true,
                help: "The command to tell about; of a group of actions, with the action's name."
            )
        ],
        options: [.manual],
        examples: [
            (line: "foxfire help run", purpose: "The same as foxfire run --help."),
            (line: "foxfire help presets save", purpose: "Tell about one action of a group."),
            (line: "foxfire help --man | man -l -", purpose: "Read the manual page."),
        ],
        perform: { arguments in
            if arguments.has(.manual) {
                try StandardStreams.write(result: ManualPage.text())
            } else if !arguments.operands.isEmpty {
                let name = arguments.operands.joined(separator: " ")
                try StandardStreams.write(result: HelpText.command(try Command.named(name)))
            } else {
                try StandardStreams.write(result: HelpText.overview())
            }
            return .done
        }
    )
}
