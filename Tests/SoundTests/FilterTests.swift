import Foundation
import Sound
import TestSupport
import Testing

/// The amplitude of a frequency in samples, by correlation over all of them but the first `skip`.
func amplitude(_ samples: [Float], of frequency: Double, _ rate: Double, skip: Int = 0) -> Double {
    Signals.component(frequency, of: samples.map(Double.init)[skip...], sampleRate: rate).amplitude
}

func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }

private func sine(_ frequency: Double, _ rate: Double, _ count: Int) -> [Float] {
    (0..<count).map { Float(sin(2 * .pi * frequency * Double($0) / rate)) }
}

@Suite struct FilterTests {
    private func gain(_ filter: Biquads, _ frequency: Double, _ rate: Double) -> Double {
        var (filter, samples) = (filter, sine(frequency, rate, Int(rate)))
        var span = samples.mutableSpan
        filter.process(&span)
        return amplitude(samples, of: frequency, rate, skip: samples.count / 2)
    }

    @Test(
        "a Butterworth filter follows its formula at any order and rate",
        arguments: [8000.0, 44_100],
        [1, 2, 3, 5, 8]
    )
    func butterworth(rate: Double, order: Int) {
        for band in FilterBand.allCases {
            let filter = Biquads.butterworth(band, frequency: 300, order: order, sampleRate: rate)
            for frequency in [100.0, 200, 300, 450, 900] {
                // Warped by the bilinear transform, which is exact at the corner.
                let place = tan(.pi * frequency / rate) / tan(.pi * 300 / rate)
                let exponent = Double(band == .lowPass ? 2 * order : -2 * order)
                let ideal = 1 / (1 + pow(place, exponent)).squareRoot()
                let told = filter.gain(at: frequency, sampleRate: rate)
                #expect(abs(decibels(told / ideal)) < 1e-6)
                let measured = gain(filter, frequency, rate)
                #expect(abs(measured - ideal) < 1e-4, "\(band) \(frequency)")
            }
        }
    }

    @Test(
        "pre-emphasis rises by 6 dB an octave from 300 Hz on, within half a dB",
        arguments: [8000.0, 16_000, 44_100, 48_000]
    )
    func emphasis(rate: Double) {
        let filter = Biquads.emphasis(from: 300, to: 2200, unity: 1000, sampleRate: rate)
        func ideal(_ frequency: Double) -> Double {
            (1 + pow(frequency / 300, 2)).squareRoot() / (1 + pow(frequency / 2200, 2)).squareRoot()
        }
        for frequency in stride(from: 100.0, through: 2200, by: 100) {
            let told = decibels(filter.gain(at: frequency, sampleRate: rate))
            #expect(abs(told - decibels(ideal(frequency) / ideal(1000))) < 0.5, "\(frequency) Hz")
            #expect(abs(decibels(gain(filter, frequency, rate)) - told) < 0.01)
        }
        let undone = Biquads.emphasis(from: 2200, to: 300, unity: 1000, sampleRate: rate)
        for frequency in [50.0, 500, 2000] {
            let product =
                filter.gain(at: frequency, sampleRate: rate)
                * undone.gain(at: frequency, sampleRate: rate)
            #expect(abs(product - 1) < 0.06)
        }
    }

    @Test func `what is no number does not stay in a filter`() {
        var filter = Biquads.butterworth(.highPass, frequency: 300, order: 2, sampleRate: 8000)
        var bad: [Float] = [.nan, .infinity, 1, -1]
        var span = bad.mutableSpan
        filter.process(&span)
        var good = sine(1000, 8000, 4000)
        var next = good.mutableSpan
        filter.process(&next)
        #expect(abs(amplitude(good, of: 1000, 8000, skip: 2000) - 1) < 0.01)
    }

    @Test(
        "a linear-phase filter has its corner, its attenuation and its delay",
        arguments: FilterBand.allCases
    )
    func linearPhase(band: FilterBand) throws {
        for (rate, frequency, transition, attenuation) in [
            (5000.0, 2200.0, 180.0, 60.0), (8000, 3000, 380, 90), (48_000, 1000, 500, 40),
        ] {
            var filter = try #require(
                LinearPhaseFilter(
                    band,
                    frequency: frequency,
                    transition: transition,
                    attenuation: attenuation,
                    sampleRate: rate
                )
            )
            #expect(abs(decibels(filter.gain(at: frequency, sampleRate: rate)) + 3.01) < 0.02)
            let sign = band == .lowPass ? 1.0 : -1
            var stop = frequency + sign * transition
            while stop > 0, stop < rate / 2 {
                #expect(
                    decibels(filter.gain(at: stop, sampleRate: rate)) < -attenuation + 0.5,
                    "\(band) \(stop)"
                )
                stop += sign * rate / 701
            }
            // A step through it, cut up at odd places, is what it is as a whole, and late by the delay.
            let tone = frequency - sign * transition
            guard tone > 0, tone < rate / 2 else { continue }
            let input = sine(tone, rate, 4000)
            var whole = input
            var other = filter
            var span = whole.mutableSpan
            filter.process(input.span, into: &span)
            var parts: [Float] = []
            var start = 0
            for count in [1, 7, 8, 9, 500, 3475] {
                var part = [Float](repeating: 0, count: count)
                var partSpan = part.mutableSpan
                other.process(input.span.extracting(start..<start + count), into: &partSpan)
                parts += part
                start += count
            }
            #expect(start == 4000 && zip(parts, whole).allSatisfy { abs($0 - $1) < 1e-5 })
            let passed = filter.gain(at: tone, sampleRate: rate)
            for index in 2000..<2100 {
                #expect(
                    abs(Double(whole[index]) - passed * Double(input[index - filter.delay])) < 1e-3
                )
            }
        }
    }

    @Test func `a filter that would need too many coefficients is none`() {
        let filter = LinearPhaseFilter(
            .highPass,
            frequency: 20,
            transition: 0.01,
            attenuation: 120,
            sampleRate: 192_000
        )
        #expect(filter == nil)
    }
}
