import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioFilterTests {
    /// The level of a sine of that frequency after the filter, in dB, away from both ends.
    func gain(_ frequency: Double, _ parameters: [String: JSON.Value]) throws -> Double {
        let sine = Signals.sine(frequency, sampleRate: 8000, seconds: 1)
        let out = try AudioThrough(AudioFilter.self, parameters, AudioBlock(8000, sine)).channel()
        #expect(out.count == sine.count)
        return decibels(rootMeanSquare(out[2000..<6000]) / rootMeanSquare(sine[2000..<6000]))
    }

    @Test(arguments: [
        (100.0, "high-pass", -19.2), (300, "high-pass", -3.01), (1000, "high-pass", 0),
        (300, "low-pass", -3.01), (100, "low-pass", 0),
    ])
    func `a Butterworth filter has its corner and its slope`(
        frequency: Double,
        pass: String,
        expected: Double
    ) throws {
        let parameters: [String: JSON.Value] = [
            "pass": .string(pass), "frequency": .number("300"),
        ]
        #expect(abs(try gain(frequency, parameters) - expected) < 0.15)
    }

    @Test(arguments: [
        (500.0, 0.0, 0.01), (2200, -3.01, 0.05), (2400, -300, 240), (3500, -300, 240),
    ])
    func `a linear-phase filter reaches its attenuation within its transition`(
        frequency: Double,
        expected: Double,
        tolerance: Double
    ) throws {
        let parameters: [String: JSON.Value] = [
            "pass": .string("low-pass"), "frequency": .number("2200"),
            "method": .string("linear-phase"), "attenuation": .number("60"),
        ]
        #expect(abs(try gain(frequency, parameters) - expected) < tolerance)
    }

    @Test func `linear phase lies where its input does`() throws {
        let click = Signals.click(at: 0.1, sampleRate: 8000, seconds: 0.3)
        let out = try AudioThrough(
            AudioFilter.self,
            [
                "pass": .string("low-pass"), "frequency": .number("1000"),
                "method": .string("linear-phase"),
            ],
            AudioBlock(8000, click),
            from: 37
        )
        let samples = out.channel()
        #expect(out.packets[0].time == MediaTime(37, 8000))
        #expect(samples.indices.max { samples[$0] < samples[$1] } == 800)
        #expect(abs(samples[790] - samples[810]) < 1e-7)
    }

    @Test func `what cannot be made is refused`() {
        func refusal(_ parameters: [String: JSON.Value]) -> String {
            do {
                _ = try AudioThrough(AudioFilter.self, parameters, AudioBlock(8000, [0]))
                return ""
            } catch { return "\(error)" }
        }
        let high: [String: JSON.Value] = [
            "pass": .string("low-pass"), "frequency": .number("4000"),
        ]
        #expect(refusal(high).contains("must be below half the sample rate of"))
        let narrow: [String: JSON.Value] = [
            "pass": .string("low-pass"), "frequency": .number("1000"),
            "method": .string("linear-phase"), "transition": .number("1"),
        ]
        #expect(refusal(narrow).contains("\"transition\" is too narrow"))
    }

    @Test(arguments: ["butterworth", "linear-phase"])
    func `the invariants hold`(method: String) throws {
        let block = AudioBlock(
            sampleRate: 8000,
            channels: [
                Signals.noise(sampleRate: 8000, seconds: 0.15, seed: 1),
                Signals.noise(sampleRate: 8000, seconds: 0.15, seed: 2),
            ]
        )
        try NodeRunner.checkInvariants(
            AudioFilter.self,
            [
                "pass": .string("high-pass"), "frequency": .number("300"),
                "method": .string(method),
            ],
            streams: [.audio("audio", block, at: MediaTime(1, 7))]
        )
    }
}
