import Codecs
import Graph
import Media

/// Writes pictures as PNG files: a numbered sequence, or one still.
///
/// A path with a number, as in `frames/%06d.png`, names a sequence: every picture becomes a file,
/// numbered from `first` on. Without one the first picture is written, and no more is read. Other
/// layouts are converted to RGB on the way. How the picture was made (version, graph, seed, preset)
/// is stored in text chunks, and no date.
///
/// Memory: about twice a picture, for each of the engine's workers. Deterministic.
struct WritePNG: Node, ~Copyable {
    static let kind = "write.png"
    static let execution = Execution.stateless

    let video: Input<VideoFrame>
    let files: PictureFiles
    let level: Int
    let isDeep: Bool
    let metadata: StillMetadata
    private var encoder: PNGEncoder?

    init(_ c: inout Contract) {
        video = c.input("video", .inOrder, "Pictures.")
        files = PictureFiles(&c, ending: "png")
        level = c.integer(
            "level",
            default: 2,
            in: 1...12,
            .none,
            "How hard to compress: 1 is fastest, 12 gives the smallest files."
        )
        let depth = c.integer("bitDepth", default: 8, in: 8...16, .bits, "8 or 16.")
        c.require(depth == 8 || depth == 16, "bitDepth", "must be 8 or 16")
        isDeep = depth == 16
        metadata = StillMetadata(&c)
    }

    /// What is written of pictures like `source`.
    private func written(_ source: VideoFormat) -> VideoFormat {
        let fitting: [PixelLayout] = isDeep ? [.rgb48, .rgba64] : [.gray8, .rgb24, .rgba32]
        let layout = fitting.contains(source.layout) ? source.layout : isDeep ? .rgb48 : .rgb24
        var color = source.color
        color.range = .full
        if layout != .gray8 { color.matrix = .rgb }
        return VideoFormat(
            width: source.width,
            height: source.height,
            layout: layout,
            color: color
        )
    }

    func resolve(_ f: inout Formats) {
        if let source = f[video] { f.request(video, written(source)) }
    }

    mutating func start(_ f: borrowing Formats) throws { encoder = try PNGEncoder(level: level) }

    mutating func run(_ io: inout IO) throws {
        guard var encoder = encoder.take() else { return }
        let texts = Dictionary(
            io.environment.provenance.map { ($0.key, $0.value) },
            uniquingKeysWith: { $1 }
        )
        let tiff = metadata.isGiven ? metadata.exif(io.environment).tiff : nil
        try files.write(&io, video) { picture in
            var bytes: [UInt8] = []
            try encoder.encode(picture, metadata: texts, tiff: tiff, into: &bytes)
            return bytes
        }
        self.encoder = consume encoder
    }
}
