/// Reads JSON as people write it, with the place of every value, and goes on after faults.
///
/// `//` comments and trailing commas are allowed. A bad literal, a duplicate key (the first is kept),
/// a missing comma, a string without an end, bytes that are no UTF-8, or text after the end are each
/// told, and reading goes on; the value is then marked `.faulty`. Only a bracket that is missing or
/// does not match ends the reading.
///
/// For any bytes: no trap, time and memory O(bytes), at most `problemLimit` problems.
public struct JSONReader {
    /// The longest text that is read, in bytes.
    public static let byteLimit = 16 << 20
    /// How deep arrays and objects may lie in each other.
    public static let depthLimit = 128
    /// After so many problems no more are looked for.
    public static let problemLimit = 100

    /// What was read.
    public struct Reading: Sendable {
        /// The value; nil where there is none.
        public var value: JSON?
        /// What is wrong, in the order of the text.
        public var problems: [Problem]
        /// Whether the text was read to its end, so that nothing is missing in `value` but what the
        /// problems name.
        public var isWhole: Bool
    }

    let bytes: [UInt8]
    var position = 0
    var problems: [Problem] = []
    /// The reader does not know any more where in the structure it is.
    var isLost = false
    private var line = 1
    /// A place that was counted already, so that columns are counted once over the whole text.
    private var counted = (position: 0, column: 1)

    /// Reads a text.
    public static func read(_ bytes: [UInt8]) -> Reading {
        if bytes.count > byteLimit {
            return Reading(
                value: nil,
                problems: [
                    Problem(
                        .syntax,
                        "the file has \(bytes.count) bytes; at most \(byteLimit) are read"
                    )
                ],
                isWhole: false
            )
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return Reading(
                value: nil,
                problems: [
                    Problem(
                        .syntax,
                        "the file is UTF-16",
                        at: SourceLocation(line: 1, column: 1),
                        hint: "save the file as UTF-8"
                    )
                ],
                isWhole: false
            )
        }
        return read(SourceText(bytes))
    }

    static func read(_ text: SourceText) -> Reading {
        var reader = JSONReader(text)
        let value = reader.document()
        let problems = (text.problems + reader.problems).sorted(by: Problem.stand).prefix(
            problemLimit
        )
        return Reading(value: value, problems: Array(problems), isWhole: !reader.isLost)
    }

    private init(_ text: SourceText) { bytes = text.bytes }

    // MARK: Places and problems

    /// The place of the byte that comes next; asked for in rising order only.
    mutating func place() -> SourceLocation {
        var column = counted.column
        for index in counted.position..<position where bytes[index] & 0xC0 != 0x80 { column += 1 }
        counted = (position, column)
        return SourceLocation(line: line, column: column)
    }

    mutating func tell(
        _ text: String,
        at place: SourceLocation,
        code: Problem.Code = .syntax,
        hint: String? = nil
    ) {
        guard !isLost else { return }
        problems.append(Problem(code, text, at: place, hint: hint))
        if problems.count >= Self.problemLimit { isLost = true }
    }

    private mutating func giveUp(_ text: String, at place: SourceLocation, hint: String? = nil) {
        tell(text, at: place, hint: hint)
        isLost = true
    }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    // MARK: Structure

    private mutating func document() -> JSON? {
        skipSpace()
        guard next != nil else {
            giveUp("there is nothing in the file", at: place())
            return nil
        }
        let value = value(depth: 0)
        skipSpace()
        if !isLost, next != nil {
            let place = place()
            let start = position
            if word().isEmpty { position += 1 }
            let garbage = String(decoding: bytes[start..<position], as: UTF8.self)
            tell(
                "there is more after the end: \(JSON.quoted(garbage))",
                at: place,
                hint: "a file holds one value"
            )
        }
        return value
    }

    private mutating func value(depth: Int) -> JSON {
        let place = place()
        guard let byte = next else {
            giveUp("the text ends where a value should be", at: place)
            return JSON(.null, at: place, origin: .faulty)
        }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < Self.depthLimit else {
                giveUp("values lie more than \(Self.depthLimit) deep in each other", at: place)
                return JSON(.null, at: place, origin: .faulty)
            }
            return byte == UInt8(ascii: "{")
                ? object(depth: depth, from: place) : array(depth: depth, from: place)
        case UInt8(ascii: "\""):
            let string = string(from: place)
            return JSON(
                .string(string.text),
                at: place,
                origin: string.isWhole ? .written : .faulty
            )
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
            tell("a value is missing here", at: place)
            return JSON(.null, at: place, origin: .faulty)
        default:
            return literal(from: place)
        }
    }

    private mutating func object(depth: Int, from start: SourceLocation) -> JSON {
        position += 1
        var members: [JSON.Member] = []
        var places: [String: SourceLocation] = [:]
        // A member without its key may be any: no other can be said to be missing then.
        var origin = JSON.Origin.written
        var wantsComma = false
        var end = start
        while !isLost {
            skipSpace()
            switch next {
            case nil:
                giveUp(
                    "the text ends, but the object that starts at \(start) is not closed",
                    at: place(),
                    hint: "a \"}\" is missing"
                )
            case UInt8(ascii: "}"):
                position += 1
                return JSON(.object(members), at: start, origin: origin)
            case UInt8(ascii: "]"):
                giveUp(
                    "a \"]\" stands where the object that starts at \(start) should be closed",
                    at: place()
                )
            case UInt8(ascii: ","):
                if !wantsComma { tell("a key is missing before this comma", at: place()) }
                position += 1
                wantsComma = false
            default:
                if wantsComma { tell("a comma is missing", at: end) }
                let (member, isWhole) = member(depth: depth)
                end = place()
                wantsComma = isWhole
                guard let member else {
                    origin = .faulty
                    continue
                }
                if let first = places[member.key] {
                    tell(
                        "the key \(JSON.quoted(member.key)) is there already, at \(first)",
                        at: member.location,
                        code: .duplicateKey
                    )
                } else {
                    places[member.key] = member.location
                    members.append(member)
                }
            }
        }
        return JSON(.object(members), at: start, origin: .faulty)
    }

    /// Reads `"key": value`; nil where there is no key; the flag is false where a string without an
    /// end may have swallowed the comma after it.
    private mutating func member(depth: Int) -> (JSON.Member?, isWhole: Bool) {
        let place = place()
        var key: String?
        if next == UInt8(ascii: "\"") {
            let string = string(from: place)
            if !string.isWhole { return (nil, false) }
            key = string.text
        } else {
            let word = word()
            if word.isEmpty {
                tell("a key in double quotes should be here", at: place)
                if next != UInt8(ascii: ":") { _ = self.value(depth: depth + 1) }
                skipSpace()
                if next == UInt8(ascii: ":") { position += 1 }
            } else {
                tell("the key \(JSON.quoted(word)) must stand in double quotes", at: place)
                key = word
            }
        }
        skipSpace()
        if key != nil {
            if next == UInt8(ascii: ":") {
                position += 1
            } else {
                tell("a colon is missing after the key \(JSON.quoted(key ?? ""))", at: self.place())
                if next == UInt8(ascii: "=") { position += 1 }
            }
            skipSpace()
        }
        let value = value(depth: depth + 1)
        let isWhole = !(value.origin == .faulty && value.isString)
        return (key.map { JSON.Member(key: $0, location: place, value: value) }, isWhole)
    }

    private mutating func array(depth: Int, from start: SourceLocation) -> JSON {
        position += 1
        var elements: [JSON] = []
        var wantsComma = false
        var end = start
        while !isLost {
            skipSpace()
            switch next {
            case nil:
                giveUp(
                    "the text ends, but the array that starts at \(start) is not closed",
                    at: place(),
                    hint: "a \"]\" is missing"
                )
            case UInt8(ascii: "]"):
                position += 1
                return JSON(.array(elements), at: start)
            case UInt8(ascii: "}"):
                giveUp(
                    "a \"}\" stands where the array that starts at \(start) should be closed",
                    at: place()
                )
            case UInt8(ascii: ","):
                if !wantsComma { tell("a value is missing before this comma", at: place()) }
                position += 1
                wantsComma = false
            case UInt8(ascii: ":"):
                tell("a colon has no place in an array", at: place())
                position += 1
                wantsComma = false
            default:
                if wantsComma { tell("a comma is missing", at: end) }
                let value = value(depth: depth + 1)
                end = place()
                wantsComma = !(value.origin == .faulty && value.isString)
                elements.append(value)
            }
        }
        return JSON(.array(elements), at: start, origin: .faulty)
    }

    // MARK: Space

    private mutating func skipSpace() {
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\n"):
                position += 1
                line += 1
                counted = (position, 1)
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "/") where isComment(second: UInt8(ascii: "/")):
                while let byte = next, byte != UInt8(ascii: "\n") { position += 1 }
            case UInt8(ascii: "/") where isComment(second: UInt8(ascii: "*")):
                tell("comments start with // and end with the line", at: place())
                skipBlockComment()
            default: return
            }
        }
    }

    func isComment(second: UInt8) -> Bool {
        position + 1 < bytes.count && bytes[position + 1] == second
    }

    private mutating func skipBlockComment() {
        position += 2
        while let byte = next {
            position += 1
            if byte == UInt8(ascii: "\n") {
                line += 1
                counted = (position, 1)
            } else if byte == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
                position += 1
                return
            }
        }
    }
}

extension JSON {
    fileprivate var isString: Bool {
        if case .string = value { return true }
        return false
    }
}
