import Codecs
import Foundation
import Media
import TestSupport
import Testing

@Suite struct PNGDecoderTests {
    private static func bytes(_ picture: VideoFrame) -> [UInt8] {
        picture.bytes.withSpan { span in span.indices.map { span[$0] } }
    }

    static let layouts: [(stored: String, layout: PixelLayout, name: String)] = [
        ("rgb24", .rgb24, "rgb24"), ("rgba", .rgba32, "rgba"), ("rgb48be", .rgb48, "rgb48le"),
        ("rgba64be", .rgba64, "rgba64le"), ("gray", .gray8, "gray"), ("ya8", .rgba32, "rgba"),
        ("gray16be", .rgb48, "rgb48le"), ("pal8", .rgba32, "rgba"), ("monob", .gray8, "gray"),
    ]

    @Test(arguments: layouts.indices)
    func `pictures of every kind come out as another decoder gives them`(index: Int) throws {
        let (stored, layout, name) = Self.layouts[index]
        let folder = try TemporaryFolder()
        let path = folder.file("a.png")
        try Tools.ffmpeg(
            "-f",
            "lavfi",
            "-i",
            "testsrc2=s=62x44,format=rgb24,crop=61:43",
            "-frames:v",
            "1",
            "-pix_fmt",
            stored,
            path
        )
        let picture = try PNGDecoder.decode([UInt8](try folder.bytes("a.png")))
        #expect(picture.format.width == 61 && picture.format.height == 43)
        // A palette that nothing of is clear has no alpha.
        let isPlainPalette = stored == "pal8" && picture.format.layout == .rgb24
        #expect(picture.format.layout == layout || isPlainPalette)
        let peer = try Tools.ffmpeg(
            "-i",
            path,
            "-f",
            "rawvideo",
            "-pix_fmt",
            isPlainPalette ? "rgb24" : name,
            "-"
        )
        #expect(Self.bytes(picture) == Array(peer))
    }

    @Test func `interlaced pictures and clear colours are read`() throws {
        guard NewerHEIF.isInstalled else { return }
        let folder = try TemporaryFolder()
        let said = try NewerHEIF.run(
            """
            i = Image.new('RGB', (9, 7))
            i.putdata([(x * 20, y * 30, 5) for y in range(7) for x in range(9)])
            i.save(sys.argv[1], transparency=(20, 30, 5))
            i.convert('P').save(sys.argv[2])
            print(i.getpixel((8, 6)))
            """,
            folder.file("a.png"),
            folder.file("b.png")
        )
        #expect(said == "(160, 180, 5)\n")
        let clear = try PNGDecoder.decode([UInt8](try folder.bytes("a.png")))
        #expect(clear.format.layout == .rgba32)
        let bytes = Self.bytes(clear)
        #expect(bytes[(9 + 1) * 4 + 3] == 0 && bytes[3] == 255)
        #expect(Array(bytes.suffix(4)) == [160, 180, 5, 255])
        #expect(try PNGDecoder.decode([UInt8](try folder.bytes("b.png"))).format.layout == .rgb24)
    }

    @Test func `files that are cut or damaged are refused with a reason`() throws {
        let picture = ColorBars.picture()
        var encoder = try PNGEncoder(level: 6)
        var file: [UInt8] = []
        try encoder.encode(picture, into: &file)
        for length in 0..<file.count {
            let error = #expect(throws: CodecError.self) {
                try PNGDecoder.decode(Array(file.prefix(length)))
            }
            #expect(error?.text.isEmpty == false)
        }
        for place in stride(from: 8, to: file.count, by: 7) {
            var damaged = file
            damaged[place] ^= 0x55
            if let decoded = try? PNGDecoder.decode(damaged) {
                #expect(decoded.format.byteCount == decoded.byteCount)
            }
        }
        #expect(Self.bytes(try PNGDecoder.decode(file)) == Self.bytes(picture))
    }
}
