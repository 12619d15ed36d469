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
/// Memory: about 100 bytes for each packet (the index). `-` writes mkv to standard output, which is
/// not read back.
struct WriteMovie: Node, ~Copyable {
    static let kind = "write.movie"
    static let execution = Execution.blocking

    let video: Input<EncodedPacket>?
    let audio: Inputs<EncodedPacket>
    let path: OutputPath
    let indexFirst: Bool
    private var container: Container
    private var file: OutputFile?
    private var muxer: Muxer?
    private var expected: [WrittenStream] = []
    /// Of each input the number of its track; nil where it holds nothing.
    private var tracks: [Int?] = []

    init(_ c: inout Contract) {
        // Declared first, so that it comes first where times are equal.
        video = c.optionalInput(
            "video",
            .inOrder,
            changes: .fixed,
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
        for format in known(f) {
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
        // An input of unknown format starts the node anew when its first packet comes.
        guard known(f).allSatisfy({ $0 != nil }) else { return }
        var formats: [EncodedFormat] = []
        for (format, isEmpty) in zip(known(f), areEmpty(f)) {
            tracks.append(isEmpty ? nil : formats.count)
            if !isEmpty, let format { formats.append(format) }
        }
        if formats.isEmpty { throw FilmError("all of its tracks are known to be empty") }
        let target: OutputTarget
        if path.isStandardOutput {
            target = .standardOutput
        } else {
            let file = try f.environment.outputs.open(path.path)
            self.file = file
            target = .file(file)
        }
        muxer = try Muxer(
            container,
            to: target,
            streams: formats,
            metadata: Dictionary(
                f.environment.provenance.map { ($0.key, $0.value) },
                uniquingKeysWith: { $1 }
            ),
            indexFirst: indexFirst
        )
        expected = formats.map { WrittenStream($0) }
    }

    mutating func run(_ io: inout IO) throws {
        var isEmpty = false
        while !isEmpty {
            isEmpty = true
            var track = 0
            if let video {
                while let packet = io.take(video) {
                    try write(packet, track)
                    isEmpty = false
                }
                track += 1
            }
            for index in 0..<audio.count {
                while let packet = io.take(audio[index]) {
                    try write(packet, track + index)
                    isEmpty = false
                }
            }
        }
    }

    private mutating func write(_ packet: Packet<EncodedPacket>, _ input: Int) throws {
        let unit = EncodedUnit(
            packet: packet.payload,
            decodingTime: packet.time,
            duration: packet.duration,
            isKey: packet.flags.contains(.key)
        )
        if muxer == nil {
            throw FilmError("the formats of its tracks were not known when the first packet came")
        }
        guard let track = tracks[input] else {
            throw FilmError("a packet came in on a track that should be empty")
        }
        try muxer?.write(unit, stream: track)
        expected[track].note(unit)
    }

    mutating func finish(_ io: inout IO) throws {
        if expected.allSatisfy({ $0.packetCount == 0 }) {
            throw FilmError("no packet came in, so that \(path.path) would be empty")
        }
        try muxer.take()?.finish()
        guard let file else { return }
        let depth: FilmCheck.Depth = io.environment.verification == .full ? .full : .fast
        let found = try FilmCheck(path: file.temporaryPath, depth: depth)
        try WrittenStream.compare(expected, with: found, in: container)
    }
}
