import Presets

/// Completion in zsh, by `_arguments` for each command.
enum ZshCompletions {
    static func script() -> String {
        let commands = Command.all.map { "            \(pair($0.name, $0.summary))" }
        return """
            #compdef foxfire
            # Completion of foxfire in zsh: eval "$(foxfire completions zsh)"

            _foxfire_graphs() {
                local -a graphs
                graphs=(${(f)"$($foxfire graphs --names 2>/dev/null)"})
                compadd -a graphs
                _files -g '*.json'
            }

            _foxfire_kinds() {
                local -a kinds
                kinds=(${(f)"$($foxfire nodes --names 2>/dev/null)"})
                compadd -a kinds
            }

            _foxfire_presets() {
                local -a names
                names=(${(f)"$($foxfire presets list --names 2>/dev/null)"})
                compadd -a names
                _foxfire_slots
                _files -g '*.json'
            }

            _foxfire_slots() { compadd \(SlotID.all.map(\.description).joined(separator: " ")) }

            _foxfire_settings() {
                if compset -P '*='; then
                    _files
                else
                    local -a variables
                    variables=(${(f)"$($foxfire graphs --names -- ${(Q)graph} 2>/dev/null)"})
                    compadd -S = -a variables
                fi
            }

            _foxfire_commands() {
                local -a commands
                commands=(
            \(commands.joined(separator: "\n"))
                )
                _describe command commands
            }

            _foxfire() {
                local context state line foxfire=${words[1]} graph=${words[3]}
                typeset -A opt_args
                _arguments -C \(Command.globalOptions.flatMap(specifications).joined(separator: " ")) \\
                    '1: :_foxfire_commands' '*:: :->rest'
                [[ $state == rest ]] || return
                case ${words[1]} in
            \(Command.all.map(branch).joined())    esac
            }

            if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
                _foxfire "$@"
            else
                compdef _foxfire foxfire
            fi

            """
    }

    private static func branch(_ command: Command) -> String {
        guard !command.actions.isEmpty else { return leaf(command) }
        let actions = command.actions.map { pair($0.word, $0.summary) }.joined(separator: " ")
        return """
                \(command.word))
                    local -a actions
                    actions=(\(actions))
                    _arguments -C '1: :{_describe action actions}' '*:: :->action'
                    [[ $state == action ]] || return
                    case ${words[1]} in
            \(command.actions.map(leaf).joined())        esac
                    ;;

            """
    }

    private static func leaf(_ command: Command) -> String {
        var words = command.allOptions.flatMap(specifications)
        for (position, operand) in command.operands.enumerated() {
            let isMany = operand.kind == .settings || operand.isRepeated
            let place = isMany ? "*" : "\(position + 1)"
            words.append(
                "\(place):\(operand.name.escaping([":"])):\(action(operand.kind))".shellQuoted
            )
        }
        let lines = words.joined(separator: " \\\n            ")
        return "    \(command.word))\n        _arguments \(lines)\n        ;;\n"
    }

    /// One word for `_arguments` for each name of an option.
    private static func specifications(_ option: Option) -> [String] {
        option.names.map { name in
            let help = option.purpose.escaping(["[", "]", ":"])
            let sign = option.placeholder == nil || !name.hasPrefix("--") ? "" : "="
            let value = option.placeholder.map { ":\($0.escaping([":"])):\(action(option.value))" }
            return "\(name)\(sign)[\(help)]\(value ?? "")".shellQuoted
        }
    }

    private static func action(_ value: Option.Value) -> String {
        switch value {
        case .none, .text, .integer, .bytes: ""
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .file: "_files"
        case .folder: "_files -/"
        case .setting: "_foxfire_settings"
        }
    }

    private static func action(_ kind: Operand.Kind) -> String {
        switch kind {
        case .text: ""
        case .file: "_files"
        case .graph: "_foxfire_graphs"
        case .nodeKind: "_foxfire_kinds"
        case .preset: "_foxfire_presets"
        case .slot: "_foxfire_slots"
        case .command: "_foxfire_commands"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .settings: "_foxfire_settings"
        }
    }

    private static func pair(_ name: String, _ help: String) -> String {
        "\(name):\(help.escaping([":"]))".shellQuoted
    }
}
