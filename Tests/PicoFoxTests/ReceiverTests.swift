import Foundation
import Media
import TestSupport
import Testing

@testable import PicoFox

@Suite struct ReceiverTests {
    private func tone(
        _ frequency: Double,
        _ amplitude: Double,
        rate: Int = 5000,
        milliseconds: Int = 200
    )
        -> [Int16]
    {
        (0..<rate * milliseconds / 1000).map {
            Int16(amplitude * 32_767 * sin(2 * .pi * frequency * Double($0) / Double(rate)))
        }
    }

    /// The amplitude of a frequency in the middle of samples.
    private func amplitude(_ samples: [Float], _ frequency: Double, rate: Double) -> Double {
        let middle = samples.count / 4..<samples.count * 3 / 4
        return Signals.component(
            frequency,
            of: samples.map(Double.init)[middle],
            sampleRate: rate
        ).amplitude
    }

    @Test(arguments: [(2000.0, -5.9), (2200, -5.1), (2400, -4.3)])
    func `an image of the held samples is as loud as in the facts`(frequency: Double, level: Double)
    {
        let held = Receiver.held(tone(frequency, 0.5), .r3)
        let image = amplitude(held, 5000 - frequency, rate: 240_000)
        // Against the tone before it was held, whose amplitude is 5 kHz.
        #expect(abs(20 * log10(image / 5000) - level) < 0.15)
    }

    @Test func `de-emphasis falls by 6 dB an octave, and the band ends at 300 Hz and 3 kHz`() {
        func level(_ frequency: Double) -> Double {
            var receiver = Receiver(.kg, .wide)
            // Against the droop of holding at 8 kHz.
            let x = Double.pi * frequency / 8000
            let heard = receiver.hear(tone(frequency, 0.5, rate: 8000))
            return 20 * log10(amplitude(heard, frequency, rate: 48_000) / (sin(x) / x))
        }
        #expect(abs(level(1000) - level(2000) - 6) < 0.4)
        #expect(abs(level(700) - level(1400) - 5.6) < 0.6)
        #expect(level(100) < level(400) - 12)
        #expect(level(3900) < level(2000) - 30)
    }

    @Test func `full scale distorts in the narrow receiver`() {
        func harmonic(_ level: Double, _ width: Receiver.Width) -> Double {
            var receiver = Receiver(.r3, width)
            let heard = receiver.hear(tone(500, level))
            return amplitude(heard, 1500, rate: 48_000) / amplitude(heard, 500, rate: 48_000)
        }
        #expect(harmonic(1, .narrow) > 0.05)
        #expect(harmonic(0.25, .narrow) < 0.01)
        #expect(harmonic(0.5, .wide) < 0.01)
    }

    @Test(arguments: [300.0, 400, 600, 1000])
    func `nothing is clipped, however far the carrier moves`(frequency: Double) {
        var receiver = Receiver(.r3, .wide)
        let heard = receiver.hear(tone(frequency, 1))
        #expect((heard.map(\.magnitude).max() ?? 1) < 1)
    }

    @Test func `steps of frequency are those of the synthesizer`() {
        #expect(Receiver.deviation(0, .kg) < -9 && Receiver.deviation(0, .kg) > -11)
        #expect(Receiver.deviation(0, .r3) == 0)
        for sample in [Int16.min, -1, 1, 13, 14, 16_383, .max] {
            let exact = Double(sample) * 10_000 / 32_767
            #expect(abs(Receiver.deviation(sample, .r3) - exact) < 25.0 / 6)
            #expect(abs(Receiver.deviation(sample, .kg) - exact / 2) < 20)
        }
    }

    @Test func `length and pieces do not matter`() {
        let samples = tone(700, 0.4)
        var whole = Receiver(.r3, .wide)
        var parts = Receiver(.r3, .wide)
        let all = whole.hear(samples)
        let pieces = parts.hear(Array(samples[..<333])) + parts.hear(Array(samples[333...]))
        #expect(all.count == pieces.count && all == pieces)
        #expect(abs(all.count - 9600) < 200)
    }
}
