import Presets

/// Completion in fish, by one `complete` line for each option and operand.
enum FishCompletions {
    static func script() -> String {
        var text = """
            # Completion of foxfire in fish: foxfire completions fish | source

            function __foxfire_variables
                set -l words (commandline -opc)
                test (count $words) -ge 3; or return
                for name in ($words[1] graphs --names -- $words[3] 2>/dev/null)
                    echo $name=
                end
            end

            complete -c foxfire -f

            """
        for command in Command.all {
            text += "complete -c foxfire -n __fish_use_subcommand -a \(quoted(command.name))"
            text += " -d \(quoted(command.summary))\n"
        }
        for option in Command.globalOptions {
            text += line(option, condition: "__fish_use_subcommand")
        }
        for command in Command.all where !command.actions.isEmpty {
            let words = command.actions.map(\.word).joined(separator: " ")
            let condition =
                "__fish_seen_subcommand_from \(command.name); "
                + "and not __fish_seen_subcommand_from \(words)"
            for action in command.actions {
                text += "complete -c foxfire -n \(quoted(condition)) -a \(quoted(action.word))"
                text += " -d \(quoted(action.summary))\n"
            }
        }
        for command in Command.allWithActions {
            let condition = command.name.split(separator: " ")
                .map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
            for option in command.allOptions { text += line(option, condition: condition) }
            for operand in command.operands {
                if let action = action(operand.kind) {
                    text += "complete -c foxfire -n \(quoted(condition)) \(action)"
                    text += " -d \(quoted(operand.name))\n"
                }
            }
        }
        return text
    }

    private static func line(_ option: Option, condition: String) -> String {
        var text = "complete -c foxfire -n \(quoted(condition))"
        for name in option.names {
            text += name.hasPrefix("--") ? " -l \(name.dropFirst(2))" : " -s \(name.dropFirst())"
        }
        switch option.value {
        case .none: break
        case .text, .integer, .bytes: text += " -x"
        case .words(let words): text += " -x -a \(quoted(words.joined(separator: " ")))"
        case .file: text += " -r -F"
        case .folder: text += " -x -a \(quoted("(__fish_complete_directories)"))"
        case .setting: text += " -x -a \(quoted("(__foxfire_variables)"))"
        }
        return text + " -d \(quoted(option.purpose))\n"
    }

    private static let slots =
        "printf '%s\\n' \(SlotID.all.map(\.description).joined(separator: " "))"

    private static func action(_ kind: Operand.Kind) -> String? {
        switch kind {
        case .text: nil
        case .file: "-F"
        case .graph: "-F -a \(quoted("(foxfire graphs --names 2>/dev/null)"))"
        case .nodeKind: "-a \(quoted("(foxfire nodes --names 2>/dev/null)"))"
        case .preset: "-F -a \(quoted("(foxfire presets list --names 2>/dev/null; \(slots))"))"
        case .slot: "-a \(quoted("(\(slots))"))"
        case .command: "-a \(quoted(Command.all.map(\.name).joined(separator: " ")))"
        case .words(let words): "-a \(quoted(words.joined(separator: " ")))"
        case .settings: "-F -a \(quoted("(__foxfire_variables)"))"
        }
    }

    /// The text in single quotes, where fish knows backslashes before quotes and backslashes.
    private static func quoted(_ text: String) -> String { "'\(text.escaping(["'"]))'" }
}
