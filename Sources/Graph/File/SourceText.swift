/// The bytes of a text file, cleaned to valid UTF-8, with its lines.
struct SourceText: Sendable {
    /// Valid UTF-8 without a byte order mark.
    let bytes: [UInt8]
    /// Where bytes were no UTF-8; each is U+FFFD in `bytes`.
    let problems: [Problem]

    init(_ raw: [UInt8]) {
        let start = raw.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let text = start == 0 ? raw : Array(raw[start...])
        if String(validating: text, as: UTF8.self) != nil {
            bytes = text
            problems = []
        } else {
            (bytes, problems) = Self.cleaned(text)
        }
    }

    private static func cleaned(_ raw: [UInt8]) -> ([UInt8], [Problem]) {
        var result: [UInt8] = []
        result.reserveCapacity(raw.count)
        var problems: [Problem] = []
        var place = SourceLocation(line: 1, column: 1)
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = raw.makeIterator()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput: return (result, problems)
            case .valid(let scalar): result.append(contentsOf: scalar)
            case .error:
                if problems.count < JSONReader.problemLimit {
                    problems.append(
                        Problem(
                            .syntax,
                            "these bytes are not UTF-8",
                            at: place,
                            hint: "save the file as UTF-8"
                        )
                    )
                }
                result.append(contentsOf: [0xEF, 0xBF, 0xBD])
            }
            if result.last == UInt8(ascii: "\n") {
                place = SourceLocation(line: place.line + 1, column: 1)
            } else {
                place.column += 1
            }
        }
    }

    /// Where the scalar `index` of a string's value stands, counting from 0, for a string whose
    /// opening quote is at `start`; escapes count as what they stand for.
    ///
    /// Complexity: O(length of the text).
    func place(ofScalar index: Int, inStringAt start: SourceLocation) -> SourceLocation {
        var position = 0
        var line = 1
        while line < start.line, position < bytes.count {
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
        let scalars = String(decoding: rest(ofLineAt: position), as: UTF8.self).unicodeScalars
        var units = scalars.dropFirst(start.column)
        var column = start.column + 1
        var left = index
        while left > 0, let scalar = units.popFirst() {
            column += 1
            left -= 1
            guard scalar == "\\" else { continue }
            let letter = units.popFirst()
            column += 1
            guard letter == "u", let high = hexadecimal(units.prefix(4)) else { continue }
            units = units.dropFirst(4)
            column += 4
            if (0xD800..<0xDC00).contains(high), units.starts(with: "\\u".unicodeScalars),
                let low = hexadecimal(units.dropFirst(2).prefix(4)),
                (0xDC00..<0xE000).contains(low)
            {
                units = units.dropFirst(6)
                column += 6
            }
        }
        return SourceLocation(line: start.line, column: column)
    }

    private func rest(ofLineAt position: Int) -> ArraySlice<UInt8> {
        bytes[position...].prefix { $0 != UInt8(ascii: "\n") }
    }

    private func hexadecimal(_ digits: Substring.UnicodeScalarView) -> UInt32? {
        digits.count == 4 ? UInt32(String(digits), radix: 16) : nil
    }
}
