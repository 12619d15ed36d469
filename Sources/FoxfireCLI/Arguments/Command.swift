/// A subcommand as it is declared: its operands, its options, and what it does; or a group of such,
/// its actions.
struct Command: Sendable {
    /// As it is typed; of an action, with its group: `presets save`.
    let name: String
    /// What it does, in one line.
    let summary: String
    var operands: [Operand] = []
    let options: [Option]
    /// Paragraphs below the options.
    var details: [String] = []
    /// Command lines with what they do.
    var examples: [(line: String, purpose: String)] = []
    /// Of a group, what the word after its name chooses between; empty for what is done by itself.
    var actions: [Command] = []
    /// Does it; a group by itself only prints its help.
    ///
    /// - Throws: `UsageError`, `Failure`, or a `FileError` of what it reads and writes.
    let perform: @Sendable (Arguments) throws -> ExitCode

    /// Its options, `--help` last.
    var allOptions: [Option] { options + [.help] }

    /// The last word of its name.
    var word: String { name.split(separator: " ").last.map(String.init) ?? name }

    /// All subcommands, in the order help shows them.
    static let all: [Command] = [
        .run, .batch, .check, .nodes, .graphs, .presets, .picofox, .lumen, .pair, .schema, .dot,
        .probe,
        .completions,
        .help,
    ]

    /// All that can be done: the subcommands, groups followed by their actions.
    static var allWithActions: [Command] { all.flatMap { [$0] + $0.actions } }

    /// A group of actions.
    static func group(_ name: String, summary: String, details: [String], actions: [Command])
        -> Command
    {
        Command(
            name: name,
            summary: summary,
            options: [],
            details: details,
            actions: actions,
            perform: { _ in
                throw UsageError(
                    text: "an action is missing",
                    hint: "it is one of \(actions.map(\.word).joined(separator: ", "))",
                    command: name
                )
            }
        )
    }

    /// Options before any subcommand.
    static let globalOptions: [Option] = [.version, .help]
}
