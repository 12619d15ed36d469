import Graph

/// The texts of `--help`, made from the tables; no line is longer than 80 characters.
enum HelpText {
    static let width = 80

    /// A name and what it means, set in two columns.
    typealias Row = (name: String, meaning: String)

    /// Rows with their meanings in one column; a long name has a line of its own.
    static func table(_ rows: [Row], indent: Int = 2, widest: Int = 22) -> String {
        let column = min(widest, rows.map(\.name.count).max() ?? 0)
        let margin = String(repeating: " ", count: indent)
        let hanging = String(repeating: " ", count: indent + column + 2)
        var text = ""
        for row in rows {
            var lines = wrapped(row.meaning, width: width - indent - column - 2)
            if row.name.count <= column {
                text += margin + filled(row.name, to: column) + "  " + lines.removeFirst() + "\n"
            } else {
                text += wrappedSynopsis(row.name, indent: indent)
            }
            for line in lines { text += hanging + line + "\n" }
        }
        return text
    }

    /// An option's names with a value of many words, broken at its bars where it is too long.
    private static func wrappedSynopsis(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        guard indent + text.count > width else { return margin + text + "\n" }
        return wrapped(
            text.split(separator: "|").joined(separator: " |"),
            width: width - indent - 4
        )
        .enumerated().map { margin + ($0 == 0 ? "" : "    ") + $1 + "\n" }.joined()
    }

    static func options(_ options: [Option]) -> String {
        // Long names without a short one stand under long names.
        let indented = options.contains { $0.names.count > 1 || !$0.names[0].hasPrefix("--") }
        return table(
            options.map { option in
                let margin = indented && option.names[0].hasPrefix("--") ? "    " : ""
                return (margin + option.synopsis, option.purpose)
            }
        )
    }

    /// What `foxfire help` prints.
    static func overview() -> String {
        """
        Foxfire runs graphs of media nodes and writes the files they make.

        Usage: foxfire COMMAND [ARGUMENT]...

        Commands:
        \(table(Command.all.map { ($0.name, $0.summary) }))
        Options:
        \(options(Command.globalOptions))
        Exit codes:
        \(table(ExitCode.meanings.map { ($0.code, $0.meaning) }))
        "foxfire COMMAND --help" tells about one command, "foxfire run GRAPH --help"
        about one graph, "foxfire nodes KIND" about one kind of node.

        """
    }

    /// What `foxfire COMMAND --help` prints.
    static func command(_ command: Command) -> String {
        var text = paragraph(command.summary) + "\n"
        text += wrapped("Usage: \(command.usage)", width: width).enumerated()
            .map { ($0 == 0 ? "" : "       ") + $1 + "\n" }.joined()
        if !command.operands.isEmpty {
            text += "\n" + table(command.operands.map { ($0.name, $0.help) })
        }
        if !command.actions.isEmpty {
            text += "\nActions:\n" + table(command.actions.map { ($0.word, $0.summary) })
        }
        text += "\nOptions:\n" + options(command.allOptions)
        for detail in command.details { text += "\n" + paragraph(detail) }
        if !command.examples.isEmpty {
            text += "\nExamples:\n"
            for example in command.examples {
                text += "  \(example.line)\n"
                for line in wrapped(example.purpose, width: width - 6) { text += "      \(line)\n" }
            }
        }
        return text
    }

    static func paragraph(_ text: String) -> String {
        wrapped(text, width: width).map { $0 + "\n" }.joined()
    }
}

extension Command {
    /// Its usage line: `foxfire run GRAPH [NAME=VALUE]... [OPTION]...`.
    var usage: String { "foxfire \(name) \(usageOfArguments)" }

    /// What follows its name: `GRAPH [NAME=VALUE]... [OPTION]...`.
    var usageOfArguments: String {
        if !actions.isEmpty { return "ACTION [ARGUMENT]..." }
        return (operands.map(\.synopsis) + ["[OPTION]..."]).joined(separator: " ")
    }
}
