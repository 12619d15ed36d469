/// Names a job's output by the values of its variables: `out/{input.stem}-{preset}-{n}.mp4`.
///
/// `{name}` is a variable's value, in which slashes become `_`; `{name.stem}` of a path the file's name without
/// folder and ending, `{name.name}` with its ending. `{n}` counts jobs from 1, with as many digits as the last has. A
/// brace itself is written twice.
struct OutputPattern: Sendable, Hashable {
    enum Piece: Sendable, Hashable {
        case text(String)
        case number
        case value(String)
        case stem(String)
        case name(String)
    }

    let pieces: [Piece]

    /// Why a text is no pattern.
    struct Fault: Error, Hashable {
        let text: String
        /// Scalars from the text's beginning.
        let offset: Int
    }

    /// Reads a pattern.
    ///
    /// - Throws: `Fault` for braces that do not close or name nothing.
    init(_ text: String) throws(Fault) {
        let scalars = Array(text.unicodeScalars)
        var (pieces, plain, index) = ([Piece](), "", 0)
        func isDouble(_ scalar: Unicode.Scalar) -> Bool {
            index + 1 < scalars.count && scalars[index + 1] == scalar
        }
        while index < scalars.count {
            let scalar = scalars[index]
            if (scalar == "{" || scalar == "}") && isDouble(scalar) {
                plain.unicodeScalars.append(scalar)
                index += 2
                continue
            }
            guard scalar == "{" || scalar == "}" else {
                plain.unicodeScalars.append(scalar)
                index += 1
                continue
            }
            guard scalar == "{", let end = scalars[index...].firstIndex(of: "}") else {
                throw Fault(text: "a brace stands here without its other", offset: index)
            }
            var inner = String.UnicodeScalarView()
            inner.append(contentsOf: scalars[(index + 1)..<end])
            guard let piece = Self.piece(String(inner)) else {
                throw Fault(
                    text:
                        "\"{\(String(inner))}\" is none of {n}, {name}, {name.stem} and {name.name}",
                    offset: index
                )
            }
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
            pieces.append(piece)
            index = end + 1
        }
        if !plain.isEmpty { pieces.append(.text(plain)) }
        self.pieces = pieces
    }

    private static func piece(_ inner: String) -> Piece? {
        if inner == "n" { return .number }
        let parts = inner.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let isName = parts[0].utf8.enumerated().allSatisfy { place, byte in
            byte | 32 >= 97 && byte | 32 <= 122
                || place > 0 && (byte == 95 || (48...57).contains(byte))
        }
        guard isName, !parts[0].isEmpty else { return nil }
        switch parts.dropFirst() {
        case []: return .value(parts[0])
        case ["stem"]: return .stem(parts[0])
        case ["name"]: return .name(parts[0])
        default: return nil
        }
    }

    /// The variables that it names.
    var variables: [String] {
        pieces.compactMap {
            switch $0 {
            case .text, .number: nil
            case .value(let name), .stem(let name), .name(let name): name
            }
        }
    }

    /// The output of a job.
    ///
    /// - Parameters:
    ///   - values: of the job's variables; all that the pattern names.
    ///   - number: of the job, from 1.
    ///   - count: of all jobs.
    /// - Returns: the path.
    func path(_ values: [String: String], number: Int, of count: Int) -> String {
        let width = "\(count)".count
        return pieces.map { piece in
            switch piece {
            case .text(let text): return text
            case .number:
                let digits = "\(number)"
                return String(repeating: "0", count: max(0, width - digits.count)) + digits
            case .value(let name):
                return String((values[name] ?? "").map { $0 == "/" || $0 == "\0" ? "_" : $0 })
            case .stem(let name):
                let last = Self.lastPart(values[name] ?? "")
                guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return last }
                return String(last[..<dot])
            case .name(let name): return Self.lastPart(values[name] ?? "")
            }
        }.joined()
    }

    private static func lastPart(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
