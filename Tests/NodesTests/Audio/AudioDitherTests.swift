import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioDitherTests {
    @Test func `the noise is triangular and a step wide to both sides`() throws {
        let silence = AudioBlock(
            sampleRate: 8000,
            channels: [[Float](repeating: 0, count: 80_000), [Float](repeating: 0, count: 80_000)]
        )
        let out = try AudioThrough(AudioDither.self, ["bits": .number("8")], silence)
        for channel in 0..<2 {
            let steps = out.channel(channel).map { $0 * 128 }
            let largest = steps.map(\.magnitude).max() ?? 0
            let inner = steps.count { $0.magnitude < 0.5 }
            #expect(largest < 1 && largest > 0.98)
            // Three quarters of a triangle lie in its inner half; its power is 1/6.
            #expect(abs(Double(inner) / 80_000 - 0.75) < 0.01)
            #expect(abs(rootMeanSquare(steps) - (1.0 / 6).squareRoot()) < 0.005)
            #expect(abs(steps.reduce(0, +) / 80_000) < 0.01)
        }
        #expect(out.channel(0) != out.channel(1))
        let other = try AudioThrough(
            AudioDither.self,
            ["bits": .number("8"), "seed": .number("2")],
            silence
        )
        #expect(out.channel(0) != other.channel(0))
    }

    @Test func `the invariants hold`() throws {
        let block = AudioBlock(8000, Signals.noise(sampleRate: 8000, seconds: 0.15, seed: 1))
        let next = AudioBlock(48_000, Signals.noise(seconds: 0.01, seed: 1))
        try NodeRunner.checkInvariants(
            AudioDither.self,
            streams: [.audio("audio", block, at: MediaTime(1, 7), then: next)]
        )
    }
}
