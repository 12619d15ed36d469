import Codecs
import Foundation
import Media
import Testing

@Suite struct `PNGEncoder writing pictures` {
    static let layouts = [PixelLayout.gray8, .rgb24, .rgba32, .rgb48, .rgba64]

    private static func random(
        _ width: Int,
        _ height: Int,
        _ layout: PixelLayout,
        _ color: ColorInfo = .sRGB
    )
        -> (VideoFrame, [UInt8])
    {
        let format = VideoFormat(width: width, height: height, layout: layout, color: color)
        var random = SeededGenerator(seed: UInt64(width * 31 + height))
        // Half noise, half flat, so that both filters get their rows.
        let bytes = (0..<format.byteCount).map { index in
            index % 97 < 50 ? UInt8.random(in: 0...255, using: &random) : UInt8(index % 97)
        }
        return (VideoFrame(format: format, bytes: Writable(copying: bytes)), bytes)
    }

    @Test(arguments: layouts, [1, 3, 12])
    func `a decoder gets every sample back`(layout: PixelLayout, level: Int) throws {
        let scratch = try Scratch()
        let sizes = [(33, 65), (1, 1), (7, 3), (64, 48), (1, 40), (40, 1)]
        for (width, height) in level == 1 ? sizes : [sizes[0]] {
            let (picture, samples) = Self.random(width, height, layout)
            var encoder = try PNGEncoder(level: level)
            var bytes: [UInt8] = []
            try encoder.encode(picture, into: &bytes)
            try Data(bytes).write(to: scratch.file("a.png"))
            let name =
                ["gray8": "gray", "rgba32": "rgba", "rgb48": "rgb48le", "rgba64": "rgba64le"][
                    layout.rawValue
                ] ?? layout.rawValue
            let decoded = try tool(
                "ffmpeg",
                [
                    "-v", "error", "-i", scratch.file("a.png"), "-f", "rawvideo", "-pix_fmt", name,
                    "-",
                ]
            )
            let isSame = [UInt8](decoded) == samples
            #expect(isSame, "\(width)x\(height)")
        }
    }

    @Test(arguments: [0.0, 1, 3, 12, 300])
    func `pictures that are nearly noise come back too, and are no larger`(spread: Double) throws {
        let scratch = try Scratch()
        let format = VideoFormat(width: 640, height: 480, layout: .rgb24, color: .sRGB)
        var random = SeededGenerator(seed: 9)
        let samples = (0..<format.byteCount).map { index in
            let noise = Double.random(in: -spread...spread, using: &random)
            return UInt8(max(0, min(255, 128 + 80 * sin(Double(index % 1920) / 300) + noise)))
        }
        let picture = VideoFrame(format: format, bytes: Writable(copying: samples))
        var sizes: [Int] = []
        for level in [1, 2] {
            var encoder = try PNGEncoder(level: level)
            var bytes: [UInt8] = []
            try encoder.encode(picture, into: &bytes)
            sizes.append(bytes.count)
            try Data(bytes).write(to: scratch.file("a.png"))
            let decoded = try tool(
                "ffmpeg",
                ["-v", "error", "-xerror", "-i", scratch.file("a.png"), "-f", "rawvideo", "-"]
            )
            #expect([UInt8](decoded) == samples, "level \(level)")
        }
        #expect(Double(sizes[0]) < 1.1 * Double(sizes[1]), "\(sizes)")
    }

    @Test(arguments: [
        ColorInfo.sRGB, .rgb709,
        ColorInfo(matrix: .rgb, range: .full, primaries: .displayP3, transfer: .sRGB),
        ColorInfo(matrix: .rgb, range: .full, primaries: .bt2020, transfer: .pq),
    ])
    func `readers find nothing to complain of`(color: ColorInfo) throws {
        let scratch = try Scratch()
        var encoder = try PNGEncoder()
        var bytes: [UInt8] = []
        try encoder.encode(
            Self.random(20, 10, .rgb24, color).0,
            metadata: ["Comment": "x"],
            into: &bytes
        )
        try Data(bytes).write(to: scratch.file("a.png"))
        let report = try tool("exiftool", ["-validate", "-warning", "-a", scratch.file("a.png")])
        #expect(String(decoding: report, as: UTF8.self).contains("OK"))
        #expect(bytes.firstRange(of: Array("cICP".utf8)) != nil || color == .sRGB)
    }

    @Test func `text of any language comes back`() throws {
        let scratch = try Scratch()
        let metadata = [
            "Title": "Schleimpilz – 粘菌", "Comment": "plain", "Software": "Foxfire",
            "foxfire": "{\"seed\":1,\n\"a\":2}",
        ]
        var encoder = try PNGEncoder()
        var bytes: [UInt8] = []
        try encoder.encode(Self.random(5, 5, .rgb24).0, metadata: metadata, into: &bytes)
        try Data(bytes).write(to: scratch.file("a.png"))
        let read = try tool("exiftool", ["-s3", "-Title", scratch.file("a.png")])
        #expect(String(decoding: read, as: UTF8.self) == "Schleimpilz – 粘菌\n")
        let probe = try ffprobe(scratch.file("a.png"), "frame_tags", stream: "v")
        #expect(probe["TAG:Comment"] == "plain")
    }

    @Test func `what PNG cannot hold is refused`() throws {
        var encoder = try PNGEncoder()
        var bytes: [UInt8] = []
        #expect(throws: CodecError.self) { try encoder.encode(picture(0), into: &bytes) }
        let (good, _) = Self.random(4, 4, .rgb24)
        for key in ["", " a", "a  b", String(repeating: "k", count: 80), "粘"] {
            bytes = []
            #expect(throws: CodecError.self, "\(key)") {
                try encoder.encode(good, metadata: [key: "x"], into: &bytes)
            }
        }
    }

    @Test func `the same picture gives the same bytes`() throws {
        let (picture, _) = Self.random(50, 50, .rgb48)
        var bytes: [[UInt8]] = []
        for _ in 0..<2 {
            var encoder = try PNGEncoder()
            var one: [UInt8] = []
            try encoder.encode(picture, metadata: ["b": "1", "a": "2", "c": "3"], into: &one)
            bytes.append(one)
        }
        let isSame = bytes[0] == bytes[1]
        #expect(isSame)
    }

    @Test(arguments: [ColorInfo.Primaries.bt709, .displayP3, .bt2020])
    func `colours and EXIF are told once, before the pixels`(primaries: ColorInfo.Primaries) throws
    {
        let color = ColorInfo(matrix: .rgb, range: .full, primaries: primaries, transfer: .sRGB)
        let (picture, _) = Self.random(33, 20, .rgb48, color)
        let tiff = EXIFBlock(software: "foxfire").tiff
        var encoder = try PNGEncoder(level: 12)
        var bytes: [UInt8] = []
        try encoder.encode(picture, tiff: tiff, into: &bytes)
        var names: [String] = []
        var place = 8
        while place + 8 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            names.append(String(decoding: bytes[place + 4..<place + 8], as: UTF8.self))
            place += 12 + length
        }
        #expect(place == bytes.count)
        let told: [String] =
            switch primaries {
            case .bt709: ["sRGB", "gAMA", "cHRM"]
            case .displayP3: ["cICP", "iCCP", "gAMA", "cHRM"]
            default: ["cICP", "gAMA", "cHRM"]
            }
        #expect(Set(names.dropFirst().prefix(told.count)) == Set(told))
        #expect(names.suffix(3) == ["eXIf", "IDAT", "IEND"])
        #expect(Set(names).count == names.count)
        #expect(throws: CodecError.self) {
            var other: [UInt8] = []
            try encoder.encode(picture, tiff: [1, 2, 3], into: &other)
        }
    }
}
