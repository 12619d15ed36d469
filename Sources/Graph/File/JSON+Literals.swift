extension JSON.Value: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
    ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    /// An object whose keys keep their order.
    public init(dictionaryLiteral elements: (String, JSON.Value)...) { self = .members(elements) }

    /// An array.
    public init(arrayLiteral elements: JSON.Value...) { self = .list(elements) }

    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A whole number.
    public init(integerLiteral value: Int) { self = .number(String(value)) }

    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// An object whose keys keep their order.
    public static func members(_ elements: some Sequence<(String, JSON.Value)>) -> JSON.Value {
        .object(
            elements.map {
                JSON.Member(
                    key: $0,
                    location: SourceLocation(line: 0, column: 0),
                    value: JSON($1)
                )
            }
        )
    }

    /// An object of those keys that have a value.
    public static func record(_ elements: KeyValuePairs<String, JSON.Value?>) -> JSON.Value {
        .members(elements.compactMap { element in element.value.map { (element.key, $0) } })
    }

    /// An array.
    public static func list(_ elements: some Sequence<JSON.Value>) -> JSON.Value {
        .array(elements.map { JSON($0) })
    }

    /// A whole number.
    public static func integer(_ value: some BinaryInteger) -> JSON.Value {
        .number(String(value))
    }

    /// A number; JSON has no infinity and no NaN, so that these become null.
    public static func real(_ value: Double) -> JSON.Value {
        value.isFinite ? .number(shortText(of: value)) : .null
    }
}
