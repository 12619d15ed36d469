import Codecs
import Media

/// The magnitudes of a stretch of sound, and those of the stretch before.
struct Spectrum: ~Copyable {
    /// Of each bin, scaled so that a full-scale sine at its middle reads 1.
    private(set) var magnitudes: [Float]
    /// Those of the measurement before; all 0 at first.
    private(set) var previous: [Float]
    /// How many measurements there were.
    private(set) var count = 0

    private var transform: RealFourierTransform
    /// Hann's window, periodic.
    private let hann: [Float]
    private let scale: Float
    private var frame: [Float]
    private var bins: [Float]

    /// Prepares measurements of `window` samples: a power of two in 64…65536.
    init(window: Int) throws(CodecError) {
        transform = try RealFourierTransform(size: window)
        let shift = UInt64(window.leadingZeroBitCount + 1)
        let exact = (0..<window).map { index in
            0.5 - 0.5 * PortableMath.cosine(phase: UInt64(index) << shift)
        }
        hann = exact.map { Float($0) }
        scale = Float(2 / exact.reduce(0, +))
        frame = Array(repeating: 0, count: window)
        bins = Array(repeating: 0, count: window + 2)
        magnitudes = Array(repeating: 0, count: window / 2 + 1)
        previous = magnitudes
    }

    /// Measures the window of `samples` that begins at `first`.
    mutating func measure(_ samples: [Float], from first: Int) {
        Self.multiply(samples, from: first, hann, into: &frame)
        Self.transform(frame, into: &bins, &transform)
        swap(&magnitudes, &previous)
        Self.takeMagnitudes(bins, scale, into: &magnitudes)
        count += 1
    }

    private static func multiply(
        _ samples: [Float],
        from first: Int,
        _ weights: [Float],
        into result: inout [Float]
    ) {
        let stretch = samples.span.extracting(first..<first + weights.count)
        let weights = weights.span
        var target = result.mutableSpan
        for index in 0..<target.count { target[index] = stretch[index] * weights[index] }
    }

    private static func transform(
        _ frame: [Float],
        into bins: inout [Float],
        _ transform: inout RealFourierTransform
    ) {
        var target = bins.mutableSpan
        transform.transform(frame.span, into: &target)
    }

    private static func takeMagnitudes(
        _ bins: [Float],
        _ scale: Float,
        into result: inout [Float]
    ) {
        let parts = bins.span
        var target = result.mutableSpan
        for index in 0..<target.count {
            let (re, im) = (parts[2 * index], parts[2 * index + 1])
            target[index] = (re * re + im * im).squareRoot() * scale
        }
        // A constant has all of its energy in this one bin, where a sine has half.
        target[0] *= 0.5
    }
}

/// Follows one band: its level, and its hits.
struct BandMeter {
    let bins: Range<Int>
    /// 0…1: from -80 to -10 dB, averaged over bins and time.
    private(set) var level = 0.0
    /// 0…1: how strongly it was just hit, against its hits of the last seconds.
    private(set) var transient = 0.0

    private var baseline = 0.0
    private var envelope = 0.0
    private var peak = BandMeter.quietestPeak
    private static let quietestPeak = 0.02
    /// What is left of each after one hop.
    private let levelDecay: Double
    private let baselineDecay: Double
    private let envelopeDecay: Double
    private let peakDecay: Double

    /// Prepares the band of `bins`, read every `hop` seconds.
    init(bins: Range<Int>, hop: Double, smoothing: Double) {
        self.bins = bins
        levelDecay = smoothing > 0 ? PortableMath.exp(-hop / smoothing) : 0
        baselineDecay = PortableMath.exp(-hop / 1.5)
        envelopeDecay = PortableMath.exp(-hop / 0.25)
        peakDecay = PortableMath.exp(-hop / 3)
    }

    /// Takes the next measurement.
    mutating func follow(_ spectrum: borrowing Spectrum) {
        if bins.isEmpty { return }
        let (loudness, flux) = measure(spectrum)
        level += (1 - levelDecay) * (loudness - level)
        // The first measurement has none before it to be compared with.
        if spectrum.count < 2 { return }
        baseline += (1 - baselineDecay) * (flux - baseline)
        let deviation = max(0, flux - baseline)
        envelope = deviation > envelope ? deviation : envelopeDecay * envelope
        peak = max(envelope, peakDecay * peak)
        transient = min(max(envelope / max(peak, Self.quietestPeak), 0), 1)
    }

    /// The mean over the bins of their levels, and the sum of what they have risen by.
    private func measure(_ spectrum: borrowing Spectrum) -> (loudness: Double, flux: Double) {
        let magnitudes = spectrum.magnitudes.span.extracting(bins)
        let previous = spectrum.previous.span.extracting(bins)
        var flux = 0.0
        // The mean of logarithms is the logarithm of a product.
        var product = LongProduct()
        var part = 1.0
        for index in 0..<magnitudes.count {
            let magnitude = magnitudes[index]
            let rise = magnitude - previous[index]
            flux += Double(rise > 0 ? rise : 0)
            // Power over that of -80 dB, and not over that of -10 dB.
            let power = magnitude * magnitude * 1e8
            let floored = power > 1 ? power : 1
            part *= Double(floored < 1e7 ? floored : 1e7)
            // 32 factors of at most 10^7 stay far from overflow.
            if index & 31 == 31 {
                product.multiply(by: part)
                part = 1
            }
        }
        product.multiply(by: part)
        let decades = product.log2 * 0.3010299956639812
        return (decades / (7 * Double(bins.count)), flux)
    }
}

/// A product of numbers from 1 on that never overflows: its exponent is counted apart.
private struct LongProduct {
    private var exponent = 0
    /// 1 ≤ significand < 2.
    private var significand = 1.0

    mutating func multiply(by factor: Double) {
        let bits = (significand * factor).bitPattern
        exponent += Int(bits >> 52) - 1023
        significand = Double(bitPattern: bits & 0xF_FFFF_FFFF_FFFF | 1023 << 52)
    }

    var log2: Double { Double(exponent) + PortableMath.log2(significand) }
}
