import Media
import Sound

/// What a receiver hears of a fox: samples to deviation, to sound.
///
/// Sound at 48 kHz comes of: the firmware's steps of frequency, held from sample to sample (zero-order hold,
/// computed at 240 kHz); the receiver's filter, as a limit of the deviation; de-emphasis of −6 dB an octave
/// from 300 Hz; a band-pass of 300 to 3000 Hz. ±5 kHz of a tone of 1 kHz gives a fifth of full
/// scale, so that low tones at the widest deviation, as Morse IDs are, stay below it.
/// Deterministic on every machine.
public struct Receiver: Sendable {
    /// How wide it hears.
    public enum Width: String, Sendable, CaseIterable {
        /// For channels of 25 kHz: up to ±7 kHz.
        case wide
        /// For channels of 12.5 kHz: up to ±3.5 kHz.
        case narrow

        /// The largest deviation that passes, in Hz.
        public var limit: Double { self == .wide ? 7000 : 3500 }
    }

    /// Samples a second of what is heard.
    public static let sampleRate = 48_000
    private static let fineRate = 240_000
    private static let decimation = fineRate / sampleRate

    private let firmware: Firmware
    private let limit: Float
    private var filters: Biquads
    private var highPass: Biquads
    /// Takes away at 240 kHz what would fold at 48 kHz; then the upper end of the band.
    private var decimator: LinearPhaseFilter
    private var lowPass: LinearPhaseFilter
    private let gain: Float
    /// How many samples of the delay are still to be left out.
    private var late: Int
    private var place = 0

    /// A receiver at rest.
    ///
    /// - Parameters:
    ///   - firmware: of the fox.
    ///   - width: of the receiver.
    public init(_ firmware: Firmware, _ width: Width) {
        self.firmware = firmware
        limit = Float(width.limit)
        let rate = Double(Self.fineRate)
        filters = Biquads.emphasis(from: 100_000, to: 300, unity: 1000, sampleRate: rate)
        highPass = Biquads.butterworth(.highPass, frequency: 300, order: 3, sampleRate: rate)
        decimator = Self.lowPass(10_000, transition: 25_000, rate)
        lowPass = Self.lowPass(3000, transition: 1000, Double(Self.sampleRate))
        gain = 0.2 / 5000
        late = decimator.delay / Self.decimation + lowPass.delay
    }

    private static func lowPass(
        _ frequency: Double,
        transition: Double,
        _ sampleRate: Double
    ) -> LinearPhaseFilter {
        let filter = LinearPhaseFilter(
            .lowPass,
            frequency: frequency,
            transition: transition,
            attenuation: 70,
            sampleRate: sampleRate
        )
        guard let filter else { preconditionFailure("The filter has few coefficients.") }
        return filter
    }

    /// The frequency that the modulator makes of a sample, in Hz off the centre.
    ///
    /// AI6YM's families set the synthesizer in steps of 25 Hz / 6; `kg` has 512 steps over ±5 kHz, of which
    /// one holds a sample of 0 at −10 Hz.
    public static func deviation(_ sample: Int16, _ firmware: Firmware) -> Double {
        if firmware == .kg {
            let step = max(0, Int(sample) + 32_767) / 128
            return Double(step) * 10_000 / 511 - 5000
        }
        let hertz = Double(sample) * 10_000 / 32_767
        let step = 25.0 / 6
        return (hertz / step).rounded(.towardZero) * step
    }

    /// The held frequency at 240 kHz, in Hz, before any receiver.
    public static func held(_ samples: some Sequence<Int16>, _ firmware: Firmware) -> [Float] {
        let factor = fineRate / firmware.sampleRate
        return samples.flatMap { sample in
            repeatElement(Float(deviation(sample, firmware)), count: factor)
        }
    }

    /// Hears samples that follow those before.
    ///
    /// - Parameter samples: at the firmware's rate.
    /// - Returns: sound at 48 kHz.
    public mutating func hear(_ samples: [Int16]) -> [Float] {
        var heard: [Float] = []
        // A second at a time, so that an hour takes no memory.
        for start in stride(from: 0, to: samples.count, by: firmware.sampleRate) {
            let part = samples[start..<min(start + firmware.sampleRate, samples.count)]
            heard += received(Self.held(part, firmware))
        }
        return heard
    }

    /// Silence of the squelch, at 48 kHz.
    public static func silence(milliseconds: Int) -> [Float] {
        Array(repeating: 0, count: milliseconds * sampleRate / 1000)
    }

    private mutating func received(_ frequencies: [Float]) -> [Float] {
        var fine = frequencies.map { min(max($0, -limit), limit) * gain }
        var span = fine.mutableSpan
        filters.process(&span)
        highPass.process(&span)
        var smooth = [Float](repeating: 0, count: fine.count)
        var target = smooth.mutableSpan
        decimator.process(fine.span, into: &target)
        var coarse: [Float] = []
        for sample in smooth {
            if place == 0 { coarse.append(sample) }
            place = (place + 1) % Self.decimation
        }
        var heard = [Float](repeating: 0, count: coarse.count)
        var band = heard.mutableSpan
        lowPass.process(coarse.span, into: &band)
        let skipped = min(late, heard.count)
        late -= skipped
        return Array(heard[skipped...])
    }
}
