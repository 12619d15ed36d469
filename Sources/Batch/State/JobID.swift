/// Names a job of a batch for good: by its graph and the values of its variables.
public struct JobID: Sendable, Hashable {
    let number: UInt64

    /// Of a job's graph and values.
    ///
    /// - Parameters:
    ///   - graph: as the batch names it.
    ///   - values: of all variables that are given.
    ///   - part: of a film, what the job makes of it; a film that is joined has the ID of one that is made at once.
    public init(graph: String, values: [String: String], part: FilmPart? = nil) {
        // Lengths keep what is written together apart.
        var words = [graph] + values.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        if let part, part.kind != .film { words.append(part.mark) }
        let text = words.map { "\($0.utf8.count):\($0)" }.joined()
        number = UInt64(sha256(of: text).prefix(16), radix: 16) ?? 0
    }

    /// As it is written.
    ///
    /// - Parameter text: 16 hexadecimal digits, small letters; nil for anything else.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 16,
            text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
            let number = UInt64(text, radix: 16)
        else { return nil }
        self.number = number
    }
}

extension JobID: CustomStringConvertible {
    /// 16 hexadecimal digits.
    public var description: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
