import Codecs
import Graph
import Media

/// Writes a Motion Photo: one file, a still with a movie behind it, as Android's cameras make them.
///
/// The still is the movie's own picture at `at`, in full quality. XMP tells where the movie begins and when in it
/// the still is; in a HEIC the movie lies in a box of its own at the end, in a JPEG behind the picture. Photo
/// libraries look for names that end in `MP.jpg` or `MP.heic`; others are told. With `uuid` the still carries the
/// identifier of a Live Photo as well. The movie is mp4, H.264 unless told otherwise, with AAC or silent.
///
/// Memory: the movie twice, its sound as floats, and some pictures. Deterministic unless `uuid` is random.
struct WriteMotionPhoto: Node, ~Copyable {
    static let kind = "write.motionphoto"
    static let execution = Execution.blocking

    private var clip: MotionClip
    let path: OutputPath
    let quality: Int
    let identifier: PairIdentifier?
    let metadata: StillMetadata

    init(_ c: inout Contract) {
        clip = MotionClip(&c, codec: .h264)
        // A local, since the optimizer releases a field too early that an autoclosure of `init` captures.
        let path = c.outputPath(
            "path",
            example: "IMG_0001.MP.jpg",
            "The file: .jpg or .heic; its name should end in MP before that."
        )
        c.require(
            !path.isStandardOutput && Self.still(of: path) != nil,
            "path",
            "must end in .jpg, .jpeg or .heic"
        )
        self.path = path
        quality = c.integer(
            "quality",
            default: 90,
            in: 1...100,
            .none,
            "Quality of the still: more is better and larger."
        )
        identifier = PairIdentifier.optional(&c)
        metadata = StillMetadata(&c)
    }

    private static func still(of path: OutputPath) -> StillFormat? {
        let name = path.path.lowercased()
        if name.hasSuffix(".heic") { return .heic }
        return name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") ? .jpeg : nil
    }

    func resolve(_ f: inout Formats) throws { try clip.resolve(&f) }

    mutating func start(_ f: borrowing Formats) throws {
        let name = path.path[..<(path.path.lastIndex(of: ".") ?? path.path.endIndex)]
        if !name.hasSuffix("MP") {
            f.environment.warn(
                "\(path.path): photo libraries look for names that end in MP.jpg or MP.heic"
            )
        }
        try clip.start(f)
    }

    mutating func run(_ io: inout IO) throws { try clip.run(&io) }

    mutating func finish(_ io: inout IO) throws {
        let environment = io.environment
        let ended = try clip.finish(environment)
        guard let format = Self.still(of: path) else {
            preconditionFailure("A path's ending was checked when declared.")
        }
        let movie = try Self.movie(ended, beside: path.path, environment)
        // In a HEIC the movie is a box's contents, and the box's head is padding.
        let isHEIC = format == .heic
        let xmp = metadata.xmp(
            environment,
            motion: XMPPacket.Motion(
                stillType: isHEIC ? "image/heic" : "image/jpeg",
                padding: isHEIC ? 8 : 0,
                movieType: "video/mp4",
                movieLength: movie.count,
                stillMicroseconds: ended.stillTime.converted(to: 1_000_000).value
            )
        )
        let still = try format.encode(
            ended.still,
            quality: quality,
            metadata,
            identifier: identifier?.text { ended.derivedIdentifier(environment) },
            xmp: xmp,
            environment
        )
        let file = try environment.outputs.open(path.path)
        try file.write(still.span)
        if isHEIC {
            let length = UInt32(movie.count + 8)
            let head =
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + Array("mpvd".utf8)
            try file.write(head.span)
        }
        try file.write(movie.span)
        try file.seal()
    }

    /// The movie's bytes, checked; its file lies beside the output for a moment.
    private static func movie(
        _ ended: MotionClip.Ended,
        beside path: String,
        _ environment: NodeEnvironment
    ) throws -> [UInt8] {
        let file = try OutputFile(path: path)
        defer { file.discard() }
        try ended.write(to: file, .mp4, environment.verification)
        return try FileContents.read(file.temporaryPath, limit: 1 << 30)
    }
}
