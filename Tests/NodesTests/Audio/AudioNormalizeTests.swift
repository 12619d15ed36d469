import Codecs
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioNormalizeTests {
    @Test(arguments: [(nil, -1.0), ("0", 0), ("-6", -6)] as [(String?, Double)])
    func `the highest sample comes to its level`(to: String?, expected: Double) throws {
        let sine = Signals.sine(100, amplitude: 0.01, seconds: 1)
        let block = AudioBlock(sampleRate: 48_000, channels: [sine, sine.map { $0 * 3 }])
        let parameters = to.map { ["to": JSON.Value.number($0)] } ?? [:]
        let out = try AudioThrough(AudioNormalize.self, parameters, block)
        let peak = out.channel(1).map(\.magnitude).max() ?? 0
        #expect(abs(decibels(Double(peak)) - expected) < 0.001)
        #expect(largestDifference(out.channel(0).map { $0 * 3 }, out.channel(1)) < 1e-6)
    }

    @Test func `the loudness comes to its level`() throws {
        let block = AudioBlock(48_000, Signals.sine(997, amplitude: 0.05, seconds: 4))
        let out = try AudioThrough(
            AudioNormalize.self,
            ["measure": .string("loudness"), "to": .number("-20")],
            block
        )
        let meter = try LoudnessMeter(format: block.format)
        for packet in out.packets { try meter.measure(packet.payload) }
        #expect(abs(try #require(meter.loudness) + 20) < 0.05)
        // A sine of 997 Hz at -20 dB full scale in one channel has -23 LUFS, BS.1770 says.
        #expect(abs(decibels(Double(out.channel().map(\.magnitude).max() ?? 0)) + 17) < 0.1)
    }

    @Test func `silence and what is too short stay as they are`() throws {
        let silence = [Float](repeating: 0, count: 700)
        #expect(
            try AudioThrough(AudioNormalize.self, AudioBlock(8000, silence)).channel() == silence
        )
        let short = Signals.sine(500, amplitude: 0.1, sampleRate: 8000, seconds: 0.2)
        let out = try AudioThrough(
            AudioNormalize.self,
            ["measure": .string("loudness")],
            AudioBlock(8000, short)
        )
        #expect(out.channel() == short)
        #expect(out.notices.warnings.count == 1)
    }

    @Test func `what does not fit into memory comes back from the file`() throws {
        var held = HeldAudio(memoryLimit: 5000)
        let blocks = (0..<5).map { AudioBlock(8000, [Float](repeating: Float($0), count: 1000)) }
        for block in blocks { try held.append(block) }
        #expect(held.frameCount == 5000)
        for (index, block) in blocks.enumerated() {
            #expect(try held.block(index).channel(0) == block.channel(0))
        }
    }

    @Test(arguments: ["peak", "loudness"])
    func `the invariants hold`(measure: String) throws {
        let block = AudioBlock(1000, Signals.noise(sampleRate: 1000, seconds: 1.2, seed: 1))
        try NodeRunner.checkInvariants(
            AudioNormalize.self,
            ["measure": .string(measure)],
            streams: [.audio("audio", block, at: MediaTime(1, 7))]
        )
    }
}
