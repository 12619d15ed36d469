import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

private let stereo = AudioBlock(
    sampleRate: 48_000,
    channels: [Signals.noise(seconds: 0.01, seed: 1), Signals.noise(seconds: 0.01, seed: 2)]
)
private let video = VideoFormat(width: 3, height: 2, layout: .rgb24, color: .sRGB)

@Suite struct TestNullTests {
    @Test func `it takes all of any kind`() throws {
        let runner = try NodeRunner(
            TestNull.self,
            inputs: [
                ("audio", StreamInfo(format: stereo.format)),
                ("audio", StreamInfo(format: stereo.format)),
                ("video", StreamInfo(format: video)),
            ]
        )
        let frame = VideoFrame(
            format: video,
            bytes: Writable(repeating: 0, count: video.byteCount)
        )
        for index in 0..<50 {
            runner.feed("audio", stereo, at: MediaTime(Int64(index), 100))
            runner.feed("video", frame, at: MediaTime(Int64(index), 50))
        }
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
    }

    @Test func `it wants an input`() {
        #expect(throws: Problem.self) { try NodeRunner(TestNull.self) }
    }

    @Test func `how audio is cut up does not matter`() throws {
        let next = AudioBlock(sampleRate: 8000, channels: [[0, 1, 2]])
        try NodeRunner.checkInvariants(
            TestNull.self,
            streams: [.audio("audio", stereo, then: next)]
        )
    }
}
