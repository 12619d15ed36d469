import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioResampleTests {
    func resample(
        _ block: AudioBlock,
        _ parameters: [String: JSON.Value],
        from first: Int64 = 0
    ) throws -> [Packet<AudioBlock>] {
        let runner = try NodeRunner(
            AudioResample.self,
            parameters,
            inputs: [("audio", StreamInfo(format: block.format))]
        )
        runner.feed("audio", blocks: block.cut(into: 1000), from: first)
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        return runner.output("audio")
    }

    @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (8000, 48_000), (96_000, 22_050)])
    func `a tone stays the tone it was, where it was`(from source: Int, to target: Int) throws {
        let signal = Signals.sine(997, amplitude: 0.5, sampleRate: source, seconds: 0.5)
        let packets = try resample(
            AudioBlock(sampleRate: source, channels: [signal]),
            ["rate": .number("\(target)")]
        )
        let samples = packets.flatMap { $0.payload.channel(0) }
        #expect(samples.count == target / 2)
        let expected = Signals.sine(997, amplitude: 0.5, sampleRate: target, seconds: 0.5)
        // The filter rings where the tone begins and ends.
        let middle = target / 20..<target / 2 - target / 20
        #expect(largestDifference(Array(samples[middle]), Array(expected[middle])) < 1e-4)
        var position: Int64 = 0
        for packet in packets {
            #expect(packet.time == MediaTime(position, Int32(target)))
            #expect(packet.duration == packet.payload.duration)
            position += Int64(packet.payload.frameCount)
        }
    }

    @Test func `mono goes to both sides and back`() throws {
        let signal = Signals.noise(amplitude: 0.5, seconds: 0.05, seed: 1)
        let wide = try resample(
            AudioBlock(sampleRate: 48_000, channels: [signal]),
            ["channels": .number("2")]
        )
        let left = wide.flatMap { $0.payload.channel(0) }
        #expect(left == wide.flatMap { $0.payload.channel(1) })
        #expect(largestDifference(left, signal) < 1e-6)
        let narrow = try resample(
            AudioBlock(sampleRate: 48_000, channels: [signal, signal.map { $0 / 2 }]),
            ["channels": .number("1")]
        )
        let middle = narrow.flatMap { $0.payload.channel(0) }
        #expect(largestDifference(middle, signal.map { $0 * 0.75 }) < 1e-6)
    }

    @Test func `audio of the wanted format passes as it is`() throws {
        let block = AudioBlock(sampleRate: 48_000, channels: [[0.1, 0.2]])
        let packets = try resample(block, ["rate": .number("48000")])
        #expect(packets.count == 1 && packets[0].payload === block)
    }

    @Test func `audio that starts late and has gaps keeps its places`() throws {
        let click = Signals.click(at: 0.1, sampleRate: 44_100, seconds: 0.2)
        let block = AudioBlock(sampleRate: 44_100, channels: [click])
        let runner = try NodeRunner(
            AudioResample.self,
            ["rate": .number("48000")],
            inputs: [("audio", StreamInfo(format: block.format))]
        )
        runner.feed("audio", block, at: MediaTime(1, 1))
        runner.feed("audio", block, at: MediaTime(2, 1))
        runner.endAll()
        try runner.run()
        let packets = runner.output("audio", as: AudioBlock.self)
        #expect(packets.first?.time == MediaTime(1, 1))
        let samples = packets.flatMap { $0.payload.channel(0) }
        #expect(samples.count == 48_000 * 12 / 10)
        #expect(samples.indices.filter { samples[$0] > 0.5 } == [4800, 52_800])
    }

    @Test func `the length that will come out is known beforehand`() throws {
        let info = StreamInfo(
            format: AudioFormat(sampleRate: 44_100, channels: 1),
            duration: MediaTime(1, 44_100)
        )
        let runner = try NodeRunner(
            AudioResample.self,
            ["rate": .number("48000")],
            inputs: [("audio", info)]
        )
        #expect(runner.outputInfo("audio")?.duration == MediaTime(1, 48_000))
    }

    @Test(
        arguments: [["rate": .number("10")], ["channels": .number("0")]]
            as [[String: JSON.Value]]
    )
    func `what cannot be is refused`(parameters: [String: JSON.Value]) {
        #expect(throws: Problem.self) {
            let format = AudioFormat(sampleRate: 48_000, channels: 1)
            return try NodeRunner(
                AudioResample.self,
                parameters,
                inputs: [("audio", StreamInfo(format: format))]
            )
        }
    }

    @Test(arguments: [("48000", "2"), ("32000", "1"), ("44100", "6")])
    func `how audio is cut up does not matter`(rate: String, channels: String) throws {
        let block = AudioBlock(
            sampleRate: 44_100,
            channels: [
                Signals.noise(sampleRate: 44_100, seconds: 0.05, seed: 1),
                Signals.sine(70, sampleRate: 44_100, seconds: 0.05),
            ]
        )
        let next = AudioBlock(sampleRate: 8000, channels: [Signals.noise(seconds: 0.02, seed: 2)])
        try NodeRunner.checkInvariants(
            AudioResample.self,
            ["rate": .number(rate), "channels": .number(channels)],
            streams: [.audio("audio", block, at: MediaTime(1, 7), then: next)]
        )
    }
}
