import Codecs
import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct WritePairTests {
    /// A video that moves everywhere, with sound.
    private static func video(_ path: String, rate: String = "25", more: [String] = []) throws {
        try Tools.run(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                "testsrc2=s=192x108:r=\(rate):d=3", "-f", "lavfi", "-i", "sine=f=330:d=3", "-vf",
                "rotate=t:fillcolor=gray,format=yuv420p", "-c:v", "libx264", "-crf", "8", "-bf",
                "3", "-c:a", "aac",
            ] + more + [path]
        )
    }

    private static func graph(_ folder: TemporaryFolder, _ more: String = "", sound: Bool = true)
        -> String
    {
        let from =
            sound ? "{ \"video\": \"in.video\", \"audio\": \"in.audio\" }" : "\"in.video\""
        return """
            { "foxfire": 1, "nodes": {
                "in": { "kind": "source.media", "path": "\(folder.file("in.mp4"))" },
                "out": { "kind": "write.pair", "from": \(from), "preset": "fast",
                    "path": "\(folder.file("P"))"\(more) }
            } }
            """
    }

    private static func gray(_ path: String, _ folder: TemporaryFolder) throws -> [[UInt8]] {
        let bytes = try Tools.ffmpeg(
            "-i",
            path,
            "-map",
            "0:v",
            "-fps_mode",
            "passthrough",
            "-f",
            "rawvideo",
            "-vf",
            "scale=out_range=pc",
            "-pix_fmt",
            "gray",
            "-"
        )
        return stride(from: 0, to: bytes.count, by: 192 * 108).map {
            Array(bytes[$0..<min($0 + 192 * 108, bytes.count)])
        }
    }

    private static func psnr(_ one: [UInt8], _ other: [UInt8]) -> Double {
        let sum = zip(one, other).reduce(0) { total, pair in
            let difference = Int(pair.0) - Int(pair.1)
            return total + difference * difference
        }
        return 10 * log10(255 * 255 * Double(one.count) / max(1, Double(sum)))
    }

    /// When the metadata track's sample is shown, by ffprobe.
    private static func markedTime(_ path: String) throws -> Double? {
        let packets = try Tools.ffprobe(path, "packet=pts_time,size", stream: "d:0")
        return packets.first.flatMap { $0["pts_time"] }.flatMap(Double.init)
    }

    @Test(
        arguments: ["25", "30000/1001"],
        [("", ""), ("0", ""), ("2.99", ""), ("1.3", ", \"codec\": \"h264\"")]
    )
    func `of all pictures of the movie the still is the one at the marked time`(
        rate: String,
        asked: (at: String, more: String)
    ) throws {
        let folder = try TemporaryFolder()
        try Self.video(folder.file("in.mp4"), rate: rate)
        let at = asked.at.isEmpty ? "" : ", \"at\": \(asked.at)"
        try GraphRun.run(Self.graph(folder, at + asked.more))
        let movie = folder.file("P.MOV")
        try Tools.run("heif-convert", [folder.file("P.HEIC"), folder.file("still.png")])
        let still = try #require(try Self.gray(folder.file("still.png"), folder).first)
        let pictures = try Self.gray(movie, folder)
        let times = try Tools.ffprobe(movie, "packet=pts_time", stream: "v")
            .compactMap { $0["pts_time"].flatMap(Double.init) }.sorted()
        #expect(pictures.count == times.count)
        let ratios = pictures.map { Self.psnr($0, still) }
        let ranked = ratios.indices.sorted { ratios[$0] > ratios[$1] }
        #expect(ratios[ranked[0]] >= 30)
        #expect(ratios[ranked[0]] - ratios[ranked[1]] >= 3)
        let marked = try #require(try Self.markedTime(movie))
        #expect(abs(times[ranked[0]] - marked) < 0.000_1, "\(marked) \(times[ranked[0]])")
        let check = try PairCheck(still: folder.file("P.HEIC"), movie: movie)
        #expect(check.faults.isEmpty && check.notes.isEmpty)
    }

    @Test func `readers and photo servers take both for one, and the movie is as phones play it`()
        throws
    {
        let folder = try TemporaryFolder()
        try Self.video(folder.file("in.mp4"))
        try GraphRun.run(Self.graph(folder, ", \"at\": 1.5"))
        let said = try Tools.run(
            "exiftool",
            [
                "-json", "-ContentIdentifier", "-MediaGroupUUID", "-MIMEType", "-Warning",
                folder.file("P.HEIC"), folder.file("P.MOV"),
            ]
        )
        let list = try #require(
            try JSONSerialization.jsonObject(with: said) as? [[String: String]]
        )
        // Immich: ContentIdentifier, else MediaGroupUUID, equal in both.
        let names = list.map { $0["ContentIdentifier"] ?? $0["MediaGroupUUID"] }
        #expect(names.count == 2 && names[0] == names[1] && names[0]?.count == 36)
        // Nextcloud Memories: a movie of this type that has a ContentIdentifier.
        #expect(list[1]["MIMEType"] == "video/quicktime" && list[1]["ContentIdentifier"] != nil)
        #expect(list[0]["MIMEType"] == "image/heic")
        #expect(list.allSatisfy { $0["Warning"]?.hasPrefix("[minor]") ?? true })
        let movie = folder.file("P.MOV")
        let video = try Tools.ffprobe(
            movie,
            "stream=codec_tag_string,profile,pix_fmt,color_space,nb_frames",
            stream: "v"
        ).first
        #expect(video?["codec_tag_string"] == "hvc1" && video?["profile"] == "Main")
        #expect(video?["pix_fmt"] == "yuv420p" && video?["nb_frames"] == "50")
        let brand = try Tools.ffprobe(movie, "format_tags=major_brand").first
        #expect(brand?["tag:major_brand"] == "qt  ")
        let sound = try Tools.ffprobe(movie, "stream=codec_name,duration", stream: "a").first
        #expect(sound?["codec_name"] == "aac")
        #expect(abs(Double(sound?["duration"] ?? "") ?? 0) - 2 < 0.001)
        let keys = try Tools.ffprobe(movie, "packet=flags", stream: "v")
        #expect(keys.first?["flags"]?.hasPrefix("K") == true)
        let bytes = [UInt8](try folder.bytes("P.MOV"))
        #expect(bytes.firstRange(of: Array("nclc".utf8)) != nil)
        #expect(bytes.firstRange(of: Array("x265".utf8)) == nil)
        #expect(bytes.firstRange(of: Array("hev1".utf8)) == nil)
    }

    @Test func `the same job gives the same pair, another one another name`() throws {
        var pairs: [[Data]] = []
        for more in ["", "", ", \"crf\": 30"] {
            let folder = try TemporaryFolder()
            try Self.video(folder.file("in.mp4"))
            try GraphRun.run(
                Self.graph(folder, more),
                options: RunOptions(threads: pairs.count + 1)
            )
            pairs.append([try folder.bytes("P.HEIC"), try folder.bytes("P.MOV")])
        }
        #expect(pairs[0] == pairs[1])
        #expect(pairs[0][0] != pairs[2][0])
    }

    @Test func `a name that is given stands in both, upper case, and a JPEG pairs too`() throws {
        let folder = try TemporaryFolder()
        try Self.video(folder.file("in.mp4"))
        let uuid = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        try GraphRun.run(
            Self.graph(
                folder,
                ", \"uuid\": \"\(uuid)\", \"still\": \"jpeg\", \"duration\": 0.5, \"at\": 0.1",
                sound: false
            )
        )
        let check = try PairCheck(still: folder.file("P.JPG"), movie: folder.file("P.MOV"))
        #expect(check.faults.isEmpty && check.identifier == uuid.uppercased())
        #expect(try Tools.ffprobe(folder.file("P.MOV"), "stream=index", stream: "a").isEmpty)
    }

    @Test(arguments: [("0.4", "0.5 to 8 s"), ("9", "0.5 to 8 s"), ("\"x\"", "duration")])
    func `lengths that are not taken are refused`(length: String, text: String) throws {
        let folder = try TemporaryFolder()
        try Self.video(folder.file("in.mp4"))
        let error = #expect(throws: GraphRun.Refused.self) {
            try GraphRun.plan(Self.graph(folder, ", \"duration\": \(length)"))
        }
        #expect(error?.description.contains(text) == true)
    }

    @Test func `a film that is too short, and one of odd sides, are refused`() throws {
        for (size, count, text) in [("64x48", 10, "0.5 to 8 s"), ("65x48", 60, "odd side")] {
            let folder = try TemporaryFolder()
            let graph = """
                { "foxfire": 1, "nodes": {
                    "in": { "kind": "source.pictures", "count": \(count), "size": "\(size)" },
                    "out": { "kind": "write.pair", "from": "in", "path": "\(folder.file("P"))" }
                } }
                """
            let error = #expect(throws: (any Error).self) {
                try GraphRun.run(graph, nodes: [PictureSource.entry])
            }
            #expect("\(error.map { "\($0)" } ?? "")".contains(text))
            #expect(folder.names == [])
        }
    }

    @Test func `a half is exact, and no scale is too fine for it`() {
        #expect(MediaTime(3, 2).half == MediaTime(3, 4))
        #expect(MediaTime(4, 2_000_000_000).half == MediaTime(2, 2_000_000_000))
        #expect(MediaTime(5, 2_000_000_000).half == MediaTime(2, 2_000_000_000))
    }

    @Test func `where HEIC cannot be encoded the still becomes a JPEG, which is told`() {
        #expect(StillFormat.heic.available(canEncodeHEIC: true) == (.heic, nil))
        let (format, warning) = StillFormat.heic.available(canEncodeHEIC: false)
        #expect(format == .jpeg && warning?.contains("JPEG") == true)
        #expect(StillFormat.jpeg.available(canEncodeHEIC: false) == (.jpeg, nil))
    }

    @Test func `names are read as UUIDs or words, and hashes become UUIDs`() {
        let digest = "0123456789abcdef0123456789abcdef00"
        #expect(PairIdentifier.text(of: digest) == "01234567-89AB-8DEF-8123-456789ABCDEF")
        for text in ["", "3F2504E0", "3F2504E0-4F89-41D3-9A0C-0305E82C330G", "Random"] {
            #expect(PairIdentifier(text) == nil)
        }
    }

    @Test(arguments: ["MP.jpg", "MP.heic", "jpg"])
    func `a Motion Photo holds its movie where it says`(ending: String) throws {
        let folder = try TemporaryFolder()
        try Self.video(folder.file("in.mp4"))
        let (path, isHEIC) = (folder.file("A.\(ending)"), ending.hasSuffix("heic"))
        let graph = Self.graph(folder, ", \"at\": 1.2, \"uuid\": \"derived\"")
            .replacing("write.pair", with: "write.motionphoto")
            .replacing(folder.file("P"), with: path)
        let report = try GraphRun.run(graph)
        #expect(report.nodes.flatMap(\.notices.warnings).isEmpty == ending.contains("MP"))
        let said = try Tools.run(
            "exiftool",
            [
                "-s3", "-a", "-validate", "-MotionPhoto", "-MotionPhotoPresentationTimestampUs",
                "-DirectoryItemPadding", "-DirectoryItemLength", path,
            ]
        )
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
        try #require(lines.count == 7)
        #expect(lines[0] == "OK" && lines[1] == "1" && lines[2] == "1000000")
        #expect(lines[3] == (isHEIC ? "8" : "0") && lines[4] == "0" && lines[5] == "0")
        let length = try #require(Int(lines[6]))
        let bytes = [UInt8](try folder.bytes("A.\(ending)"))
        let movie = Array(bytes.suffix(length))
        #expect(movie[4..<8].elementsEqual("ftyp".utf8))
        try Data(movie).write(to: URL(filePath: folder.file("m.mp4")))
        let frames = try Tools.ffprobe(folder.file("m.mp4"), "stream=nb_frames", stream: "v")
        #expect(frames.first?["nb_frames"] == "50")
        if isHEIC {
            #expect(bytes[(bytes.count - length - 4)...].starts(with: Array("mpvd".utf8)))
            let found = try Tools.run("exiftool", ["-b", "-MotionPhotoVideo", path])
            #expect([UInt8](found) == movie)
        }
        let name = try Tools.run(
            "exiftool",
            ["-s3", "-ContentIdentifier", "-MediaGroupUUID", path]
        )
        #expect(String(decoding: name, as: UTF8.self).count == 37)
        guard NewerHEIF.isInstalled else { return }
        let size = try NewerHEIF.run("print(*Image.open(sys.argv[1]).size)", path)
        #expect(size == "192 108\n")
    }
}
