import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioDownmixTests {
    static let left = Signals.sine(300, amplitude: 0.4, sampleRate: 8000, seconds: 12)
    static let right = Signals.noise(amplitude: 0.2, sampleRate: 8000, seconds: 12, seed: 3)

    func mix(
        _ channels: [[Float]],
        _ parameters: [String: JSON.Value] = [:]
    ) throws -> AudioThrough {
        try AudioThrough(
            AudioDownmix.self,
            parameters,
            AudioBlock(sampleRate: 8000, channels: channels),
            from: 5,
            size: 1000
        )
    }

    @Test func `channels that live are averaged`() throws {
        let out = try mix([Self.left, Self.right])
        let average = zip(Self.left, Self.right).map { ($0 + $1) / 2 }
        #expect(out.packets[0].time == MediaTime(5, 8000))
        #expect(largestDifference(out.channel(), average) < 1e-6)
        #expect(out.notices.warnings.isEmpty)
    }

    @Test func `a dead channel is left out and told`() throws {
        // 46 dB below the other.
        let out = try mix([Self.left, Self.left.map { $0 * 0.005 }])
        #expect(largestDifference(out.channel(), Self.left) < 1e-6)
        #expect(out.notices.warnings.count == 1)
        #expect(out.notices.warnings[0].hasPrefix("channel 2 of 2 is silent or more than 40 dB"))
        // 34 dB below: it counts.
        let both = try mix([Self.left, Self.left.map { $0 * 0.02 }])
        #expect(largestDifference(both.channel(), Self.left.map { $0 * 0.51 }) < 1e-6)
    }

    @Test func `silence and mono stay as they are, and a channel can be chosen`() throws {
        let silence = Signals.silence(sampleRate: 8000, seconds: 1)
        let still = try mix([silence, silence])
        #expect(still.channel() == silence && still.notices.warnings.isEmpty)
        #expect(try mix([Self.left]).channel() == Self.left)
        #expect(
            try mix([Self.left, Self.right], ["channel": .number("2")]).channel() == Self.right
        )
        #expect(throws: (any Error).self) {
            try mix([Self.left, Self.right], ["channel": .number("3")])
        }
    }

    @Test func `inverted sides are told`() throws {
        let out = try mix([Self.left, Self.left.map { -$0 * 0.9 }])
        #expect(out.notices.warnings.contains { $0.contains("inverted to each other") })
    }

    @Test func `the invariants hold`() throws {
        let block = AudioBlock(
            sampleRate: 1000,
            channels: [
                Signals.noise(sampleRate: 1000, seconds: 1.3, seed: 1),
                Signals.noise(sampleRate: 1000, seconds: 1.3, seed: 2),
            ]
        )
        try NodeRunner.checkInvariants(
            AudioDownmix.self,
            streams: [.audio("audio", block, at: MediaTime(1, 7))]
        )
    }
}
