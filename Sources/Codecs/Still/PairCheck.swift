/// Looks whether a still and a movie are the two halves of a Live Photo.
///
/// What is wrong is said in whole sentences; an empty list means that photo libraries will pair them.
public struct PairCheck: Sendable, Equatable {
    /// What is wrong.
    public private(set) var faults: [String] = []
    /// What does not keep them from pairing.
    public private(set) var notes: [String] = []
    /// The identifier that both have, where they are a pair.
    public private(set) var identifier: String?
    /// When the still is in the movie, in seconds.
    public private(set) var stillTime: Double?

    /// Checks two files.
    ///
    /// - Parameters:
    ///   - still: HEIC or JPEG.
    ///   - movie: a QuickTime movie.
    /// - Throws: `FileError` or `CodecError` for files that cannot be read.
    public init(still: String, movie: String) throws {
        let picture = try StillFile(path: still)
        let film = try MovieFile(path: movie)
        var told: (identifier: String?, orientation: Int) = (nil, 1)
        do {
            if let tiff = picture.tiff { told = try EXIFBlock.read(tiff) }
        } catch {
            throw error.within(still)
        }
        do {
            try look(at: picture, told, film)
        } catch {
            throw error.within(movie)
        }
    }

    private mutating func look(
        at picture: StillFile,
        _ told: (identifier: String?, orientation: Int),
        _ film: MovieFile
    ) throws(CodecError) {
        let tracks = try film.tracks()
        if picture.kind == .png {
            faults.append("the still is a PNG, and photo libraries pair HEIC and JPEG alone")
        }
        compare(told.identifier, try film.identifiers())
        if film.brands.first.map({ $0 != "qt  " }) ?? false {
            faults.append(
                "the movie is not QuickTime: its brand is \"\(film.brands[0])\" and not \"qt  \""
            )
        }
        guard let video = tracks.first(where: { $0.handler == "vide" }) else {
            faults.append("the movie has no video track")
            return
        }
        switch video.sampleType {
        case "hvc1", "avc1": break
        case "hev1":
            faults.append(
                "the movie's HEVC is tagged hev1, which Apple's players do not play; hvc1 is right"
            )
        default:
            faults.append(
                "the movie's video is \(video.sampleType ?? "of no kind"), and not hvc1 or avc1"
            )
        }
        try lookForStill(film, tracks)
        try compareShapes(picture, orientation: told.orientation, video)
    }

    private mutating func compare(_ still: String?, _ movie: (top: String?, inUserData: String?)) {
        if still == nil {
            faults.append("the still has no content identifier in an Apple MakerNote")
        }
        if movie.top == nil, movie.inUserData != nil {
            faults.append(
                "the movie's content identifier stands only in moov/udta/meta, as FFmpeg writes it, and not in moov/meta"
            )
        } else if movie.top == nil {
            faults.append("the movie has no content identifier in moov/meta")
        }
        guard let still, let other = movie.top ?? movie.inUserData else { return }
        if still == other {
            identifier = still
        } else if still.lowercased() == other.lowercased() {
            faults.append(
                "the identifiers differ in case alone: \(still) in the still, \(other) in the movie"
            )
        } else {
            faults.append("the identifiers differ: \(still) in the still, \(other) in the movie")
        }
        if !Self.isUUID(still) {
            notes.append("\"\(still)\" is no UUID, which some libraries ask for")
        }
    }

    private static func isUUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }

    private mutating func lookForStill(_ film: MovieFile, _ tracks: [MovieTrack]) throws(CodecError)
    {
        let clock = try film.clock()
        let length = Double(clock.duration) / Double(clock.timescale)
        if length < 0.5 || length > 8 {
            notes.append("the movie lasts \(length) s; pairs of 0.5 to 8 s are known to be taken")
        }
        guard let mark = tracks.first(where: \.marksStill) else {
            let isCopied = tracks.contains { $0.handler == "url " || $0.sampleType == nil }
            faults.append(
                isCopied
                    ? "the movie lost its metadata track when it was copied, as by ffmpeg -c copy: a track of no kind is left"
                    : "the movie has no track that marks the still's time (still-image-time)"
            )
            return
        }
        let time = Double(mark.emptyEdit) / Double(clock.timescale)
        stillTime = time
        if time >= length {
            faults.append(
                "the still's time, \(time) s, is outside the movie, which lasts \(length) s"
            )
        }
    }

    private mutating func compareShapes(
        _ still: StillFile,
        orientation: Int,
        _ video: MovieTrack
    ) throws(CodecError) {
        guard var size = still.size, size.width > 0, size.height > 0 else {
            faults.append("the still does not say its size")
            return
        }
        let isTurned = still.kind == .heic ? still.quarters % 2 == 1 : orientation >= 5
        if isTurned { size = (size.height, size.width) }
        let shown =
            video.isTurned
            ? (video.size.height, video.size.width) : (video.size.width, video.size.height)
        guard shown.0 > 0, shown.1 > 0 else { return }
        let ratio = Double(size.width) * Double(shown.1) / (Double(size.height) * Double(shown.0))
        if abs(ratio - 1) > 0.02 {
            faults.append(
                "the shapes differ: the still is \(size.width)x\(size.height), the movie \(shown.0)x\(shown.1)"
            )
        }
    }
}
