import Graph

/// The UUID that names a pair: given, random, or following from what the pair holds.
enum PairIdentifier {
    case derived
    case random
    case given(String)

    /// Reads what a graph file says.
    ///
    /// - Returns: nil for what is none of the two words and no UUID.
    init?(_ text: String) {
        switch text {
        case "derived": self = .derived
        case "random": self = .random
        default:
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.map(\.count) == [8, 4, 4, 4, 12],
                parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isHexDigit } })
            else { return nil }
            self = .given(text.uppercased())
        }
    }

    /// Declares `uuid`.
    init(_ c: inout Contract) {
        let text = c.string(
            "uuid",
            default: "derived",
            "Names the pair: \"derived\" follows from what it holds, so that the same job gives the same "
                + "pair; \"random\"; or a UUID."
        )
        let read = PairIdentifier(text)
        c.require(read != nil, "uuid", "must be \"derived\", \"random\" or a UUID")
        self = read ?? .derived
    }

    /// Declares `uuid` of a still that need not belong to a pair.
    static func optional(_ c: inout Contract) -> PairIdentifier? {
        let text = c.optionalString(
            "uuid",
            "Names the Live Photo that the still belongs to as well: \"derived\", \"random\" or a UUID; "
                + "without it it belongs to none."
        )
        guard let text else { return nil }
        let read = PairIdentifier(text)
        c.require(read != nil, "uuid", "must be \"derived\", \"random\" or a UUID")
        return read
    }

    /// The UUID.
    ///
    /// - Parameter derive: gives the one that follows from what the pair holds.
    /// - Returns: 36 characters, upper case.
    func text(derivedBy derive: () -> String) -> String {
        switch self {
        case .derived: derive()
        case .random: Self.randomText()
        case .given(let text): text
        }
    }

    /// The first 122 bits of a hash as a UUID of version 8, whose contents are the maker's own (RFC 9562,
    /// section 5.8).
    ///
    /// - Parameter digest: at least 32 hexadecimal digits.
    /// - Returns: 36 characters, upper case.
    static func text(of digest: String) -> String {
        var digits = Array(digest.uppercased().prefix(32))
        digits[12] = "8"
        let variant = (digits[16].hexDigitValue ?? 0) & 3 | 8
        digits[16] = Array("0123456789ABCDEF")[variant]
        let ends = [0, 8, 12, 16, 20, 32]
        return zip(ends, ends.dropFirst()).map { String(digits[$0..<$1]) }.joined(separator: "-")
    }

    /// One that no other pair has.
    private static func randomText() -> String {
        let digits = Array("0123456789ABCDEF")
        return text(of: String((0..<32).map { _ in digits[Int.random(in: 0..<16)] }))
    }
}
