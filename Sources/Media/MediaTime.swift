/// A point or a length on a timeline: `value / scale` seconds, exact for samples and for 29.97 fps.
///
/// Times of different scales compare exactly and are never added: convert one of them first.
@frozen public struct MediaTime: Sendable {
    /// Counts of 1/`scale` second; may be negative (codec priming).
    public var value: Int64
    /// Counts per second, at least 1.
    public var scale: Int32

    /// The start of every timeline.
    public static let zero = MediaTime(0, 1)

    /// Makes the time `value / scale` seconds.
    ///
    /// - Parameters:
    ///   - value: counts of 1/`scale` second.
    ///   - scale: counts per second; must be positive.
    @inlinable public init(_ value: Int64, _ scale: Int32) {
        precondition(scale > 0, "A MediaTime needs a positive scale.")
        self.value = value
        self.scale = scale
    }

    /// The time in seconds, rounded to a double: for display and for signals, never for sums.
    @inlinable public var seconds: Double { Double(value) / Double(scale) }

    /// The same time in the smallest scale that holds it exactly.
    public var reduced: MediaTime {
        let divisor = Int64(greatestCommonDivisor(value.magnitude, UInt64(scale)))
        return MediaTime(value / divisor, Int32(Int64(scale) / divisor))
    }

    /// How a conversion that does not come out even is rounded.
    public enum Rounding: Sendable { case down, nearest, up }

    /// The same time counted in 1/`scale` second.
    ///
    /// - Parameters:
    ///   - scale: counts per second of the result; must be positive.
    ///   - rounding: the direction for a time between two counts; `nearest` sends halves up.
    /// - Returns: the nearest time in that direction.
    public func converted(to scale: Int32, rounding: Rounding = .nearest) -> MediaTime {
        if scale == self.scale { return self }
        let product = Int128(value) * Int128(scale)
        let divisor = Int128(self.scale)
        var (quotient, remainder) = product.quotientAndRemainder(dividingBy: divisor)
        if remainder < 0 {
            quotient -= 1
            remainder += divisor
        }
        switch rounding {
        case .down: break
        case .nearest: if remainder * 2 >= divisor { quotient += 1 }
        case .up: if remainder > 0 { quotient += 1 }
        }
        return MediaTime(Int64(clamping: quotient), scale)
    }

    /// The time `counts` counts of this time's own scale later.
    @inlinable public func advanced(by counts: Int64) -> MediaTime {
        MediaTime(value + counts, scale)
    }

    /// Half of this time; rounded down to a count where twice the scale is no scale.
    public var half: MediaTime {
        let (double, isOver) = scale.multipliedReportingOverflow(by: 2)
        return value % 2 == 0 || isOver ? MediaTime(value / 2, scale) : MediaTime(value, double)
    }

    /// The time `duration` later, counted in a scale that holds both.
    ///
    /// Exact whenever such a scale has 32 bits, as for samples and frames; else the nearest
    /// nanosecond.
    public func adding(_ duration: MediaTime) -> MediaTime {
        let divisor = Int64(greatestCommonDivisor(UInt64(scale), UInt64(duration.scale)))
        let common = Int64(scale) / divisor * Int64(duration.scale)
        let shared = common <= Int64(Int32.max) ? Int32(common) : 1_000_000_000
        return converted(to: shared) + duration.converted(to: shared)
    }

    /// Adds two times of one scale; different scales trap: convert first.
    @inlinable public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
        precondition(left.scale == right.scale, "Times of different scales are never added.")
        return MediaTime(left.value + right.value, left.scale)
    }

    /// Subtracts two times of one scale; different scales trap: convert first.
    @inlinable public static func - (left: MediaTime, right: MediaTime) -> MediaTime {
        precondition(left.scale == right.scale, "Times of different scales are never subtracted.")
        return MediaTime(left.value - right.value, left.scale)
    }

    /// The time nearest to `seconds` that `scale` can hold.
    public init(seconds: Double, scale: Int32) {
        self.init(Int64((seconds * Double(scale)).rounded()), scale)
    }
}

extension MediaTime: Comparable, Hashable {
    /// Whether both are the same time, whatever their scales.
    @inlinable public static func == (left: MediaTime, right: MediaTime) -> Bool {
        if left.scale == right.scale { return left.value == right.value }
        return Int128(left.value) * Int128(right.scale) == Int128(right.value) * Int128(left.scale)
    }

    /// Whether one time is before the other, whatever their scales; exact.
    @inlinable public static func < (left: MediaTime, right: MediaTime) -> Bool {
        if left.scale == right.scale { return left.value < right.value }
        return Int128(left.value) * Int128(right.scale) < Int128(right.value) * Int128(left.scale)
    }

    /// Hashes the time, so that equal times of different scales agree.
    public func hash(into hasher: inout Hasher) {
        let reduced = reduced
        hasher.combine(reduced.value)
        hasher.combine(reduced.scale)
    }
}

extension MediaTime: CustomStringConvertible {
    /// Hours, minutes, seconds and milliseconds, as in `1:02:03.500`.
    public var description: String {
        let milliseconds = converted(to: 1000).value
        let magnitude = milliseconds.magnitude
        func padded(_ number: UInt64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let hours = magnitude / 3_600_000
        let minutes = magnitude / 60_000 % 60
        let rest = "\(padded(magnitude / 1000 % 60, 2)).\(padded(magnitude % 1000, 3))"
        let sign = milliseconds < 0 ? "-" : ""
        if hours == 0 { return "\(sign)\(minutes):\(rest)" }
        return "\(sign)\(hours):\(padded(minutes, 2)):\(rest)"
    }
}

/// The greatest common divisor of two counts; of 0 and n it is n.
func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return max(a, 1)
}
