extension JSONReader {
    /// Reads a string from its opening quote on; not whole when its line ends first.
    mutating func string(from start: SourceLocation) -> (text: String, isWhole: Bool) {
        position += 1
        var decoded: [UInt8] = []
        var runStart = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                decoded.append(contentsOf: bytes[runStart..<position])
                position += 1
                return (String(decoding: decoded, as: UTF8.self), true)
            case UInt8(ascii: "\\"):
                decoded.append(contentsOf: bytes[runStart..<position])
                escape(into: &decoded)
                runStart = position
            case UInt8(ascii: "\n"):
                decoded.append(contentsOf: bytes[runStart..<position])
                tell(
                    "the string that starts here has no end on its line",
                    at: start,
                    hint: "a \" is missing; a line break is written \\n"
                )
                return (String(decoding: decoded, as: UTF8.self), false)
            case 0..<0x20 where byte != UInt8(ascii: "\t") && byte != UInt8(ascii: "\r"):
                let code = String(byte, radix: 16, uppercase: true)
                let digits = String(repeating: "0", count: 4 - code.count) + code
                let place = place()
                tell(
                    "the control character U+\(digits) stands in a string",
                    at: place,
                    hint: "write \\u\(digits)"
                )
                position += 1
            default: position += 1
            }
        }
        tell("the string that starts here has no end", at: start, hint: "a \" is missing")
        return (String(decoding: decoded, as: UTF8.self), false)
    }

    /// Reads one escape, from its backslash on.
    private mutating func escape(into decoded: inout [UInt8]) {
        let place = place()
        position += 1
        guard let letter = next, letter != UInt8(ascii: "\n") else { return }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(letter)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = escapedScalar(at: place)
            decoded.append(contentsOf: Array(String(Character(scalar)).utf8))
        default:
            position -= 1
            tell(
                "a backslash stands before a character that needs none",
                at: place,
                hint: "a backslash itself is written \\\\"
            )
        }
    }

    /// The scalar of `\uXXXX`, or of two of them that are a surrogate pair, after the first `u`.
    private mutating func escapedScalar(at place: SourceLocation) -> Unicode.Scalar {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        guard let first = fourDigits() else {
            tell("\\u needs four hexadecimal digits", at: place)
            return replacement
        }
        if let scalar = Unicode.Scalar(first) { return scalar }
        let after = position
        if first < 0xDC00, next == UInt8(ascii: "\\") {
            position += 1
            if next == UInt8(ascii: "u") {
                position += 1
                if let second = fourDigits(), (0xDC00..<0xE000).contains(second),
                    let scalar = Unicode.Scalar(
                        0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
                    )
                {
                    return scalar
                }
            }
        }
        position = after
        tell(
            "half of a surrogate pair stands alone",
            at: place,
            hint: "characters beyond U+FFFF are written as they are, or as two \\u"
        )
        return replacement
    }

    private mutating func fourDigits() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = byte.hexadecimalDigit else { return nil }
            value = value << 4 | digit
        }
        position += 4
        return value
    }

    /// Reads a number, `true`, `false` or `null`; anything else is told.
    mutating func literal(from place: SourceLocation) -> JSON {
        if next == UInt8(ascii: "'") { return singleQuoted(from: place) }
        let start = position
        var word = word()
        if position == start {
            position += 1
            word = String(decoding: bytes[start..<position], as: UTF8.self)
        }
        switch word {
        case "true": return JSON(.boolean(true), at: place)
        case "false": return JSON(.boolean(false), at: place)
        case "null": return JSON(.null, at: place)
        default: break
        }
        if JSON.isNumber(word.utf8) { return JSON(.number(word), at: place) }
        let known = ["true", "false", "null"]
        let hint: String? =
            if let close = known.first(where: { $0 == word.lowercased() }) {
                "write \(close)"
            } else if Double(word) != nil, !word.lowercased().hasPrefix("n") {
                "numbers are written like 0.5, 1e3 or -2"
            } else {
                "a string stands in double quotes"
            }
        tell("\(JSON.quoted(word)) is no value", at: place, hint: hint)
        return JSON(.null, at: place, origin: .faulty)
    }

    private mutating func singleQuoted(from place: SourceLocation) -> JSON {
        position += 1
        while let byte = next, byte != UInt8(ascii: "\n") {
            position += 1
            if byte == UInt8(ascii: "'") { break }
        }
        tell("a string stands in double quotes, not in single ones", at: place)
        return JSON(.null, at: place, origin: .faulty)
    }

    /// The bytes up to the next space or mark of JSON; may be none.
    mutating func word() -> String {
        let start = position
        loop: while let byte = next {
            switch byte {
            case 0x20, 0x0D, 0x0A, 0x09: break loop
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""), UInt8(ascii: "="):
                break loop
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"):
                break loop
            case UInt8(ascii: "/") where isComment(second: UInt8(ascii: "/")): break loop
            default: position += 1
            }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }
}

extension JSON {
    /// Whether `text` is a number as JSON writes it.
    static func isNumber(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        var rest = text[...]
        func digits() -> Int {
            let before = rest.count
            rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return before - rest.count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        if whole == 0 || whole > 1 && startsWithZero { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            if digits() == 0 { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                rest = rest.dropFirst()
            }
            if digits() == 0 { return false }
        }
        return rest.isEmpty
    }
}

extension UInt8 {
    fileprivate var hexadecimalDigit: UInt32? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
