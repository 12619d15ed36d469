import Presets

/// Completion in bash, by one function that knows each command's options.
enum BashCompletions {
    static func script() -> String {
        let first = Command.all.map(\.name) + Command.globalOptions.flatMap(\.names)
        return """
            # Completion of foxfire in bash: eval "$(foxfire completions bash)"

            _foxfire_take() { mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen "$@" -- "$word"); }
            _foxfire_words() { _foxfire_take -W "$1"; }
            _foxfire_files() { compopt -o filenames; _foxfire_take -f; }
            _foxfire_folders() { compopt -o filenames; _foxfire_take -d; }
            _foxfire_kinds() { _foxfire_words "$("$program" nodes --names 2>/dev/null)"; }

            _foxfire_graphs() {
                _foxfire_words "$("$program" graphs --names 2>/dev/null)"
                compopt -o filenames
                _foxfire_take -d
                _foxfire_take -f -X '!*.json'
            }

            # Names may hold spaces, which the command line must not see as such.
            _foxfire_presets() {
                local IFS=$'\n' name
                local -a names
                mapfile -t names < <("$program" presets list --names 2>/dev/null)
                # What a preset is called must not be run: compgen expands its words.
                mapfile -t names < <(compgen -W "$(printf '%q\\n' "${names[@]}")" -- "$word")
                for name in "${names[@]}"; do
                    [[ $name ]] && COMPREPLY+=("$(printf '%q' "$name")")
                done
                IFS=$' \t\n'
                _foxfire_words "$slots"
                compopt -o filenames
                _foxfire_take -d
                _foxfire_take -f -X '!*.json'
            }

            # Before the "=" the graph's variables, after it files.
            _foxfire_settings() {
                if [[ $isValue ]]; then
                    _foxfire_files
                else
                    compopt -o nospace
                    _foxfire_words "$("$program" graphs --names -- "${COMP_WORDS[2]}" 2>/dev/null)"
                    COMPREPLY=("${COMPREPLY[@]/%/=}")
                fi
            }

            _foxfire() {
                local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]}
                local slots='\(SlotID.all.map(\.description).joined(separator: " "))'
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} isValue=""
                # "=" is a word of its own in bash.
                if [[ $word == "=" ]]; then
                    word="" isValue=1
                elif [[ $before == "=" ]]; then
                    before=${COMP_WORDS[COMP_CWORD-2]} isValue=1
                fi
                COMPREPLY=()
                if ((COMP_CWORD == 1)); then
                    _foxfire_words '\(first.joined(separator: " "))'
                    return
                fi
                case $command in
            \(Command.all.map(branch).joined())    esac
            }
            complete -F _foxfire foxfire

            """
    }

    private static func branch(_ command: Command) -> String {
        guard !command.actions.isEmpty else { return branch(command, depth: 1) }
        let words = command.actions.map(\.word).joined(separator: " ")
        return """
                \(command.word))
                    if ((COMP_CWORD == 2)); then
                        _foxfire_words '\(words) --help'
                        return
                    fi
                    case ${COMP_WORDS[2]} in
            \(command.actions.map { branch($0, depth: 2) }.joined())        esac ;;

            """
    }

    /// The case of a command whose name has `depth` words.
    private static func branch(_ command: Command, depth: Int) -> String {
        var text = "    \(command.word))\n"
        let valued = command.allOptions.filter { $0.placeholder != nil }
        if !valued.isEmpty {
            text += "        case $before in\n"
            for option in valued {
                let names = option.names.joined(separator: "|")
                text += "        \(names)) \(reply(to: option.value)) return ;;\n"
            }
            text += "        esac\n"
        }
        let names = command.allOptions.flatMap(\.names).joined(separator: " ")
        text += "        if [[ $word == -* ]]; then\n            _foxfire_words '\(names)'\n"
        for (position, operand) in command.operands.enumerated() {
            // Operands are mostly given before options: the first one is the second word.
            let isLast = position == command.operands.count - 1
            let place = position + depth + 1
            text += "        elif ((COMP_CWORD \(isLast ? ">=" : "==") \(place))); then\n"
            text += "            \(reply(to: operand.kind))\n"
        }
        return text + "        fi ;;\n"
    }

    private static func reply(to value: Option.Value) -> String {
        switch value {
        case .none, .text, .integer, .bytes: ""
        case .words(let words): "_foxfire_words '\(words.joined(separator: " "))';"
        case .file: "_foxfire_files;"
        case .folder: "_foxfire_folders;"
        case .setting: "_foxfire_settings;"
        }
    }

    private static func reply(to kind: Operand.Kind) -> String {
        switch kind {
        case .text: ":"
        case .file: "_foxfire_files"
        case .graph: "_foxfire_graphs"
        case .nodeKind: "_foxfire_kinds"
        case .preset: "_foxfire_presets"
        case .slot: "_foxfire_words \"$slots\""
        case .command: "_foxfire_words '\(Command.all.map(\.name).joined(separator: " "))'"
        case .words(let words): "_foxfire_words '\(words.joined(separator: " "))'"
        case .settings: "_foxfire_settings"
        }
    }
}
