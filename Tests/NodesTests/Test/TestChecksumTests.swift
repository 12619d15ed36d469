import Foundation
import Graph
import Media
import Physarum
import TestSupport
import Testing

@testable import Nodes

private let stereo = AudioBlock(
    sampleRate: 48_000,
    channels: [Signals.noise(seconds: 0.01, seed: 1), Signals.noise(seconds: 0.01, seed: 2)]
)
private let video = VideoFormat(width: 3, height: 2, layout: .rgb24, color: .sRGB)

private func frame(_ value: UInt8) -> VideoFrame {
    VideoFrame(format: video, bytes: Writable(repeating: value, count: video.byteCount))
}

private func parameterSet(_ speed: Double) -> ParameterSet {
    var preset = Preset.foxfire
    preset.parameters[base: .moveSpeed] = speed
    return ParameterSet(format: ParameterFormat(rate: Rate(240)), preset: preset)
}

@Suite struct TestChecksumTests {
    /// The lines that the node writes for what `feed` gives it.
    func lines(
        _ inputs: [(name: String, info: StreamInfo)],
        detail: String = "total",
        _ feed: (NodeRunner) -> Void
    ) throws -> [String] {
        let path = NSTemporaryDirectory() + "checksums-\(UUID().uuidString).txt"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let environment = NodeEnvironment()
        let runner = try NodeRunner(
            TestChecksum.self,
            ["path": .string(path), "detail": .string(detail)],
            inputs: inputs,
            environment: environment
        )
        feed(runner)
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        try environment.outputs.commit()
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            String($0)
        }
    }

    func audioLines(_ block: AudioBlock, at time: MediaTime = .zero) throws -> [String] {
        try lines([("audio", StreamInfo(format: block.format))]) { runner in
            runner.feed("audio", block, at: time, duration: block.duration)
        }
    }

    @Test func `equal streams have equal sums, and any change shows`() throws {
        let reference = try audioLines(stereo)
        #expect(reference.count == 1)
        #expect(reference[0].hasPrefix("total audio/0 1 3840 "))
        #expect(try audioLines(stereo) == reference)
        #expect(try audioLines(stereo, at: MediaTime(0, 7)) == reference)
        var changed = (0..<2).map { stereo.channel($0) }
        changed[1][479] = changed[1][479].nextUp
        #expect(try audioLines(AudioBlock(sampleRate: 48_000, channels: changed)) != reference)
        changed = (0..<2).map { stereo.channel($0) }
        #expect(try audioLines(AudioBlock(sampleRate: 44_100, channels: changed)) != reference)
        #expect(try audioLines(stereo, at: MediaTime(1, 48_000)) != reference)
    }

    @Test func `every packet gets a line on request`() throws {
        let rate = Rate(30_000, 1001)
        let result = try lines([("video", StreamInfo(format: video))], detail: "packets") {
            for index in 0..<3 {
                $0.feed(
                    "video",
                    frame(UInt8(index % 2)),
                    at: rate.time(of: Int64(index)),
                    duration: rate.interval
                )
            }
        }
        let fields = result.map { $0.split(separator: " ") }
        #expect(result.count == 4)
        #expect(fields[1].dropLast() == ["video/0", "1", "1001/30000", "1001/30000", "18"])
        #expect(fields[0].last == fields[2].last && fields[0].last != fields[1].last)
    }

    @Test func `inputs of many kinds are told apart`() throws {
        let result = try lines([
            ("video", StreamInfo(format: video)), ("parameters", StreamInfo(format: stereo.format)),
            ("parameters", StreamInfo(format: stereo.format)),
        ]) { runner in
            for index in 0..<100 {
                let time = MediaTime(Int64(index), 240)
                runner.feed("video", frame(1), at: time)
                runner.feed("parameters", element: 0, parameterSet(1), at: time)
                runner.feed("parameters", element: 1, parameterSet(2), at: time)
            }
        }
        let fields = result.map { $0.split(separator: " ") }
        #expect(fields.map { $0[1] } == ["video/0", "parameters/0", "parameters/1"])
        #expect(fields.allSatisfy { $0[2] == "100" })
        #expect(fields[1].last != fields[2].last)
    }

    @Test func `it wants an input and a file`() {
        #expect(throws: Problem.self) {
            try NodeRunner(TestChecksum.self, ["path": .string("/tmp/x")])
        }
        #expect(throws: Problem.self) {
            try NodeRunner(
                TestChecksum.self,
                ["path": .string("-")],
                inputs: [("audio", StreamInfo(format: stereo.format))]
            )
        }
        #expect(throws: NodeFailure.self) {
            try NodeRunner(
                TestChecksum.self,
                ["path": .string("/nowhere/at/all")],
                inputs: [("audio", StreamInfo(format: stereo.format))]
            )
        }
    }
}
