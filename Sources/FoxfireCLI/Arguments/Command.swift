/// A subcommand as it is declared: its operands, its options, and what it does.
struct Command: Sendable {
    let name: String
    /// What it does, in one line.
    let summary: String
    var operands: [Operand] = []
    let options: [Option]
    /// Paragraphs below the options.
    var details: [String] = []
    /// Command lines with what they do.
    var examples: [(line: String, purpose: String)] = []
    /// Does it.
    ///
    /// - Throws: `UsageError`, `Failure`, or a `FileError` of what it reads and writes.
    let perform: @Sendable (Arguments) throws -> ExitCode

    /// Its options, `--help` last.
    var allOptions: [Option] { options + [.help] }

    /// All subcommands, in the order help shows them.
    static let all: [Command] = [
        .run, .check, .nodes, .graphs, .schema, .dot, .probe, .completions, .help,
    ]

    /// Options before any subcommand.
    static let globalOptions: [Option] = [.version, .help]
}
