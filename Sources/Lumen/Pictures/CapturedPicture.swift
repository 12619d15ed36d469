public import Media

/// What a stream of pictures is, from one set of parameters to the next.
public struct PictureForm: Sendable, Equatable {
    /// `hevc`, `h264` or `av1`.
    public var codec: String
    /// What its pictures are.
    public var format: VideoFormat
    /// Which of the colours' four facts the stream does not tell, so that they are assumed.
    public var assumed: [String]
    /// How many pictures there are a second, where the stream tells.
    public var rate: Rate?
    /// How many pictures may come before one that is shown before them.
    public var reorderLimit: Int
    /// The parameter sets, behind start codes, as a decoder takes them.
    public var configuration: [UInt8]
}

/// What became of a picture of a capture.
public enum PictureVerdict: String, Sendable, CaseIterable {
    /// It decodes to the picture that was sent.
    case admitted
    /// It came before, byte for byte.
    case duplicate
    /// It came too late for its place, from where it was sent or again.
    case straggler
    /// It refers to a picture that was lost or damaged.
    case refersToLoss = "refers to loss"
    /// It is damaged itself.
    case damaged
    /// It belongs before the random access point that decoding began with.
    case skipped
    /// Nothing came before it that decoding can begin with.
    case noStart = "no start"
    /// It holds no picture.
    case noPicture = "no picture"
    /// The host says that it is filler.
    case filler

    /// Whether a picture is missing where it should be.
    public var isLoss: Bool {
        switch self {
        case .refersToLoss, .damaged, .noStart: true
        default: false
        }
    }
}

/// A picture of a capture, still encoded, and what became of it.
public struct CapturedPicture: Sendable {
    /// Its access unit, as it lies in the capture.
    public let bytes: [UInt8]
    /// What the capture says of it.
    public let stamp: CaptureStamp
    /// What became of it.
    public let verdict: PictureVerdict
    /// What is wrong with it by itself, where something is.
    public let fault: String?
    /// Its place in the order of showing, as the stream counts, pictures that were lost included.
    public let number: Int64
    /// Whether decoding can begin with it.
    public let isRandomAccess: Bool
    /// What it is; nil where no parameters are known.
    public let form: PictureForm?
}

/// What cuts one codec's stream into pictures and judges them.
protocol PictureStream {
    /// Takes the next bytes of a stream without borders.
    mutating func append(_ bytes: ArraySlice<UInt8>)
    /// Takes an access unit whose borders are known.
    mutating func append(unit: [UInt8], _ stamp: CaptureStamp) throws
    /// Says that the stream is over.
    mutating func finish()
    /// The next picture in the order of decoding; nil before more bytes come, or at the end.
    mutating func next() throws -> CapturedPicture?
    /// How many bytes stood before the first access unit.
    var junk: Int64 { get }
}
