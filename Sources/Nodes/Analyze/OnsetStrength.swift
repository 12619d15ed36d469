import Codecs
import Media

/// The energy of eight bands, 200 times a second: what onsets are found in.
///
/// Frame k is the spectrum around k / 200 s of the signal; samples that are not there are silence. Its
/// window is the power of two nearest to 23 ms. Memory: O(window). O(window · log window) a frame.
struct BandEnergies: ~Copyable {
    /// Frames a second.
    static let rate = 200
    /// The bands' edges, in Hz.
    static let edges: [Double] = [30, 120, 250, 500, 1000, 2000, 4000, 8000, 16_000]
    static let bandCount = edges.count - 1

    private let sampleRate: Int
    private let window: Int
    private let bins: [Range<Int>]
    private var spectrum: Spectrum
    /// The samples from `start` on; the signal begins at 0.
    private var samples: [Float]
    private var start: Int
    private(set) var frameCount = 0
    private var sampleCount = 0

    /// Prepares frames of a signal.
    ///
    /// - Throws: `CodecError` when memory runs out.
    init(sampleRate: Int) throws {
        var window = 64
        while window < 65_536, Double(window) * 1.4142 < Double(sampleRate) * 1024 / 44_100 {
            window *= 2
        }
        self.sampleRate = sampleRate
        self.window = window
        spectrum = try Spectrum(window: window)
        samples = Array(repeating: 0, count: window)
        start = -window
        let perHertz = Double(window) / Double(sampleRate)
        bins = zip(Self.edges, Self.edges.dropFirst()).map { low, high in
            let first = min(Int((low * perHertz).rounded(.up)), window / 2 + 1)
            return first..<max(first, min(Int((high * perHertz).rounded(.up)), window / 2 + 1))
        }
    }

    /// Appends mono samples.
    mutating func append(_ more: [Float]) {
        samples += more
        sampleCount += more.count
    }

    /// The sample that a frame lies around.
    func sample(ofFrame frame: Double) -> Double {
        frame * Double(sampleRate) / Double(Self.rate)
    }

    /// Measures the next frame.
    ///
    /// - Parameter isFinished: whether the signal has ended; then there are frames up to its end.
    /// - Returns: the bands' energies; nil while more of the signal is needed.
    mutating func next(isFinished: Bool) -> [Float]? {
        let centre = Int(sample(ofFrame: Double(frameCount)).rounded())
        if isFinished ? centre >= sampleCount : centre + window / 2 > sampleCount { return nil }
        let first = centre - window / 2
        let missing = first + window - (start + samples.count)
        if missing > 0 { samples += repeatElement(0, count: missing) }
        spectrum.measure(samples, from: first - start)
        frameCount += 1
        if (first - start) * 2 > samples.count, first - start > 16_384 {
            samples.removeFirst(first - start)
            start = first
        }
        return bins.map { range in
            var sum: Float = 0
            for bin in range { sum += spectrum.magnitudes[bin] * spectrum.magnitudes[bin] }
            return sum
        }
    }
}

/// How strongly something begins in each frame, whatever the gain.
///
/// Over the bands the logarithms of their energies, in parts of the loudest frame and not below a
/// two-thousandth of it, are compared with those 20 ms before; rises are weighted, low bands most, and
/// added. Then the mean over 0.4 s is taken off, and what is left is smoothed by a Gaussian of 7.5 ms.
struct OnsetStrength {
    /// The smoothed strength of each frame.
    let smooth: [Double]
    /// Before it was smoothed.
    let sharp: [Double]
    /// Its standard deviation; 0 where nothing begins.
    let deviation: Double

    private static let floor = 5e-4
    private static let lag = 4
    private static let weights = [1.2, 1.5, 1.5, 1.3, 0.8, 0.6, 0.5, 0.4]

    /// Measures frames of energies, band by band.
    init(_ frames: ArraySlice<[Float]>) {
        let top = frames.reduce(0.0) { max($0, $1.reduce(0.0) { $0 + Double($1) }) }
        guard top > 1e-12 else {
            smooth = Array(repeating: 0, count: frames.count)
            sharp = smooth
            deviation = 0
            return
        }
        let logs = frames.map { frame in
            frame.map { PortableMath.log2(Double($0) / top + Self.floor) }
        }
        let silence = PortableMath.log2(Self.floor)
        let rises = logs.indices.map { index -> Double in
            var sum = 0.0
            for band in Self.weights.indices {
                let before = index >= Self.lag ? logs[index - Self.lag][band] : silence
                sum += Self.weights[band] * max(0, logs[index][band] - before)
            }
            return sum
        }
        sharp = Self.detrended(rises)
        smooth = Self.smoothed(sharp)
        let mean = smooth.reduce(0, +) / Double(smooth.count)
        let variance = smooth.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(smooth.count)
        deviation = variance.squareRoot()
    }

    private static func detrended(_ values: [Double]) -> [Double] {
        let reach = 40
        var sums = [0.0]
        for value in values { sums.append(sums[sums.count - 1] + value) }
        return values.indices.map { index in
            let range = max(0, index - reach)..<min(values.count, index + reach + 1)
            let mean = (sums[range.upperBound] - sums[range.lowerBound]) / Double(2 * reach + 1)
            return max(0, values[index] - mean)
        }
    }

    private static let kernel: [Double] = {
        let weights = (-8...8).map { PortableMath.exp(-Double($0 * $0) / (2 * 1.5 * 1.5)) }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }()

    private static func smoothed(_ values: [Double]) -> [Double] {
        values.indices.map { index in
            var sum = 0.0
            for (place, weight) in kernel.enumerated() {
                let other = index + place - 8
                if values.indices.contains(other) { sum += weight * values[other] }
            }
            return sum
        }
    }
}
