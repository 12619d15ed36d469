import Codecs
import Foundation
import Media
import TestSupport
import Testing

@Suite struct PairedMovieTests {
    private static let identifier = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

    private static func movie(_ path: String, _ more: [String] = [], codec: String = "libx264")
        throws
    {
        let tag = codec == "libx265" ? ["-tag:v", "hvc1", "-x265-params", "log-level=none"] : []
        try Tools.run(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30000/1001:d=2"]
                + [
                    "-f", "lavfi", "-i", "sine=d=2", "-c:v", codec, "-c:a", "aac", "-pix_fmt",
                    "yuv420p",
                ]
                + ["-bf", "2", "-bitexact", "-movie_timescale", "30000"] + tag + more + [
                    "-f", "mov", path,
                ]
        )
    }

    private static func mark(_ path: String, _ target: String, at time: MediaTime) throws {
        let output = try OutputFile(path: target)
        try PairedMovie.rewrite(path, to: output, identifier: identifier, still: time)
        try output.commit()
    }

    private static func hashes(_ path: String) throws -> String {
        let out = try Tools.ffmpeg(
            "-i",
            path,
            "-map",
            "0:v",
            "-map",
            "0:a",
            "-c",
            "copy",
            "-f",
            "streamhash",
            "-hash",
            "md5",
            "-"
        )
        return String(decoding: out, as: UTF8.self)
    }

    @Test(arguments: [[], ["-movflags", "+faststart"], ["-movflags", "+use_metadata_tags"]])
    func `no sample changes, the still is where it was asked for, and twice is once`(
        _ flags: [String]
    ) throws {
        let folder = try TemporaryFolder()
        let (source, once, twice) = (
            folder.file("a.mov"), folder.file("b.mov"), folder.file("c.mov")
        )
        let stale = ["-metadata", "com.apple.quicktime.content.identifier=OLD"]
        try Self.movie(source, flags + stale)
        // The first, one in the middle and the last of 60 pictures.
        for picture in [0, 29, 59] {
            let time = MediaTime(Int64(picture) * 1001, 30_000)
            try Self.mark(source, once, at: time)
            try Self.mark(once, twice, at: time)
            #expect(try folder.bytes("b.mov") == folder.bytes("c.mov"))
            #expect(try Self.hashes(source) == Self.hashes(once))
            let packets = try Tools.ffprobe(once, "packet=pts_time,size", stream: "d")
            #expect(packets.count == 1 && packets.first?["size"] == "9")
            let found = Double(packets.first?["pts_time"] ?? "") ?? -1
            #expect(abs(found - time.seconds) < 0.000_02)
            let names = [
                "-ee", "-s3", "-Keys:ContentIdentifier", "-StillImageTime", "-MIMEType", once,
            ]
            let said = String(decoding: try Tools.run("exiftool", names), as: UTF8.self)
            #expect(said.split(separator: "\n") == [Self.identifier[...], "-1", "video/quicktime"])
            try Tools.ffmpeg("-i", once, "-f", "null", "-")
        }
        // A time behind the end is the end.
        try Self.mark(source, once, at: MediaTime(100, 1))
        let tracks = try MovieFile(path: once).tracks()
        let length = try MovieFile(path: once).clock().duration
        #expect(tracks.filter(\.marksStill).map(\.emptyEdit) == [length - 1])
    }

    @Test func `an output is marked in place where its index is its end, and refused otherwise`()
        throws
    {
        let folder = try TemporaryFolder()
        for (flags, isFine) in [([], true), (["-movflags", "+faststart"], false)] {
            let source = folder.file("a-\(isFine).mov")
            try Self.movie(source, flags)
            let output = try OutputFile(path: folder.file("b.mov"))
            try output.write([UInt8](try folder.bytes("a-\(isFine).mov")).span)
            let work = {
                try PairedMovie.mark(output, identifier: Self.identifier, still: MediaTime(1, 1))
            }
            guard isFine else {
                #expect(throws: CodecError.self, performing: work)
                continue
            }
            try work()
            try output.commit()
            try Self.mark(source, folder.file("c.mov"), at: MediaTime(1, 1))
            #expect(try folder.bytes("b.mov") == folder.bytes("c.mov"))
        }
    }

    @Test func `media behind an old sample keeps its place`() throws {
        let folder = try TemporaryFolder()
        try Self.movie(folder.file("a.mov"))
        try Self.mark(folder.file("a.mov"), folder.file("b.mov"), at: MediaTime(1, 1))
        let bytes = [UInt8](try folder.bytes("b.mov"))
        let parts = try MovieFile(path: folder.file("b.mov")).parts
        let sample = try #require(parts.last { $0.type == "mdat" })
        #expect(sample.range.count == 17)
        // More media behind the sample: it is no longer the end, and stays.
        let place = Int(sample.range.upperBound)
        let more =
            bytes[..<place] + [0, 0, 0, 12] + Array("free".utf8) + [1, 2, 3, 4] + bytes[place...]
        try Data(more).write(to: URL(fileURLWithPath: folder.file("c.mov")))
        try Self.mark(folder.file("c.mov"), folder.file("d.mov"), at: MediaTime(1, 2))
        #expect(try Self.hashes(folder.file("a.mov")) == Self.hashes(folder.file("d.mov")))
        let kept = try MovieFile(path: folder.file("d.mov")).parts.map(\.type)
        #expect(kept.suffix(4) == ["mdat", "free", "mdat", "moov"])
        #expect(try MovieFile(path: folder.file("d.mov")).tracks().count(where: \.marksStill) == 1)
    }

    @Test func `a movie that is cut off, or none, is refused with a reason`() throws {
        let folder = try TemporaryFolder()
        try Self.movie(folder.file("a.mov"))
        let whole = try folder.bytes("a.mov")
        for count in [0, 7, 100, whole.count / 2, whole.count - 1] {
            try whole.prefix(count).write(to: URL(fileURLWithPath: folder.file("cut.mov")))
            #expect(throws: CodecError.self) { try MovieFile(path: folder.file("cut.mov")) }
        }
        #expect(throws: FileError.self) { try MovieFile(path: folder.path) }
    }

    @Test func `a pair is found to be one, and each way of breaking it is told`() throws {
        let folder = try TemporaryFolder()
        let (still, film) = (folder.file("a.jpg"), folder.file("a.MOV"))
        try StillFixture.jpeg(at: still, exif: EXIFBlock(contentIdentifier: Self.identifier).tiff)
        try Self.movie(folder.file("raw.mov"), codec: "libx265")
        try Self.mark(folder.file("raw.mov"), film, at: MediaTime(1, 1))
        let fine = try PairCheck(still: still, movie: film)
        #expect(fine.faults == [] && fine.identifier == Self.identifier && fine.stillTime == 1)

        func faults(still other: String? = nil, movie: String? = nil) throws -> String {
            try PairCheck(still: other ?? still, movie: movie ?? film).faults.joined(
                separator: "\n"
            )
        }
        let odd = folder.file("b.jpg")
        try StillFixture.jpeg(
            at: odd,
            exif: EXIFBlock(contentIdentifier: Self.identifier.lowercased()).tiff
        )
        #expect(try faults(still: odd).contains("case alone"))
        let other = String(Self.identifier.reversed())
        try StillFixture.jpeg(at: odd, exif: EXIFBlock(contentIdentifier: other).tiff)
        #expect(try faults(still: odd).contains("identifiers differ: \(other)"))
        try StillFixture.jpeg(at: odd, exif: nil)
        #expect(try faults(still: odd).contains("no content identifier in an Apple MakerNote"))
        try StillFixture.jpeg(
            at: odd,
            exif: EXIFBlock(contentIdentifier: Self.identifier).tiff,
            size: "64x64"
        )
        #expect(try faults(still: odd) == "the shapes differ: the still is 64x64, the movie 64x48")

        let copy = folder.file("copy.mov")
        try Tools.run(
            "ffmpeg",
            ["-v", "quiet", "-y", "-i", film, "-map", "0", "-c", "copy", "-tag:v", "hvc1", copy]
        )
        #expect(try faults(movie: copy).contains("lost its metadata track"))
        let tagged = folder.file("tagged.mov")
        try Tools.ffmpeg(
            "-i",
            folder.file("raw.mov"),
            "-c",
            "copy",
            "-tag:v",
            "hev1",
            "-movflags",
            "use_metadata_tags",
            "-metadata",
            "com.apple.quicktime.content.identifier=\(Self.identifier)",
            tagged
        )
        let told = try faults(movie: tagged)
        #expect(told.contains("only in moov/udta/meta") && told.contains("hev1"))
        #expect(told.contains("no track that marks the still's time"))
        let mp4 = folder.file("a.mp4")
        try Tools.ffmpeg("-i", folder.file("raw.mov"), "-c", "copy", "-tag:v", "hvc1", mp4)
        #expect(try faults(movie: mp4).contains("not QuickTime: its brand is \"isom\""))
        #expect(throws: FileError.self) { try faults(movie: folder.file("none.mov")) }
        #expect(throws: CodecError.self) { try faults(still: film) }
    }
}
