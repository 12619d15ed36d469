/// A place in a text: line and column count from 1; columns count Unicode scalars.
public struct SourceLocation: Sendable, Hashable {
    public var line: Int
    public var column: Int

    /// Names a place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A JSON value that knows where in its file it stands.
public struct JSON: Sendable, Hashable {
    /// One key of an object.
    public struct Member: Sendable, Hashable {
        public var key: String
        public var location: SourceLocation
        public var value: JSON

        /// Says all three.
        public init(key: String, location: SourceLocation, value: JSON) {
            self.key = key
            self.location = location
            self.value = value
        }
    }

    /// What it is; numbers keep their text, so that none loses digits.
    public enum Value: Sendable, Hashable {
        case null
        case boolean(Bool)
        case number(String)
        case string(String)
        case array([JSON])
        case object([Member])
    }

    public var value: Value
    public var location: SourceLocation

    /// Puts a value at a place; values that stand in no file are at 0:0.
    public init(_ value: Value, at location: SourceLocation = SourceLocation(line: 0, column: 0)) {
        self.value = value
        self.location = location
    }

    /// The value under `key`, when this is an object that has it.
    public subscript(key: String) -> JSON? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// What it is, in a word, for messages.
    public var kindName: String {
        switch value {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSON {
    /// A value as JSON text on one line; long ones are cut for messages.
    package static func text(of value: Value, limit: Int = 80) -> String {
        var text = ""
        write(value, to: &text)
        return text.count > limit ? text.prefix(limit) + "…" : text
    }

    /// Appends `value` as compact JSON.
    package static func write(_ value: Value, to text: inout String) {
        switch value {
        case .null: text += "null"
        case .boolean(let flag): text += flag ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let string): write(string: string, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += ", " }
                write(element.value, to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += ", " }
                write(string: member.key, to: &text)
                text += ": "
                write(member.value.value, to: &text)
            }
            text += "}"
        }
    }

    /// Appends `string` as a JSON string with its quotes.
    static func write(string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case let control where control.value < 0x20:
                let digits = String(control.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
