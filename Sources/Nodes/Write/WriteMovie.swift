import Codecs
import Graph
import Media

/// Writes encoded video and audio as a film: mp4, mov or mkv, by the path's ending.
///
/// Packets are written in the order of their decoding times, video first where times are equal, so
/// that the file does not depend on which stream came earlier. HEVC gets the tag `hvc1`, which Apple's
/// players need; mp4 and mov get their index at the front unless told otherwise. How the film was
/// made (version, graph, seed, preset) is stored in its metadata, and no date. Before a film gets its
/// name it is read back: packets are counted, starts and ends compared with what was written, and its
/// first and last second decoded, or all of it when the run asks for that.
///
/// Packets that are marked as damaged are left out, so that the picture before stands longer, or kept, as
/// `damage` says; mp4 and mkv get a chapter for each stretch of them. Missing packets of Opus become packets of a
/// byte, which players fill in. Where the pictures' format changes, another film begins, with `-2` and so on
/// behind its name, or the run fails, as `onChange` says. An input that is known to hold nothing gets no track.
///
/// Memory: about 100 bytes for each packet (the index). `-` writes mkv to standard output, which is
/// not read back.
struct WriteMovie: Node, ~Copyable {
    static let kind = "write.movie"
    static let execution = Execution.blocking

    let video: Input<EncodedPacket>?
    let audio: Inputs<EncodedPacket>
    let path: OutputPath
    let indexFirst: Bool
    let keepsDamage: Bool
    let splits: Bool
    private var container: Container
    private var film: FilmFile?
    private var number = 1
    /// Of each input what comes in; nil where that is not known yet.
    private var formats: [EncodedFormat?] = []
    /// Of each input the number of its track; nil where it holds nothing.
    private var tracks: [Int?] = []

    /// What becomes of packets that are marked as damaged.
    enum DamagePolicy: String, CaseIterable { case omit, keep }

    /// What happens where the pictures' format changes.
    enum ChangePolicy: String, CaseIterable { case split, error }

    init(_ c: inout Contract) {
        // Declared first, so that it comes first where times are equal.
        video = c.optionalInput(
            "video",
            .inOrder,
            changes: .accepts,
            "Encoded video; without it the file holds sound alone."
        )
        audio = c.optionalInputs(
            "audio",
            .inOrder,
            changes: .fixed,
            "Encoded audio; each source becomes a track."
        )
        path = c.outputPath(
            "path",
            example: "film.mp4",
            "The film: .mp4, .m4a, .mov, .mkv or .mka; or - for mkv."
        )
        indexFirst = c.boolean(
            "faststart",
            default: true,
            "Whether mp4 and mov can be played while they load; it means to write the file twice."
        )
        let damage: DamagePolicy = c.choice(
            "damage",
            default: .omit,
            "Whether packets that are marked as damaged are left out or kept."
        )
        keepsDamage = damage == .keep
        let change: ChangePolicy = c.choice(
            "onChange",
            default: .split,
            "Where the pictures' format changes: another film begins, or the run fails."
        )
        splits = change == .split
        let container = path.isStandardOutput ? .mkv : Container(path: path.path)
        self.container = container ?? .mkv
        c.require(
            video != nil || audio.count > 0,
            "from",
            "must name video, audio, or both"
        )
        c.require(
            container.map { [.mp4, .mov, .mkv].contains($0) } ?? false,
            "path",
            "must end in .mp4, .m4a, .mov, .mkv or .mka"
        )
    }

    func resolve(_ f: inout Formats) throws {
        for (format, isEmpty) in zip(known(f), areEmpty(f)) where !isEmpty {
            guard let format, let refusal = container.refusal(of: format.codec) else { continue }
            throw Problem(.format, refusal, pointer: "/path")
        }
    }

    /// Whether an input is known to hold nothing; it gets no track.
    private func areEmpty(_ f: borrowing Formats) -> [Bool] {
        (video.map { [f.duration(of: $0) == .zero] } ?? [])
            + (0..<audio.count).map { f.duration(of: audio[$0]) == .zero }
    }

    /// The formats of all streams, in the order of the file's tracks; nil where one is not known.
    private func known(_ f: borrowing Formats) -> [EncodedFormat?] {
        (video.map { [f[$0]] } ?? []) + (0..<audio.count).map { f[audio[$0]] }
    }

    mutating func start(_ f: borrowing Formats) throws {
        formats = known(f)
        var count = 0
        for isEmpty in areEmpty(f) {
            tracks.append(isEmpty ? nil : count)
            if !isEmpty { count += 1 }
        }
        if count == 0 { throw FilmError("all of its tracks are known to be empty") }
        // What is not known yet comes with the first packet.
        if formats.allSatisfy({ $0 != nil }) { try open(at: .zero, f.environment) }
    }

    /// Begins a film whose time 0 is at a time of the inputs.
    private mutating func open(at shift: MediaTime, _ environment: NodeEnvironment) throws {
        let streams = zip(formats, tracks).compactMap { $1 == nil ? nil : $0 }
        guard streams.count == tracks.count(where: { $0 != nil }) else {
            throw FilmError("the formats of its tracks were not known when the first packet came")
        }
        film = try FilmFile(
            path.isStandardOutput ? nil : environment.outputs.open(name(of: number)),
            container,
            tracks: streams,
            shift: shift,
            indexFirst: indexFirst,
            metadata: Dictionary(
                environment.provenance.map { ($0.key, $0.value) },
                uniquingKeysWith: { $1 }
            )
        )
    }

    /// The path with a number before its ending, but for the first film.
    private func name(of number: Int) -> String {
        guard number > 1, let dot = path.path.lastIndex(of: ".") else { return path.path }
        return path.path[..<dot] + "-\(number)" + path.path[dot...]
    }

    mutating func run(_ io: inout IO) throws {
        var isEmpty = false
        while !isEmpty {
            isEmpty = true
            var input = 0
            if let video {
                while let packet = io.take(video) {
                    try write(packet, input, io.environment)
                    isEmpty = false
                }
                input += 1
            }
            for index in 0..<audio.count {
                while let packet = io.take(audio[index]) {
                    try write(packet, input + index, io.environment)
                    isEmpty = false
                }
            }
        }
    }

    private mutating func write(
        _ packet: Packet<EncodedPacket>,
        _ input: Int,
        _ environment: NodeEnvironment
    ) throws {
        guard let track = tracks[input] else {
            throw FilmError("a packet came in on a track that should be empty")
        }
        let isPicture = video != nil && input == 0
        if isPicture, packet.flags.contains(.damaged) {
            film?.noteDamage(at: packet.payload.presentationTime, for: packet.duration)
            if !keepsDamage { return }
        }
        try follow(packet, input, environment)
        try film?.write(packet, track: track)
    }

    /// Opens the first film, or the next one, where a packet's format asks for that.
    private mutating func follow(
        _ packet: Packet<EncodedPacket>,
        _ input: Int,
        _ environment: NodeEnvironment
    ) throws {
        let new = packet.payload.format
        if let film = film.take() {
            guard formats[input] != new else {
                self.film = consume film
                return
            }
            let old = formats[input].map { "\($0)" } ?? ""
            guard splits, !path.isStandardOutput else {
                throw FilmError("its pictures change from \(old) to \(new) at \(packet.time)")
            }
            try film.finish(environment.verification)
            number += 1
            formats[input] = new
            environment.warn(
                "at \(packet.time) pictures change from \(old) to \(new): they go on in "
                    + name(of: number)
            )
            return try open(at: packet.time, environment)
        }
        formats[input] = new
        try open(at: .zero, environment)
    }

    mutating func finish(_ io: inout IO) throws {
        guard let film = film.take() else {
            throw FilmError("no packet came in, so that \(path.path) would be empty")
        }
        try film.finish(io.environment.verification)
    }
}
