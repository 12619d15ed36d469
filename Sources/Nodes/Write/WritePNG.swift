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
    let path: OutputPath
    let first: Int64
    let level: Int
    let isDeep: Bool
    private var encoder: PNGEncoder?

    init(_ c: inout Contract) {
        video = c.input("video", .inOrder, "Pictures.")
        path = c.outputPath(
            "path",
            sequence: true,
            example: "frame-%06d.png",
            "One file, or a sequence with its number's place, as in \"frame-%06d.png\"."
        )
        first = Int64(
            c.integer("first", default: 0, in: 0...1_000_000_000, .none, "The first file's number.")
        )
        level = c.integer(
            "level",
            default: 2,
            in: 1...12,
            .none,
            "How hard to compress: 1 is fastest, 12 gives the smallest files."
        )
        let depth = c.integer("bitDepth", default: 8, in: 8...16, .bits, "8 or 16.")
        c.require(depth == 8 || depth == 16, "bitDepth", "must be 8 or 16")
        c.require(
            !path.isStandardOutput,
            "path",
            "must be a file: this node does not write to stdout"
        )
        isDeep = depth == 16
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
        while let packet = io.take(video) {
            guard path.isSequence else {
                // Copies may take later pictures, but only one of them gets the first.
                if packet.index == 0 { try write(packet.payload, number: 0, io.environment) }
                io.enough(video)
                return
            }
            try write(packet.payload, number: first + packet.index, io.environment)
        }
    }

    private mutating func write(
        _ picture: VideoFrame,
        number: Int64,
        _ environment: NodeEnvironment
    ) throws {
        let name = path.isSequence ? OutputPath.name(of: number, in: path.path) : path.path
        guard let name else {
            preconditionFailure("A sequence's pattern was checked when declared.")
        }
        let metadata = Dictionary(
            environment.provenance.map { ($0.key, $0.value) },
            uniquingKeysWith: { $1 }
        )
        var bytes: [UInt8] = []
        try encoder?.encode(picture, metadata: metadata, into: &bytes)
        let file = try environment.outputs.open(name)
        try file.write(bytes.span)
        try file.seal()
    }
}
