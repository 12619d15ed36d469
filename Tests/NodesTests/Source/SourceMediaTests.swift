import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct SourceMediaTests {
    /// Two seconds of a film at 25 fps with a tone at 48 kHz.
    private func film(_ folder: TemporaryFolder, _ name: String = "film.mkv") throws -> String {
        let path = folder.file(name)
        try Tools.ffmpeg(
            "-f",
            "lavfi",
            "-i",
            "testsrc2=size=64x48:rate=25:duration=2",
            "-f",
            "lavfi",
            "-i",
            "sine=440:sample_rate=48000:duration=2",
            "-c:v",
            "ffv1",
            "-c:a",
            "flac",
            path
        )
        return path
    }

    private func tone(_ folder: TemporaryFolder, _ name: String) throws -> String {
        let path = folder.file(name)
        try Tools.ffmpeg("-f", "lavfi", "-i", "sine=440:sample_rate=44100:duration=3", path)
        return path
    }

    private func runner(
        _ path: String,
        _ outputs: Set<String>,
        _ parameters: [String: JSON.Value] = [:]
    ) throws -> NodeRunner {
        try NodeRunner(
            SourceMedia.self,
            parameters.merging(["path": .string(path)]) { $1 },
            readOutputs: outputs
        )
    }

    @Test func `both streams come whole, with formats, rates and lengths told before`() throws {
        let folder = try TemporaryFolder()
        let runner = try runner(film(folder), ["audio", "video"])
        let (audio, video) = (
            try #require(runner.formats.outputs[0]), try #require(runner.formats.outputs[1])
        )
        #expect(audio.format as? AudioFormat == AudioFormat(sampleRate: 48_000, channels: 1))
        #expect(video.rate == Rate(25))
        #expect(abs((audio.duration?.seconds ?? 0) - 2) < 0.05)
        #expect(abs((video.duration?.seconds ?? 0) - 2) < 0.05)
        try runner.run()
        #expect(runner.isDone)
        let pictures = runner.output("video", as: VideoFrame.self)
        #expect(pictures.map(\.time) == (0..<50).map { Rate(25).time(of: $0) })
        let formats = Set(pictures.map(\.payload.format))
        #expect(formats.count == 1 && formats.first == video.format as? VideoFormat)
        let samples = runner.output("audio", as: AudioBlock.self).reduce(0) {
            $0 + $1.payload.frameCount
        }
        #expect(samples == 96_000)
        #expect(runner.notices.damageCount == 0)
    }

    @Test(arguments: ["audio", "video"]) func `only what is connected is decoded`(
        output: String
    ) throws {
        let folder = try TemporaryFolder()
        let runner = try runner(film(folder), [output])
        try runner.run()
        let counts = (
            runner.output("audio", as: AudioBlock.self).count,
            runner.output("video", as: VideoFrame.self).count
        )
        #expect((counts.0 > 0) == (output == "audio") && (counts.1 > 0) == (output == "video"))
    }

    @Test func `start and end cut exactly, and times begin at 0`() throws {
        let folder = try TemporaryFolder()
        let parameters: [String: JSON.Value] = [
            "start": .string("500ms"), "end": .string("60000 samples"),
        ]
        let runner = try runner(film(folder), ["audio", "video"], parameters)
        #expect(abs((runner.formats.outputs[0]?.duration?.seconds ?? 0) - 0.75) < 0.001)
        try runner.run()
        let blocks = runner.output("audio", as: AudioBlock.self)
        #expect(blocks.first?.time == .zero)
        #expect(blocks.reduce(0) { $0 + $1.payload.frameCount } == 36_000)
        let times = runner.output("video", as: VideoFrame.self).map(\.time)
        #expect(times.first.map { $0 >= .zero && $0 < MediaTime(1, 25) } == true)
        #expect(times.last.map { $0 < MediaTime(3, 4) } == true)
    }

    @Test(arguments: ["tone.mp3", "tone.ogg", "tone.flac", "tone.wav", "tone.m4a"])
    func `audio of any kind has its true length`(name: String) throws {
        let folder = try TemporaryFolder()
        let runner = try runner(tone(folder, name), ["audio"])
        try runner.run()
        let count = runner.output("audio", as: AudioBlock.self).reduce(0) {
            $0 + $1.payload.frameCount
        }
        #expect(abs(count - 132_300) <= 1)
        #expect(runner.notices.damageCount == 0)
    }

    @Test func `a length guessed from the bit rate is not passed on`() throws {
        let folder = try TemporaryFolder()
        let runner = try runner(tone(folder, "tone.aac"), ["audio"], ["end": .number("60")])
        #expect(runner.outputInfo("audio")?.duration == nil)
        #expect(
            try self.runner(tone(folder, "tone.wav"), ["audio"]).outputInfo("audio")?.duration
                == MediaTime(3, 1)
        )
    }

    @Test func `a stream that a file lacks is a clear error`() throws {
        let folder = try TemporaryFolder()
        let path = try tone(folder, "tone.wav")
        let error = #expect(throws: (any Error).self) { try runner(path, ["video"]) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("tone.wav") && text.contains("no video"))
    }

    @Test func `what is no media file is a clear error`() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.file("empty.mp3")))
        try Data("Dear diary, today I wrote no music.\n".utf8)
            .write(to: URL(fileURLWithPath: folder.file("text.mp3")))
        for (path, words) in [
            (folder.file("none.mp3"), "no such file"), (folder.path, "folder"),
            (folder.file("empty.mp3"), "empty"), (folder.file("text.mp3"), "not a media file"),
        ] {
            let error = #expect(throws: (any Error).self) { try runner(path, ["audio"]) }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains(words), "\(text)")
        }
    }

    @Test func `an end before the start is refused`() throws {
        let folder = try TemporaryFolder()
        let path = try tone(folder, "tone.wav")
        #expect(throws: Problem.self) {
            try runner(path, ["audio"], ["start": .number("2"), "end": .number("1")])
        }
    }

    @Test func `of a truncated file what is readable comes, and the loss is told`() throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: URL(fileURLWithPath: tone(folder, "tone.wav")))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: folder.file("half.wav")))
        let runner = try runner(folder.file("half.wav"), ["audio"])
        try runner.run()
        #expect(runner.isDone)
        let count = runner.output("audio", as: AudioBlock.self).reduce(0) {
            $0 + $1.payload.frameCount
        }
        #expect(abs(count - 66_150) < 100)
        #expect(runner.notices.damageCount > 0)
    }

    @Test func `a check does not look into standard input`() {
        let outcome = GraphCheck.plan(
            text: Array(
                """
                { "foxfire": 1, "nodes": {
                    "in": { "kind": "source.media", "path": "-" },
                    "out": { "kind": "test.null", "from": "in.audio" } } }
                """.utf8
            ),
            file: "test.json",
            catalogue: nodeCatalogue
        )
        #expect(outcome.problems.isEmpty)
    }
}
