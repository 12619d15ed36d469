import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

/// The graph fox-audio as a whole; names begin with the number of the behaviour in the facts.
@Suite struct FoxAudioTests {
    static let graph: String = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "graphs/fox-audio.json")
        return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
    }()

    /// The bytes of a mono WAV file of 16 bits.
    private func wave(_ samples: [Float], rate: Int, channels: Int = 1) -> Data {
        func long(_ value: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var bytes = Array("RIFF".utf8) + long(36 + 2 * samples.count) + Array("WAVEfmt ".utf8)
        bytes += long(16) + [1, 0, UInt8(channels), 0] + long(rate) + long(2 * channels * rate)
        bytes += [UInt8(2 * channels), 0, 16, 0] + Array("data".utf8) + long(2 * samples.count)
        for sample in samples {
            let value = Int((min(max(sample, -1), 1) * 32_767).rounded())
            bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
        return Data(bytes)
    }

    /// What the graph makes of samples: the whole file, and its samples.
    private func made(
        _ samples: [Float],
        rate: Int,
        channels: Int = 1,
        _ values: [String: String]
    ) throws -> (file: Data, samples: [Int], warnings: [String]) {
        let folder = try TemporaryFolder()
        try wave(samples, rate: rate, channels: channels)
            .write(to: URL(fileURLWithPath: folder.file("in.wav")))
        let all = values.merging(["input": folder.file("in.wav"), "output": folder.file("a.wav")]) {
            $1
        }
        let report = try GraphRun.run(Self.graph, values: all)
        let file = try folder.bytes("a.wav")
        let words = stride(from: 44, to: file.count - 1, by: 2).map {
            Int(Int16(truncatingIfNeeded: Int(file[$0]) | Int(file[$0 + 1]) << 8))
        }
        return (file, words, report.nodes.flatMap(\.notices.warnings))
    }

    /// The level of a frequency in the middle of samples, in dB of a peak.
    private func level(_ samples: [Int], _ frequency: Double, rate: Double, peak: Double) -> Double
    {
        let middle = samples.count / 4..<samples.count * 3 / 4
        let amplitude = Signals.component(
            frequency,
            of: samples.map(Double.init)[middle],
            sampleRate: rate
        ).amplitude
        return 20 * log10(max(amplitude, 1e-9) / peak)
    }

    @Test(arguments: [
        ("r3", 300.0, 0.0, 0.1), ("r3", 2000, 0, 0.1), ("r3", 2200, -3.01, 0.1),
        ("r3", 2400, -300, 240),
        ("kg", 2600, 0, 0.1), ("kg", 3000, -3.01, 0.1), ("kg", 3400, -300, 240),
    ])
    func `30 the profile raw keeps its band`(
        firmware: String,
        frequency: Double,
        expected: Double,
        tolerance: Double
    ) throws {
        let sine = Signals.sine(frequency, amplitude: 0.5, seconds: 1)
        let (_, samples, _) = try made(
            sine,
            rate: 48_000,
            ["profile": "raw", "firmware": firmware]
        )
        let (rate, peak) = firmware == "kg" ? (8000.0, 16_383.5) : (5000, 8191.75)
        let found = level(samples, frequency, rate: rate, peak: peak)
        #expect(abs(found - expected) < tolerance, "\(found)")
    }

    @Test(arguments: [2700.0, 4000, 5300, 9000, 19_000])
    func `30 nothing is folded into the band`(frequency: Double) throws {
        let sine = Signals.sine(frequency, amplitude: 0.5, seconds: 1)
        let (_, samples, _) = try made(sine, rate: 48_000, ["profile": "raw"])
        let middle = samples[samples.count / 4..<samples.count * 3 / 4]
        #expect((middle.map(\.magnitude).max() ?? 9) <= 3)
    }

    @Test(arguments: ["speech", "music", "tone", "raw"])
    func `29 and 31 header, peak, offset and ends are right, twice the same`(profile: String) throws
    {
        let noise = Signals.noise(amplitude: 0.7, sampleRate: 16_000, seconds: 1.5, seed: 4)
            .map { $0 + 0.1 }
        for (firmware, rate, ceiling) in [("r3", 5000, 16_383), ("kg", 8000, 32_767)] {
            let values = ["profile": profile, "firmware": firmware]
            let (file, samples, _) = try made(noise, rate: 16_000, values)
            #expect(try made(noise, rate: 16_000, values).file == file)
            func long(_ place: Int) -> Int {
                (0..<4).reduce(0) { $0 | Int(file[place + $1]) << (8 * $1) }
            }
            #expect(long(4) == file.count - 8 && long(16) == 16 && long(24) == rate)
            #expect(long(40) == file.count - 44 && file.count % 2 == 0)
            #expect((samples.map(\.magnitude).max() ?? 0) <= ceiling)
            #expect(samples.first == 0 && samples.last == 0)
            let mean = Double(samples.reduce(0, +)) / Double(samples.count)
            if profile != "raw" { #expect(abs(mean) < 10) }
        }
    }

    @Test(arguments: [8000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000, 96_000, 192_000])
    func `34 lengths are those of the input`(rate: Int) throws {
        let noise = Signals.noise(amplitude: 0.2, sampleRate: rate, seconds: 0.7351, seed: 4)
        let (_, samples, _) = try made(noise, rate: rate, ["profile": "raw"])
        #expect(abs(Double(samples.count) - Double(noise.count) * 5000 / Double(rate)) <= 1)
    }

    @Test(arguments: ["speech", "music", "tone", "raw"])
    func `32 silence stays silence, and one sample is no trouble`(profile: String) throws {
        let silence = Signals.silence(sampleRate: 8000, seconds: 1)
        #expect(try made(silence, rate: 8000, ["profile": profile]).samples.allSatisfy { $0 == 0 })
        #expect(try made([0.5], rate: 8000, ["profile": profile]).samples.count < 2100)
    }

    @Test func `26 a silent side is dropped, and inverted sides are told`() throws {
        let sine = Signals.sine(500, amplitude: 0.5, sampleRate: 8000, seconds: 1)
        let left = sine.flatMap { [$0, Float(0)] as [Float] }
        let one = try made(left, rate: 8000, channels: 2, ["profile": "raw"])
        #expect(abs(level(one.samples, 500, rate: 5000, peak: 8191.75)) < 0.1)
        let inverted = try made(
            sine.flatMap { [$0, -$0] as [Float] },
            rate: 8000,
            channels: 2,
            ["profile": "raw"]
        )
        #expect(inverted.warnings.contains { $0.contains("inverted") })
    }

    @Test(arguments: ["r3", "kg"])
    func `the profile for speech has its curve below the compressor's threshold`(firmware: String)
        throws
    {
        // Bursts set the level, -26 dB; the tones come out more than 20 dB below the threshold, -24 dB.
        let frequencies: [Double] = [150, 220, 300, 421, 600, 800, 1000, 1300, 1600, 1900, 2000]
        let noise = Signals.noise(amplitude: 0.3, sampleRate: 16_000, seconds: 3, seed: 3)
        var input = noise.enumerated().map { $1 * ($0 / 4000 % 2 == 0 ? 1 : 0) }
        let pause = Signals.silence(sampleRate: 16_000, seconds: 0.5)
        for frequency in frequencies {
            input += pause
            input += Signals.sine(frequency, amplitude: 0.008, sampleRate: 16_000, seconds: 1)
        }
        let (_, samples, _) = try made(input, rate: 16_000, ["firmware": firmware])
        let rate = firmware == "kg" ? 8000.0 : 5000
        func curve(_ f: Double) -> Double {
            let x = f / 300
            let highPass = 10 * log10(pow(x, 4) / (1 + pow(x, 4)))
            let upper = firmware == "kg" ? 3000.0 : 2200
            func rise(_ f: Double) -> Double {
                10 * log10((1 + pow(f / 300, 2)) / (1 + pow(f / upper, 2)))
            }
            return highPass + rise(f) - rise(1000)
        }
        let levels = frequencies.indices.map { index in
            let start = Int((0.3 + 3 + 1.5 * Double(index) + 0.5) * rate)
            let part = Array(samples[start..<start + Int(rate)])
            return level(part, frequencies[index], rate: rate, peak: 1)
        }
        let reference = levels[6] - curve(1000)
        for (frequency, level) in zip(frequencies, levels) {
            #expect(abs(level - reference - curve(frequency)) < 1, "\(frequency): \(level)")
        }
    }
}
