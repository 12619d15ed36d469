import Media

/// Makes what is loud less loud, for all channels alike.
///
/// The peak of the channels goes through a soft-kneed curve in decibels; the reduction follows it with the
/// attack's time constant when it grows and with the release's when it shrinks. No delay, no make-up. What
/// stays half a knee below the threshold passes unchanged. The same bits on every machine.
///
/// Source: Giannoulis, Massberg, Reiss, "Digital Dynamic Range Compressor Design", J. Audio Eng. Soc. 60
/// (2012): the feed-forward design with a smoothed branching detector behind the curve.
public struct Compressor: Sendable {
    private let threshold: Double
    private let slope: Double
    private let knee: Double
    /// What the square within the knee is multiplied by.
    private let bend: Double
    private let attack: Double
    private let release: Double
    /// How much the level is turned down now, in dB.
    private var reduction = 0.0
    /// The most so far, in dB.
    public private(set) var greatestReduction = 0.0

    /// Makes a compressor at rest.
    ///
    /// - Parameters:
    ///   - threshold: where the curve bends, in dB of full scale.
    ///   - ratio: how many dB more at the input give one more at the output; at least 1.
    ///   - knee: over how many dB the curve bends; 0 is a sharp corner.
    ///   - attack: the time constant when the level rises, in seconds; 0 is at once.
    ///   - release: the time constant when it falls, in seconds.
    ///   - sampleRate: samples a second.
    public init(
        threshold: Double,
        ratio: Double,
        knee: Double,
        attack: Double,
        release: Double,
        sampleRate: Double
    ) {
        precondition(ratio >= 1 && knee >= 0, "A compressor does not expand.")
        self.threshold = threshold
        slope = 1 - 1 / ratio
        self.knee = knee
        bend = knee > 0 ? slope / (2 * knee) : 0
        self.attack = attack > 0 ? PortableMath.exp(-1 / (attack * sampleRate)) : 0
        self.release = release > 0 ? PortableMath.exp(-1 / (release * sampleRate)) : 0
    }

    /// How much a steady level is turned down, in dB.
    public func reduction(ofLevel level: Double) -> Double {
        let into = max(level - threshold + knee / 2, 0)
        let beyond = max(into - knee, 0)
        return bend * (into - beyond) * (into - beyond) + slope * beyond
    }

    /// Compresses samples in place, channel after channel, which follow those of the call before.
    ///
    /// - Parameters:
    ///   - samples: `channels` runs of equally many samples; what is no number counts as silence.
    ///   - channels: how many.
    public mutating func process(_ samples: inout MutableSpan<Float>, channels: Int) {
        let count = samples.count / channels
        // A whole number of vectors; what is beyond the samples is not followed.
        var levels = [Float](repeating: 0, count: (count + 7) / 8 * 8)
        for channel in 0..<channels {
            for index in 0..<count {
                let magnitude = samples[channel * count + index].magnitude
                let isLarger = magnitude > levels[index] && magnitude <= .greatestFiniteMagnitude
                if isLarger { levels[index] = magnitude }
            }
        }
        let wasIdle = reduction == 0
        bendLevels(&levels)
        follow(&levels, count)
        if wasIdle, reduction == 0, levels.allSatisfy({ $0 == 0 }) { return }
        for start in stride(from: 0, to: count, by: 8) {
            var gains = SIMD8<Float>()
            for lane in 0..<8 { gains[lane] = levels[start + lane] }
            gains = Logarithm.inverse(of: gains * Float(-1 / Self.decibels))
            for lane in 0..<min(8, count - start) {
                for channel in 0..<channels {
                    samples[channel * count + start + lane] *= gains[lane]
                }
            }
        }
    }

    /// Makes of peaks the reductions in dB that they ask for.
    private func bendLevels(_ levels: inout [Float]) {
        typealias Lanes = SIMD8<Float>
        let (start, knee, bend, slope) = (
            Float(threshold - knee / 2), Float(knee), Float(bend), Float(slope)
        )
        unsafe levels.withUnsafeMutableBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: 32) {
                let peak = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
                let into = (Logarithm.of(peak) * Float(Self.decibels) - start).atLeastZero
                let beyond = (into - knee).atLeastZero
                let part = into - beyond
                let wanted = part * part * bend + beyond * slope
                unsafe bytes.storeBytes(of: wanted, toByteOffset: offset, as: Lanes.self)
            }
        }
    }

    /// Lets the reduction follow what is wanted.
    private mutating func follow(_ levels: inout [Float], _ count: Int) {
        var (reduction, greatest) = (reduction, greatestReduction)
        // From a table: which it is changes with every half wave, so that no branch foretells it.
        let keeps = SIMD2(release, attack)
        for index in 0..<count {
            let wanted = Double(levels[index])
            let keep = keeps[wanted > reduction ? 1 : 0]
            reduction = keep * reduction + (1 - keep) * wanted
            if reduction < 1e-6 { reduction = wanted > 0 ? reduction : 0 }
            greatest = max(greatest, reduction)
            levels[index] = Float(reduction)
        }
        (self.reduction, greatestReduction) = (reduction, greatest)
    }

    /// What doubles an amplitude, in dB.
    private static let decibels = 6.020599913279624
}

/// Logarithms to the base 2 and their inverse, eight at once, by sums alone: the same bits everywhere.
private enum Logarithm {
    typealias Lanes = SIMD8<Float>
    typealias Bits = SIMD8<UInt32>

    /// The logarithms of numbers from 0 on, within 1e-6; below 2^-126 it is -127.
    static func of(_ x: Lanes) -> Lanes {
        let bits = unsafe unsafeBitCast(x, to: Bits.self)
        // From the square root of 1/2 to that of 2, so that the series is short.
        let shifted = bits &- 0x3F35_04F3
        let exponent = unsafe unsafeBitCast(shifted, to: SIMD8<Int32>.self) &>> 23
        let significand = unsafe unsafeBitCast(
            (shifted & 0x007F_FFFF) &+ 0x3F35_04F3,
            to: Lanes.self
        )
        let s = (significand - 1) / (significand + 1)
        let square = s * s
        // 2/ln 2 · artanh s
        var sum = square * (2.885_390_1 / 9) + 2.885_390_1 / 7
        sum = sum * square + 2.885_390_1 / 5
        sum = sum * square + 2.885_390_1 / 3
        sum = sum * square + 2.885_390_1
        return s * sum + wholes(exponent)
    }

    /// 2 to the power of numbers from -120 to 120, within 2e-7 of it.
    static func inverse(of x: Lanes) -> Lanes {
        // The sum has no bits left for a fraction: its lowest ones are the nearest whole number.
        let raised = x + 0x1.8p23
        let part = x - (raised - 0x1.8p23)
        let exponent = unsafe unsafeBitCast(raised, to: Bits.self) &+ 127
        let power = unsafe unsafeBitCast(exponent &<< 23, to: Lanes.self)
        // e to the power of x · ln 2, at most 0.35.
        let z = part * 0.693_147_2
        var sum = z * (1.0 / 5040) + 1.0 / 720
        sum = sum * z + 1.0 / 120
        sum = sum * z + 1.0 / 24
        sum = sum * z + 1.0 / 6
        sum = sum * z + 0.5
        sum = sum * z + 1
        return (sum * z + 1) * power
    }

    /// Whole numbers of up to 22 bits as floats.
    private static func wholes(_ x: SIMD8<Int32>) -> Lanes {
        let bits = unsafe unsafeBitCast(x &+ 0x4B40_0000, to: Lanes.self)
        return bits - 0x1.8p23
    }
}

extension SIMD8<Float> {
    /// The numbers, or 0 in the place of those below.
    fileprivate var atLeastZero: Self { replacing(with: 0, where: self .< 0) }
}
