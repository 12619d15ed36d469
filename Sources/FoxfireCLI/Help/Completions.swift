/// The scripts that complete command lines in a shell, made from the same tables as the help texts.
enum Completions: String, CaseIterable {
    case bash, zsh, fish

    var script: String {
        switch self {
        case .bash: BashCompletions.script()
        case .zsh: ZshCompletions.script()
        case .fish: FishCompletions.script()
        }
    }
}

extension String {
    /// The text in single quotes, for a POSIX shell.
    var shellQuoted: String { "'" + split("'").joined(separator: "'\\''") + "'" }

    /// The parts between `separator`, empty ones too.
    fileprivate func split(_ separator: Character) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }

    /// The text with a backslash before each of `characters` and before backslashes.
    func escaping(_ characters: Set<Character>) -> String {
        reduce(into: "") { text, character in
            if character == "\\" || characters.contains(character) { text += "\\" }
            text.append(character)
        }
    }
}
