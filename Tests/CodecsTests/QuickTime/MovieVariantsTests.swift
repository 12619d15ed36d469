import Foundation
import Media
import TestSupport
import Testing

@testable import Codecs

/// Movies as other programs and cameras write them, and as nobody should.
@Suite struct MovieVariantsTests {
    private static let identifier = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

    private static func movie(_ folder: TemporaryFolder, _ flags: [String]) throws -> [UInt8] {
        let path = folder.file("plain.mov")
        try Tools.run(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=1"]
                + ["-c:v", "libx264", "-bitexact"] + flags + ["-f", "mov", path]
        )
        return [UInt8](try folder.bytes("plain.mov"))
    }

    private static func hash(_ path: String) throws -> Data {
        try Tools.ffmpeg(
            "-i",
            path,
            "-map",
            "0:v",
            "-c",
            "copy",
            "-f",
            "streamhash",
            "-hash",
            "md5",
            "-"
        )
    }

    private static func mark(_ folder: TemporaryFolder, _ bytes: [UInt8]) throws -> String {
        let (source, target) = (folder.file("in.mov"), folder.file("out.mov"))
        try Data(bytes).write(to: URL(filePath: source))
        let output = try OutputFile(path: target)
        try PairedMovie.rewrite(
            source,
            to: output,
            identifier: identifier,
            still: MediaTime(1, 2)
        )
        try output.commit()
        return target
    }

    /// The box with 64-bit places of chunks in the place of 32-bit ones.
    private static func widened(
        _ box: Box,
        _ file: [UInt8],
        _ place: (Int) -> Int
    ) throws -> [UInt8] {
        if box.type == "stco" {
            var table = Array(file[box.body].prefix(8))
            for entry in 0..<(try box.number(file, 4)) {
                let old = try box.number(file, 8 + 4 * entry)
                table += .words(place(old) >> 32, place(old) & 0xFFFF_FFFF)
            }
            return .box("co64", table)
        }
        guard ["moov", "trak", "mdia", "minf", "stbl"].contains(box.type) else {
            return Array(file[box.range])
        }
        var contents: [UInt8] = []
        for child in try box.children(file) { contents += try widened(child, file, place) }
        return .box(box.type, contents)
    }

    private static func wide(_ file: [UInt8], _ place: (Int, Int) -> Int) throws -> [UInt8] {
        let boxes = try Box.list(file)
        let index = try #require(boxes.first { $0.type == "moov" })
        let grown = try widened(index, file) { $0 }.count - index.range.count
        return try Array(file[..<index.range.lowerBound])
            + widened(index, file) { place($0, grown) } + file[index.range.upperBound...]
    }

    @Test(arguments: [["-movflags", "+faststart"], []])
    func `places of 64 bits are moved as those of 32 are`(flags: [String]) throws {
        let folder = try TemporaryFolder()
        let plain = try Self.movie(folder, flags)
        let isFirst = !flags.isEmpty
        let wide = try Self.wide(plain) { isFirst ? $0 + $1 : $0 }
        #expect(wide.firstRange(of: Array("co64".utf8)) != nil)
        let marked = try Self.mark(folder, wide)
        #expect(try Self.hash(marked) == Self.hash(folder.file("plain.mov")))
        #expect(try MovieFile(path: marked).tracks().count(where: \.marksStill) == 1)
    }

    @Test func `places beyond any file are refused`() throws {
        let folder = try TemporaryFolder()
        let plain = try Self.movie(folder, ["-movflags", "+faststart"])
        let absurd = try Self.wide(plain) { old, _ in old | 0x7F << 56 }
        let error = #expect(throws: CodecError.self) { try Self.mark(folder, absurd) }
        #expect(error?.description.contains("moov/trak/mdia/minf/stbl/co64") == true)
        #expect(!folder.names.contains("out.mov"))
    }

    @Test func `a movie that begins without its brands, as cameras' do, is taken`() throws {
        let folder = try TemporaryFolder()
        var bytes = try Self.movie(folder, [])
        bytes.replaceSubrange(4..<8, with: Array("wide".utf8))
        let marked = try Self.mark(folder, bytes)
        #expect(try Self.hash(marked) == Self.hash(folder.file("plain.mov")))
        let still = folder.file("a.jpg")
        try StillFixture.jpeg(at: still, exif: EXIFBlock(contentIdentifier: Self.identifier).tiff)
        #expect(try PairCheck(still: still, movie: marked).faults == [])
    }

    @Test func `boxes of absurd sizes are refused with their place`() throws {
        let folder = try TemporaryFolder()
        let plain = try Self.movie(folder, ["-movflags", "+faststart"])
        for (name, size) in [("mvhd", 0x7FFF_FFFF), ("trak", 4), ("stbl", 9), ("stsd", 0)] {
            var bytes = plain
            let place = try #require(bytes.firstRange(of: Array(name.utf8))).lowerBound
            bytes.set32(size, at: place - 4)
            do {
                _ = try Self.mark(folder, bytes)
            } catch {
                #expect("\(error)".contains("byte"), "\(name): \(error)")
            }
        }
    }

    @Test func `an EXIF directory that names itself costs no time and no memory`() throws {
        // Eight thousand entries, each the inner directory, which is the outer one.
        var tiff = Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
        let count = 5000
        tiff.put16(count)
        for _ in 0..<count {
            tiff.put16(0x8769)
            tiff.put16(4)
            tiff += .words(1, 8)
        }
        tiff += .words(0)
        let told = try EXIFBlock.read(tiff)
        #expect(told.identifier == nil && told.orientation == 1)
    }
}
