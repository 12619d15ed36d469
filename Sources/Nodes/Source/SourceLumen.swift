import Codecs
import Graph
import Lumen
import Media

/// Reads a recorded lumen stream, and tells every loss in it.
///
/// Takes a byte stream of HEVC (`.h265`) or H.264 (`.h264`), with or without an index beside it (`.idx` behind its
/// name); Opus packets of 80 bytes in a row; datagrams behind their lengths (`.lmdg`); and capture logs (`.lumencap`).
/// Packets stay as they were sent. Those whose pictures would not be exact carry a mark, so that
/// `decode.video` can withhold them and a film can leave them out; what came twice or too late is dropped, and
/// units that were swapped within four are put back. Missing audio becomes packets without bytes.
///
/// Times begin at the first exact picture or the first audio. Without stamps a picture's time is its number by
/// `fps`, so that a loss leaves a hole. A loss of exactly as many pictures as the stream counts before it
/// begins anew (often 256) cannot be seen in a file without indices. Every loss is told, and the run ends with
/// exit code 4.
///
/// Memory: some units. Deterministic.
struct SourceLumen: Node, ~Copyable {
    static let kind = "source.lumen"
    static let execution = Execution.blocking

    let video: Output<EncodedPacket>
    let audio: Output<EncodedPacket>
    let file: InputFile
    let rate: Rate?
    let reportPath: OutputPath?
    private let opened = OpenedCapture()
    private var told = (intervals: 0, faults: 0)
    private var isAfterLoss = false
    /// No audio comes before this; what comes all the same is dropped.
    private var promised: MediaTime?
    private var late = 0
    /// How much later than pictures of its time audio may come, in ns.
    private static let audioDelay: Int64 = 5_000_000_000

    init(_ c: inout Contract) {
        video = c.output("video", "The pictures as they were sent.")
        audio = c.output("audio", "Opus packets as they were sent; empty where none came.")
        file = c.inputFile(
            "path",
            example: "capture.h265",
            "The capture; - is standard input."
        )
        rate = c.optionalRate(
            "fps",
            in: Rate(1)...Rate(1000),
            .perSecond,
            "Pictures a second, where the capture has no times; else what the stream tells, or 60."
        )
        reportPath = c.optionalOutputPath(
            "report",
            example: "losses.json",
            "Where every loss is told, as JSON, like \"foxfire lumen probe --json\"."
        )
    }

    func resolve(_ f: inout Formats) throws {
        if file.isStandardInput, !f.environment.mayReadStandardInput { return }
        try opened.open(file.path, rate)
        if f.isConnected(video) {
            let (format, rate) = try opened.videoFormat()
            f.set(video, format, rate: rate)
        }
        if f.isConnected(audio) {
            if let format = try opened.audioFormat() {
                f.set(audio, format)
            } else {
                // Known to be empty: a film then has no such track.
                f.set(
                    audio,
                    try opened.emptyAudio(besidesVideo: f.isConnected(video)),
                    duration: .zero
                )
            }
        }
    }

    mutating func start(_ f: borrowing Formats) throws { try opened.open(file.path, rate) }

    mutating func run(_ io: inout IO) throws {
        let item = try opened.next()
        tell(io.environment)
        switch item {
        case .picture(let picture):
            emit(picture, &io)
            promise(upTo: picture.decodingTime, &io)
        case .audio(let packet):
            let time = MediaTime(packet.position, 48_000)
            if let promised, time < promised {
                late += 1
                break
            }
            io.emit(
                EncodedPacket(packet),
                at: time,
                duration: MediaTime(Int64(packet.sampleCount), 48_000),
                flags: packet.bytes == nil ? [.key, .damaged] : .key,
                on: audio
            )
        case nil:
            tellWhole(io.environment)
            try writeReport(io.environment)
            return
        }
        io.more()
    }

    /// Says that no audio comes any more before a time, so that a writer of both need not hold pictures.
    private mutating func promise(upTo time: MediaTime, _ io: inout IO) {
        let slack: Int64 = opened.mayHoldAudio ? Self.audioDelay : 0
        let safe = MediaTime(time.converted(to: 1_000_000_000).value - slack, 1_000_000_000)
        if promised.map({ safe > $0 }) ?? (safe > .zero) {
            promised = safe
            io.advance(audio, to: safe)
        }
    }

    private mutating func emit(_ timed: TimedPicture, _ io: inout IO) {
        let picture = timed.picture
        guard let format = opened.format(of: picture) else { return }
        var flags: PacketFlags = picture.isRandomAccess ? .key : []
        if picture.verdict.isLoss { flags.insert(.damaged) }
        if isAfterLoss, !picture.verdict.isLoss { flags.insert(.discontinuity) }
        isAfterLoss = picture.verdict.isLoss
        io.emit(
            EncodedPacket(
                format: format,
                bytes: Writable(copying: picture.bytes),
                presentationTime: timed.time
            ),
            at: timed.decodingTime,
            duration: timed.duration,
            flags: flags,
            on: video
        )
    }

    private mutating func tell(_ environment: NodeEnvironment) {
        guard let report = opened.report else { return }
        for interval in report.intervals.dropFirst(told.intervals) {
            environment.damaged(interval.text, at: interval.start)
        }
        for fault in report.faults.dropFirst(told.faults) {
            environment.damaged("byte \(fault.offset): \(fault.text)")
        }
        told = (report.intervals.count, report.faults.count)
    }

    private func writeReport(_ environment: NodeEnvironment) throws {
        guard let path = reportPath?.path, let report = opened.report else { return }
        let output = try environment.outputs.open(path)
        try output.write(Array(JSON.pretty(report.json(of: file.path)).utf8).span)
        try output.seal()
    }

    /// Tells what is known at the end alone.
    private func tellWhole(_ environment: NodeEnvironment) {
        guard let report = opened.report else { return }
        for _ in report.intervals.count..<report.intervalCount {
            environment.damaged("more losses")
        }
        for _ in report.faults.count..<report.faultCount { environment.damaged("more damage") }
        if let gaps = report.audio?.gaps, gaps > 0, let lost = report.audio?.lost {
            environment.damaged("\(lost) packets of audio did not come, in \(gaps) gaps")
        }
        for note in report.notes { environment.warn(note) }
        if late > 0 {
            environment.damaged(
                "\(late) packets of audio came 5 s and more too late, and were dropped"
            )
        }
    }
}

/// A capture that `resolve` opens and `run` reads from.
private final class OpenedCapture {
    private var reader: CaptureReader?
    /// What was read to find out the formats.
    private var ahead: [CaptureItem] = []
    private var given = 0
    private var formats: [(form: PictureForm, format: EncodedFormat)] = []

    /// How much is looked at for a format: items, and bytes.
    private static let limit = (items: 20_000, bytes: 32 << 20)

    var report: CaptureReport? { reader?.report }

    var mayHoldAudio: Bool { reader?.mayHoldAudio ?? true }

    func open(_ path: String, _ rate: Rate?) throws {
        if reader == nil { reader = try CaptureReader(path: path, rate: rate) }
    }

    func next() throws -> CaptureItem? {
        if given < ahead.count {
            given += 1
            return ahead[given - 1]
        }
        if given > 0 { (ahead, given) = ([], 0) }
        return try reader?.next()
    }

    /// The first item that `find` finds something in, which stays to be read.
    private func first<T>(
        where isPossible: (CaptureReader) -> Bool = { _ in true },
        _ find: (CaptureItem) -> T?
    ) throws -> T? {
        var bytes = 0
        for item in ahead {
            bytes += item.byteCount
            if let found = find(item) { return found }
        }
        while ahead.count < Self.limit.items, bytes < Self.limit.bytes, let reader,
            isPossible(reader), let item = try reader.next()
        {
            ahead.append(item)
            bytes += item.byteCount
            if let found = find(item) { return found }
        }
        return nil
    }

    func videoFormat() throws -> (EncodedFormat, Rate?) {
        let found = try first { item -> EncodedFormat? in
            guard case .picture(let timed) = item, timed.picture.verdict == .admitted else {
                return nil
            }
            return format(of: timed.picture)
        }
        guard let found else {
            throw CodecError(
                call: "read",
                code: 0,
                text: reader?.report.emptiness ?? "there is no picture in it",
                subject: reader?.name ?? "capture"
            )
        }
        return (found, reader?.report.rate)
    }

    /// Nil where there is none.
    func audioFormat() throws -> EncodedFormat? {
        try first(where: \.mayHoldAudio) { item -> EncodedFormat? in
            guard case .audio(let packet) = item else { return nil }
            return EncodedFormat(opus: packet.audio)
        }
    }

    /// The format that stands in where a capture has no audio.
    func emptyAudio(besidesVideo: Bool) throws -> EncodedFormat {
        guard besidesVideo, let format = EncodedFormat(opus: .init(channels: 2)) else {
            throw CodecError(
                call: "read",
                code: 0,
                text: "there is no audio in it",
                subject: reader?.name ?? "capture"
            )
        }
        return format
    }

    /// The format of a picture's packets; nil where no parameters are known.
    func format(of picture: CapturedPicture) -> EncodedFormat? {
        guard let form = picture.form else { return nil }
        if let last = formats.last, last.form == form { return last.format }
        let format = EncodedFormat(
            codec: form.codec,
            content: .video(form.format, frameRate: reader?.report.rate),
            configuration: form.configuration,
            epoch: reader?.report.origin.map { Int64(clamping: $0) },
            isReceived: true
        )
        formats = [(form, format)]
        return format
    }
}

extension CaptureItem {
    /// The bytes of its unit or packet.
    fileprivate var byteCount: Int {
        switch self {
        case .picture(let picture): picture.picture.bytes.count
        case .audio(let packet): packet.bytes?.count ?? 0
        }
    }
}
