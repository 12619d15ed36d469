import Codecs
import Graph
import Media

/// A few seconds of film around the picture that becomes a still: what pairs and Motion Photos share.
///
/// Pictures are encoded as they come; packets wait until the end, to be written in the order of their decoding
/// times. Memory: the packets, the clip's sound as floats, and two pictures.
struct MotionClip: ~Copyable {
    let video: Input<VideoFrame>
    let audio: Input<AudioBlock>?
    /// When the still is, on the input's timeline; nil: in the middle.
    private let at: MediaTime?
    private let length: MediaTime
    private let settings: VideoEncoder.Settings

    private var span: Span?
    private var encoder: VideoEncoder?
    private var scaler: Scaler?
    private var pictures: [EncodedUnit] = []
    private var sound: [(block: AudioBlock, time: MediaTime)] = []
    private var soundFormat: AudioFormat?
    /// When the first picture of the clip is, on the input's timeline.
    private var first: MediaTime?
    private var end = MediaTime.zero
    private var still: (picture: VideoFrame, time: MediaTime)?

    /// The stretch of the input that becomes the clip.
    private struct Span {
        let start: MediaTime
        let end: MediaTime
        let key: MediaTime
    }

    /// A clip that was encoded to its end.
    struct Ended {
        /// The still, as it came in.
        let still: VideoFrame
        /// When it is in the clip.
        let stillTime: MediaTime
        /// Formats and packets of pictures and sound.
        fileprivate let tracks: [(format: EncodedFormat, units: [EncodedUnit])]
    }

    /// Declares inputs and parameters.
    ///
    /// - Parameters:
    ///   - c: the node's contract.
    ///   - codec: what pictures are encoded as unless told otherwise.
    init(_ c: inout Contract, codec: VideoEncoder.Codec) {
        video = c.input("video", .inOrder, changes: .fixed, "Pictures; even sides.")
        audio = c.optionalInput("audio", .inOrder, changes: .fixed, "Sound; encoded as AAC.")
        let at = c.optionalTime(
            "at",
            "When the still is, on the input's timeline; without it in the input's middle."
        )
        let length = c.time(
            "duration",
            default: .time(MediaTime(2, 1)),
            "How long the movie is, 0.5 to 8 s; it lies around the still as far as the input reaches."
        )
        self.at = at?.resolved(sampleRate: 48_000)
        self.length = length.resolved(sampleRate: 48_000)
        c.require(Self.isTaken(self.length), "duration", "must be 0.5 to 8 s")
        let codec = c.choice("codec", default: codec, "How pictures of the movie are encoded.")
        let crf = c.number(
            "crf",
            default: 18,
            in: 0...51,
            .none,
            "Quality of the movie: less is better and larger."
        )
        let preset: X265Preset = c.choice(
            "preset",
            default: .medium,
            "How hard the movie's encoder tries."
        )
        settings = VideoEncoder.Settings(
            codec: codec,
            crf: crf,
            preset: preset.rawValue,
            keyInterval: 1
        )
    }

    /// Photo libraries are known to take this long a movie.
    private static func isTaken(_ length: MediaTime) -> Bool {
        length >= MediaTime(1, 2) && length <= MediaTime(8, 1)
    }

    func resolve(_ f: inout Formats) throws {
        if let audio, let source = f[audio] {
            f.request(audio, try AudioEncoder.Settings(codec: .aac).input(for: source))
        }
        if at == nil, f[video] != nil, f.duration(of: video) == nil {
            throw Problem(
                .range,
                "how long the input is is not known, and so is its middle",
                pointer: "/at",
                hint: "give \"at\", the time of the still"
            )
        }
    }

    mutating func start(_ f: borrowing Formats) throws {
        guard let source = f[video] else { return }
        span = span(of: f.duration(of: video))
        if length > MediaTime(5, 1) {
            f.environment.warn("movies of more than 5 s may not be taken for the half of a pair")
        }
        let target = Self.coded(source)
        if source != target { scaler = try Scaler(from: source, to: target) }
        encoder = try VideoEncoder(settings, input: target, frameRate: f.rate(of: video))
        soundFormat = audio.flatMap { f[$0] }
    }

    private func span(of total: MediaTime?) -> Span {
        let half = length.half
        let key = at ?? total?.half ?? half
        var start = max(.zero, key.less(half))
        if let total { start = max(.zero, min(start, total.less(length))) }
        return Span(start: start, end: start.adding(length), key: key)
    }

    /// What the encoder takes of pictures: eight bits, 4:2:0.
    private static func coded(_ source: VideoFormat) -> VideoFormat {
        var color = source.color
        if !source.layout.isPlanar {
            color.matrix = .bt709
            color.range = .limited
        }
        return VideoFormat(
            width: source.width,
            height: source.height,
            layout: .yuv420p,
            color: color
        )
    }

    mutating func run(_ io: inout IO) throws {
        guard let span else {
            throw FilmError("the format of its pictures was not known when it began")
        }
        var isEmpty = false
        while !isEmpty {
            isEmpty = true
            if let audio, let packet = io.take(audio) {
                isEmpty = false
                if packet.time >= span.end {
                    io.enough(audio)
                } else if packet.time.adding(packet.payload.duration) > span.start {
                    sound.append((packet.payload, packet.time))
                }
            }
            if let packet = io.take(video) {
                isEmpty = false
                if packet.time >= span.end {
                    io.enough(video)
                } else if packet.time >= span.start {
                    try take(packet, span)
                }
            }
        }
    }

    private mutating func take(_ packet: Packet<VideoFrame>, _ span: Span) throws {
        let begin = first ?? packet.time
        first = begin
        if still == nil || packet.time <= span.key { still = (packet.payload, packet.time) }
        end = packet.time.adding(packet.duration)
        let picture = try scaler?.convert(packet.payload) ?? packet.payload
        pictures +=
            try encoder?.encode(
                picture,
                at: packet.time.less(begin),
                for: packet.duration
            ) ?? []
    }

    /// Ends encoding.
    ///
    /// - Parameter environment: told where the still is not at the time that was asked for.
    /// - Returns: what is to be written.
    /// - Throws: `FilmError` for a clip that is too short.
    mutating func finish(_ environment: NodeEnvironment) throws -> Ended {
        guard let first, let span, let still, var encoder = encoder.take() else {
            throw FilmError("no picture came in between its start and its end")
        }
        if span.key >= end {
            environment.warn(
                "there is no picture at \(span.key): the last one, at \(still.time), is the still"
            )
        }
        pictures += try encoder.finish()
        let length = end.less(first)
        guard Self.isTaken(length) else {
            throw FilmError("it lasts \(length), and movies of 0.5 to 8 s are taken")
        }
        var tracks = [(format: encoder.format, units: pictures)]
        if let soundFormat {
            let (format, units) = try encodedSound(soundFormat, from: first, to: end)
            if !units.isEmpty { tracks.append((format, units)) }
        }
        return Ended(still: still.picture, stillTime: still.time.less(first), tracks: tracks)
    }

    /// The sound of the clip, from its first picture on.
    private func encodedSound(_ format: AudioFormat, from start: MediaTime, to end: MediaTime)
        throws -> (EncodedFormat, [EncodedUnit])
    {
        var encoder = try AudioEncoder(.init(codec: .aac), input: format)
        let kept = format.index(of: start)..<format.index(of: end)
        var units: [EncodedUnit] = []
        for (block, time) in sound {
            let position = format.index(of: time)
            let wanted = kept.clamped(to: position..<position + Int64(block.frameCount))
            if wanted.isEmpty { continue }
            let part = block.part(
                Int(wanted.lowerBound - position)..<Int(wanted.upperBound - position)
            )
            units += try encoder.encode(
                part,
                at: format.time(of: wanted.lowerBound - kept.lowerBound)
            )
        }
        if units.isEmpty, sound.isEmpty { return (encoder.format, []) }
        return (encoder.format, units + (try encoder.finish()))
    }
}

extension MotionClip.Ended {
    /// Writes the movie and reads it back.
    ///
    /// - Parameters:
    ///   - file: where to; stays open.
    ///   - container: mp4 or mov.
    ///   - verification: how closely it is looked at.
    /// - Throws: `FilmError` where it is not what was written.
    func write(to file: OutputFile, _ container: Container, _ verification: OutputVerification)
        throws
    {
        let film = try FilmFile(
            file,
            container,
            tracks: tracks.map(\.format),
            shift: .zero,
            indexFirst: false,
            metadata: [:]
        )
        try Self.write(tracks, to: film, verification)
    }

    private static func write(
        _ tracks: [(format: EncodedFormat, units: [EncodedUnit])],
        to film: consuming FilmFile,
        _ verification: OutputVerification
    ) throws {
        var next = Array(repeating: 0, count: tracks.count)
        while true {
            let waiting = tracks.indices.filter { next[$0] < tracks[$0].units.count }
            // Of equal times pictures come first.
            guard
                let track = waiting.min(by: {
                    tracks[$0].units[next[$0]].decodingTime
                        < tracks[$1].units[next[$1]].decodingTime
                })
            else { break }
            try film.write(tracks[track].units[next[track]], track: track)
            next[track] += 1
        }
        try film.finish(verification)
    }

    /// A UUID that follows from the movie's packets and from what the outputs store of how they were made.
    func derivedIdentifier(_ environment: NodeEnvironment) -> String {
        var hash = SHA256()
        for (key, value) in environment.provenance {
            hash.update(Array("\(key)=\(value)\n".utf8).span)
        }
        for track in tracks {
            for unit in track.units { unit.packet.bytes.withSpan { hash.update($0) } }
        }
        hash.update(Array("still at \(stillTime)".utf8).span)
        return PairIdentifier.text(of: hash.hexDigest())
    }
}

extension MediaTime {
    /// This time and another one's distance.
    fileprivate func less(_ other: MediaTime) -> MediaTime {
        adding(MediaTime(-other.value, other.scale))
    }
}
