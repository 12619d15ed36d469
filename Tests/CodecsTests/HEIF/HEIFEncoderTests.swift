import Foundation
import Media
import TestSupport
import Testing

@testable import Codecs

@Suite struct HEIFEncoderTests {
    private static let identifier = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

    private static func bytes(_ picture: VideoFrame) -> [UInt8] {
        picture.bytes.withSpan { span in span.indices.map { span[$0] } }
    }

    private static func encode(
        _ picture: VideoFrame,
        _ settings: HEIFEncoder.Settings = .init(preset: "fast"),
        tiff: [UInt8]? = nil,
        xmp: String? = nil
    ) throws -> [UInt8] {
        try HEIFEncoder(settings).encode(picture, tiff: tiff, xmp: xmp)
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    /// The coded picture as a stream that FFmpeg decodes: parameter sets and slices with start codes.
    private static func annexB(_ file: [UInt8]) throws -> [UInt8] {
        let meta = try #require(try Box.list(file).first { $0.type == "meta" })
        let properties = try meta.children(file, after: 4).first { $0.type == "iprp" }
        let list = try #require(try properties?.first("ipco", of: file))
        let record = try #require(try list.children(file).first { $0.type == "hvcC" })
        var stream: [UInt8] = []
        var place = 23
        for _ in 0..<(try record.number(file, 22, 1)) {
            let count = try record.number(file, place + 1, 2)
            place += 3
            for _ in 0..<count {
                let size = try record.number(file, place, 2)
                let start = record.body.lowerBound + place + 2
                stream += [0, 0, 0, 1] + file[start..<start + size]
                place += 2 + size
            }
        }
        let data = try #require(try Box.list(file).first { $0.type == "mdat" })
        var unit = data.body.lowerBound
        // The picture is the first item, and its units follow one another.
        while unit + 4 <= data.body.upperBound {
            let size = file[unit..<unit + 4].reduce(0) { $0 << 8 | Int($1) }
            guard size > 0, unit + 4 + size <= data.body.upperBound else { break }
            let type = file[unit + 4] >> 1 & 63
            guard type == 19 || type == 20 else { break }
            stream += [0, 0, 0, 1] + file[unit + 4..<unit + 4 + size]
            unit += 4 + size
        }
        return stream
    }

    @Test(arguments: [ColorInfo.Primaries.bt709, .displayP3])
    func `bars decode to within 3 by two decoders, and the colours are told`(
        primaries: ColorInfo.Primaries
    ) throws {
        let folder = try TemporaryFolder()
        let file = try Self.encode(ColorBars.picture(primaries))
        try Self.write(file, folder.file("a.heic"))
        try Self.write(try Self.annexB(file), folder.file("a.h265"))
        try Tools.run("heif-convert", [folder.file("a.heic"), folder.file("a.png")])
        for name in ["a.png", "a.h265"] {
            let rgb = try Tools.ffmpeg(
                "-i",
                folder.file(name),
                "-vf",
                "scale=flags=accurate_rnd+full_chroma_int",
                "-f",
                "rawvideo",
                "-pix_fmt",
                "rgb24",
                "-"
            )
            #expect(ColorBars.error(Array(rgb)) <= 3, "\(name)")
        }
        let told = try Tools.ffprobe(
            folder.file("a.h265"),
            "stream=profile,pix_fmt,color_range,color_space,color_transfer,color_primaries"
        ).first
        #expect(told?["color_range"] == "pc")
        #expect(told?["color_space"] == "smpte170m")
        #expect(told?["color_transfer"] == "iec61966-2-1")
        #expect(told?["color_primaries"] == (primaries == .bt709 ? "bt709" : "smpte432"))
        #expect(told?["profile"] == "Main Still Picture")
        let name = try Tools.run("exiftool", ["-s3", "-ProfileDescription", folder.file("a.heic")])
        let expected = primaries == .bt709 ? "sRGB\n" : "Display P3\n"
        #expect(String(decoding: name, as: UTF8.self) == expected)
    }

    @Test func `the Exif item is hidden, describes the picture, and is the golden 136 bytes`()
        throws
    {
        let tiff = EXIFBlock(contentIdentifier: Self.identifier).tiff
        let file = try Self.encode(ColorBars.picture(), tiff: tiff)
        let item = [0, 0, 0, 6] + Array("Exif\0\0".utf8) + tiff
        #expect(item.count == 136)
        #expect(
            (0...file.count - item.count).contains { file[$0..<$0 + 136].elementsEqual(item) }
        )
        let meta = try #require(try Box.list(file).first { $0.type == "meta" })
        let parts = try meta.children(file, after: 4)
        let infos = try #require(parts.first { $0.type == "iinf" })
        let info = try #require(
            try infos.children(file, after: 6).first { try $0.name(file, 8) == "Exif" }
        )
        #expect(try info.number(file, 3, 1) & 1 == 1)
        let references = try #require(parts.first { $0.type == "iref" })
        let link = try #require(
            try references.children(file, after: 4).first { $0.type == "cdsc" }
        )
        let primary = try #require(parts.first { $0.type == "pitm" })
        #expect(try link.number(file, 0, 2) == info.number(file, 4, 2))
        #expect(try link.number(file, 2, 2) == 1)
        #expect(try link.number(file, 4, 2) == primary.number(file, 4, 2))
        let list = try parts.first { $0.type == "iprp" }?.first("ipco", of: file)
        let names = Set(try #require(list).children(file).map(\.type))
        #expect(!names.contains("irot") && !names.contains("imir") && names.contains("colr"))
        let still = try StillFile(file, name: "a.heic")
        #expect(still.tiff == tiff)
    }

    @Test func `an EXIF block that is none is refused, and so are settings out of range`() throws {
        #expect(throws: CodecError.self) {
            try Self.encode(ColorBars.picture(), tiff: Array("no header at all".utf8))
        }
        for settings in [
            HEIFEncoder.Settings(quality: 101), .init(preset: "fastest"), .init(bitDepth: 12),
            .init(thumbnail: 8),
        ] {
            #expect(throws: CodecError.self) { try HEIFEncoder(settings) }
        }
        let gray = VideoFrame(
            format: VideoFormat(width: 64, height: 64, layout: .gray8, color: .sRGB),
            bytes: Writable(repeating: 0, count: 64 * 64)
        )
        #expect(throws: CodecError.self) { try Self.encode(gray) }
    }

    @Test func `the same picture gives the same bytes, and none name the machine`() throws {
        // Several rows of blocks, on which threads work at once.
        let picture = Self.smooth(256, 320, .rgb24)
        let first = try Self.encode(picture)
        for threads in [1, 2, 3, 8] {
            var encoder = try HEIFEncoder(.init(preset: "fast"))
            encoder.threads = threads
            #expect(try encoder.encode(picture) == first)
        }
        let text = String(decoding: first.map { $0 < 128 ? $0 : 63 }, as: UTF8.self)
        #expect(!text.contains("x265") && !text.contains("cpuid"))
    }

    /// A picture of a size and layout, smooth so that codecs keep it.
    private static func smooth(_ width: Int, _ height: Int, _ layout: PixelLayout) -> VideoFrame {
        let format = VideoFormat(width: width, height: height, layout: layout, color: .sRGB)
        let isWide = layout.bytesPerSample == 2
        var bytes: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                for channel in 0..<layout.samplesPerPixel {
                    let value =
                        channel == 3
                        ? 255 * row / height : 60 + 100 * (row + column) / (width + height)
                    bytes += isWide ? [UInt8(value), UInt8(value)] : [UInt8(value)]
                }
            }
        }
        return VideoFrame(format: format, bytes: Writable(copying: bytes))
    }

    static let shapes: [(Int, Int, PixelLayout, HEIFEncoder.Settings)] = [
        (161, 95, .rgb24, .init(preset: "ultrafast")),
        (1, 40, .rgb24, .init(preset: "ultrafast")),
        (40, 1, .rgb24, .init(preset: "ultrafast")),
        (20, 30, .rgb24, .init(preset: "ultrafast")),
        (100, 80, .rgba32, .init(preset: "ultrafast")),
        (101, 81, .rgba32, .init(preset: "ultrafast")),
        (96, 64, .rgb48, .init(preset: "ultrafast", bitDepth: 10)),
        (96, 64, .rgba64, .init(preset: "ultrafast", bitDepth: 10)),
        (96, 64, .rgb24, .init(preset: "ultrafast", chroma: .full)),
        (96, 64, .rgb24, .init(preset: "ultrafast", chroma: .wide)),
        (96, 64, .rgb24, .init(preset: "ultrafast", thumbnail: 32)),
    ]

    @Test(arguments: shapes.indices)
    func `any shape comes back as it was, by our decoder and by a newer library`(index: Int) throws
    {
        let (width, height, layout, settings) = Self.shapes[index]
        let picture = Self.smooth(width, height, layout)
        let tiff = EXIFBlock(contentIdentifier: Self.identifier).tiff
        let file = try Self.encode(picture, settings, tiff: tiff)
        let decoded = try HEIFDecoder.decode(file)
        let isDeep = settings.bitDepth > 8
        let hasAlpha = layout.samplesPerPixel == 4
        #expect(decoded.format.width == width && decoded.format.height == height)
        #expect(
            decoded.format.layout
                == (isDeep ? (hasAlpha ? .rgba64 : .rgb48) : (hasAlpha ? .rgba32 : .rgb24))
        )
        // Of two bytes the upper one, in the machine's order the second.
        func upper(_ frame: VideoFrame) -> [Int] {
            let bytes = Self.bytes(frame).map(Int.init)
            guard frame.format.layout.bytesPerSample == 2 else { return bytes }
            return stride(from: 1, to: bytes.count, by: 2).map { bytes[$0] }
        }
        let (before, after) = (upper(picture), upper(decoded))
        #expect(before.count == after.count)
        let worst = zip(before, after).map { abs($0 - $1) }.max() ?? 0
        #expect(worst <= 12, "\(worst)")
        #expect(try StillFile(file, name: "a").tiff == tiff)
        guard NewerHEIF.isInstalled else { return }
        let folder = try TemporaryFolder()
        try Self.write(file, folder.file("a.heic"))
        let said = try NewerHEIF.run(
            "i = Image.open(sys.argv[1]); i.load(); print(*i.size, len(i.info['exif']) > 0)",
            folder.file("a.heic")
        )
        #expect(said == "\(width) \(height) True\n")
    }

    @Test func `brands tell what is beyond Main`() throws {
        let plain = try Self.encode(ColorBars.picture())
        #expect(Box.name(plain[8..<12]) == "heic")
        for settings in [
            HEIFEncoder.Settings(preset: "ultrafast", bitDepth: 10),
            .init(preset: "ultrafast", chroma: .full),
        ] {
            let file = try Self.encode(ColorBars.picture(), settings)
            #expect(Box.name(file[8..<12]) == "heix")
        }
    }

    @Test func `views beside the picture are taken out of the references without moving a byte`()
        throws
    {
        let file = try Self.encode(ColorBars.picture(), tiff: EXIFBlock().tiff)
        // What no reference can be taken out of stays as it is.
        #expect(try HEIFReferences.withoutToneMaps(file) == file)
        let phone = try PhoneFixture.bytes(file)
        // libheif before 1.18 refuses it.
        #expect(!PhoneFixture.readPlainly(phone) && PhoneFixture.readPlainly(file))
        let readable = try HEIFReferences.withoutToneMaps(phone)
        #expect(readable.count == phone.count && readable != phone)
        let decoded = try HEIFDecoder.decode(phone)
        #expect(ColorBars.error(Self.bytes(decoded)) <= 3)
    }

    @Test func `a phone's picture that is turned twice over is turned once`() throws {
        let file = try Self.encode(ColorBars.picture(), tiff: EXIFBlock().tiff)
        let phone = try PhoneFixture.turned(file)
        let still = try StillFile(phone, name: "a.heic")
        #expect(still.quarters == 3)
        #expect(try EXIFBlock.read(still.tiff ?? []).orientation == 6)
        // As `source.image` gives it: what the file itself says counts, and EXIF is information only.
        let decoded = try HEIFDecoder.decode(phone)
        #expect(decoded.format.width == 64 && decoded.format.height == 256)
        let back = Orientation.quarterLeft.apply(decoded)
        #expect(ColorBars.error(Self.bytes(back)) <= 3)
    }

    @Test func `files that are cut anywhere are decoded or refused`() throws {
        let file = try Self.encode(ColorBars.picture(), tiff: EXIFBlock().tiff)
        for length in Swift.stride(from: 0, to: file.count, by: 37) {
            _ = try? HEIFReferences.withoutToneMaps(Array(file.prefix(length)))
        }
    }
}
