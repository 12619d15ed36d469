/// Functions that give the same bits on every machine.
///
/// libm picks its code by CPU (with and without fused multiply-add), so its last bit differs
/// between machines. These use only operations that IEEE 754 rounds exactly, in a fixed order.
public enum PortableMath {
    /// The sine of a whole turn divided into 2^64 parts; error below 1e-13.
    ///
    /// An oscillator adds its frequency, as `phaseStep` gives it, to a phase that wraps by itself.
    @inlinable public static func sine(phase: UInt64) -> Double {
        // As a signed number the phase lies within half a turn of 0.
        let turns = Double(Int64(bitPattern: phase)) * 0x1p-64
        return quarterSine(turns > 0.25 ? 0.5 - turns : turns < -0.25 ? -0.5 - turns : turns)
    }

    /// The cosine of a whole turn divided into 2^64 parts; error below 1e-13.
    @inlinable public static func cosine(phase: UInt64) -> Double {
        sine(phase: phase &+ (1 << 62))
    }

    /// So many turns as a phase; whole turns do not count.
    ///
    /// - Parameter turns: finite; may be below 0.
    /// - Returns: the part of a turn in 2^-64.
    public static func phase(turns: Double) -> UInt64 {
        let part = turns - turns.rounded(.down)
        // Of a little less than none the part is rounded up to a whole turn.
        return part < 1 ? UInt64(part * 0x1p64) : 0
    }

    /// The ratio of amplitudes that a level stands for.
    public static func ratio(ofDecibels level: Double) -> Double {
        exp(level / 8.685889638065037)
    }

    /// The level of a ratio of amplitudes above 0, in dB.
    public static func decibels(ofRatio ratio: Double) -> Double {
        6.020599913279624 * log2(ratio)
    }

    /// How far an oscillator's phase moves in a sample, in 2^-64 turns, rounded to the nearest.
    ///
    /// - Parameters:
    ///   - frequency: in Hz, 0 up to half the sample rate.
    ///   - sampleRate: samples a second.
    /// - Returns: what to add to the phase for each sample.
    public static func phaseStep(frequency: Double, sampleRate: Double) -> UInt64 {
        precondition(
            frequency >= 0 && frequency * 2 <= sampleRate,
            "A frequency lies between 0 and half the sample rate."
        )
        return UInt64((frequency / sampleRate * 0x1p64).rounded())
    }

    /// Taylor's series of the sine around 0, for up to a quarter of a turn.
    @inlinable static func quarterSine(_ turns: Double) -> Double {
        let x = turns * 6.283185307179586
        let y = x * x
        var sum = 1 / 355_687_428_096_000.0
        sum = sum * y - 1 / 1_307_674_368_000.0
        sum = sum * y + 1 / 6_227_020_800.0
        sum = sum * y - 1 / 39_916_800.0
        sum = sum * y + 1 / 362_880.0
        sum = sum * y - 1 / 5040.0
        sum = sum * y + 1 / 120.0
        sum = sum * y - 1 / 6.0
        return x + x * y * sum
    }

    /// 2 to the power of `x`; relative error below 1e-15, 0 below -1022.
    ///
    /// - Parameter x: at most 1023; not NaN.
    /// - Returns: a positive number, or 0.
    public static func exp2(_ x: Double) -> Double {
        precondition(x <= 1023, "2 to the power of \(x) is too large.")
        if x < -1022 { return 0 }
        let whole = x.rounded()
        let z = (x - whole) * 0.6931471805599453
        // Taylor's series of e^z, |z| below 0.35.
        var sum = 1.0
        for divisor in stride(from: 14.0, through: 1, by: -1) { sum = 1 + sum * z / divisor }
        return sum * Double(sign: .plus, exponent: Int(whole), significand: 1)
    }

    /// e to the power of `x`: what envelopes and averages are made of.
    ///
    /// - Parameter x: at most 709; not NaN.
    /// - Returns: a positive number, or 0.
    public static func exp(_ x: Double) -> Double { exp2(x * 1.4426950408889634) }

    /// The logarithm of `x` to the base 2; error below 1e-15 or one unit in the last place.
    ///
    /// - Parameter x: above 0 and finite; not subnormal.
    /// - Returns: exactly 0 for 1.
    public static func log2(_ x: Double) -> Double {
        precondition(x.isNormal && x > 0, "The logarithm of \(x) cannot be taken.")
        var exponent = Double(x.exponent)
        var significand = x.significand
        if significand > 1.4142135623730951 {
            significand /= 2
            exponent += 1
        }
        // ln m = 2 · artanh((m − 1) / (m + 1)), by its series; the argument is below 0.172.
        let s = (significand - 1) / (significand + 1)
        let y = s * s
        var sum = 1 / 21.0
        sum = sum * y + 1 / 19.0
        sum = sum * y + 1 / 17.0
        sum = sum * y + 1 / 15.0
        sum = sum * y + 1 / 13.0
        sum = sum * y + 1 / 11.0
        sum = sum * y + 1 / 9.0
        sum = sum * y + 1 / 7.0
        sum = sum * y + 1 / 5.0
        sum = sum * y + 1 / 3.0
        sum = sum * y + 1
        return exponent + 2.8853900817779268 * s * sum
    }
}
