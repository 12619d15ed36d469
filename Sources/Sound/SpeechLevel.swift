import Media

/// Measures the level of speech while it is spoken: pauses do not count.
///
/// The envelope is the magnitude smoothed twice by 30 ms. For thresholds of 6 dB apart it counts how long
/// the envelope is at or above each, or was less than 200 ms ago; the level whose threshold lies 15.9 dB
/// below it is the active level. Levels are the root mean square in dB of full scale: a full-scale square
/// wave is 0 dB, a sine −3.01 dB. O(1) a sample. The same bits on every machine.
///
/// Source: ITU-T Recommendation P.56 (2011), method B.
public struct SpeechLevel: Sendable {
    /// What was measured.
    public struct Reading: Sendable, Equatable {
        /// The level while there is speech, in dB of full scale.
        public let activeLevel: Double
        /// The part of the time with speech, 0…1.
        public let activity: Double
        /// The level over all of the time, in dB of full scale.
        public let longTermLevel: Double
    }

    /// How far below the active level its threshold lies, in dB.
    public static let margin = 15.9
    /// Thresholds: full scale, half of it, and so on.
    private static let thresholdCount = 16
    private let keep: Double
    private let hangover: Int32
    private var first = 0.0
    private var second = 0.0
    private var power = 0.0
    private var count: Int64 = 0
    private var active = [Int64](repeating: 0, count: Self.thresholdCount)
    /// Of each threshold, how much of the hangover is left.
    private var left = SIMD16<Int32>(repeating: 0)
    private static let thresholds: SIMD16<Float> = {
        var thresholds = SIMD16<Float>(repeating: 1)
        for index in 1..<thresholdCount { thresholds[index] = thresholds[index - 1] / 2 }
        return thresholds
    }()

    /// Makes a meter at rest.
    ///
    /// - Parameter sampleRate: samples a second.
    public init(sampleRate: Double) {
        keep = PortableMath.exp(-1 / (0.03 * sampleRate))
        hangover = Int32((0.2 * sampleRate).rounded())
    }

    /// Takes samples of one channel, which follow those of the call before.
    public mutating func measure(_ samples: Span<Float>, gain: Float = 1) {
        var (start, end) = (0, min(samples.count, 1 << 20))
        while start < samples.count {
            measure(samples, start..<end, Double(gain))
            start = end
            end = min(samples.count, end + 1 << 20)
        }
    }

    private mutating func measure(_ samples: Span<Float>, _ range: Range<Int>, _ gain: Double) {
        var counts = SIMD16<Int32>(repeating: 0)
        let (keep, take) = (keep, 1 - keep)
        let full = SIMD16<Int32>(repeating: hangover)
        for index in range {
            let sample = Double(samples[index]) * gain
            let magnitude = sample.isFinite ? sample.magnitude : 0
            power += magnitude * magnitude
            first = keep * first + take * magnitude
            second = keep * second + take * first
            let isOver = SIMD16<Float>(repeating: Float(second)) .>= Self.thresholds
            let isHeld = isOver .| (left .> 0)
            counts &-= SIMD16<Int32>(repeating: 0).replacing(with: -1, where: isHeld)
            left = (left &- 1).replacing(with: full, where: isOver)
            left = left.replacing(with: 0, where: left .< 0)
        }
        count += Int64(range.count)
        for index in 0..<Self.thresholdCount { active[index] += Int64(counts[index]) }
    }

    /// What was measured so far; nil when there was no speech: silence, or nothing at all.
    public var reading: Reading? {
        guard power > 0, count > 0 else { return nil }
        func decibels(_ x: Double) -> Double { 3.010299956639812 * PortableMath.log2(x) }
        let longTerm = decibels(power / Double(count))
        // Of each threshold, the level while active, and how far it lies above the threshold.
        var before: (level: Double, above: Double)?
        for index in (0..<Self.thresholdCount).reversed() where active[index] > 0 {
            let level = decibels(power / Double(active[index]))
            let above = level + 6.020599913279624 * Double(index)
            if above <= Self.margin {
                guard let before else {
                    return reading(level, longTerm)
                }
                let part = (before.above - Self.margin) / (before.above - above)
                return reading(before.level + part * (level - before.level), longTerm)
            }
            before = (level, above)
        }
        return before.map { reading($0.level, longTerm) }
    }

    private func reading(_ level: Double, _ longTerm: Double) -> Reading {
        let activity = PortableMath.exp2((longTerm - level) / 3.010299956639812)
        return Reading(activeLevel: level, activity: min(activity, 1), longTermLevel: longTerm)
    }
}
