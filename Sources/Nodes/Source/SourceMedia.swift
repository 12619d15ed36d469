import Codecs
import Graph
import Media

/// Reads audio and video from any media file.
///
/// Decodes only what is connected. Times begin at 0 at `start`; a stream that starts late stays late,
/// and a codec's priming is skipped. Gaps in audio become silence, clocks that jump are made
/// continuous, and what cannot be decoded is passed over; each such damage is told, and the run ends
/// with exit code 4. With `around` only `span` seconds around that time are read, and keep their times: what
/// looks at one place of a long film need not wait for the rest. Pictures that the file says are to be turned, as
/// phones do for films held upright, come out turned. `-` reads standard input, `builtin:demo` plays what `source.demo` plays.
///
/// Memory: what the codec itself keeps. Deterministic for undamaged files.
struct SourceMedia: Node, ~Copyable {
    static let kind = "source.media"
    static let execution = Execution.blocking

    let audio: Output<AudioBlock>
    let video: Output<VideoFrame>
    let file: InputFile
    let begin: TimeValue
    let end: TimeValue?
    let around: MediaTime?
    let span: MediaTime
    let missing: MissingPolicy
    /// A file is opened once: what `resolve` opened is what `run` reads.
    private let opened = OpenedMedia()
    private var toldDamage = 0
    /// What is played in the place of a file.
    private var demo: DemoStretch?

    /// What happens where the file has no sound and that is connected.
    enum MissingPolicy: String, CaseIterable { case error, empty }

    init(_ c: inout Contract) {
        audio = c.output("audio", "The audio that a player would play, as floats.")
        video = c.output(
            "video",
            "The pictures that a player would show, with the samples that were encoded."
        )
        file = c.inputFile("path", "The file; - is standard input, builtin:demo a built-in track.")
        begin = c.time("start", default: .time(.zero), "Where in the file the timeline begins.")
        end = c.optionalTime("end", "Where in the file it ends, if before the file does.")
        around = c.optionalTime(
            "around",
            "Reads only what lies around this time of the file, without changing times."
        ).map { $0.resolved(sampleRate: 48_000) }
        span = c.time(
            "span",
            default: .time(MediaTime(16, 1)),
            "How much lies around \"around\": half of it before, as far as the file reaches."
        ).resolved(sampleRate: 48_000)
        missing = c.choice(
            "missing",
            default: .error,
            "Where the file has no sound and it is read: an error, or an empty stream."
        )
        c.require(
            around == nil || begin.resolved(sampleRate: 1) == .zero && end == nil,
            "around",
            "cannot stand beside \"start\" or \"end\""
        )
        c.require(
            !file.path.hasPrefix("builtin:") || isDemo,
            "path",
            "names nothing that is built in; there is \"builtin:demo\""
        )
    }

    private var isDemo: Bool { file.path == "builtin:demo" }

    func resolve(_ f: inout Formats) throws {
        if isDemo { return try resolveDemo(&f) }
        if file.isStandardInput, !f.environment.mayReadStandardInput { return }
        let info = try opened.info { try open(f) }
        if let around, let whole = info.duration, !info.durationIsEstimated, around >= whole {
            throw Problem(
                .range,
                "\(file.path) lasts \(whole), and there is nothing at \(around)",
                pointer: "/around"
            )
        }
        if f.isConnected(audio) {
            if let format = info.audioFormat {
                f.set(audio, format, duration: length(of: info, info.bestAudio))
            } else {
                f.set(audio, AudioFormat(sampleRate: 48_000, channels: 2), duration: .zero)
            }
        }
        if f.isConnected(video), let (stored, rate) = info.videoFormat {
            let format = Self.turned(stored, info.turn)
            f.set(
                video,
                format,
                rate: rate,
                duration: length(of: info, info.bestVideo),
                bytesPerPacket: format.byteCount
            )
        }
    }

    /// What pictures become; 4:2:2 on its side becomes 4:4:4.
    private static func turned(_ stored: VideoFormat, _ turn: Orientation) -> VideoFormat {
        turn.turned(stored) ?? turn.turned(stored.withoutSubsampling) ?? stored
    }

    private mutating func upright(_ picture: VideoFrame) throws -> VideoFrame {
        let turn = opened.turn
        if turn == .upright { return picture }
        guard turn.turned(picture.format) == nil else { return turn.apply(picture) }
        let target = picture.format.withoutSubsampling
        var scaler = try Scaler(from: picture.format, to: target)
        return turn.apply(try scaler.convert(picture))
    }

    private func resolveDemo(_ f: inout Formats) throws {
        if f.isConnected(video) {
            throw Problem(
                .file,
                "the built-in track has no video",
                pointer: "/path",
                hint: "read its audio"
            )
        }
        f.set(
            audio,
            DemoTrack.format,
            rate: DemoTrack.blockRate,
            duration: try stretch().duration.adding(offset),
            bytesPerPacket: DemoTrack.blockBytes
        )
    }

    private func stretch() throws -> DemoStretch {
        let (start, end) = try checkedSpan(sampleRate: DemoTrack.format.sampleRate)
        return DemoStretch(from: start, to: end)
    }

    private func checkedSpan(sampleRate: Int) throws -> (start: MediaTime, end: MediaTime?) {
        let (start, end) = stretch(sampleRate: sampleRate)
        if let end, end <= start {
            throw Problem(.range, "\"end\" must be after \"start\"", pointer: "/end")
        }
        return (start, end)
    }

    private func open(_ f: borrowing Formats) throws -> MediaReader {
        let wanted: StreamChoice = missing == .empty ? .ifPresent : .best
        let (start, end) = try checkedSpan(sampleRate: try sampleRate())
        return try MediaReader(
            path: file.path,
            options: ReadOptions(
                start: start,
                end: end,
                audio: f.isConnected(audio) ? wanted : .none,
                video: f.isConnected(video) ? .best : .none
            )
        )
    }

    /// What is added to times, which count from where reading begins.
    private var offset: MediaTime { around == nil ? .zero : stretch(sampleRate: 1).start }

    private func stretch(sampleRate: Int) -> (start: MediaTime, end: MediaTime?) {
        guard let around else {
            return (begin.resolved(sampleRate: sampleRate), end?.resolved(sampleRate: sampleRate))
        }
        let half = span.half
        let start = max(.zero, around.adding(MediaTime(-half.value, half.scale)))
        return (start, start.adding(span))
    }

    /// What samples are counted in; a file is looked into for it only when times are in samples.
    private func sampleRate() throws -> Int {
        let isInSamples = [begin, end].contains { time in
            if case .samples = time { true } else { false }
        }
        guard isInSamples else { return 48_000 }
        if file.isStandardInput {
            throw Problem(
                .range,
                "times in samples need a file, and this is standard input",
                pointer: "/start",
                hint: "give seconds"
            )
        }
        return try MediaInfo(probing: file.path).audioFormat?.sampleRate ?? 48_000
    }

    /// How long a stream will be between `start` and `end`, where the file tells; a length guessed
    /// from the bit rate is not passed on.
    private func length(of info: MediaInfo, _ stream: Int?) -> MediaTime? {
        let (start, end) = stretch(sampleRate: info.audioFormat?.sampleRate ?? 48_000)
        guard !info.durationIsEstimated,
            let whole = stream.flatMap({ info.streams[$0].duration }) ?? info.duration
        else { return nil }
        let last = end.map { min($0, whole) } ?? whole
        return max(last.adding(MediaTime(-start.value, start.scale)), .zero).adding(offset)
    }

    mutating func start(_ f: borrowing Formats) throws {
        if isDemo {
            demo = try stretch()
        } else {
            try opened.prepare { try open(f) }
        }
    }

    mutating func run(_ io: inout IO) throws {
        if isDemo {
            guard let (block, time) = demo?.next() else { return }
            io.emit(block, at: time.adding(offset), duration: block.duration, on: audio)
            io.more()
            return
        }
        let decoded = try opened.next()
        tellDamage(io.environment)
        switch decoded {
        case .audio(let block, let time):
            io.emit(block, at: time.adding(offset), duration: block.duration, on: audio)
        case .video(let frame, let time, let duration):
            let picture = try upright(frame)
            io.emit(picture, at: time.adding(offset), duration: duration, flags: .key, on: video)
        case nil:
            tellPeak(io.environment)
            return
        }
        io.more()
    }

    private func tellPeak(_ environment: NodeEnvironment) {
        guard opened.peak > 1 else { return }
        let over = Text.decibels(PortableMath.decibels(ofRatio: Double(opened.peak)))
        environment.warn(
            "its floats go up to \(over) dB beyond full scale: what stores integers clips them"
        )
    }

    private mutating func tellDamage(_ environment: NodeEnvironment) {
        let report = opened.damage
        while toldDamage < report.total {
            if toldDamage < report.first.count {
                let damage = report.first[toldDamage]
                environment.damaged(damage.text, at: damage.time)
            } else {
                environment.damaged("more damage")
            }
            toldDamage += 1
        }
    }
}

/// A reader that `resolve` opens and `run` reads from.
private final class OpenedMedia {
    private var reader: MediaReader?

    /// What the file holds; opens it unless it is open already.
    func info(_ open: () throws -> MediaReader) throws -> MediaInfo {
        try prepare(open)
        guard let info = reader?.info else {
            preconditionFailure("A reader that was opened is there.")
        }
        return info
    }

    func prepare(_ open: () throws -> MediaReader) throws {
        if reader == nil { reader = try open() }
    }

    func next() throws -> Decoded? { try reader?.next() }

    var turn: Orientation { reader?.info.turn ?? .upright }

    var peak: Float { reader?.peakOfFloats ?? 0 }

    var damage: DamageReport { reader?.damage ?? DamageReport() }
}

extension MediaInfo {
    /// How the pictures that a player would take are turned to be seen.
    fileprivate var turn: Orientation {
        Orientation(clockwise: bestVideo.map { streams[$0].rotation } ?? 0)
    }
}

extension VideoFormat {
    /// The same with chroma as fine as luma.
    fileprivate var withoutSubsampling: VideoFormat {
        VideoFormat(
            width: width,
            height: height,
            layout: layout.bytesPerSample == 2 ? .yuv444p10 : .yuv444p,
            color: color
        )
    }
}
