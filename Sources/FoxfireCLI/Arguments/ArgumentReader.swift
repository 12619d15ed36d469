import Graph

extension Command {
    /// Reads what follows the subcommand's name.
    ///
    /// Options are `--name value` or `--name=value` and are never abbreviated; `--` ends them. After
    /// `--help` nothing is missing any more.
    ///
    /// - Throws: `UsageError` for the first word that does not fit.
    func read(_ words: some Collection<String>) throws(UsageError) -> Arguments {
        var arguments = Arguments()
        var rest = Array(words)[...]
        var optionsEnded = false
        while let word = rest.popFirst() {
            if optionsEnded || word == "-" || !word.hasPrefix("-") {
                try take(operand: word, into: &arguments)
            } else if word == "--" {
                optionsEnded = true
            } else {
                try take(option: word, &rest, into: &arguments)
            }
        }
        if !arguments.has(.help) { try requireOperands(arguments) }
        return arguments
    }

    // MARK: Operands

    private func take(operand word: String, into arguments: inout Arguments) throws(UsageError) {
        let named = operands.filter { $0.kind != .settings }
        if arguments.operands.count < named.count || named.last?.isRepeated == true {
            arguments.operands.append(word)
            return
        }
        guard operands.contains(where: { $0.kind == .settings }) else {
            throw error("\"\(word)\" is one argument too many", hint: usage)
        }
        guard let setting = Arguments.Setting(word) else {
            throw error("\"\(word)\" is no NAME=VALUE", hint: "as in input=track.ogg")
        }
        arguments.settings.append(setting)
    }

    private func requireOperands(_ arguments: Arguments) throws(UsageError) {
        let required = operands.filter { $0.kind != .settings && !$0.isOptional }
        guard arguments.operands.count < required.count else { return }
        throw error("\(required[arguments.operands.count].name) is missing", hint: usage)
    }

    // MARK: Options

    private func take(
        option word: String,
        _ rest: inout ArraySlice<String>,
        into arguments: inout Arguments
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = word.hasPrefix("--") ? String(parts[0]) : word
        guard let option = allOptions.first(where: { $0.names.contains(name) }) else {
            throw unknown(name, among: allOptions)
        }
        let attached = word.hasPrefix("--") && parts.count == 2 ? String(parts[1]) : nil
        guard let placeholder = option.placeholder else {
            if attached != nil { throw error("\"\(name)\" takes no value") }
            arguments.switches.insert(option)
            return
        }
        // A known option is no value: its own was forgotten.
        if attached == nil, let next = rest.first,
            next == "--" || allOptions.contains(where: { $0.names.contains(next) })
        {
            throw error("\"\(name)\" needs \(placeholder)", hint: "\(name) \(placeholder)")
        }
        guard let text = attached ?? rest.popFirst() else {
            throw error("\"\(name)\" needs \(placeholder)", hint: "\(name) \(placeholder)")
        }
        try take(value: text, of: option, into: &arguments)
    }

    private func take(
        value text: String,
        of option: Option,
        into arguments: inout Arguments
    ) throws(UsageError) {
        switch option.value {
        case .none: break
        case .text: arguments.values[option] = .text(text)
        case .file, .folder:
            guard !text.isEmpty else { throw error("\"\(option.name)\" needs a path, not \"\"") }
            arguments.values[option] = .text(text)
        case .integer(_, let range):
            guard let number = Int(text), range.contains(number) else {
                throw error(
                    "\"\(option.name)\" must be a whole number from \(range.lowerBound) to "
                        + "\(range.upperBound), not \"\(text)\""
                )
            }
            arguments.values[option] = .integer(number)
        case .bytes:
            guard let number = byteCount(parsing: text) else {
                throw error(
                    "\"\(option.name)\" must be a number of bytes, as in 1000000, 512M or 4G, "
                        + "not \"\(text)\""
                )
            }
            arguments.values[option] = .integer(number)
        case .words(let words):
            guard words.contains(text) else {
                let list = words.map { "\"\($0)\"" }.joined(separator: ", ")
                throw error(
                    "\"\(option.name)\" must be one of \(list), not \"\(text)\"",
                    hint: closestMatch(to: text, in: words).map { "did you mean \"\($0)\"?" }
                )
            }
            arguments.values[option] = .text(text)
        case .setting:
            guard let setting = Arguments.Setting(text) else {
                throw error("\"\(option.name)\" needs NAME=VALUE, not \"\(text)\"")
            }
            arguments.settings.append(setting)
        }
    }

    private func error(_ text: String, hint: String? = nil) -> UsageError {
        UsageError(text: text, hint: hint, command: name)
    }

    private func unknown(_ word: String, among options: [Option]) -> UsageError {
        error("unknown option \"\(word)\"", hint: suggestion(for: word, among: options))
    }
}

/// `did you mean "--set"?`, when an option is called nearly so.
func suggestion(for word: String, among options: [Option]) -> String? {
    let names = options.flatMap(\.names).filter { $0.hasPrefix("--") }
    // Of a word with one dash in place of two the rest may be right.
    if names.contains("-" + word) { return "did you mean \"-\(word)\"?" }
    guard word.hasPrefix("--") else { return nil }
    return closestMatch(to: word, in: names).map { "did you mean \"\($0)\"?" }
}

extension Arguments.Setting {
    /// Reads `name=value`; nil where there is no name before a `=`.
    init?(_ word: String) {
        guard let sign = word.firstIndex(of: "="), sign != word.startIndex else { return nil }
        name = String(word[..<sign])
        value = String(word[word.index(after: sign)...])
    }
}

/// Reads `1000000`, `512K`, `512M`, `4G` or `1T`, in powers of 1024; nil for anything else, and for 0.
func byteCount(parsing text: String) -> Int? {
    let units: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
    var digits = text[...]
    var shift = 0
    if let last = text.last, let unit = units[last] {
        shift = unit
        digits = digits.dropLast()
    }
    guard digits.allSatisfy(\.isASCII), digits.allSatisfy(\.isNumber), let number = Int(digits)
    else { return nil }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: 1 << shift)
    return overflows || bytes == 0 ? nil : bytes
}

extension Arguments {
    /// The first operand as one of a few words.
    ///
    /// - Throws: `UsageError`, with the word that was probably meant.
    func word<T: RawRepresentable<String> & CaseIterable>(
        of type: T.Type,
        _ name: String,
        in command: String
    ) throws(UsageError) -> T {
        let text = operands.first ?? ""
        if let value = T(rawValue: text) { return value }
        let words = T.allCases.map(\.rawValue)
        throw UsageError(
            text: "\(name) must be one of \(words.joined(separator: ", ")), not \"\(text)\"",
            hint: closestMatch(to: text, in: words).map { "did you mean \"\($0)\"?" },
            command: command
        )
    }
}
