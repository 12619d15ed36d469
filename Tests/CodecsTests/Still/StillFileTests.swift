import Codecs
import Foundation
import TestSupport
import Testing

@Suite struct StillFileTests {
    private static let identifier = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

    /// A HEIC that another program made of a JPEG with our EXIF.
    private static func heic(in folder: TemporaryFolder) throws -> [UInt8] {
        let (jpeg, path) = (folder.file("a.jpg"), folder.file("a.heic"))
        try StillFixture.jpeg(at: jpeg, exif: EXIFBlock(contentIdentifier: identifier).tiff)
        try Tools.run("heif-enc", ["-q", "30", jpeg, "-o", path])
        return [UInt8](try folder.bytes("a.heic"))
    }

    @Test func `the size and the identifier of a HEIC are found`() throws {
        let still = try StillFile(try Self.heic(in: TemporaryFolder()), name: "a.heic")
        #expect(still.kind == .heic && still.size?.width == 64 && still.size?.height == 48)
        #expect(try EXIFBlock.read(still.tiff ?? []).identifier == Self.identifier)
    }

    @Test func `a PNG's EXIF is found, with PNG's own header before it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.png")
        try Tools.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", path)
        var bytes = [UInt8](try folder.bytes("a.png"))
        let tiff = EXIFBlock(contentIdentifier: Self.identifier).tiff
        let chunk = [0, 0, 0, UInt8(tiff.count)] + Array("eXIf".utf8) + tiff + [0, 0, 0, 0]
        bytes.insert(contentsOf: chunk, at: 33)
        let still = try StillFile(bytes, name: "a.png")
        #expect(still.kind == .png && still.size?.width == 64 && still.tiff == tiff)
    }

    @Test func `an Exif item that says its header lies outside is refused with path and place`()
        throws
    {
        var bytes = try Self.heic(in: TemporaryFolder())
        let head = Array(EXIFBlock(contentIdentifier: Self.identifier).tiff.prefix(8))
        let place = try #require(
            (0..<bytes.count - head.count).first { bytes[$0..<$0 + head.count].elementsEqual(head) }
        )
        // heif-enc puts the block right behind the four bytes that say where its header lies.
        bytes[place - 4] = 0x7F
        let error = #expect(throws: CodecError.self) { try StillFile(bytes, name: "a.heic") }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("a.heic: box meta/iinf/infe") && text.contains("at byte"))
    }

    @Test func `stills that are cut anywhere are read or refused, and what is no still is refused`()
        throws
    {
        let folder = try TemporaryFolder()
        let heic = try Self.heic(in: folder)
        let jpeg = [UInt8](try folder.bytes("a.jpg"))
        var refused = 0
        for count in 0..<heic.count {
            do { _ = try StillFile(Array(heic.prefix(count)), name: "cut") } catch { refused += 1 }
        }
        #expect(refused == heic.count)
        for count in 0..<200 {
            #expect(throws: CodecError.self) {
                try StillFile(Array(jpeg.prefix(count)), name: "cut")
            }
        }
        for text in ["", "GIF89a and more of it", "....ftypisom........isom"] {
            #expect(throws: CodecError.self) { try StillFile(Array(text.utf8), name: "other") }
        }
    }

    @Test func `files that repeat themselves cost no time`() throws {
        // A profile in as many segments as a few megabytes hold, and as many chunks that say to be one.
        let segment: [UInt8] =
            [0xFF, 0xE2, 0x00, 0x12] + Array("ICC_PROFILE\0".utf8) + [1, 1, 7, 7]
        var jpeg: [UInt8] = [0xFF, 0xD8]
        for _ in 0..<200_000 { jpeg += segment }
        jpeg += [0xFF, 0xDA, 0, 2]
        #expect(try StillFile(jpeg, name: "a.jpg").profile?.count == 400_000)
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        for _ in 0..<200_000 {
            png += [0, 0, 0, 4] + Array("iCCP".utf8) + [65, 0, 0, 0, 0, 0, 0, 0]
        }
        png += [0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]
        #expect(try StillFile(png, name: "a.png").profile == nil)
    }
}
