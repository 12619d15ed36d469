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
        // Without a branch: whether a sample is above the threshold cannot be foretold.
        let over = level - threshold + knee / 2
        let part = min(max(over, 0), knee)
        return bend * part * part + slope * max(over - knee, 0)
    }

    /// Compresses samples in place, channel after channel, which follow those of the call before.
    ///
    /// - Parameters:
    ///   - samples: `channels` runs of equally many samples; what is no number counts as silence.
    ///   - channels: how many.
    public mutating func process(_ samples: inout MutableSpan<Float>, channels: Int) {
        let count = samples.count / channels
        let (logarithm, curve) = (Logarithm.tables, self)
        // Below this nothing is asked for, and no logarithm is taken.
        let quiet = Float(PortableMath.exp2((threshold - knee / 2) / Self.decibels))
        var (reduction, greatest) = (reduction, greatestReduction)
        for index in 0..<count {
            var peak: Float = 0
            for channel in 0..<channels {
                let sample = samples[channel * count + index]
                if sample.isFinite { peak = max(peak, sample.magnitude) }
            }
            let wanted =
                peak > quiet
                ? curve.reduction(ofLevel: Self.decibels * logarithm.of(Double(peak))) : 0
            let keep = wanted > reduction ? curve.attack : curve.release
            reduction = keep * reduction + (1 - keep) * wanted
            if reduction < 1e-6 {
                reduction = wanted > 0 ? reduction : 0
                continue
            }
            greatest = max(greatest, reduction)
            let gain = Float(logarithm.inverse(of: -reduction / Self.decibels))
            for channel in 0..<channels { samples[channel * count + index] *= gain }
        }
        (self.reduction, greatestReduction) = (reduction, greatest)
    }

    /// What doubles an amplitude, in dB.
    private static let decibels = 6.020599913279624
}

/// Logarithms to the base 2 and their inverse by tables, within 3e-7: fast enough for every sample.
private struct Logarithm: Sendable {
    static let tables = Logarithm()

    private static let steps = 1024
    private let logarithms = (0...steps).map { PortableMath.log2(1 + Double($0) / Double(steps)) }
    private let powers = (0...steps).map { PortableMath.exp2(Double($0) / Double(steps)) }

    /// The logarithm of a normal number above 0.
    func of(_ x: Double) -> Double {
        let exponent = Int(x.bitPattern >> 52) - 1023
        let significand = Double(bitPattern: x.bitPattern & 0xF_FFFF_FFFF_FFFF | 1023 << 52)
        return Double(exponent) + between(logarithms, (significand - 1) * Double(Self.steps))
    }

    /// 2 to the power of a number from -1000 to 0.
    func inverse(of x: Double) -> Double {
        // Rounded down.
        let towardZero = Int(x)
        let whole = Double(towardZero) > x ? towardZero - 1 : towardZero
        let power = Double(bitPattern: UInt64(1023 + whole) << 52)
        return power * between(powers, (x - Double(whole)) * Double(Self.steps))
    }

    private func between(_ table: [Double], _ place: Double) -> Double {
        let index = min(Int(place), Self.steps - 1)
        let (low, high) = (table[index], table[index + 1])
        return low + (high - low) * (place - Double(index))
    }
}
