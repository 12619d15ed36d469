import Media

/// A low-pass or high-pass filter of linear phase: every frequency is delayed alike.
///
/// A sinc windowed by Kaiser's window, −3.01 dB at its corner. The delay is `delay` samples, exactly.
/// O(taps) a sample. The same bits on every machine.
///
/// Source: J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function", 1974.
public struct LinearPhaseFilter: Sendable {
    /// The coefficients; an odd number, the same from both ends.
    public let taps: [Float]
    /// How much later everything comes out, in samples.
    public var delay: Int { taps.count / 2 }
    /// The last `taps.count - 1` samples, then those of this call.
    private var line: [Float]

    /// More coefficients than this are not used.
    public static let tapLimit = 16_383

    /// Designs a filter; nil when `tapLimit` coefficients are not enough.
    ///
    /// - Parameters:
    ///   - band: what passes.
    ///   - frequency: the corner in Hz, where −3.01 dB are left.
    ///   - transition: how far beyond the corner the attenuation is reached, in Hz.
    ///   - attenuation: in dB, 20…120.
    ///   - sampleRate: samples a second; the corner and what lies beyond it fit below half of it.
    public init?(
        _ band: FilterBand,
        frequency: Double,
        transition: Double,
        attenuation: Double,
        sampleRate: Double
    ) {
        precondition(
            frequency > 0 && frequency * 2 < sampleRate,
            "A corner lies below half the rate."
        )
        precondition(transition > 0, "A transition has a width.")
        // A high-pass is what a low-pass leaves, mirrored on the frequency axis.
        let corner = band == .lowPass ? frequency : sampleRate / 2 - frequency
        let beta = Self.beta(attenuation)
        // From −3 dB to the end is a little more than half of the whole transition.
        let guess =
            (attenuation - 7.95) / (14.36 * 1.7 * transition / sampleRate)
        var half = max(1, Int(guess / 2))
        while true {
            if 2 * half + 1 > Self.tapLimit { return nil }
            let designed = Self.design(corner / sampleRate, half, beta)
            let edge = corner + transition
            if edge * 2 >= sampleRate
                || Self.isBelow(designed, from: edge / sampleRate, attenuation)
            {
                taps = designed.indices.map { index in
                    let isMirrored = band == .highPass && (index - half) % 2 != 0
                    return Float(isMirrored ? -designed[index] : designed[index])
                }
                break
            }
            half += max(1, half / 24)
        }
        line = Array(repeating: 0, count: taps.count - 1)
    }

    /// Filters one channel's samples, which follow those of the call before.
    ///
    /// - Parameters:
    ///   - input: the samples; what is no number counts as silence.
    ///   - output: gets as many samples, `delay` later.
    ///   - start: where in `output` they go.
    public mutating func process(
        _ input: Span<Float>,
        into output: inout MutableSpan<Float>,
        at start: Int = 0
    ) {
        let kept = taps.count - 1
        line.reserveCapacity(kept + input.count + 8)
        for index in 0..<input.count {
            let sample = input[index]
            line.append(sample.isFinite ? sample : 0)
        }
        Self.convolve(line.span, taps.span, into: &output, start..<start + input.count)
        line.removeFirst(input.count)
    }

    /// Of each output, the sum over the taps; `line` is longer than `range` by all taps but one.
    private static func convolve(
        _ line: Span<Float>,
        _ taps: Span<Float>,
        into output: inout MutableSpan<Float>,
        _ range: Range<Int>
    ) {
        let (half, kept, count) = (taps.count / 2, taps.count - 1, range.count)
        precondition(line.count == kept + count, "The line holds what the outputs need.")
        let start = range.lowerBound
        unsafe line.withUnsafeBytes { line in
            func eight(_ place: Int) -> SIMD8<Float> {
                unsafe line.loadUnaligned(fromByteOffset: 4 * place, as: SIMD8<Float>.self)
            }
            // The ends are alike, so two samples share a coefficient; sixteen outputs at a time.
            var index = 0
            while index + 16 <= count {
                var one = eight(index + half) * taps[half]
                var two = eight(index + half + 8) * taps[half]
                for tap in 0..<half {
                    let (early, late) = (index + tap, index + kept - tap)
                    one += (eight(early) + eight(late)) * taps[tap]
                    two += (eight(early + 8) + eight(late + 8)) * taps[tap]
                }
                for lane in 0..<8 {
                    output[start + index + lane] = one[lane]
                    output[start + index + 8 + lane] = two[lane]
                }
                index += 16
            }
            while index < count {
                func sample(_ place: Int) -> Float {
                    unsafe line.loadUnaligned(fromByteOffset: 4 * place, as: Float.self)
                }
                var sum = sample(index + half) * taps[half]
                for tap in 0..<half {
                    sum += (sample(index + tap) + sample(index + kept - tap)) * taps[tap]
                }
                output[start + index] = sum
                index += 1
            }
        }
    }

    /// The gain at a frequency, as a ratio of amplitudes.
    public func gain(at frequency: Double, sampleRate: Double) -> Double {
        Self.response(taps.map(Double.init), frequency / sampleRate).magnitude
    }

    // MARK: Design

    /// A windowed sinc whose response at `corner` (in parts of the sample rate) is −3.01 dB, and 1 at 0.
    private static func design(_ corner: Double, _ half: Int, _ beta: Double) -> [Double] {
        let window = (0...2 * half).map { index in
            let x = Double(index - half) / Double(half)
            return besselI0(beta * max(0, 1 - x * x).squareRoot()) / besselI0(beta)
        }
        func sinc(_ cutoff: Double) -> [Double] {
            let taps = window.indices.map { index in
                let place = Double(index - half)
                if index == half { return 2 * cutoff }
                let phase = PortableMath.phase(turns: cutoff * place)
                return PortableMath.sine(phase: phase) / (.pi * place) * window[index]
            }
            let sum = taps.reduce(0, +)
            return taps.map { $0 / sum }
        }
        var (low, high) = (corner, min(0.5, corner + 1 / Double(half)))
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if response(sinc(middle), corner) < 0.5.squareRoot() {
                low = middle
            } else {
                high = middle
            }
        }
        return sinc((low + high) / 2)
    }

    /// The response of taps that are alike from both ends, without its delay; may be below 0.
    private static func response(_ taps: [Double], _ frequency: Double) -> Double {
        let half = taps.count / 2
        var sum = taps[half]
        for distance in 1..<max(half + 1, 2) where distance <= half {
            let phase = PortableMath.phase(turns: frequency * Double(distance))
            sum += 2 * taps[half - distance] * PortableMath.cosine(phase: phase)
        }
        return sum
    }

    /// Whether nothing beyond `edge` passes by more than −`attenuation` dB.
    private static func isBelow(_ taps: [Double], from edge: Double, _ attenuation: Double) -> Bool
    {
        let limit = PortableMath.exp2(-attenuation / 6.020599913279624)
        // Fine enough to see each lobe at its top but for a tenth of a dB.
        let steps = max(8, Int((0.5 - edge) * Double(taps.count) * 4))
        for step in 0...min(steps, 256) {
            let place = edge + (0.5 - edge) * Double(step) / Double(steps)
            if response(taps, place).magnitude > limit { return false }
        }
        return true
    }

    /// The shape of Kaiser's window for an attenuation.
    private static func beta(_ attenuation: Double) -> Double {
        if attenuation > 50 { return 0.1102 * (attenuation - 8.7) }
        if attenuation <= 21 { return 0 }
        let over = attenuation - 21
        return 0.5842 * PortableMath.exp2(0.4 * PortableMath.log2(over)) + 0.07886 * over
    }

    /// The modified Bessel function of the first kind and order 0, by its series.
    private static func besselI0(_ x: Double) -> Double {
        let square = x * x / 4
        var (term, sum, index) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            term *= square / (index * index)
            sum += term
            index += 1
        }
        return sum
    }
}
