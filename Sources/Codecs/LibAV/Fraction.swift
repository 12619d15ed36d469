import CLibAV
import Media

/// An exact time inside this folder: streams count in units of their own, and sums must not round.
struct Fraction: Comparable {
    let numerator: Int128
    /// Positive, and below 2^62, so that products of two fractions fit 128 bits.
    let denominator: Int64

    static let zero = Fraction(0, 1)

    /// No time that a file claims lies further out; beyond it sums could overflow.
    private static let limitSeconds: Int128 = 1 << 40

    private init(_ numerator: Int128, _ denominator: Int64) {
        var (a, b) = (numerator.magnitude, UInt128(denominator))
        while b != 0 { (a, b) = (b, a % b) }
        let divisor = Int128(max(a, 1))
        self.numerator = numerator / divisor
        self.denominator = Int64(Int128(denominator) / divisor)
    }

    init(_ time: MediaTime) { self.init(Int128(time.value), Int64(time.scale)) }

    /// A stream's timestamp; nil when there is none or it is absurd.
    init?(_ ticks: Int64, _ base: AVRational) {
        guard ticks != foxfire_no_time, base.num > 0, base.den > 0 else { return nil }
        let product = Int128(ticks) * Int128(base.num)
        if product.magnitude / UInt128(base.den) > Self.limitSeconds.magnitude { return nil }
        self.init(product, Int64(base.den))
    }

    static func + (left: Fraction, right: Fraction) -> Fraction {
        if left.denominator == right.denominator {
            return Fraction(left.numerator + right.numerator, left.denominator)
        }
        return Fraction(
            left.numerator * Int128(right.denominator) + right.numerator * Int128(left.denominator),
            multiplied(left.denominator, right.denominator)
        )
    }

    static func - (left: Fraction, right: Fraction) -> Fraction {
        left + Fraction(0 - right.numerator, right.denominator)
    }

    private static func multiplied(_ left: Int64, _ right: Int64) -> Int64 {
        let (product, overflow) = left.multipliedReportingOverflow(by: right)
        precondition(!overflow, "Times of more than two time bases were added.")
        return product
    }

    static func < (left: Fraction, right: Fraction) -> Bool {
        left.numerator * Int128(right.denominator) < right.numerator * Int128(left.denominator)
    }

    /// The nearest count of 1/`scale` second; halves go up.
    func counts(of scale: Int32) -> Int64 {
        let doubled = 2 * numerator * Int128(scale) + Int128(denominator)
        let divisor = 2 * Int128(denominator)
        var (quotient, remainder) = doubled.quotientAndRemainder(dividingBy: divisor)
        if remainder < 0 {
            quotient -= 1
            remainder += divisor
        }
        return Int64(clamping: quotient)
    }

    /// The time in the fewest counts that hold it, or in microseconds where none does.
    var time: MediaTime {
        if let scale = Int32(exactly: denominator), let value = Int64(exactly: numerator) {
            return MediaTime(value, scale)
        }
        return MediaTime(counts(of: 1_000_000), 1_000_000)
    }

    var seconds: Double { Double(numerator) / Double(denominator) }
}
