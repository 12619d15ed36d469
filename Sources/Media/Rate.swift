/// How often something happens: `numerator / denominator` times a second, so that 30000/1001 is exact.
@frozen public struct Rate: Sendable, Hashable {
    /// Events per `denominator` seconds; positive.
    public let numerator: Int32
    /// Seconds per `numerator` events; positive.
    public let denominator: Int32

    /// Makes a rate in lowest terms; both parts must be positive.
    public init(_ numerator: Int32, _ denominator: Int32 = 1) {
        precondition(numerator > 0 && denominator > 0, "A rate's two parts must be positive.")
        let divisor = Int32(greatestCommonDivisor(UInt64(numerator), UInt64(denominator)))
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }

    /// Events per second, rounded to a double.
    public var perSecond: Double { Double(numerator) / Double(denominator) }

    /// The exact time of event `index`, where event 0 is at 0.
    @inlinable public func time(of index: Int64) -> MediaTime {
        MediaTime(index * Int64(denominator), numerator)
    }

    /// The time between two events.
    @inlinable public var interval: MediaTime { MediaTime(Int64(denominator), numerator) }

    /// The number of events at times n/rate below `length`: the frames of a film that long.
    public func count(before length: MediaTime) -> Int64 {
        if length.value <= 0 { return 0 }
        let product = Int128(length.value) * Int128(numerator)
        let divisor = Int128(length.scale) * Int128(denominator)
        return Int64(clamping: (product + divisor - 1) / divisor)
    }
}

extension Rate: Comparable {
    /// Whether one rate is slower than the other; exact.
    public static func < (left: Rate, right: Rate) -> Bool {
        Int64(left.numerator) * Int64(right.denominator)
            < Int64(right.numerator) * Int64(left.denominator)
    }
}

extension Rate: CustomStringConvertible {
    /// The rate as graph files write it: `60` or `30000/1001`.
    public var description: String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    }
}
