import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioTrimTests {
    /// A ramp, so that every sample tells where it was.
    static let ramp = AudioBlock(
        sampleRate: 1000,
        channels: [(0..<2000).map { Float($0) }, (0..<2000).map { -Float($0) }]
    )

    func trim(
        _ parameters: [String: JSON.Value],
        _ block: AudioBlock = ramp,
        from first: Int64 = 0,
        size: Int = 300
    ) throws -> (packets: [Packet<AudioBlock>], runner: NodeRunner) {
        let runner = try NodeRunner(
            AudioTrim.self,
            parameters,
            inputs: [("audio", StreamInfo(format: block.format))]
        )
        runner.feed("audio", blocks: block.cut(into: size), from: first)
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        return (runner.output("audio"), runner)
    }

    @Test(
        arguments: [
            ([:], 0..<2000),
            (["start": .number("0.5")], 500..<2000),
            (["end": .string("250ms")], 0..<250),
            (["start": .string("0.3s"), "end": .string("1.25")], 300..<1250),
            (["start": .string("100 samples"), "duration": .string("7 samples")], 100..<107),
            (["start": .number("1.9"), "duration": .number("5")], 1900..<2000),
            (["start": .number("7")], 2000..<2000),
        ] as [([String: JSON.Value], Range<Int>)]
    )
    func `the stretch is kept to the sample and begins at 0`(
        parameters: [String: JSON.Value],
        kept: Range<Int>
    ) throws {
        let packets = try trim(parameters).packets
        let samples = packets.flatMap { $0.payload.channel(0) }
        #expect(samples == kept.map { Float($0) })
        #expect(packets.flatMap { $0.payload.channel(1) } == samples.map { -$0 })
        var position: Int64 = 0
        for packet in packets {
            #expect(packet.time == MediaTime(position, 1000))
            #expect(packet.duration == packet.payload.duration)
            position += Int64(packet.payload.frameCount)
        }
    }

    @Test func `it has enough once the end is reached`() throws {
        #expect(try trim(["end": .number("0.5")]).runner.hasEnough(of: "audio"))
        #expect(try !trim([:]).runner.hasEnough(of: "audio"))
    }

    @Test func `audio that starts late stays late`() throws {
        let packets = try trim(["start": .number("0.2")], from: 500).packets
        #expect(packets.first?.time == MediaTime(300, 1000))
        #expect(packets.first?.payload.channel(0).first == 0)
    }

    @Test func `blocks kept whole are not copied`() throws {
        let block = Self.ramp
        #expect(try trim([:], block, size: 2000).packets.first?.payload === block)
    }

    @Test func `the length that will come out is known beforehand`() throws {
        let info = StreamInfo(format: Self.ramp.format, duration: MediaTime(2, 1))
        for (end, length) in [("1.5", 1000), ("9", 1500)] {
            let runner = try NodeRunner(
                AudioTrim.self,
                ["start": .number("0.5"), "end": .number(end)],
                inputs: [("audio", info)]
            )
            #expect(runner.outputInfo("audio")?.duration == MediaTime(Int64(length), 1000))
        }
    }

    @Test func `a start beyond the end of the input is told`() throws {
        let info = StreamInfo(format: Self.ramp.format, duration: MediaTime(2, 1))
        let runner = try NodeRunner(
            AudioTrim.self,
            ["start": .number("3")],
            inputs: [("audio", info)]
        )
        #expect(runner.notices.warnings.count == 1)
    }

    @Test(
        arguments: [
            ["end": .number("1"), "duration": .number("1")],
            ["start": .number("2"), "end": .number("2")],
            ["start": .string("2000 samples"), "end": .number("1")],
            ["start": .number("-1")],
        ] as [[String: JSON.Value]]
    )
    func `stretches that cannot be are refused`(parameters: [String: JSON.Value]) {
        #expect(throws: Problem.self) {
            try NodeRunner(
                AudioTrim.self,
                parameters,
                inputs: [("audio", StreamInfo(format: Self.ramp.format))]
            )
        }
    }

    @Test func `how audio is cut up does not matter`() throws {
        let next = AudioBlock(sampleRate: 500, channels: [Signals.noise(seconds: 0.01, seed: 1)])
        try NodeRunner.checkInvariants(
            AudioTrim.self,
            ["start": .number("0.3"), "end": .string("1700 samples")],
            streams: [.audio("audio", Self.ramp, then: next)]
        )
    }
}
