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

    /// When event `index` is and how long it lasts, where everything ends at `end`.
    ///
    /// Both have one scale, so that they can be added. It lasts to the next event, or to the end where
    /// that comes first; exact as long as a scale of 32 bits holds both times, else the length is
    /// rounded up.
    ///
    /// - Parameters:
    ///   - index: of an event before the end.
    ///   - end: where the last event ends; nil: nowhere.
    /// - Returns: time and length.
    public func span(
        of index: Int64,
        endingAt end: MediaTime?
    ) -> (time: MediaTime, duration: MediaTime) {
        let start = time(of: index)
        guard let end, end < time(of: index + 1) else { return (start, interval) }
        precondition(start < end, "An event lies before the end.")
        let shared = greatestCommonDivisor(UInt64(end.reduced.scale), UInt64(numerator))
        // The counts per 1/numerator second that the end needs, or as many as there can be.
        let parts = min(Int64(end.reduced.scale) / Int64(shared), Int64(Int32.max / numerator))
        let scale = Int32(Int64(numerator) * parts)
        let time = MediaTime(start.value * parts, scale)
        return (time, end.converted(to: scale, rounding: .up) - time)
    }

    /// The number of the event whose time is nearest to `time`; of two, the later.
    public func index(nearest time: MediaTime) -> Int64 {
        let doubled = 2 * Int128(time.value) * Int128(numerator)
        let divisor = 2 * Int128(time.scale) * Int128(denominator)
        let shifted = doubled + divisor / 2
        let (quotient, remainder) = shifted.quotientAndRemainder(dividingBy: divisor)
        return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
    }

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
