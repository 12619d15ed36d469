/// What a command line said, after it was read.
struct Arguments: Sendable {
    /// A value of an option, as its declaration reads it.
    enum Value: Sendable, Hashable {
        case text(String)
        case integer(Int)
    }

    /// A variable's value, from `name=value` or `--set name=value`.
    struct Setting: Sendable, Hashable {
        let name: String
        let value: String
    }

    var operands: [String] = []
    /// In the order of the command line.
    var settings: [Setting] = []
    /// Of an option given twice, the last value.
    var values: [Option: Value] = [:]
    /// Options without a value that were given.
    var switches: Set<Option> = []

    func has(_ option: Option) -> Bool { switches.contains(option) }

    func text(_ option: Option) -> String? {
        guard case .text(let text)? = values[option] else { return nil }
        return text
    }

    func integer(_ option: Option) -> Int? {
        guard case .integer(let number)? = values[option] else { return nil }
        return number
    }
}

/// A command line that cannot be understood.
struct UsageError: Error, Hashable, Sendable {
    let text: String
    var hint: String?
    /// The subcommand, once it is known.
    var command: String?
}
