import Foundation
import TestSupport
import Testing

@testable import FoxfireCLI

/// Stills and pairs, by the command as a user calls it.
@Suite struct StillTests {
    private static func graph(_ input: String, _ output: String, _ kind: String) -> String {
        """
        { "foxfire": 1, "nodes": {
            "in": { "kind": "source.image", "path": "\(input)" },
            "out": { "kind": "\(kind)", "from": "in", "path": "\(output)" }
        } }
        """
    }

    private static func convert(_ input: String, _ output: String, _ kind: String, _ folder: String)
        throws -> Tool.Result
    {
        try Data(graph(input, output, kind).utf8)
            .write(to: URL(filePath: folder + "/g.json"))
        return try Tool.shell("$foxfire run ./g.json -y --progress none", in: folder)
    }

    private static func rgb(_ path: String, _ layout: String = "rgb24") throws -> [UInt8] {
        Array(try Tools.ffmpeg("-i", path, "-f", "rawvideo", "-pix_fmt", layout, "-"))
    }

    @Test func `bars keep their colours through every kind of still, in both spaces`() throws {
        for isWide in [false, true] {
            try inTemporaryFolder { folder in
                // The first still is a PNG of FFmpeg's with a profile of ours by way of a JPEG.
                try Data(Self.bars).write(to: URL(filePath: folder + "/bars.rgb"))
                let size = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "256x64"]
                try Tools.run(
                    "ffmpeg",
                    ["-v", "error", "-nostdin"] + size
                        + ["-i", folder + "/bars.rgb", folder + "/bars.png"]
                )
                if isWide { try Self.mark(folder + "/bars.png") }
                var last = "bars.png"
                let steps = [
                    ("a.png", "write.png"), ("b.heic", "write.heic"), ("c.png", "write.png"),
                    ("d.jpg", "write.jpeg"), ("e.png", "write.png"),
                ]
                for (name, kind) in steps {
                    let result = try Self.convert(last, name, kind, folder)
                    #expect(result.code == 0, "\(result.error)")
                    last = name
                    let profile = try Tools.run(
                        "exiftool",
                        ["-s3", "-ProfileDescription", folder + "/" + name]
                    )
                    let told = String(decoding: profile, as: UTF8.self)
                    if isWide { #expect(told == "Display P3\n", "\(name)") }
                }
                for name in ["a.png", "c.png", "e.png"] {
                    #expect(ColorBars.error(try Self.rgb(folder + "/" + name)) <= 3, "\(name)")
                }
            }
        }
    }

    private static let bars: [UInt8] = {
        let row = (0..<256).flatMap { ColorBars.colors[$0 / 32].map { UInt8($0) } }
        return (0..<64).flatMap { _ in row }
    }()

    /// Says by cICP that a PNG is Display P3.
    private static func mark(_ path: String) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let chunk: [UInt8] =
            [0, 0, 0, 4] + Array("cICP".utf8) + [12, 13, 0, 1] + [0xA3, 0x5A, 0x7C, 0x0F]
        bytes.insert(contentsOf: chunk, at: 33)
        try Data(bytes).write(to: URL(filePath: path))
    }

    @Test func `a picture is turned as it says, and written upright`() throws {
        try inTemporaryFolder { folder in
            try Tools.ffmpeg(
                "-f",
                "lavfi",
                "-i",
                "testsrc2=s=96x64",
                "-frames:v",
                "1",
                folder + "/a.jpg"
            )
            try Tools.run("exiftool", ["-q", "-n", "-Orientation=6", folder + "/a.jpg"])
            for (output, kind) in [
                ("b.heic", "write.heic"), ("c.jpg", "write.jpeg"), ("d.png", "write.png"),
            ] {
                let result = try Self.convert("a.jpg", output, kind, folder)
                #expect(result.code == 0, "\(result.error)")
                let said = try Tools.run(
                    "exiftool",
                    ["-s3", "-n", "-ImageSize", "-Orientation", "-Rotation", folder + "/" + output]
                )
                let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
                #expect(lines.first == "64 96" && lines.dropFirst().allSatisfy { $0 == "1" })
            }
        }
    }

    @Test func `bad pictures are refused in a sentence, and older outputs stay`() throws {
        try inTemporaryFolder { folder in
            try Data("old".utf8).write(to: URL(filePath: folder + "/out.png"))
            try Tools.ffmpeg(
                "-f",
                "lavfi",
                "-i",
                "testsrc2=s=96x64",
                "-frames:v",
                "1",
                folder + "/a.png"
            )
            _ = try Self.convert("a.png", "a.heic", "write.heic", folder)
            let heic = try Data(contentsOf: URL(filePath: folder + "/a.heic"))
            // A picture whose coded data are noise, and one that is cut.
            var noise = heic
            for place in heic.count - 400..<heic.count { noise[place] = UInt8(place * 37 & 255) }
            let files = [
                "cut.heic": heic.prefix(600), "text.png": Data("no picture".utf8),
                "empty.heic": Data(),
                "brand.heic": heic.prefix(36),
            ]
            for (name, bytes) in files {
                try bytes.write(to: URL(filePath: folder + "/" + name))
                let result = try Self.convert(name, "out.png", "write.png", folder)
                #expect(result.code == 1, "\(name)")
                #expect(result.error.contains(name) && !result.error.contains("rror("))
            }
            try noise.write(to: URL(filePath: folder + "/noise.heic"))
            let result = try Self.convert("noise.heic", "noise.png", "write.png", folder)
            #expect(result.code == 0 || result.code == 1)
            let old = try Data(contentsOf: URL(filePath: folder + "/out.png"))
            #expect(old == Data("old".utf8))
        }
    }

    @Test func `a file without pictures is refused in a sentence`() throws {
        try inTemporaryFolder { folder in
            let line = """
                ffmpeg -v error -nostdin -f lavfi -i sine=d=2 a.m4a
                $foxfire pair make a.m4a --at 1s -o P
                """
            let result = try Tool.shell(line, in: folder)
            #expect(result.code == 1 || result.code == 2)
            #expect(result.error.contains("a.m4a") && !result.error.contains("Fatal"))
        }
    }

    @Test func `a pair is made, checked, and put into a folder to be sent`() throws {
        try inTemporaryFolder { folder in
            let line = """
                ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=97x64:d=2 v.mp4
                $foxfire pair make v.mp4 --at 0.5s --duration 1s -o IMG_0001 --pvt --progress none || exit 9
                $foxfire pair check IMG_0001.HEIC IMG_0001.MOV || exit 8
                cmp IMG_0001.HEIC IMG_0001.pvt/IMG_0001.HEIC && cmp IMG_0001.MOV IMG_0001.pvt/IMG_0001.MOV || exit 7
                grep -c PFVideoComplementMetadataVersionKey IMG_0001.pvt/metadata.plist
                $foxfire pair make v.mp4 -o IMG_0001.heic --pvt 2>refused && exit 6
                grep -q 'exists' refused || exit 5
                $foxfire pair make v.mp4 -o IMG_0001.heic --pvt -y --progress none || exit 4
                ls -A IMG_0001.pvt
                ls -A | grep -v '^IMG_0001\\|v.mp4\\|refused'
                exit 0
                """
            let result = try Tool.shell(line, in: folder)
            #expect(result.code == 0, "\(result.code) \(result.error)")
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.first?.hasPrefix("OK") == true)
            #expect(lines.suffix(4) == ["1", "IMG_0001.HEIC", "IMG_0001.MOV", "metadata.plist"])
        }
    }

    @Test(
        arguments: [
            ("", "\"-o\" is missing"), ("-o -", "two files"),
            ("-o A --at 5s", "there is nothing at"),
            ("-o A --uuid 1234", "a UUID"), ("-o A --duration 9s", "0.5 to 8 s"),
            ("-o A/B", "make the folder first"),
        ]
    )
    func `what cannot be made is said`(words: String, text: String) throws {
        try inTemporaryFolder { folder in
            let line = """
                ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=96x64:d=2 v.mp4
                $foxfire pair make v.mp4 \(words)
                """
            let result = try Tool.shell(line, in: folder)
            #expect(result.code != 0 && result.error.contains(text), "\(result.error)")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left == ["v.mp4"])
        }
    }

    @Test(arguments: [90, 180, 270])
    func `a film that was held otherwise becomes an upright pair`(degrees: Int) throws {
        try inTemporaryFolder { folder in
            let line = """
                ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=96x64:d=1 -pix_fmt yuv420p a.mp4
                ffmpeg -v error -nostdin -i a.mp4 -c copy -metadata:s:v:0 rotate=\(degrees) v.mp4
                ffmpeg -v error -nostdin -ss 0.4 -i v.mp4 -frames:v 1 peer.png
                $foxfire pair make v.mp4 --at 0.4s --duration 0.5s -o P --progress none || exit 9
                $foxfire pair check P.HEIC P.MOV || exit 8
                heif-convert P.HEIC P.png >&2
                ffmpeg -v error -nostdin -i P.MOV -frames:v 1 M.png
                """
            let result = try Tool.shell(line, in: folder)
            #expect(result.code == 0, "\(result.error)")
            let peer = try Self.rgb(folder + "/peer.png", "gray")
            let still = try Self.rgb(folder + "/P.png", "gray")
            #expect(peer.count == still.count)
            let difference = zip(peer, still).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(difference / max(1, still.count) < 6)
            for name in ["P.png", "M.png", "P.MOV"] {
                let size = try Tools.ffprobe(
                    folder + "/" + name,
                    "stream=width,height",
                    stream: "v"
                )
                #expect(size.first?["width"] == (degrees == 180 ? "96" : "64"), "\(name)")
            }
        }
    }

    @Test(arguments: [1.0, 3, 8])
    func `pairs of a simulation are pairs, however long`(length: Double) throws {
        try inTemporaryFolder { folder in
            let line = """
                ffmpeg -v error -nostdin -f lavfi -i sine=f=110:d=9 -ac 2 track.wav
                $foxfire run live-photo input=track.wav at=4.5 duration=\(length) size=64x96 fps=10 \
                    output=P --progress none || exit 9
                $foxfire pair check P.HEIC P.MOV
                """
            let result = try Tool.shell(line, in: folder)
            #expect(result.code == 0 && !result.output.contains("note"), "\(result.error)")
            #expect(result.error.contains("more than 5 s") == (length > 5))
            let video = try Tools.ffprobe(folder + "/P.MOV", "stream=nb_frames", stream: "v")
            #expect(video.first?["nb_frames"] == "\(Int(length * 10))")
        }
    }

    @Test(arguments: [("bt709", "bt709"), ("smpte432", "iec61966-2-1")])
    func `bars keep their colours through a pair, in both spaces`(
        primaries: String,
        transfer: String
    ) throws {
        try inTemporaryFolder { folder in
            try Data(Self.bars).write(to: URL(filePath: folder + "/bars.rgb"))
            let line = """
                for i in $(seq 15); do cat bars.rgb; done |
                    ffmpeg -v error -f rawvideo -pix_fmt rgb24 -s 256x64 -r 15 -i - -vf \
                    scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p \
                    -c:v libx264 -crf 1 -colorspace bt709 -color_range tv -color_primaries \(primaries) \
                    -color_trc \(transfer) v.mp4
                $foxfire pair make v.mp4 -o P --duration 1s --progress none || exit 9
                heif-convert P.HEIC P.png >&2
                ffmpeg -v error -nostdin -i P.MOV -frames:v 1 -vf \
                    scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int,format=rgb24 M.png
                """
            let result = try Tool.shell(line, in: folder)
            #expect(result.code == 0, "\(result.error)")
            #expect(ColorBars.error(try Self.rgb(folder + "/P.png")) <= 3)
            #expect(ColorBars.error(try Self.rgb(folder + "/M.png")) <= 3)
            let told = try Tools.ffprobe(folder + "/P.MOV", "stream=color_primaries", stream: "v")
            #expect(told.first?["color_primaries"] == primaries)
        }
    }
}
