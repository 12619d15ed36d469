/// A place in a text: line and column count from 1; columns count Unicode scalars.
public struct SourceLocation: Sendable, Hashable {
    /// Counts from 1.
    public var line: Int
    /// Counts Unicode scalars from 1.
    public var column: Int

    /// Names a place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension SourceLocation: CustomStringConvertible {
    /// `line:column`.
    public var description: String { "\(line):\(column)" }
}

/// A JSON value that knows where in its file it stands.
public struct JSON: Sendable, Hashable {
    /// One key of an object.
    public struct Member: Sendable, Hashable {
        /// Its name.
        public var key: String
        /// Where its name stands.
        public var location: SourceLocation
        /// What it holds.
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

    /// Where a value comes from.
    public enum Origin: Sendable, Hashable {
        /// It stands in the file as it is.
        case written
        /// The text names or begins with a variable; `isGiven` when the command line gave its value,
        /// so that a relative path in it starts from the working directory.
        case variable(String, isGiven: Bool)
        /// Its fault is told already, and none may be told that only follows from it.
        case faulty
    }

    /// What it is.
    public var value: Value
    /// Where it starts.
    public var location: SourceLocation
    /// Where it comes from.
    public var origin = Origin.written

    /// Puts a value at a place; values that stand in no file are at 0:0.
    public init(
        _ value: Value,
        at location: SourceLocation = SourceLocation(line: 0, column: 0),
        origin: Origin = .written
    ) {
        self.value = value
        self.location = location
        self.origin = origin
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
