import Foundation
import Sound
import TestSupport
import Testing

@Suite struct DynamicsTests {
    private static func speechLike(_ count: Int, seed: UInt64, peak: Float) -> [Float] {
        let noise = Signals.noise(seconds: Double(count) / 48_000, seed: seed)
        return (0..<count).map { index in
            let loud =
                Float(0.5 + 0.5 * sin(Double(index) / 400)) * (index / 3000 % 3 == 1 ? 0.05 : 1)
            return noise[index] * loud * peak
        }
    }

    private func limited(_ input: [Float], _ ceiling: Float, reach: Int, cuts: [Int]) -> (
        [Float], Limiter
    ) {
        var limiter = Limiter(ceiling: ceiling, reach: reach, channels: 1)
        var output: [Float] = []
        var start = 0
        let tail = [Float](repeating: 0, count: limiter.delay)
        let all = input + tail
        var cut = 0
        while start < all.count {
            let count = min(cuts[cut % cuts.count], all.count - start)
            var part = [Float](repeating: 0, count: count)
            var span = part.mutableSpan
            limiter.process(all.span.extracting(start..<start + count), into: &span)
            output += part
            start += count
            cut += 1
        }
        return (Array(output.dropFirst(limiter.delay)), limiter)
    }

    /// The formula, place by place.
    private func plainlyLimited(_ input: [Float], _ ceiling: Float, reach: Int) -> [Float] {
        func need(_ index: Int) -> Double {
            guard input.indices.contains(index) else { return 1 }
            return min(1, Double(ceiling) / Double(max(input[index].magnitude, 1e-9)))
        }
        let raw = (1...2 * reach + 1).map {
            0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(2 * reach + 2))
        }
        let sum = raw.reduce(0, +)
        return input.indices.map { index in
            var gain = 0.0
            for (place, weight) in raw.enumerated() {
                let center = index + place - reach
                let least = (center - reach...center + reach).map(need).min() ?? 1
                gain += weight / sum * least
            }
            return Float(Double(input[index]) * gain)
        }
    }

    @Test func `a limiter equals its formula, however its input is cut up`() {
        let input = Self.speechLike(9000, seed: 5, peak: 3)
        let plain = plainlyLimited(input, 0.5, reach: 25)
        for cuts in [[10_000], [1, 7, 49, 50, 51, 52, 600]] {
            let (output, limiter) = limited(input, 0.5, reach: 25, cuts: cuts)
            #expect(zip(output, plain).allSatisfy { abs($0 - $1) < 2e-6 })
            #expect(limiter.reducedCount > 1000 && limiter.lowestGain < 0.4)
        }
    }

    @Test("nothing comes out above the ceiling", arguments: [0.25, 0.499_969, 0.999_97] as [Float])
    func ceiling(_ ceiling: Float) {
        for seed in 1...20 as ClosedRange<UInt64> {
            var input = Self.speechLike(4000, seed: seed, peak: Float(seed))
            input[Int(seed) * 17] = 1e30
            input[Int(seed) * 29] = .nan
            let (output, _) = limited(input, ceiling, reach: 25, cuts: [333])
            #expect(output.allSatisfy { $0.magnitude <= ceiling })
        }
    }

    @Test func `what is below the ceiling passes as it is`() {
        let input = Self.speechLike(4000, seed: 1, peak: 0.4)
        let (output, limiter) = limited(input, 0.5, reach: 25, cuts: [100])
        #expect(output == input)
        #expect(limiter.reducedCount == 0 && limiter.lowestGain == 1)
    }

    @Test(
        "a steady tone is turned down as the curve says",
        arguments: [-40.0, -26, -23, -20, -17, -10, 0]
    )
    func compressor(level: Double) {
        var compressor = Compressor(
            threshold: -20,
            ratio: 3,
            knee: 6,
            attack: 0.001,
            release: 0.2,
            sampleRate: 8000
        )
        let amplitude = pow(10, level / 20)
        // Of a square wave the peak is always there, so that the detector stands still.
        var samples = (0..<16_000).map { Float($0 / 8 % 2 == 0 ? amplitude : -amplitude) }
        var span = samples.mutableSpan
        compressor.process(&span, channels: 1)
        let wanted: Double =
            level <= -23 ? 0 : level >= -17 ? (level + 20) * 2 / 3 : pow(level + 23, 2) / 18
        let got = 20 * log10(Double(samples[15_999].magnitude) / amplitude)
        #expect(abs(got + wanted) < 0.05)
        #expect(abs(compressor.reduction(ofLevel: level) - wanted) < 1e-9)
    }

    @Test func `attack and release take their time constants`() {
        var compressor = Compressor(
            threshold: -20,
            ratio: 1000,
            knee: 0,
            attack: 0.01,
            release: 0.1,
            sampleRate: 8000
        )
        func run(_ amplitude: Float, seconds: Double) -> Double {
            var samples = [Float](repeating: amplitude, count: Int(8000 * seconds))
            var span = samples.mutableSpan
            compressor.process(&span, channels: 1)
            return 20 * log10(Double((samples.last ?? 0) / amplitude))
        }
        // After one time constant 1 − 1/e of the way is gone.
        #expect(abs(run(1, seconds: 0.01) + 20 * (1 - exp(-1))) < 0.1)
        _ = run(1, seconds: 1)
        #expect(abs(run(0.05, seconds: 0.1) + 20 * exp(-1)) < 0.1)
    }

    @Test func `channels are turned down alike, and silence stays silence`() {
        var compressor = Compressor(
            threshold: -30,
            ratio: 4,
            knee: 0,
            attack: 0,
            release: 0.1,
            sampleRate: 8000
        )
        var samples: [Float] = [1, 1, 1, 0, 0, 0, 0.5, 0.5, 0.5]
        var span = samples.mutableSpan
        compressor.process(&span, channels: 3)
        #expect(samples[3...5].allSatisfy { $0 == 0 })
        #expect(samples[6] == samples[0] / 2 && samples[0] < 0.1)
    }
}

@Suite struct SpeechLevelTests {
    /// Noise of a level that is on and off in turn.
    private func gated(
        _ rate: Double,
        on: Double,
        off: Double,
        seconds: Double,
        rms: Double,
        floor: Double = 0
    ) -> [Float] {
        let noise = Signals.noise(seconds: seconds * rate / 48_000, seed: 3)
        let power = noise.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(noise.count)
        return noise.indices.map { index in
            let place = (Double(index) / rate).truncatingRemainder(dividingBy: on + off)
            return Float(Double(noise[index]) / power.squareRoot() * (place < on ? rms : floor))
        }
    }

    @Test("pauses longer than the hangover do not count", arguments: [5000.0, 8000, 44_100])
    func gated(rate: Double) throws {
        for (on, off) in [(1.0, 0.0), (1, 2), (2, 8), (0.5, 1.5)] {
            for level in rate == 8000 ? [-20.0, -26, -41] : [-26] {
                let samples = gated(
                    rate,
                    on: on,
                    off: off,
                    seconds: 4 * (on + off),
                    rms: pow(10, level / 20)
                )
                var meter = SpeechLevel(sampleRate: rate)
                meter.measure(samples.span)
                let reading = try #require(meter.reading)
                // Each pause is heard as speech for the hangover and while the envelope falls.
                let held = off == 0 ? 0 : 0.2 + 0.1
                let activity = min(1, (on + held) / (on + off))
                let ideal = level + 10 * log10(on / (on + off) / activity)
                #expect(abs(reading.activeLevel - ideal) < 0.5, "\(on) \(off) \(level)")
                #expect(abs(reading.activity - activity) < 0.08)
                #expect(abs(reading.longTermLevel - level - 10 * log10(on / (on + off))) < 0.1)
            }
        }
    }

    @Test func `a noise 30 dB below the speech does not count`() throws {
        let samples = gated(8000, on: 1, off: 2, seconds: 30, rms: 0.1, floor: 0.1 / 31.6)
        var meter = SpeechLevel(sampleRate: 8000)
        meter.measure(samples.span)
        let reading = try #require(meter.reading)
        #expect(abs(reading.activeLevel + 21) < 0.7)
        #expect(abs(reading.activity - 0.43) < 0.06)
    }

    @Test func `the level follows the gain, dB by dB, and pieces are read as the whole`() throws {
        let samples = gated(8000, on: 1, off: 1, seconds: 10, rms: 0.05)
        var whole = SpeechLevel(sampleRate: 8000)
        whole.measure(samples.span)
        let plain = try #require(whole.reading)
        for gain in [0.03, 0.5, 2.0, 7.3] as [Float] {
            var meter = SpeechLevel(sampleRate: 8000)
            meter.measure(samples.span.extracting(0..<12_345), gain: gain)
            meter.measure(samples.span.extracting(12_345..<samples.count), gain: gain)
            let reading = try #require(meter.reading)
            let wanted = plain.activeLevel + 20 * log10(Double(gain))
            #expect(abs(reading.activeLevel - wanted) < 0.1)
        }
    }

    @Test func `silence has no level`() {
        var meter = SpeechLevel(sampleRate: 8000)
        #expect(meter.reading == nil)
        meter.measure([Float](repeating: 0, count: 9000).span)
        #expect(meter.reading == nil)
    }
}
