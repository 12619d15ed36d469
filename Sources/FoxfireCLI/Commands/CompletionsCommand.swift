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
        options: [.output, .replace, .keep],
        examples: [
            (
                line: "eval \"$(foxfire completions bash)\"",
                purpose: "In ~/.bashrc: complete from now on."
            )
        ],
        perform: { arguments in
            let shell = try arguments.word(of: Completions.self, "SHELL", in: "completions")
            return try arguments.deliver(shell.script)
        }
    )
}
