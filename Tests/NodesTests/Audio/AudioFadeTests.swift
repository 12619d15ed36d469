import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioFadeTests {
    /// Ones: what comes out is the gain.
    static let ones = AudioBlock(
        sampleRate: 1000,
        channels: [Array(repeating: 1, count: 2000), Array(repeating: 0.5, count: 2000)]
    )

    func gains(
        _ parameters: [String: JSON.Value],
        knownLength: Bool,
        from first: Int64 = 0
    ) throws -> [Float] {
        let end = MediaTime(first + 2000, 1000)
        let runner = try NodeRunner(
            AudioFade.self,
            parameters,
            inputs: [
                ("audio", StreamInfo(format: Self.ones.format, duration: knownLength ? end : nil))
            ]
        )
        runner.feed("audio", blocks: Self.ones.cut(into: 128), from: first)
        runner.endAll()
        try runner.run()
        let packets = runner.output("audio", as: AudioBlock.self)
        #expect(packets.map(\.time.value) == Array(stride(from: first, to: first + 2000, by: 128)))
        let gains = packets.flatMap { $0.payload.channel(0) }
        #expect(packets.flatMap { $0.payload.channel(1) } == gains.map { $0 / 2 })
        return gains
    }

    static let shapes: [(String, @Sendable (Double) -> Double)] = [
        ("linear", { $0 }), ("raised-cosine", { 0.5 - 0.5 * cos(.pi * $0) }),
    ]

    @Test(arguments: 0..<2, [true, false])
    func `both ends follow the curve, whether the length is known or not`(
        shape: Int,
        knownLength: Bool
    ) throws {
        let (name, curve) = Self.shapes[shape]
        let result = try gains(
            ["in": .number("0.25"), "out": .string("500 samples"), "curve": .string(name)],
            knownLength: knownLength,
            from: 1200
        )
        for (index, gain) in result.enumerated() {
            let expected =
                index < 250
                ? curve(Double(index) / 250)
                : index > 1499 ? curve(Double(1999 - index) / 500) : 1
            #expect(abs(Double(gain) - expected) < 1e-6, "sample \(index)")
        }
        #expect(result.first == 0 && result.last == 0)
    }

    @Test(arguments: [true, false])
    func `fades that overlap multiply`(knownLength: Bool) throws {
        let result = try gains(
            ["in": .number("2"), "out": .number("4")],
            knownLength: knownLength
        )
        #expect(abs(result[1000] - 0.5 * 999 / 4000) < 1e-6)
    }

    @Test func `without fades the very blocks pass`() throws {
        let runner = try NodeRunner(
            AudioFade.self,
            inputs: [("audio", StreamInfo(format: Self.ones.format))]
        )
        runner.feed("audio", Self.ones, at: .zero)
        runner.endAll()
        try runner.run()
        #expect(runner.output("audio", as: AudioBlock.self).first?.payload === Self.ones)
    }

    @Test func `no more than the fade is held back`() throws {
        let runner = try NodeRunner(
            AudioFade.self,
            ["out": .number("0.3")],
            inputs: [("audio", StreamInfo(format: Self.ones.format))]
        )
        runner.feed("audio", blocks: Self.ones.cut(into: 100))
        try runner.run()
        #expect(runner.output("audio", as: AudioBlock.self).count == 17)
    }

    @Test(arguments: [1900, 2000, 2500, 60_000] as [Int64])
    func `a stated length that is a little wrong does not matter`(stated: Int64) throws {
        let long = AudioBlock(sampleRate: 1000, channels: [Array(repeating: 1, count: 59_600)])
        for block in [long, long.part(0..<2000)] where abs(Int64(block.frameCount) - stated) < 1000
        {
            let runner = try NodeRunner(
                AudioFade.self,
                ["out": .number("0.3")],
                inputs: [
                    ("audio", StreamInfo(format: block.format, duration: MediaTime(stated, 1000)))
                ]
            )
            runner.feed("audio", blocks: block.cut(into: 100))
            try runner.run()
            let early = runner.output("audio", as: AudioBlock.self).count * 100
            #expect(early >= block.frameCount - 1800)
            runner.endAll()
            try runner.run()
            let samples = runner.output("audio", as: AudioBlock.self).flatMap {
                $0.payload.channel(0)
            }
            #expect(samples.dropLast(300).allSatisfy { $0 == 1 })
            #expect(samples.last == 0 && abs(samples[samples.count - 151] - 0.5) < 1e-6)
            #expect(runner.notices.warnings.isEmpty)
        }
    }

    @Test func `an input that ends long before its stated length is told`() throws {
        let runner = try NodeRunner(
            AudioFade.self,
            ["out": .number("0.3")],
            inputs: [
                ("audio", StreamInfo(format: Self.ones.format, duration: MediaTime(4, 1)))
            ]
        )
        runner.feed("audio", Self.ones, at: .zero)
        runner.endAll()
        try runner.run()
        #expect(runner.notices.warnings.count == 1)
    }

    @Test(arguments: [true, false])
    func `how audio is cut up does not matter`(knownLength: Bool) throws {
        let block = AudioBlock(
            sampleRate: 8000,
            channels: [Signals.noise(sampleRate: 8000, seconds: 0.3, seed: 1)]
        )
        try NodeRunner.checkInvariants(
            AudioFade.self,
            ["in": .number("0.1"), "out": .number("0.15"), "curve": .string("raised-cosine")],
            streams: [
                .audio(
                    "audio",
                    block,
                    at: MediaTime(1, 3),
                    then: Self.ones,
                    isLengthKnown: knownLength
                )
            ]
        )
    }
}
