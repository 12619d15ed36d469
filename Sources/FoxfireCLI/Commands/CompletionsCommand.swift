extension Command {
    /// `foxfire completions`: a script for the user's shell.
    static let completions = Command(
        name: "completions",
        summary: "Print a script that completes command lines in a shell.",
        operands: [
            Operand(
                name: "SHELL",
                kind: .words(Completions.allCases.map(\.rawValue)),
                help: "bash, zsh or fish."
            )
        ],
        options: [],
        examples: [
            (
                line: "eval \"$(foxfire completions bash)\"",
                purpose: "In ~/.bashrc: complete from now on."
            )
        ],
        perform: { arguments in
            let shell = try arguments.word(of: Completions.self, "SHELL", in: "completions")
            try StandardStreams.write(result: shell.script)
            return .done
        }
    )
}
