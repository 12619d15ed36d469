import Graph
import Media
import TestSupport
import Testing

/// What came out of a node of one audio input and one audio output.
struct AudioThrough {
    let packets: [Packet<AudioBlock>]
    let notices: Notices

    /// Sends a block through a node, cut into blocks of `size`, and checks that no sample is missing and
    /// that times follow each other.
    init(
        _ type: any (Node & ~Copyable).Type,
        _ parameters: [String: JSON.Value] = [:],
        _ block: AudioBlock,
        from first: Int64 = 0,
        size: Int = 500
    ) throws {
        let end = block.format.time(of: first + Int64(block.frameCount))
        let runner = try NodeRunner(
            type,
            parameters,
            inputs: [("audio", StreamInfo(format: block.format, duration: end))]
        )
        runner.feed("audio", blocks: block.cut(into: size), from: first)
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        packets = runner.output("audio")
        notices = runner.notices
        var position = packets.first.map { $0.payload.format.index(of: $0.time) } ?? 0
        for packet in packets {
            #expect(packet.payload.format.index(of: packet.time) == position)
            #expect(packet.duration == packet.payload.duration)
            position += Int64(packet.payload.frameCount)
        }
    }

    /// All samples of a channel.
    func channel(_ index: Int = 0) -> [Float] { packets.flatMap { $0.payload.channel(index) } }
}

extension AudioBlock {
    /// One channel of samples.
    convenience init(_ sampleRate: Int, _ samples: [Float]) {
        self.init(sampleRate: sampleRate, channels: [samples])
    }
}
