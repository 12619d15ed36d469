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
    private let hangover: Int64
    private var first = 0.0
    private var second = 0.0
    private var power = 0.0
    private var count: Int64 = 0
    /// How many thresholds the envelope is at or above, counted from the lowest.
    private var reached = 0
    /// The most it reached now or less than the hangover ago.
    private var held = 0
    /// Of each number of thresholds, when it was reached last, and how often it was held.
    private var last = [Int64](repeating: .min / 2, count: Self.thresholdCount + 1)
    private var heldCounts = [Int64](repeating: 0, count: Self.thresholdCount + 1)

    /// Makes a meter at rest.
    ///
    /// - Parameter sampleRate: samples a second.
    public init(sampleRate: Double) {
        keep = PortableMath.exp(-1 / (0.03 * sampleRate))
        hangover = Int64((0.2 * sampleRate).rounded())
    }

    /// Takes samples of one channel, which follow those of the call before.
    ///
    /// - Parameters:
    ///   - samples: the samples; what is no number counts as silence.
    ///   - gain: what they are multiplied by first.
    public mutating func measure(_ samples: Span<Float>, gain: Float = 1) {
        let (keep, take, gain) = (keep, 1 - keep, Double(gain))
        var (first, second, power) = (first, second, power)
        var (lower, upper) = bounds
        // Since when what is held was held without a change.
        var start = count
        for index in samples.indices {
            let sample = Double(samples[index]) * gain
            let magnitude = sample.isFinite ? sample.magnitude : 0
            power += magnitude * magnitude
            first = keep * first + take * magnitude
            second = keep * second + take * first
            let now = count + Int64(index)
            if second < lower || second >= upper {
                last[reached] = now - 1
                while reached < Self.thresholdCount, second >= Self.threshold(reached + 1) {
                    reached += 1
                }
                while reached > 0, second < Self.threshold(reached) { reached -= 1 }
                (lower, upper) = bounds
            }
            if reached > held {
                heldCounts[held] += now - start
                (held, start) = (reached, now)
            } else if held > reached, now - last[held] > hangover {
                heldCounts[held] += now - start
                start = now
                repeat { held -= 1 } while held > reached && now - last[held] > hangover
            }
        }
        count += Int64(samples.count)
        heldCounts[held] += count - start
        (self.first, self.second, self.power) = (first, second, power)
    }

    /// The least envelope that reaches a number of thresholds.
    private static func threshold(_ number: Int) -> Double {
        Double(sign: .plus, exponent: number - thresholdCount, significand: 1)
    }

    /// From where up to where the envelope reaches as many thresholds as it does.
    private var bounds: (lower: Double, upper: Double) {
        (
            reached > 0 ? Self.threshold(reached) : -1,
            reached < Self.thresholdCount ? Self.threshold(reached + 1) : .infinity
        )
    }

    /// What was measured so far; nil when there was no speech: silence, or nothing at all.
    public var reading: Reading? {
        guard power > 0, count > 0 else { return nil }
        func decibels(_ x: Double) -> Double { 3.010299956639812 * PortableMath.log2(x) }
        let longTerm = decibels(power / Double(count))
        // From the lowest threshold up, the level while it is active, and how far that lies above it.
        var before: (level: Double, above: Double)?
        var active = count - heldCounts[0]
        for number in 1...Self.thresholdCount where active > 0 {
            let level = decibels(power / Double(active))
            let above = level + 6.020599913279624 * Double(Self.thresholdCount - number)
            active -= heldCounts[number]
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
