import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioGainTests {
    @Test func `six decibels are a factor of about two`() throws {
        let info = StreamInfo(format: AudioFormat(sampleRate: 48000, channels: 1))
        let runner = try NodeRunner(
            AudioGain.self,
            ["gain": .number("6.0206")],
            inputs: [("audio", info)]
        )
        runner.feed(
            "audio",
            AudioBlock(sampleRate: 48000, channels: [[0.25, -0.5]]),
            at: .zero
        )
        runner.endAll()
        try runner.run()
        let out = runner.output("audio", as: AudioBlock.self)
        #expect(out.count == 1)
        let samples = out[0].payload.channel(0)
        #expect(abs(samples[0] - 0.5) < 1e-5 && abs(samples[1] + 1) < 1e-5)
        #expect(runner.isDone)
    }

    @Test func `a gain beyond its range is refused`() {
        #expect(throws: Problem.self) {
            try NodeRunner(AudioGain.self, ["gain": .number("61")])
        }
    }

    @Test func `how audio is cut up does not matter`() throws {
        let block = AudioBlock(
            sampleRate: 48_000,
            channels: [
                Signals.noise(seconds: 0.05, seed: 1), Signals.sine(440, seconds: 0.05),
            ]
        )
        let next = AudioBlock(
            sampleRate: 44_100,
            channels: [Signals.sine(440, sampleRate: 44_100, seconds: 0.01)]
        )
        try NodeRunner.checkInvariants(
            AudioGain.self,
            ["gain": .number("-3")],
            streams: [.audio("audio", block, then: next)]
        )
    }
}
