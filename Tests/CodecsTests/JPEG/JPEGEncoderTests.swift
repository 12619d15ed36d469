import Foundation
import Media
import TestSupport
import Testing

@testable import Codecs

@Suite struct JPEGEncoderTests {
    private static let identifier = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

    private static func bytes(_ picture: VideoFrame) -> [UInt8] {
        picture.bytes.withSpan { span in span.indices.map { span[$0] } }
    }

    @Test(arguments: [ColorInfo.Primaries.bt709, .displayP3], ChromaSampling.allCases)
    func `bars decode to within 3, and metadata is where cameras write it`(
        primaries: ColorInfo.Primaries,
        chroma: ChromaSampling
    ) throws {
        let folder = try TemporaryFolder()
        let tiff =
            EXIFBlock(
                contentIdentifier: Self.identifier,
                software: "foxfire",
                width: 256,
                height: 64
            )
            .tiff
        let file = try JPEGEncoder(quality: 95, chroma: chroma)
            .encode(ColorBars.picture(primaries), tiff: tiff, xmp: XMPPacket().text)
        try Data(file).write(to: URL(filePath: folder.file("a.jpg")))
        #expect(file[..<4].elementsEqual([0xFF, 0xD8, 0xFF, 0xE1]))
        let rgb = try Tools.ffmpeg(
            "-i",
            folder.file("a.jpg"),
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
            "-"
        )
        #expect(ColorBars.error(Array(rgb)) <= 3)
        #expect(ColorBars.error(Self.bytes(try JPEGDecoder.decode(file))) <= 3)
        let still = try StillFile(file, name: "a.jpg")
        #expect(still.tiff == tiff && still.size?.width == 256)
        #expect(still.profile == ICCProfile.bytes(for: primaries))
        let said = try Tools.run("exiftool", ["-validate", "-s3", folder.file("a.jpg")])
        #expect(String(decoding: said, as: UTF8.self) == "OK\n")
        let decoded = try StillPicture.decode(file, name: "a.jpg").picture
        #expect(decoded.format.color.primaries == primaries)
    }

    @Test func `what JPEG cannot hold is refused`() throws {
        let long = String(repeating: "x", count: 70_000)
        let picture = ColorBars.picture()
        let error = #expect(throws: CodecError.self) {
            try JPEGEncoder().encode(picture, tiff: EXIFBlock(description: long).tiff)
        }
        #expect(error?.description.contains("65533") == true)
        #expect(throws: CodecError.self) {
            try JPEGEncoder().encode(picture, tiff: [1, 2, 3])
        }
    }

    @Test func `files that are cut are refused`() throws {
        let file = try JPEGEncoder().encode(ColorBars.picture())
        for length in stride(from: 0, to: file.count - 2, by: 97) {
            #expect(throws: CodecError.self) { try JPEGDecoder.decode(Array(file.prefix(length))) }
        }
    }

    @Test(arguments: Orientation.allCases)
    func `pictures are turned as another program turns them`(orientation: Orientation) throws {
        guard NewerHEIF.isInstalled else { return }
        let folder = try TemporaryFolder()
        let (width, height) = (40, 24)
        let pixels: [UInt8] = (0..<width * height).flatMap { place -> [UInt8] in
            [UInt8(place % 251), UInt8(place / width * 9), 7]
        }
        let format = VideoFormat(width: width, height: height, layout: .rgb24, color: .sRGB)
        let picture = VideoFrame(format: format, bytes: Writable(copying: pixels))
        try Data(pixels).write(to: URL(filePath: folder.file("a.rgb")))
        _ = try NewerHEIF.run(
            """
            i = Image.frombytes('RGB', (\(width), \(height)), open(sys.argv[1], 'rb').read())
            e = i.getexif(); e[0x112] = \(orientation.rawValue)
            i.info['exif'] = e.tobytes()
            open(sys.argv[2], 'wb').write(ImageOps.exif_transpose(i).tobytes())
            """,
            folder.file("a.rgb"),
            folder.file("b.rgb")
        )
        let turned = orientation.apply(picture)
        #expect(turned.format.width == (orientation.swapsSides ? height : width))
        #expect(Self.bytes(turned) == [UInt8](try folder.bytes("b.rgb")))
    }

    @Test(arguments: Orientation.allCases, PixelLayout.allCases)
    func `planes are turned as pixels are, and turning back gives the picture`(
        orientation: Orientation,
        layout: PixelLayout
    ) throws {
        let format = VideoFormat(width: 12, height: 8, layout: layout, color: .video709)
        let bytes = (0..<format.byteCount).map { UInt8($0 % 251) }
        let picture = VideoFrame(format: format, bytes: Writable(copying: bytes))
        let isSkewed = layout == .yuv422p || layout == .yuv422p10
        guard let turned = orientation.turned(format) else {
            #expect(isSkewed && orientation.swapsSides)
            return
        }
        let result = orientation.apply(picture)
        #expect(result.format == turned && result.format.byteCount == format.byteCount)
        let inverse: Orientation =
            switch orientation {
            case .quarterRight: .quarterLeft
            case .quarterLeft: .quarterRight
            default: orientation
            }
        #expect(Self.bytes(inverse.apply(result)) == bytes)
        #expect(orientation == .upright || Self.bytes(result) != bytes)
    }
}
