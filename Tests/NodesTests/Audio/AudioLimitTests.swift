import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioLimitTests {
    @Test func `nothing is above the ceiling, and what is far from peaks passes`() throws {
        var samples = Signals.sine(440, amplitude: 0.2, sampleRate: 8000, seconds: 1)
        for index in 4000..<4010 { samples[index] = index % 2 == 0 ? 2 : -2 }
        let out = try AudioThrough(
            AudioLimit.self,
            ["ceiling": .number("-6")],
            AudioBlock(8000, samples),
            from: 11
        )
        let limited = out.channel()
        let peak = limited.map(\.magnitude).max() ?? 0
        #expect(out.packets[0].time == MediaTime(11, 8000))
        #expect(abs(decibels(Double(peak)) + 6) < 0.01)
        // 5 ms for the minimum and 5 ms for the window, to both sides.
        #expect(limited[..<3920] == samples[..<3920] && limited[4090...] == samples[4090...])
        #expect(limited[3980].magnitude < samples[3980].magnitude)
    }

    @Test func `the invariants hold`() throws {
        let block = AudioBlock(
            sampleRate: 8000,
            channels: [
                Signals.noise(sampleRate: 8000, seconds: 0.15, seed: 1),
                Signals.noise(sampleRate: 8000, seconds: 0.15, seed: 2),
            ]
        )
        try NodeRunner.checkInvariants(
            AudioLimit.self,
            ["ceiling": .number("-6")],
            streams: [.audio("audio", block, at: MediaTime(1, 7))]
        )
    }
}
