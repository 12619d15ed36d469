import Foundation
public import Media

/// Random numbers from a seed, the same on every machine.
///
/// SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Begins the sequence of `seed`.
    public init(seed: UInt64) { state = seed }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

/// Signals that tests feed to nodes: one channel each, full scale ±1.
public enum Signals {
    /// A sine wave that starts at `phase` turns.
    public static func sine(
        _ frequency: Double,
        amplitude: Double = 1,
        sampleRate: Int = 48_000,
        seconds: Double,
        phase: Double = 0
    ) -> [Float] {
        let step = PortableMath.phaseStep(frequency: frequency, sampleRate: Double(sampleRate))
        var position = UInt64(phase * 0x1p63) &* 2
        return (0..<count(seconds, sampleRate)).map { _ in
            defer { position &+= step }
            return Float(PortableMath.sine(phase: position) * amplitude)
        }
    }

    /// Evenly distributed noise.
    public static func noise(
        amplitude: Float = 1,
        sampleRate: Int = 48_000,
        seconds: Double,
        seed: UInt64
    ) -> [Float] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count(seconds, sampleRate)).map { _ in
            Float.random(in: -1...1, using: &generator) * amplitude
        }
    }

    /// Silence.
    public static func silence(sampleRate: Int = 48_000, seconds: Double) -> [Float] {
        Array(repeating: 0, count: count(seconds, sampleRate))
    }

    /// What a frequency has of samples, by correlation: its amplitude, and its phase in radians where
    /// sample 0 of the whole is.
    ///
    /// - Parameters:
    ///   - frequency: in Hz.
    ///   - samples: a part of a whole, with the whole's indices.
    ///   - sampleRate: samples a second.
    /// - Returns: the amplitude of a sine of that frequency, and its phase.
    public static func component(
        _ frequency: Double,
        of samples: ArraySlice<Double>,
        sampleRate: Double
    ) -> (amplitude: Double, phase: Double) {
        var (real, imaginary, sum) = (0.0, 0.0, 0.0)
        for index in samples.indices {
            // A Hann window, so that a part of a period more or less does not matter.
            let turn = (Double(index - samples.startIndex) + 0.5) / Double(samples.count)
            let window = 0.5 - 0.5 * cos(2 * .pi * turn)
            let phase = 2 * .pi * frequency * Double(index) / sampleRate
            real += samples[index] * cos(phase) * window
            imaginary += samples[index] * sin(phase) * window
            sum += window
        }
        let amplitude = 2 * (real * real + imaginary * imaginary).squareRoot() / sum
        return (amplitude, atan2(imaginary, real))
    }

    /// Silence with one sample of `amplitude` at `time`.
    public static func click(
        at time: Double,
        amplitude: Float = 1,
        sampleRate: Int = 48_000,
        seconds: Double
    ) -> [Float] {
        var samples = silence(sampleRate: sampleRate, seconds: seconds)
        samples[count(time, sampleRate)] = amplitude
        return samples
    }

    /// Bass drums: sines that sweep from 150 Hz down to 50 Hz while they fade, 200 ms each.
    public static func kicks(
        at times: [Double],
        amplitude: Double = 0.9,
        sampleRate: Int = 48_000,
        seconds: Double
    ) -> [Float] {
        var samples = silence(sampleRate: sampleRate, seconds: seconds)
        for time in times {
            let first = count(time, sampleRate)
            var phase: UInt64 = 0
            for index in 0..<count(0.2, sampleRate) where first + index < samples.count {
                let age = Double(index) / Double(sampleRate)
                let gain = amplitude * PortableMath.exp(-age / 0.06) * min(1, (0.2 - age) / 0.02)
                samples[first + index] += Float(PortableMath.sine(phase: phase) * gain)
                phase &+= PortableMath.phaseStep(
                    frequency: 50 + 100 * PortableMath.exp(-age / 0.03),
                    sampleRate: Double(sampleRate)
                )
            }
        }
        return samples
    }

    private static func count(_ seconds: Double, _ sampleRate: Int) -> Int {
        Int((seconds * Double(sampleRate)).rounded())
    }
}

extension AudioBlock {
    /// The block cut into blocks of `size` samples, of which the last may be shorter.
    public func cut(into size: Int) -> [AudioBlock] {
        stride(from: 0, to: frameCount, by: size).map { part($0..<min(frameCount, $0 + size)) }
    }
}
