import Codecs
import Graph
import Media

/// Writes pictures as HEIC files: a numbered sequence, or one still.
///
/// A path with a number, as in `frames/%06d.heic`, names a sequence; without one the first picture is written,
/// and no more is read. Colours are told as sRGB or Display P3 by a profile, and in the stream itself. Alpha is
/// kept. Pictures are never marked as turned. How the picture was made is stored as XMP. Phones take 8 bits and
/// 4:2:0 alone. Where odd sides are asked for, the file is a grid of one tile, which some readers do not
/// take: even sides are safer.
///
/// Memory: about ten times a picture, for each of the engine's workers. Deterministic.
struct WriteHEIC: Node, ~Copyable {
    static let kind = "write.heic"
    static let execution = Execution.stateless

    let video: Input<VideoFrame>
    let files: PictureFiles
    let settings: HEIFEncoder.Settings
    let metadata: StillMetadata
    private var encoder: HEIFEncoder?

    init(_ c: inout Contract) {
        video = c.input("video", .inOrder, "Pictures.")
        files = PictureFiles(&c, ending: "heic", endings: ["heic", "heif"])
        let quality = c.integer(
            "quality",
            default: 90,
            in: 0...100,
            .none,
            "More is better and larger."
        )
        let preset: X265Preset = c.choice(
            "preset",
            default: .slow,
            "How hard x265 tries; slower gives smaller files."
        )
        let chroma: ChromaSampling = c.choice(
            "chroma",
            default: .half,
            "How finely colour is stored."
        )
        let depth = c.integer("bitDepth", default: 8, in: 8...10, .bits, "8 or 10.")
        c.require(depth == 8 || depth == 10, "bitDepth", "must be 8 or 10")
        let thumbnail = c.optionalInteger(
            "thumbnail",
            in: 16...4096,
            .pixels,
            "The longer side of a thumbnail; without it there is none."
        )
        metadata = StillMetadata(&c)
        settings = HEIFEncoder.Settings(
            quality: quality,
            preset: preset.rawValue,
            chroma: chroma,
            bitDepth: depth,
            thumbnail: thumbnail
        )
    }

    func resolve(_ f: inout Formats) throws {
        if let source = f[video] { f.request(video, source.asRGB(keepsAlpha: true)) }
    }

    mutating func start(_ f: borrowing Formats) throws { encoder = try HEIFEncoder(settings) }

    mutating func run(_ io: inout IO) throws {
        guard let encoder else { return }
        let tiff = metadata.exif(io.environment).tiff
        let xmp = metadata.xmp(io.environment)
        let executor = io.environment.executor
        try files.write(&io, video) {
            try encoder.encode($0, tiff: tiff, xmp: xmp, using: executor)
        }
    }
}

/// x265's presets.
enum X265Preset: String, CaseIterable {
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow, placebo
}

extension VideoFormat {
    /// The full-range RGB that a still of these pictures is made of, with as many bits.
    func asRGB(keepsAlpha: Bool) -> VideoFormat {
        let rgb: PixelLayout =
            switch layout {
            case .rgba32: keepsAlpha ? .rgba32 : .rgb24
            case .rgba64: keepsAlpha ? .rgba64 : .rgb48
            case .rgb48, .yuv420p10, .yuv422p10, .yuv444p10: .rgb48
            default: .rgb24
            }
        var color = color
        color.matrix = .rgb
        color.range = .full
        return VideoFormat(width: width, height: height, layout: rgb, color: color)
    }
}
