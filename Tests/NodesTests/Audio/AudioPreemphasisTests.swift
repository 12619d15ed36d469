import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioPreemphasisTests {
    @Test(arguments: [(100.0, -10.0), (300, -7.4), (600, -3.3), (1000, 0), (2000, 3.5)])
    func `it rises by 6 dB an octave between its corners`(
        frequency: Double,
        expected: Double
    ) throws {
        let sine = Signals.sine(frequency, amplitude: 0.1, seconds: 0.5)
        let out = try AudioThrough(AudioPreemphasis.self, AudioBlock(48_000, sine)).channel()
        let gain = decibels(
            rootMeanSquare(out[4800..<19_200]) / rootMeanSquare(sine[4800..<19_200])
        )
        #expect(abs(gain - expected) < 0.5)
    }

    @Test func `the invariants hold`() throws {
        let block = AudioBlock(8000, Signals.noise(sampleRate: 8000, seconds: 0.15, seed: 1))
        try NodeRunner.checkInvariants(
            AudioPreemphasis.self,
            streams: [.audio("audio", block, at: MediaTime(1, 7))]
        )
    }
}

extension AudioThrough {
    /// With the node's defaults.
    init(_ type: any (Node & ~Copyable).Type, _ block: AudioBlock) throws {
        try self.init(type, [:], block)
    }
}
