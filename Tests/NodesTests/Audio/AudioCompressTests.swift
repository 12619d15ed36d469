import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioCompressTests {
    @Test(arguments: [(-40.0, -40.0), (-24, -24.375), (-14, -19), (-4, -14)])
    func `a steady level follows the curve`(level: Double, expected: Double) throws {
        // A square wave has the same magnitude at every sample.
        let amplitude = Float(PortableMath.exp(level / 8.685889638))
        let square = (0..<8000).map { $0 / 8 % 2 == 0 ? amplitude : -amplitude }
        let out = try AudioThrough(AudioCompress.self, AudioBlock(8000, square)).channel()
        #expect(abs(decibels(Double(out[7990].magnitude)) - expected) < 0.1)
    }

    @Test func `channels are turned down alike`() throws {
        let loud = Signals.sine(200, sampleRate: 8000, seconds: 0.5)
        let block = AudioBlock(sampleRate: 8000, channels: [loud, loud.map { $0 / 16 }])
        let out = try AudioThrough(AudioCompress.self, block)
        #expect(largestDifference(out.channel(0).map { $0 / 16 }, out.channel(1)) < 1e-7)
        #expect(rootMeanSquare(out.channel(0)) < 0.5)
    }

    @Test func `the invariants hold`() throws {
        let block = AudioBlock(8000, Signals.noise(sampleRate: 8000, seconds: 0.15, seed: 1))
        try NodeRunner.checkInvariants(
            AudioCompress.self,
            streams: [.audio("audio", block, at: MediaTime(1, 7))]
        )
    }
}
