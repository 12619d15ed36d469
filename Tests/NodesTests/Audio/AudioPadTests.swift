import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioPadTests {
    static let parameters: [String: JSON.Value] = [
        "before": .string("3ms"), "after": .string("9000 samples"),
    ]

    @Test func `silence comes before and after`() throws {
        let ones = [Float](repeating: 1, count: 100)
        let out = try AudioThrough(AudioPad.self, Self.parameters, AudioBlock(1000, ones), size: 7)
        #expect(out.packets[0].time == .zero)
        #expect(out.channel() == [0, 0, 0] + ones + [Float](repeating: 0, count: 9000))
    }

    @Test func `around nothing there is silence too`() throws {
        let out = try AudioThrough(AudioPad.self, Self.parameters, AudioBlock(1000, []))
        #expect(out.channel() == [Float](repeating: 0, count: 9003))
    }

    @Test func `the invariants hold`() throws {
        try NodeRunner.checkInvariants(
            AudioPad.self,
            ["before": .string("30ms"), "after": .string("7ms")],
            streams: [
                .audio(
                    "audio",
                    AudioBlock(1000, Signals.noise(sampleRate: 1000, seconds: 1, seed: 1))
                )
            ]
        )
    }
}
