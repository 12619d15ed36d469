import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

private let stereo = AudioBlock(
    sampleRate: 48_000,
    channels: [Signals.noise(seconds: 0.01, seed: 1), Signals.noise(seconds: 0.01, seed: 2)]
)

@Suite struct TestDelayTests {
    func runner(_ parameters: [String: JSON.Value]) throws -> NodeRunner {
        try NodeRunner(
            TestDelay.self,
            parameters,
            inputs: [("audio", StreamInfo(format: stereo.format))]
        )
    }

    @Test func `it keeps as many packets as it says, and gives all in the end`() throws {
        let runner = try runner(["hold": .number("3")])
        runner.feed("audio", blocks: stereo.cut(into: 48))
        try runner.run()
        #expect(runner.output("audio", as: AudioBlock.self).count == 7)
        runner.endAll()
        try runner.run()
        #expect(runner.output("audio", as: AudioBlock.self).count == 10)
    }

    @Test func `it spends the time it says`() throws {
        let runner = try runner(["work": .string("5ms")])
        runner.feed("audio", blocks: stereo.cut(into: 240))
        runner.endAll()
        let elapsed = try ContinuousClock().measure { try runner.run() }
        #expect(elapsed >= .milliseconds(10))
    }

    @Test func `how audio is cut up does not matter`() throws {
        let next = AudioBlock(sampleRate: 8000, channels: [[0, 1, 2]])
        try NodeRunner.checkInvariants(
            TestDelay.self,
            ["hold": .number("3")],
            streams: [.audio("audio", stereo, then: next)]
        )
    }
}
