import Graph
import Media
import Sound
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioLevelTests {
    /// Bursts of noise with pauses: half a second each.
    static func bursts(_ amplitude: Float) -> AudioBlock {
        let burst = Signals.noise(amplitude: amplitude, sampleRate: 5000, seconds: 0.5, seed: 5)
        let pause = Signals.silence(sampleRate: 5000, seconds: 0.5)
        return AudioBlock(5000, (0..<6).flatMap { _ in burst + pause })
    }

    /// The active level after audio.level and audio.limit, in dB under the ceiling.
    func result(
        _ block: AudioBlock,
        _ parameters: [String: JSON.Value] = [:]
    ) throws -> (below: Double, warnings: [String]) {
        let ceiling: [String: JSON.Value] = ["ceiling": .number("-6")]
        let levelled = try AudioThrough(
            AudioLevel.self,
            parameters.merging(ceiling) { old, _ in old },
            block
        )
        let limited = try AudioThrough(
            AudioLimit.self,
            ceiling,
            AudioBlock(5000, levelled.channel())
        )
        var meter = SpeechLevel(sampleRate: 5000)
        meter.measure(limited.channel().span)
        let level = try #require(meter.reading).activeLevel
        return (-6 - level, levelled.notices.warnings)
    }

    @Test(arguments: [0.001, 0.05, 0.9] as [Float])
    func `speech comes to lie where it should`(amplitude: Float) throws {
        for wanted in ["11", "9"] {
            let (below, warnings) = try result(
                Self.bursts(amplitude),
                ["below": .number(wanted)]
            )
            #expect(abs(below - Double(wanted)!) < 0.2)
            #expect(warnings.isEmpty)
        }
    }

    @Test func `peaks that are too high are told, and the limiter does not crush them`() throws {
        var samples = Self.bursts(0.001).channel(0)
        samples[700] = 0.9
        let (below, warnings) = try result(AudioBlock(5000, samples))
        #expect(below > 20)
        #expect(warnings.count == 1 && warnings[0].contains("its peaks are too high above it"))
    }

    @Test func `silence stays silence`() throws {
        let silence = [Float](repeating: 0, count: 700)
        let out = try AudioThrough(AudioLevel.self, AudioBlock(5000, silence))
        #expect(out.channel() == silence)
    }

    @Test func `the invariants hold`() throws {
        let block = AudioBlock(1000, Signals.noise(sampleRate: 1000, seconds: 1.2, seed: 1))
        try NodeRunner.checkInvariants(
            AudioLevel.self,
            streams: [.audio("audio", block, at: MediaTime(1, 7))]
        )
    }
}
