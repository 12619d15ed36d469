import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct SourceToneTests {
    @Test(arguments: [(1.0, 48_000), (440, 44_100), (997, 48_000), (24_000, 48_000), (4000, 8000)])
    func `the tone has its frequency, its level and its length`(
        frequency: Double,
        sampleRate: Int
    ) throws {
        let runner = try NodeRunner(
            SourceTone.self,
            [
                "frequency": .number("\(frequency)"), "sampleRate": .number("\(sampleRate)"),
                "level": .number("-6"), "duration": .number("1.25"), "channels": .number("2"),
            ]
        )
        try runner.run()
        #expect(runner.isDone)
        let packets = runner.output("audio", as: AudioBlock.self)
        let samples = packets.flatMap { $0.payload.channel(0) }
        #expect(samples.count == sampleRate * 5 / 4)
        #expect(packets.flatMap { $0.payload.channel(1) } == samples)
        let amplitude = pow(10, -6.0 / 20)
        for (index, sample) in samples.enumerated() {
            // The whole turns are taken off first, or the sine of a large number is too coarse.
            let turns = (Double(index) * frequency / Double(sampleRate))
                .truncatingRemainder(dividingBy: 1)
            #expect(abs(Double(sample) - amplitude * sin(2 * .pi * turns)) < 1e-6)
        }
        #expect(runner.outputInfo("audio")?.duration == MediaTime(5, 4))
    }

    @Test func `a warble goes from one frequency to the other without a jump`() throws {
        let runner = try NodeRunner(
            SourceTone.self,
            [
                "frequency": .number("400"), "second": .number("500"),
                "period": .string("0.2s"), "sampleRate": .number("8000"),
                "duration": .number("1.3"), "level": .number("0"),
            ]
        )
        try runner.run()
        let samples = runner.output("audio", as: AudioBlock.self)
            .flatMap { $0.payload.channel(0) }
        #expect(samples.count == 10_400)
        // The phase is the integral of the frequency.
        var turns = 0.0
        for (index, sample) in samples.enumerated() {
            #expect(abs(Double(sample) - sin(2 * .pi * turns)) < 1e-5)
            turns += (index / 800 % 2 == 0 ? 400 : 500) / 8000
            turns.formTruncatingRemainder(dividingBy: 1)
        }
    }

    @Test func `blocks follow each other`() throws {
        let runner = try NodeRunner(SourceTone.self, ["duration": .string("2100 samples")])
        try runner.run()
        let packets = runner.output("audio", as: AudioBlock.self)
        #expect(packets.map(\.time) == [0, 1024, 2048].map { MediaTime($0, 48_000) })
        #expect(packets.map(\.payload.frameCount) == [1024, 1024, 52])
    }

    @Test func `without a duration it has no end`() throws {
        let runner = try NodeRunner(SourceTone.self)
        try runner.run(packetsPerCall: 10, calls: 100)
        #expect(!runner.isDone && runner.output("audio", as: AudioBlock.self).count == 1000)
        #expect(runner.outputInfo("audio")?.duration == nil)
    }

    @Test(
        arguments: [
            ["frequency": .number("24001")], ["frequency": .number("0.5")],
            ["frequency": .number("5000"), "sampleRate": .number("8000")], ["level": .number("1")],
            ["channels": .number("65")],
        ] as [[String: JSON.Value]]
    )
    func `impossible tones are refused`(parameters: [String: JSON.Value]) {
        #expect(throws: Problem.self) { try NodeRunner(SourceTone.self, parameters) }
    }
}
