/// One of the 24 places for presets: `slot-00` … `slot-23`.
public struct SlotID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// How many slots there are.
    public static let count = 24
    /// All of them, in order.
    public static let all = (0..<count).map { SlotID(index: $0) }

    /// 0…23.
    public let index: Int

    /// Names the slot at `index`, which must be 0…23.
    public init(index: Int) {
        precondition((0..<Self.count).contains(index), "There is no slot \(index).")
        self.index = index
    }

    /// Reads exactly `slot-00` … `slot-23`; nil for anything else.
    public init?(_ id: String) {
        let text = id.utf8
        let prefix = "slot-".utf8
        guard text.count == prefix.count + 2, text.starts(with: prefix) else { return nil }
        var index = 0
        for digit in text.suffix(2) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            index = index * 10 + Int(digit - UInt8(ascii: "0"))
        }
        guard index < Self.count else { return nil }
        self.index = index
    }

    /// Reads a slot as people write it: its id, or its number alone, as in `slot-07`, `07` or `7`.
    public init?(written text: String) {
        let digits = text.hasPrefix("slot-") ? text.dropFirst(5) : text[...]
        self.init("slot-" + (digits.count == 1 ? "0" : "") + digits)
    }

    /// `slot-07`.
    public var description: String { "slot-\(index < 10 ? "0" : "")\(index)" }

    /// By index.
    public static func < (first: SlotID, second: SlotID) -> Bool { first.index < second.index }
}
