/// An option as it is declared: the reader, the help, the completions and the man page read it.
struct Option: Sendable, Hashable {
    /// What follows an option.
    enum Value: Sendable, Hashable {
        case none
        /// Any text; the name stands for it in help.
        case text(String)
        /// A whole number in a range.
        case integer(String, ClosedRange<Int>)
        /// A number of bytes: `1000000`, `512M` or `2G`, in powers of 1024.
        case bytes(String)
        /// One of a few words.
        case words([String])
        case file(String)
        case folder(String)
        /// `name=value`: a value for a variable of the graph.
        case setting
    }

    /// As they are typed, the short one first: `-h`, `--help`.
    let names: [String]
    let value: Value
    /// What it does, in a sentence or two.
    let purpose: String

    init(_ names: String..., value: Value = .none, purpose: String) {
        self.names = names
        self.value = value
        self.purpose = purpose
    }

    /// The name that messages use: the long one, where there is one.
    var name: String { names.last ?? "" }

    /// What stands for the value in help; nil for a switch.
    var placeholder: String? {
        switch value {
        case .none: nil
        case .text(let name), .integer(let name, _), .bytes(let name), .file(let name),
            .folder(let name):
            name
        case .words(let words): words.joined(separator: "|")
        case .setting: "NAME=VALUE"
        }
    }

    /// All its names with its value, as help shows them: `-o FILE`, `-h, --help`.
    var synopsis: String {
        names.joined(separator: ", ") + (placeholder.map { " \($0)" } ?? "")
    }
}

/// What stands on a command line without a dash, as it is declared.
struct Operand: Sendable, Hashable {
    /// What completes it.
    enum Kind: Sendable, Hashable {
        case text
        case file
        case graph
        case nodeKind
        case command
        /// A preset's name, a slot, or a preset file.
        case preset
        /// A slot of a store of presets.
        case slot
        case words([String])
        /// `name=value`, any number of times.
        case settings
    }

    let name: String
    let kind: Kind
    var isOptional = false
    /// Whether more of the same may follow; only the last operand may.
    var isRepeated = false
    let help: String

    /// As a usage line shows it: `GRAPH`, `[KIND]`, `SLOT...`, `[NAME=VALUE]...`.
    var synopsis: String {
        if kind == .settings { return "[\(name)]..." }
        return (isOptional ? "[\(name)]" : name) + (isRepeated ? "..." : "")
    }
}
