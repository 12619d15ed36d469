import Codecs
import Foundation
import Graph
import Lumen
import Media
import TestSupport
import Testing

@testable import Nodes

/// Captures that become films without being encoded anew.
@Suite struct RemuxTests {
    private static let fixture = Result { try HEVCFixture(frames: 60, "keyint=20:open-gop=0") }
    private static let start: UInt64 = 1_700_000_000_000_000_001

    private static let graph = """
        {
          "foxfire": 1,
          "variables": { "input": { "type": "file" }, "output": { "type": "output" },
                         "damage": { "type": "enum", "values": ["omit", "keep"], "default": "omit" } },
          "nodes": {
            "capture": { "kind": "source.lumen", "path": "$input" },
            "film": { "kind": "write.movie", "from": { "video": "capture.video", "audio": "capture.audio" },
                      "path": "$output", "damage": "$damage" }
          }
        }
        """

    /// Times of pictures in ns: irregular, with a gap of five seconds.
    private static func time(_ number: Int) -> UInt64 {
        start + UInt64(number) * 16_666_667 + UInt64(number % 3) * 1_000_123
            + (number >= 30 ? 5_000_000_000 : 0)
    }

    /// A log of units with Opus beside them: 24 packets of silence in 5 ms, some of them missing.
    private static func log(
        _ units: [HEVCAccessUnit],
        lost: Set<Int> = [],
        lostAudio: Set<Int> = []
    )
        -> [UInt8]
    {
        var bytes = CaptureLog.fileHeader(session: 1)
        bytes += CaptureLog.record(
            CaptureDescription(video: .init(codec: "hevc"), audio: .init(channels: 2))
        )
        var records: [(time: UInt64, record: [UInt8])] = []
        for (number, unit) in units.enumerated() where !lost.contains(number) {
            let stamp = CaptureStamp(index: UInt32(number), time: time(number))
            records.append((time(number), CaptureLog.record(unit: unit.bytes[...], stamp)))
        }
        for number in 0..<24 where !lostAudio.contains(number) {
            let time = start + 2_000_000 + UInt64(number) * 5_000_000
            let stamp = CaptureStamp(index: UInt32(number), time: time)
            records.append((time, CaptureLog.record(packet: [0xEC, 0xFF, 0xFE], stamp)))
        }
        // As they come: by time.
        for record in records.sorted(by: { $0.time < $1.time }) { bytes += record.record }
        return bytes
    }

    private func remux(
        _ bytes: [UInt8],
        _ folder: TemporaryFolder,
        to name: String,
        damage: String = "omit"
    ) throws -> String {
        try Data(bytes).write(to: URL(filePath: folder.file("capture")))
        let path = folder.file(name)
        try GraphRun.run(
            Self.graph,
            values: ["input": folder.file("capture"), "output": path, "damage": damage]
        )
        return path
    }

    /// All NAL units but delimiters and parameter sets.
    private func contents(_ units: [HEVCAccessUnit]) -> [[UInt8]] {
        units.flatMap { unit in
            unit.units.filter { !(32...35).contains(unit.bytes[$0.lowerBound] >> 1 & 0x3F) }
                .map { Array(unit.bytes[$0]) }
        }
    }

    private func units(of film: String, _ folder: TemporaryFolder) throws -> [HEVCAccessUnit] {
        let stream = folder.file("back.h265")
        try Tools.ffmpeg("-i", film, "-map", "0:v", "-c", "copy", "-f", "hevc", stream)
        return try HEVCFixture.units(Array(try folder.bytes("back.h265")))
    }

    @Test(arguments: ["mp4", "mkv"])
    func `a byte stream becomes a film of the very same pictures`(ending: String) throws {
        let folder = try TemporaryFolder()
        let fixture = try Self.fixture.get()
        let film = try remux(fixture.bytes, folder, to: "film.\(ending)")
        #expect(try contents(units(of: film, folder)) == contents(fixture.units))
        #expect(try HEVCFixture.pictures(film) == fixture.pictures)
        // No audio: no track of it.
        #expect(try Tools.ffprobe(film, "stream=codec_type").count == 1)
        let keys = try Tools.ffprobe(film, "packet=flags")
        #expect(
            keys.indices.filter { keys[$0]["flags"]?.hasPrefix("K") == true } == [0, 20, 40]
        )
        guard ending == "mp4" else { return }
        let tag = try Tools.ffprobe(film, "stream=codec_tag_string").first?["codec_tag_string"]
        #expect(tag == "hvc1")
    }

    @Test(arguments: [("mp4", 1e-6), ("mkv", 1e-3)])
    func `times are those of the log to half a count, across a gap of five seconds too`(
        ending: String,
        count: Double
    ) throws {
        let folder = try TemporaryFolder()
        let fixture = try Self.fixture.get()
        let film = try remux(
            Self.log(fixture.units, lostAudio: [7, 8]),
            folder,
            to: "film.\(ending)"
        )
        #expect(try contents(units(of: film, folder)) == contents(fixture.units))
        let packets = try Tools.ffprobe(film, "packet=stream_index,pts_time,size")
        let times = packets.filter { $0["stream_index"] == "0" }
            .compactMap { $0["pts_time"].flatMap(Double.init) }
        #expect(times.count == 60)
        for (number, time) in times.enumerated() {
            let wanted = Double(Self.time(number) - Self.start) / 1e9
            #expect(abs(time - wanted) <= count / 2 + 1e-9, "\(number)")
        }
        let audio = packets.filter { $0["stream_index"] == "1" }
        #expect(
            audio.compactMap { $0["size"] } == (0..<24).map { [7, 8].contains($0) ? "1" : "3" }
        )
        let first = audio.first?["pts_time"].flatMap(Double.init) ?? 0
        #expect(abs(first - 0.002) <= count / 2 + 1e-5)
        let tags = try Tools.run("ffprobe", ["-v", "error", "-show_format", film])
        #expect(String(decoding: tags, as: UTF8.self).contains("\(Self.start)"))
    }

    @Test func `what is not exact is left out and a chapter tells, or it is kept`() throws {
        let folder = try TemporaryFolder()
        let fixture = try Self.fixture.get()
        let bytes = Self.log(fixture.units, lost: [5])
        let film = try remux(bytes, folder, to: "film.mp4")
        let exact = Array(fixture.pictures[..<5] + fixture.pictures[20...])
        #expect(try HEVCFixture.pictures(film) == exact)
        let times = try Tools.ffprobe(film, "packet=stream_index,pts_time,duration_time")
            .filter { $0["stream_index"] == "0" }
        // The picture before stands until the next one.
        let last = times[4]["duration_time"].flatMap(Double.init) ?? 0
        #expect(abs(last - Double(Self.time(20) - Self.time(4)) / 1e9) < 1e-5)
        let chapters = try Tools.run("ffprobe", ["-v", "error", "-show_chapters", film])
        let text = String(decoding: chapters, as: UTF8.self)
        #expect(text.contains("TAG:title=Damage 1"))
        let kept = try remux(bytes, folder, to: "kept.mp4", damage: "keep")
        let sent = fixture.units.indices.filter { $0 != 5 }.map { fixture.units[$0] }
        #expect(try contents(units(of: kept, folder)) == contents(sent))
    }

    @Test func `another size begins another film`() throws {
        let folder = try TemporaryFolder()
        let small = try Self.fixture.get()
        let large = try HEVCFixture(frames: 20, size: "192x128", "keyint=-1")
        let film = try remux(Self.log(small.units + large.units), folder, to: "film.mp4")
        #expect(try HEVCFixture.pictures(film) == small.pictures)
        #expect(try HEVCFixture.pictures(folder.file("film-2.mp4")) == large.pictures)
        let start = try Tools.ffprobe(folder.file("film-2.mp4"), "stream=start_time")
        #expect(start.first?["start_time"].flatMap(Double.init) == 0)
    }

    @Test func `a seek shows the picture that playing up to it shows`() throws {
        let folder = try TemporaryFolder()
        let fixture = try Self.fixture.get()
        let film = try remux(fixture.bytes, folder, to: "film.mp4")
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20 {
            let number = Int.random(in: 0..<60, using: &random)
            let text = try Tools.ffmpeg(
                "-ss",
                "\(max(0, Double(number) - 0.5) / 30)",
                "-i",
                film,
                "-frames:v",
                "1",
                "-f",
                "framehash",
                "-hash",
                "sha256",
                "-"
            )
            #expect(String(decoding: text, as: UTF8.self).contains(fixture.pictures[number]))
        }
    }
}
