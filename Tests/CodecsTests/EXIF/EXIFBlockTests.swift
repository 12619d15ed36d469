import Codecs
import Foundation
import TestSupport
import Testing

@Suite struct EXIFBlockTests {
    private static let identifier = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

    @Test func `with the identifier alone it is the block that Apple's library writes`() throws {
        let tiff = EXIFBlock(contentIdentifier: Self.identifier).tiff
        let head: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 2, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0, 0x87, 0x69,
            0, 4,
            0, 0, 0, 1, 0, 0, 0, 0x26, 0, 0, 0, 0, 0, 1, 0x92, 0x7C, 0, 7, 0, 0, 0, 0x45, 0, 0, 0,
            0x38,
            0, 0, 0, 0,
        ]
        #expect(tiff.count == 126 && Array(tiff[..<56]) == head && tiff.last == 0)
        let note = Array(tiff[56..<125])
        #expect(note == MakerNote.block(Self.identifier) && note.count == 69)
        #expect(
            Array(note[..<32])
                == Array("Apple iOS".utf8) + [
                    0, 0, 1, 0x4D, 0x4D, 0, 1, 0, 0x11, 0, 2, 0, 0, 0, 37, 0, 0, 0, 32, 0, 0, 0, 0,
                ]
        )
        #expect(try EXIFBlock.read(tiff).identifier == Self.identifier)
    }

    @Test func `a MakerNote that lost its last byte is refused with a place`() throws {
        let note = MakerNote.block(Self.identifier)
        let error = #expect(throws: CodecError.self) {
            try MakerNote.identifier(Array(note.dropLast()))
        }
        #expect(error?.description.contains("byte 16") ?? false)
        for count in 14..<68 {
            #expect(throws: CodecError.self) { try MakerNote.identifier(Array(note.prefix(count))) }
        }
        #expect(try MakerNote.identifier(Array("Nikon".utf8)) == nil)
        #expect(throws: CodecError.self) { try EXIFBlock.read(Array("no TIFF header".utf8)) }
    }

    @Test func `exiftool finds identifier, date, software and description, and no fault`() throws {
        let folder = try TemporaryFolder()
        let block = EXIFBlock(
            contentIdentifier: Self.identifier,
            date: "2026-12-03T04:05:06",
            software: "Foxfire",
            description: "A fox",
            width: 64,
            height: 48
        )
        let path = folder.file("a.jpg")
        try StillFixture.jpeg(at: path, exif: block.tiff)
        let names = [
            "MediaGroupUUID", "ContentIdentifier", "DateTimeOriginal", "Software",
            "ImageDescription",
        ]
        let out = try Tools.run("exiftool", ["-s3"] + names.map { "-" + $0 } + [path])
        let lines = String(decoding: out, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines == [Self.identifier, "2026:12:03 04:05:06", "Foxfire", "A fox"])
        let verdict = try Tools.run("exiftool", ["-s3", "-validate", path])
        #expect(String(decoding: verdict, as: UTF8.self).hasPrefix("OK"))
        let still = try StillFile(path: path)
        #expect(still.kind == .jpeg && still.size?.width == 64 && still.size?.height == 48)
        #expect(try EXIFBlock.read(still.tiff ?? []).identifier == Self.identifier)
    }
}

/// Stills for tests.
enum StillFixture {
    /// Writes a JPEG of 64 by 48 with an EXIF block.
    static func jpeg(at path: String, exif tiff: [UInt8]?, size: String = "64x48") throws {
        try Tools.ffmpeg(
            "-f",
            "lavfi",
            "-i",
            "testsrc2=s=\(size)",
            "-frames:v",
            "1",
            "-bitexact",
            path
        )
        guard let tiff else { return }
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let length = tiff.count + 8
        let segment =
            [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + Array("Exif\0\0".utf8) + tiff
        bytes.insert(contentsOf: segment, at: 2)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
