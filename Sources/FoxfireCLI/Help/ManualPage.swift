/// The manual page, made from the same tables as the help texts.
enum ManualPage {
    static func text() -> String {
        var page = """
            .TH FOXFIRE 1 "" "Foxfire \(escaped(foxfireVersion))" "User Commands"
            .SH NAME
            foxfire \\- headless media pipeline
            .SH SYNOPSIS
            .B foxfire
            .I COMMAND
            [\\fIARGUMENT\\fR]...

            """
        page += section("DESCRIPTION", description)
        page += ".SH OPTIONS\n" + Command.globalOptions.map(tagged).joined()
        page += ".SH COMMANDS\n" + Command.allWithActions.map(command).joined()
        page += ".SH EXIT STATUS\n"
        for (code, meaning) in ExitCode.meanings {
            page += ".TP\n.B \(escaped(code))\n\(escaped(meaning))\n"
        }
        page += section(
            "FILES",
            [
                "PREFIX/share/foxfire/graphs holds the installed graphs, and "
                    + "PREFIX/share/foxfire/presets/factory.json the presets; a binary that was built "
                    + "in a source tree finds those of that tree.",
                "$XDG_DATA_HOME/foxfire/presets.json, or the folder $XDG_DATA_HOME/foxfire/presets "
                    + "where there is one, holds the user's presets; XDG_DATA_HOME is ~/.local/share "
                    + "unless it is set.",
            ]
        )
        return page
    }

    private static let description = [
        "Foxfire reads a graph of nodes from a JSON file, checks it, runs it, and writes the files "
            + "that it names. Outputs appear under their names only when they are whole; a job that "
            + "fails or is stopped leaves older files as they were.",
        "Results go to standard output; progress, warnings and errors go to standard error.",
    ]

    private static func section(_ title: String, _ paragraphs: [String]) -> String {
        ".SH \(title)\n" + paragraphs.map(escaped).joined(separator: "\n.PP\n") + "\n"
    }

    private static func command(_ command: Command) -> String {
        var text = """
            .SS \(escaped(command.name))
            .B foxfire \(escaped(command.name))
            \(escaped(command.usageOfArguments))
            .PP
            \(escaped(command.summary))

            """
        for operand in command.operands {
            text += ".TP\n.I \(escaped(operand.name))\n\(escaped(operand.help))\n"
        }
        text += command.allOptions.map(tagged).joined()
        for detail in command.details { text += ".PP\n\(escaped(detail))\n" }
        for example in command.examples {
            text += ".PP\n\(escaped(example.purpose))\n.PP\n.RS\n.nf\n"
            text += "\(escaped(example.line))\n.fi\n.RE\n"
        }
        return text
    }

    private static func tagged(_ option: Option) -> String {
        let names = option.names.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
        let value = option.placeholder.map { " \\fI\(escaped($0))\\fR" } ?? ""
        return ".TP\n\(names)\(value)\n\(escaped(option.purpose))\n"
    }

    /// Text that roff prints as it is.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "\"": result += "\\(dq"
            case ".", "'": result += result.isEmpty ? "\\&\(character)" : String(character)
            default: result.append(character)
            }
        }
        return result
    }
}
