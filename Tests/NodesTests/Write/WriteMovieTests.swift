import Codecs
import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct WriteMovieTests {
    /// A film of pictures and a tone; `more` goes into the writer.
    private func graph(
        _ path: String,
        video: String? = "\"codec\": \"h264\"",
        audio: String? = "\"codec\": \"aac\"",
        seconds: Int = 2,
        fps: String = "30",
        more: String = ""
    ) -> String {
        let frames = Rate(parsing: fps)?.count(before: MediaTime(Int64(seconds), 1)) ?? 0
        var nodes: [String] = []
        var from: [String] = []
        if let video {
            nodes += [
                "\"pictures\": { \"kind\": \"source.pictures\", \"count\": \(frames), "
                    + "\"fps\": \"\(fps)\" }",
                "\"v\": { \"kind\": \"encode.video\", \"from\": \"pictures\", \(video) }",
            ]
            from.append("\"video\": \"v\"")
        }
        if let audio {
            nodes += [
                "\"tone\": { \"kind\": \"source.tone\", \"duration\": \(seconds), \"channels\": 2 }",
                "\"a\": { \"kind\": \"encode.audio\", \"from\": \"tone\", \(audio) }",
            ]
            from.append("\"audio\": \"a\"")
        }
        nodes.append(
            "\"film\": { \"kind\": \"write.movie\", \"from\": { \(from.joined(separator: ", ")) }, "
                + "\"path\": \"\(path)\"\(more) }"
        )
        return "{ \"foxfire\": 1, \"nodes\": { \(nodes.joined(separator: ",\n")) } }"
    }

    @discardableResult
    private func run(_ text: String, threads: Int = 2) throws -> RunReport {
        try GraphRun.run(
            text,
            nodes: [PictureSource.entry],
            options: RunOptions(threads: threads)
        )
    }

    @Test(arguments: [
        ("f.mp4", "\"codec\": \"h264\"", "\"codec\": \"aac\"", "h264", "aac"),
        ("f.mp4", "\"codec\": \"hevc\"", "\"codec\": \"opus\"", "hevc", "opus"),
        (
            "f.mov", "\"codec\": \"hevc\", \"bitDepth\": 10", "\"codec\": \"pcm\"", "hevc",
            "pcm_s16le"
        ),
        ("f.mkv", "\"codec\": \"h264\"", "\"codec\": \"flac\"", "h264", "flac"),
    ])
    func `another program finds both streams whole, from 0 on and in order`(
        name: String,
        video: String,
        audio: String,
        videoCodec: String,
        audioCodec: String
    ) throws {
        let folder = try TemporaryFolder()
        let path = folder.file(name)
        try run(graph(path, video: video, audio: audio))
        #expect(folder.names == [name])
        let streams = try Tools.ffprobe(
            path,
            "stream=codec_name,codec_tag_string,start_time,r_frame_rate,duration"
        )
        #expect(streams.map { $0["codec_name"] } == [videoCodec, audioCodec])
        #expect(streams.allSatisfy { abs(Double($0["start_time"] ?? "") ?? 1) < 1e-6 })
        #expect(streams[0]["r_frame_rate"] == "30/1")
        if name != "f.mkv" {
            #expect(streams.allSatisfy { abs((Double($0["duration"] ?? "") ?? 0) - 2) < 0.001 })
            if videoCodec == "hevc" { #expect(streams[0]["codec_tag_string"] == "hvc1") }
        }
        let packets = try Tools.ffprobe(path, "packet=dts_time", stream: "v")
        let times = packets.compactMap { Double($0["dts_time"] ?? "") }
        #expect(packets.count == 60)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        let decoded = try Tools.ffprobe(path, "frame=pts_time", stream: "v")
        #expect(decoded.count == 60)
    }

    @Test(arguments: ["24", "30000/1001", "60"]) func `the frame rate is constant and exact`(
        fps: String
    ) throws {
        let folder = try TemporaryFolder()
        try run(graph(folder.file("f.mp4"), fps: fps))
        let stream = try Tools.ffprobe(
            folder.file("f.mp4"),
            "stream=r_frame_rate,avg_frame_rate",
            stream: "v"
        )
        let wanted = fps.contains("/") ? fps : fps + "/1"
        #expect(stream[0]["r_frame_rate"] == wanted && stream[0]["avg_frame_rate"] == wanted)
        let times = try Tools.ffprobe(folder.file("f.mp4"), "frame=pts_time", stream: "v")
            .compactMap { Double($0["pts_time"] ?? "") }
        let rate = try #require(Rate(parsing: fps))
        let isEven = times.enumerated().allSatisfy { index, time in
            abs(time - rate.time(of: Int64(index)).seconds) < 2e-6
        }
        #expect(isEven)
    }

    @Test(arguments: ["h264", "hevc"], ["f.mp4", "f.mov", "f.mkv"])
    func `a film of a few pictures is whole, and one of 1000 a second`(codec: String, name: String)
        throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file(name)
        for (count, fps) in [(1, "30"), (2, "30"), (3, "30"), (4, "30"), (20, "1000")] {
            let text = graph(
                path,
                video: "\"codec\": \"\(codec)\"",
                audio: nil,
                seconds: 1,
                fps: fps
            )
            .replacing(#/"count": \d+/#, with: "\"count\": \(count)")
            try run(text)
            let pictures = try Tools.ffprobe(path, "frame=pts_time,best_effort_timestamp_time")
                .compactMap { Double($0["best_effort_timestamp_time"] ?? "") }
            let interval = 1 / (Double(fps) ?? 0)
            #expect(pictures.count == count)
            #expect(
                zip(pictures, 0...).allSatisfy { abs($0 - Double($1) * interval) < 0.0006 },
                "\(pictures)"
            )
        }
    }

    @Test func `the bytes are the same when audio runs 20 seconds ahead, or video does`() throws {
        let folder = try TemporaryFolder()
        let gates = UUID().uuidString
        /// Makes a film in which one stream waits until the other has passed 20 seconds; tells how
        /// many packets of each waited for the writer at most.
        func film(_ name: String, ahead: String?, threads: Int) throws -> [String: Int] {
            func relay(_ stream: String) -> String {
                guard let ahead else { return "" }
                let what = stream == ahead ? "\"opensAt\": 20" : "\"waits\": true"
                return ", \"gate\": \"\(gates)\(name)\", \(what)"
            }
            func edge(_ stream: String) -> String {
                "{ \"output\": \"\(stream)Relay\", \"capacity\": \(stream == ahead ? 4096 : 2) }"
            }
            let report = try GraphRun.run(
                """
                { "foxfire": 1, "nodes": {
                    "pictures": { "kind": "source.pictures", "count": 250, "fps": 10 },
                    "v": { "kind": "encode.video", "from": "pictures" },
                    "videoRelay": { "kind": "test.relay", "from": "v"\(relay("video")) },
                    "tone": { "kind": "source.tone", "duration": 25, "channels": 2 },
                    "a": { "kind": "encode.audio", "from": "tone" },
                    "audioRelay": { "kind": "test.relay", "from": "a"\(relay("audio")) },
                    "film": { "kind": "write.movie", "path": "\(folder.file(name))",
                        "from": { "video": \(edge("video")), "audio": \(edge("audio")) } } } }
                """,
                nodes: [PictureSource.entry, EncodedRelay.entry],
                options: RunOptions(threads: threads)
            )
            return Dictionary(
                report.edges.map { ($0.from, $0.peakPackets) },
                uniquingKeysWith: { $1 }
            )
        }
        _ = try film("level.mp4", ahead: nil, threads: 2)
        let audio = try film("audio.mp4", ahead: "audio", threads: 1)
        let video = try film("video.mp4", ahead: "video", threads: 3)
        // An AAC packet lasts 1024 samples, a picture a tenth of a second.
        #expect(audio["audioRelay.packets"] ?? 0 >= 20 * 48_000 / 1024)
        #expect(video["videoRelay.packets"] ?? 0 >= 200)
        let reference = try folder.bytes("level.mp4")
        for name in ["audio.mp4", "video.mp4"] {
            let isSame = try folder.bytes(name) == reference
            #expect(isSame, "\(name)")
        }
    }

    @Test func `mp4 has its index at the front unless told otherwise`() throws {
        let folder = try TemporaryFolder()
        try run(graph(folder.file("front.mp4")))
        try run(graph(folder.file("back.mp4"), more: ", \"faststart\": false"))
        func indexIsFirst(_ name: String) throws -> Bool {
            let bytes = try folder.bytes(name)
            let index = try #require(bytes.range(of: Data("moov".utf8)))
            let data = try #require(bytes.range(of: Data("mdat".utf8)))
            return index.lowerBound < data.lowerBound
        }
        #expect(try indexIsFirst("front.mp4"))
        #expect(try !indexIsFirst("back.mp4"))
    }

    @Test func `sound alone is a film too, and many tracks are kept in order`() throws {
        let folder = try TemporaryFolder()
        try run(graph(folder.file("a.m4a"), video: nil))
        let alone = try Tools.ffprobe(folder.file("a.m4a"), "stream=codec_name")
        #expect(alone.map { $0["codec_name"] } == ["aac"])
        try run(
            """
            { "foxfire": 1, "nodes": {
                "tone": { "kind": "source.tone", "duration": 1 },
                "a": { "kind": "encode.audio", "from": "tone", "codec": "aac" },
                "b": { "kind": "encode.audio", "from": "tone", "codec": "opus" },
                "out": { "kind": "write.movie", "from": { "audio": ["b", "a"] },
                         "path": "\(folder.file("b.mka"))" } } }
            """
        )
        let many = try Tools.ffprobe(folder.file("b.mka"), "stream=codec_name")
        #expect(many.map { $0["codec_name"] } == ["opus", "aac"])
    }

    @Test(arguments: ["f.mp4", "f.mov", "f.mkv"]) func `how it was made is stored, and no date`(
        name: String
    ) throws {
        let folder = try TemporaryFolder()
        try run(graph(folder.file(name), seconds: 1))
        let tags = try Tools.ffprobe(folder.file(name), "format_tags")
        let entries = Dictionary(
            tags.flatMap { $0 }.map { ($0.key.lowercased(), $0.value) },
            uniquingKeysWith: { $1 }
        )
        #expect(entries["tag:foxfire"] == "test")
        #expect(entries["tag:creation_time"] == nil)
    }

    @Test(arguments: [
        ("f.mp4", "pcm"), ("f.mp4", "flac"), ("f.mov", "opus"), ("f.mov", "flac"),
    ])
    func `a codec that a container cannot hold is refused by the check`(
        name: String,
        codec: String
    ) throws {
        let folder = try TemporaryFolder()
        let text = graph(folder.file(name), audio: "\"codec\": \"\(codec)\"")
        let refused = #expect(throws: GraphRun.Refused.self) {
            try GraphRun.plan(text, nodes: [PictureSource.entry])
        }
        #expect(refused?.problems.count == 1)
        #expect(refused?.problems[0].pointer == "/nodes/film/path")
    }

    @Test(arguments: ["f.avi", "f", "f.wav"]) func `other endings are refused`(name: String) throws
    {
        let folder = try TemporaryFolder()
        #expect(throws: GraphRun.Refused.self) {
            try GraphRun.plan(graph(folder.file(name)), nodes: [PictureSource.entry])
        }
    }

    @Test func `it needs video or audio`() {
        #expect(throws: Problem.self) {
            try NodeRunner(WriteMovie.self, ["path": .string("f.mp4")])
        }
    }

    @Test func `a film of nothing is an error, and no file is left`() throws {
        let folder = try TemporaryFolder()
        let text = graph(folder.file("f.mp4"), audio: nil, seconds: 0)
        let error = #expect(throws: RunFailure.self) { try run(text) }
        #expect(error.map { "\($0)" }?.contains("empty") == true)
        #expect(folder.names.isEmpty)
    }

    @Test func `the whole film is decoded when the run asks for it`() throws {
        let folder = try TemporaryFolder()
        try GraphRun.run(
            graph(folder.file("f.mp4"), seconds: 4),
            nodes: [PictureSource.entry],
            options: RunOptions(threads: 2, verification: .full)
        )
        #expect(folder.names == ["f.mp4"])
    }

    @Test func `what is read back is compared with what was written`() throws {
        let folder = try TemporaryFolder()
        try run(graph(folder.file("f.mp4"), seconds: 1))
        let check = try FilmCheck(path: folder.file("f.mp4"))
        let formats = check.streams.map { stream in
            EncodedFormat(
                codec: stream.info.codec,
                content: .video(Pictures.format(), frameRate: nil),
                configuration: []
            )
        }
        /// As many packets as there are, each of a length.
        func written(_ counts: [Int], _ length: MediaTime, start: Int64 = 0) -> [WrittenStream] {
            zip(formats, counts).map { format, count in
                var stream = WrittenStream(format)
                for index in start..<start + Int64(count) {
                    let time = MediaTime(length.value * index, length.scale)
                    let packet = EncodedPacket(
                        format: format,
                        bytes: Writable(repeating: 0, count: 1),
                        presentationTime: time
                    )
                    stream.note(
                        EncodedUnit(
                            packet: packet,
                            decodingTime: time,
                            duration: length,
                            isKey: true
                        )
                    )
                }
                return stream
            }
        }
        let video = Array(check.streams.prefix(1))
        #expect(video[0].packetCount == 30)
        func compare(_ streams: [WrittenStream]) throws {
            try WrittenStream.compare(
                Array(streams.prefix(1)),
                with: FilmCheck(path: folder.file("f.mp4")),
                in: .mp4
            )
        }
        // One track was written, two are there.
        #expect(throws: FilmError.self) { try compare(written([30, 47], MediaTime(1, 30))) }
        try run(graph(folder.file("f.mp4"), audio: nil, seconds: 1))
        try compare(written([30], MediaTime(1, 30)))
        #expect(throws: FilmError.self) { try compare(written([31], MediaTime(1, 31))) }
        #expect(throws: FilmError.self) { try compare(written([30], MediaTime(1, 29))) }
        #expect(throws: FilmError.self) { try compare(written([30], MediaTime(1, 30), start: 1)) }
    }

    @Test func `a stream that changes its format is an error that names both`() throws {
        let folder = try TemporaryFolder()
        func packet(_ width: Int) -> EncodedPacket {
            EncodedPacket(
                format: EncodedFormat(
                    codec: "h264",
                    content: .video(Pictures.format(width, 48, .yuv420p), frameRate: Rate(30)),
                    configuration: [1]
                ),
                bytes: Writable(repeating: 0, count: 4),
                presentationTime: .zero
            )
        }
        let runner = try NodeRunner(
            WriteMovie.self,
            ["path": .string(folder.file("f.mp4")), "onChange": "error"],
            inputs: [("video", StreamInfo(format: packet(64).format))]
        )
        runner.feed("video", packet(64), at: .zero, duration: MediaTime(1, 30), flags: .key)
        runner.feed("video", packet(32), at: MediaTime(1, 30), duration: MediaTime(1, 30))
        let failure = #expect(throws: NodeFailure.self) { try runner.run() }
        let text = failure.map { "\($0)" } ?? ""
        #expect(text.contains("64x48") && text.contains("32x48"))
    }
}
