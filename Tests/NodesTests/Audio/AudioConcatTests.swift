import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioConcatTests {
    @Test func `each begins where the one before ends, whatever comes first`() throws {
        let parts = (0..<3).map { part in
            AudioBlock(1000, (0..<(100 * part + 50)).map { Float(1000 * part + $0) })
        }
        let runner = try NodeRunner(
            AudioConcat.self,
            inputs: parts.map {
                ("audio", StreamInfo(format: $0.format, duration: $0.duration))
            }
        )
        #expect(runner.outputInfo("audio")?.duration == MediaTime(450, 1000))
        for element in [2, 0, 1] {
            var position: Int64 = element == 1 ? 20 : 0
            for block in parts[element].cut(into: 40) {
                let time = block.format.time(of: position)
                runner.feed("audio", element: element, block, at: time, duration: block.duration)
                position += Int64(block.frameCount)
            }
            try runner.run()
        }
        runner.endAll()
        try runner.run()
        let packets: [Packet<AudioBlock>] = runner.output("audio")
        #expect(packets.flatMap { $0.payload.channel(0) } == parts.flatMap { $0.channel(0) })
        // The second begins 20 samples late by itself.
        let times = packets.map { $0.payload.format.index(of: $0.time) }
        #expect(times == [0, 40, 70, 110, 150, 190, 220, 260, 300, 340, 380, 420, 460])
    }

    @Test func `the invariants hold`() throws {
        let block = AudioBlock(1000, Signals.noise(sampleRate: 1000, seconds: 1, seed: 1))
        try NodeRunner.checkInvariants(AudioConcat.self, streams: [.audio("audio", block)])
    }
}
