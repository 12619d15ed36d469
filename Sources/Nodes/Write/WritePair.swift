import Codecs
import Graph
import Media

/// Writes a Live Photo: a still and a QuickTime movie around it that photo libraries take for one.
///
/// The still is the movie's own picture at `at`, in full quality. Both files carry the same identifier: the still
/// in the MakerNote of its EXIF block, the movie at the top of its index and with a track that marks the
/// still's time. The movie is HEVC (tag hvc1, Main, 4:2:0, closed groups of pictures, which begin with an IDR
/// picture), or H.264, with AAC or silent. Nothing in it pretends to be made by a phone, and no date is stored
/// unless given. Both files are complete before either gets its name, and are looked at as
/// `foxfire pair check` does.
///
/// Where the machine cannot encode HEIC the still becomes a JPEG, which is told.
///
/// Memory: the movie's packets, its sound as floats, and some pictures. Deterministic unless `uuid` is random.
struct WritePair: Node, ~Copyable {
    static let kind = "write.pair"
    static let execution = Execution.blocking

    private var clip: MotionClip
    let still: StillFormat
    let quality: Int
    let stillPath: OutputPath
    let moviePath: OutputPath
    let identifier: PairIdentifier
    let metadata: StillMetadata
    private let warning: String?

    init(_ c: inout Contract) {
        clip = MotionClip(&c, codec: .hevc)
        let wanted: StillFormat = c.choice("still", default: .heic, "What the still is.")
        (still, warning) = wanted.available()
        let paths = c.outputStem(
            "path",
            endings: [still.ending.uppercased(), "MOV"],
            example: "IMG_0001",
            "The files' common name without their endings: IMG_0001 becomes IMG_0001.HEIC and IMG_0001.MOV."
        )
        (stillPath, moviePath) = (paths[0], paths[1])
        quality = c.integer(
            "quality",
            default: 90,
            in: 1...100,
            .none,
            "Quality of the still: more is better and larger."
        )
        identifier = PairIdentifier(&c)
        metadata = StillMetadata(&c)
    }

    func resolve(_ f: inout Formats) throws { try clip.resolve(&f) }

    mutating func start(_ f: borrowing Formats) throws {
        if let warning { f.environment.warn(warning) }
        try clip.start(f)
    }

    mutating func run(_ io: inout IO) throws { try clip.run(&io) }

    mutating func finish(_ io: inout IO) throws {
        let environment = io.environment
        let ended = try clip.finish(environment)
        let name = identifier.text { ended.derivedIdentifier(environment) }
        let bytes = try still.encode(
            ended.still,
            quality: quality,
            metadata,
            identifier: name,
            xmp: metadata.xmp(environment),
            environment
        )
        let picture = try environment.outputs.open(stillPath.path, isInseparable: true)
        try picture.write(bytes.span)
        try picture.seal()
        let movie = try environment.outputs.open(moviePath.path, isInseparable: true)
        try ended.write(to: movie, .mov, environment.verification)
        try PairedMovie.mark(movie, identifier: name, still: ended.stillTime)
        try movie.seal()
        let check = try PairCheck(still: picture.temporaryPath, movie: movie.temporaryPath)
        if let fault = check.faults.first { throw FilmError("the pair does not pair: \(fault)") }
    }
}
