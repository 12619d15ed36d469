public import Media

/// One thing that was wrong with an input and was worked around.
public struct Damage: Hashable, Sendable, CustomStringConvertible {
    /// What was wrong.
    public enum Kind: String, Sendable {
        /// Bytes that could not be decoded; what they held is missing.
        case corrupt
        /// The file ends before it says it does.
        case truncated
        /// The file's own times jumped or ran backwards; they were made continuous.
        case times
    }

    /// What was wrong.
    public let kind: Kind
    /// Where on the timeline that the reader gives, where known.
    public let time: MediaTime?
    /// Where in the file, in bytes, where known.
    public let bytePosition: Int64?
    /// What was wrong, in words.
    public let text: String

    /// Says all of it.
    public init(kind: Kind, time: MediaTime?, bytePosition: Int64?, text: String) {
        self.kind = kind
        self.time = time
        self.bytePosition = bytePosition
        self.text = text
    }

    /// What, when, where and why in one line.
    public var description: String {
        "\(kind.rawValue)" + (time.map { " at \($0)" } ?? "")
            + (bytePosition.map { " (byte \($0))" } ?? "") + ": \(text)"
    }
}

/// All damage of an input: the first pieces in full, the rest as a number.
public struct DamageReport: Sendable {
    /// How many pieces are kept in full.
    public static let kept = 32
    /// The first pieces.
    public private(set) var first: [Damage] = []
    /// How many there were.
    public private(set) var total = 0

    /// Whether there was none.
    public var isEmpty: Bool { total == 0 }

    /// Makes a report of no damage.
    public init() {}

    /// Adds one piece.
    public mutating func add(_ damage: Damage) {
        total += 1
        if first.count < Self.kept { first.append(damage) }
    }
}
