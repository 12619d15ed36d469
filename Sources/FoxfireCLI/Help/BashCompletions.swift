/// Completion in bash, by one function that knows each command's options.
enum BashCompletions {
    static func script() -> String {
        """
        # Completion of foxfire in bash: eval "$(foxfire completions bash)"

        _foxfire() {
            local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
            local command=${COMP_WORDS[1]} options
            # bash breaks words at "=": put them together again.
            if [[ $word == "=" ]]; then word=; fi
            if [[ $before == "=" ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
            COMPREPLY=()
            if ((COMP_CWORD == 1)); then
                COMPREPLY=($(compgen -W "\((Command.all.map(\.name) + Command.globalOptions.flatMap(\.names)).joined(separator: " "))" -- "$word"))
                return
            fi
            case $command in
        \(Command.all.map(branch).joined())    esac
        }
        complete -F _foxfire foxfire

        """
    }

    private static func branch(_ command: Command) -> String {
        var text = "    \(command.name))\n"
        let valued = command.allOptions.filter { $0.placeholder != nil }
        if !valued.isEmpty {
            text += "        case $before in\n"
            for option in valued {
                text += "        \(option.names.joined(separator: "|"))) "
                text += "\(reply(to: option.value)); return ;;\n"
            }
            text += "        esac\n"
        }
        let names = command.allOptions.flatMap(\.names).joined(separator: " ")
        text +=
            "        if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"\(names)\" -- \"$word\")); return; fi\n"
        for (position, operand) in command.operands.enumerated() {
            // Options stand before operands seldom: the first operand is the first word.
            let isLast = position == command.operands.count - 1
            let condition =
                isLast && position > 0 ? "" : "if ((COMP_CWORD == \(position + 2))); then "
            text += "        \(condition)\(reply(to: operand.kind))"
            text += condition.isEmpty ? "\n" : "; fi\n"
        }
        return text + "        ;;\n"
    }

    private static func reply(to value: Option.Value) -> String {
        switch value {
        case .none, .text, .integer, .bytes: ":"
        case .words(let words): list(words.joined(separator: " "))
        case .file: files
        case .folder: "COMPREPLY=($(compgen -d -- \"$word\"))"
        case .setting: variables
        }
    }

    private static func reply(to kind: Operand.Kind) -> String {
        switch kind {
        case .text: ":"
        case .file: files
        case .graph:
            "COMPREPLY=($(compgen -W \"$(\"${COMP_WORDS[0]}\" graphs --names 2>/dev/null)\" -- \"$word\") "
                + "$(compgen -f -X '!*.json' -- \"$word\") $(compgen -d -S / -- \"$word\"))"
        case .nodeKind: list("$(\"${COMP_WORDS[0]}\" nodes --names 2>/dev/null)")
        case .command: list(Command.all.map(\.name).joined(separator: " "))
        case .words(let words): list(words.joined(separator: " "))
        case .settings: variables
        }
    }

    private static func list(_ words: String) -> String {
        "COMPREPLY=($(compgen -W \"\(words)\" -- \"$word\"))"
    }

    private static let files = "COMPREPLY=($(compgen -f -- \"$word\"))"

    /// After `name=` files fit; before it the graph's variables.
    private static let variables =
        "if [[ ${COMP_WORDS[COMP_CWORD]} == \"=\" || ${COMP_WORDS[COMP_CWORD-1]} == \"=\" ]]; then "
        + "\(files); else compopt -o nospace; COMPREPLY=($(compgen -S = -W "
        + "\"$(\"${COMP_WORDS[0]}\" graphs --names -- \"${COMP_WORDS[2]}\" 2>/dev/null)\" "
        + "-- \"$word\")); fi"
}
