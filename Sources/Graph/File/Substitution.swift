/// Puts the values of variables where a graph file names them.
struct Substitution {
    /// The values by name; one that is `.faulty` makes what names it faulty too.
    let values: [String: JSON]
    let text: SourceText
    /// The variables that were named.
    var used: Set<String> = []
    var problems: [Problem] = []
    private let names: [String]

    init(values: [String: JSON], text: SourceText) {
        self.values = values
        names = values.keys.sorted()
        self.text = text
    }

    /// The value with every `$name` replaced, at any depth.
    mutating func applied(to json: JSON, node: String, pointer: String) -> JSON {
        var result = json
        switch json.value {
        case .string(let string):
            if string.utf8.contains(UInt8(ascii: "$")) {
                return replaced(string, of: json, node: node, pointer: pointer)
            }
        case .array(let elements):
            result.value = .array(
                elements.enumerated().map {
                    applied(to: $1, node: node, pointer: "\(pointer)/\($0)")
                }
            )
        case .object(let members):
            result.value = .object(
                members.map { member in
                    var member = member
                    member.value = applied(
                        to: member.value,
                        node: node,
                        pointer: "\(pointer)/\(JSON.escapedPointer(member.key))"
                    )
                    return member
                }
            )
        case .null, .boolean, .number: break
        }
        return result
    }

    private enum Piece {
        case text(String)
        case variable(String, at: Int)
        /// A dollar that names nothing.
        case lone(at: Int)
    }

    private mutating func replaced(
        _ string: String,
        of json: JSON,
        node: String,
        pointer: String
    ) -> JSON {
        let pieces = Self.pieces(of: string)
        let names = self.names
        var result = JSON(.null, at: json.location)
        var inserted = ""
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let text): inserted += text
            case .lone(let offset):
                tell(
                    .syntax,
                    "a dollar stands here without a variable's name",
                    of: json,
                    at: offset,
                    node,
                    pointer,
                    hint: "a dollar itself is written $$"
                )
                result.origin = .faulty
            case .variable(let name, let offset):
                guard let value = values[name] else {
                    tell(
                        .unknownVariable,
                        "unknown variable \(JSON.quoted(name))",
                        of: json,
                        at: offset,
                        node,
                        pointer,
                        hint: suggestion(for: name, in: names) ?? "a dollar itself is written $$"
                    )
                    result.origin = .faulty
                    continue
                }
                used.insert(name)
                if pieces.count == 1 { return Self.placed(value, at: json.location) }
                inserted += Self.insertedText(of: value.value)
                if value.origin == .faulty || index == 0, result.origin != .faulty {
                    result.origin = value.origin
                }
            }
        }
        result.value = .string(inserted)
        return result
    }

    private mutating func tell(
        _ code: Problem.Code,
        _ words: String,
        of json: JSON,
        at offset: Int,
        _ node: String,
        _ pointer: String,
        hint: @autoclosure () -> String?
    ) {
        guard problems.count < JSONReader.problemLimit else { return }
        problems.append(
            Problem(
                code,
                words,
                at: text.place(ofScalar: offset, inStringAt: json.location),
                node: node,
                pointer: pointer,
                hint: hint()
            )
        )
    }

    /// A variable's value at the place that names it; what stands in the file keeps its own place.
    private static func placed(_ value: JSON, at place: SourceLocation) -> JSON {
        var result = value
        switch value.value {
        case .array, .object:
            if case .variable(_, isGiven: false) = value.origin { return result }
            result = relocated(value, to: place, origin: value.origin)
        default: result.location = place
        }
        return result
    }

    private static func relocated(
        _ json: JSON,
        to place: SourceLocation,
        origin: JSON.Origin
    ) -> JSON {
        var result = JSON(json.value, at: place, origin: origin)
        switch json.value {
        case .array(let elements):
            result.value = .array(elements.map { relocated($0, to: place, origin: origin) })
        case .object(let members):
            result.value = .object(
                members.map {
                    JSON.Member(
                        key: $0.key,
                        location: place,
                        value: relocated($0.value, to: place, origin: origin)
                    )
                }
            )
        default: break
        }
        return result
    }

    private static func insertedText(of value: JSON.Value) -> String {
        switch value {
        case .string(let text), .number(let text): text
        default: JSON.compact(value)
        }
    }

    private static func pieces(of string: String) -> [Piece] {
        let scalars = Array(string.unicodeScalars)
        var pieces: [Piece] = []
        var text = ""
        var index = 0
        func flush() {
            if !text.isEmpty { pieces.append(.text(text)) }
            text = ""
        }
        func nameEnd(from start: Int) -> Int {
            var end = start
            while end < scalars.count, scalars[end].isASCII,
                isNameByte(UInt8(scalars[end].value), isFirst: end == start)
            {
                end += 1
            }
            return end
        }
        while index < scalars.count {
            guard scalars[index] == "$" else {
                text.unicodeScalars.append(scalars[index])
                index += 1
                continue
            }
            let after = index + 1
            if after < scalars.count, scalars[after] == "$" {
                text += "$"
                index = after + 1
                continue
            }
            let isBraced = after < scalars.count && scalars[after] == "{"
            let start = isBraced ? after + 1 : after
            let end = nameEnd(from: start)
            let isClosed = !isBraced || end < scalars.count && scalars[end] == "}"
            flush()
            if end == start || !isClosed {
                pieces.append(.lone(at: index))
                index = after
            } else {
                var name = String.UnicodeScalarView()
                name.append(contentsOf: scalars[start..<end])
                pieces.append(.variable(String(name), at: index))
                index = isBraced ? end + 1 : end
            }
        }
        flush()
        return pieces
    }

    private static func isNameByte(_ byte: UInt8, isFirst: Bool) -> Bool {
        byte.isLetter || !isFirst && (byte.isDigit || byte == UInt8(ascii: "_"))
    }
}
