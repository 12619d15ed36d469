import Media

/// A variable that a graph file declares.
public struct GraphVariable: Sendable {
    /// What its values are.
    public enum Kind: String, CaseIterable, Sendable {
        case string, number, integer, boolean, time, rate, size
        /// The path of a file that is read, or written.
        case file, output
        /// The name of a preset, a slot, or the path of one.
        case preset
        /// One of a few words.
        case choice = "enum"
        /// An array.
        case list
    }

    /// What the command line and `$name` call it.
    public let name: String
    /// What its values are.
    public let kind: Kind
    /// What it is for, in a sentence; may be empty.
    public let help: String
    /// The words that an `enum` may be.
    public let values: [String]
    /// What a `number` or an `integer` may be, where that is said.
    public internal(set) var range: ClosedRange<Double>?
    /// Its value unless one is given; null leaves out the parameters that it is the value of.
    public internal(set) var fallback: JSON?
    /// The default where it follows from what another variable is.
    public internal(set) var dependentDefault: DependentDefault?
    /// Where it is declared.
    public let location: SourceLocation
    /// Its declaration has a fault, so that nothing can be said of its values.
    var isFaulty = false

    /// Whether a value must be given.
    public var isRequired: Bool { fallback == nil && dependentDefault == nil }

    /// What a value must be, as in "must be a whole number".
    var noun: String {
        switch kind {
        case .string: "a string"
        case .number: Self.number.noun + rangeText
        case .integer: Self.integer.noun + rangeText
        case .boolean: "true or false"
        case .time: ParameterType.time.noun
        case .rate: Self.rate.noun.trimmingComma
        case .size: Self.size.noun.trimmingComma
        case .file, .output: "a path"
        case .preset: "the name of a preset, a slot, or a path"
        case .choice: "one of \(values.map(JSON.quoted).joined(separator: ", "))"
        case .list: "an array"
        }
    }

    /// The range as it follows the noun; empty without one.
    private var rangeText: String {
        range.map {
            " from \(shortText(of: $0.lowerBound)) to \(shortText(of: $0.upperBound))"
        } ?? ""
    }

    private static var number: ParameterType<Double> {
        .number(in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
    }
    private static var integer: ParameterType<Int> { .integer(in: Int.min...Int.max) }
    private static var rate: ParameterType<Rate> {
        .rate(in: Rate(1, Int32.max)...Rate(Int32.max))
    }
    private static var size: ParameterType<PixelSize> { .size(in: 1...Int(Int32.max)) }

    /// The value as parameters get it, or nil when it is not of the variable's type.
    func value(of json: JSON.Value) -> JSON.Value? {
        switch (kind, json) {
        case (.string, .string), (.boolean, .boolean), (.list, .array): json
        case (.file, .string(let path)), (.output, .string(let path)), (.preset, .string(let path)):
            path.isEmpty || path.utf8.contains(0) ? nil : json
        case (.preset, .number(let slot)): .string(slot)
        case (.choice, .string(let word)): values.contains(word) ? json : nil
        case (.number, _):
            Self.number.read(json).flatMap { range?.contains($0) ?? true ? json : nil }
        case (.integer, _):
            Self.integer.read(json).flatMap {
                range?.contains(Double($0)) ?? true ? .number(String($0)) : nil
            }
        case (.time, _): ParameterType.time.read(json).map { _ in json }
        case (.rate, _): Self.rate.read(json).map(Self.rate.write)
        case (.size, _):
            Self.size.read(json).flatMap { Self.size.contains($0) ? Self.size.write($0) : nil }
        default: nil
        }
    }

    /// The default that a file may give: a value of the variable's type, or null for none.
    func defaultValue(of json: JSON.Value) -> JSON.Value? {
        if case .null = json { return json }
        return value(of: json)
    }

    /// The value that a text on the command line stands for, or nil when it is not of the type.
    func value(ofText text: String) -> JSON.Value? {
        switch kind {
        case .string, .file, .output, .preset, .choice, .size, .rate: value(of: .string(text))
        case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
        case .number, .integer, .time:
            if JSON.isNumber(text.utf8) {
                value(of: .number(text))
            } else if kind == .time {
                value(of: .string(text))
            } else {
                nil
            }
        case .list: list(ofText: text)
        }
    }

    private func list(ofText text: String) -> JSON.Value? {
        let reading = JSONReader.read(Array(text.utf8))
        guard reading.problems.isEmpty, let value = reading.value else { return nil }
        return self.value(of: value.value)
    }
}

extension String {
    /// Nouns that go on with a range end in a comma.
    fileprivate var trimmingComma: String { last == "," ? String(dropLast()) : self }
}

extension GraphVariable {
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter.
    var isLetter: Bool { (65...90).contains(self) || (97...122).contains(self) }
    /// Whether it is an ASCII digit.
    var isDigit: Bool { (48...57).contains(self) }
}

extension JSON {
    /// The text, when this is a string.
    package var string: String? {
        guard case .string(let text) = value else { return nil }
        return text
    }

    /// The texts, when this is an array of strings.
    package var strings: [String]? {
        guard case .array(let elements) = value else { return nil }
        let texts = elements.compactMap(\.string)
        return texts.count == elements.count ? texts : nil
    }
}
