public import Codecs
public import Media

/// A picture of a capture with its place on the timeline, still encoded.
public struct TimedPicture: Sendable {
    /// The picture.
    public let picture: CapturedPicture
    /// When it is decoded.
    public let decodingTime: MediaTime
    /// When it is shown.
    public let time: MediaTime
    /// How long it is shown.
    public let duration: MediaTime
}

/// A packet of audio of a capture with its place on the timeline.
public struct TimedPacket: Sendable {
    /// Opus; empty where the host was silent, nil where the packet is missing.
    public let bytes: [UInt8]?
    /// When it is heard, in samples at 48 kHz from the start of the film.
    public let position: Int64
    /// How many samples at 48 kHz it stands for.
    public let sampleCount: Int
    /// How the packet is made up.
    public let audio: CaptureDescription.Audio
    /// What the capture says of it.
    public let stamp: CaptureStamp
}

/// What a capture gives.
public enum CaptureItem: Sendable {
    /// A picture, exact or not; those that came twice or too late are left out.
    case picture(TimedPicture)
    /// A packet of audio, or its absence.
    case audio(TimedPacket)

    /// When it is decoded or heard.
    public var time: MediaTime {
        switch self {
        case .picture(let picture): picture.decodingTime
        case .audio(let packet): MediaTime(packet.position, 48_000)
        }
    }
}

/// Reads a capture: pictures in the order of decoding, audio in order, both on one timeline, every loss found.
///
/// The timeline begins at the first picture that is exact, or at the first audio, whichever is earlier. Without
/// stamps a picture's time is its number by the frame rate, so that a loss leaves a hole. Pictures come as they
/// lie in the capture, units that were swapped within four put back.
///
/// Latency: some five units. Memory: as many, and 4,096 units at most before pictures and audio have begun.
/// O(bytes).
public final class CaptureReader {
    /// What was found so far; complete when `next()` has given nil.
    public private(set) var report: CaptureReport

    private let bytes: CaptureBytes
    private var format: any CaptureFormat
    private var pictures: (any PictureStream)?
    private var pictureTimes: PictureTimes
    private var audioTimes: AudioTimes?
    private var audioSequence = AudioSequence()
    private var description = CaptureDescription()
    private var clock = CaptureClock()
    private var intervals = DamageIntervals()
    private var jitter = JitterMeter()
    private var ready: [CaptureItem] = []
    private var given = 0
    /// What was read before the start of the timeline is known.
    private var early: [EarlyItem] = []
    /// The start of the timeline on the risen clock.
    private var origin: Int64?
    /// Where on the timeline the capture begins that is read now, in ns.
    private var joinedAt: Int64 = 0
    private var lastWasLost = false
    private var lastDecoding: MediaTime?
    private var hasEnded = false

    private enum EarlyItem {
        case picture(UntimedPicture)
        case audio(UntimedPacket)

        var stamp: Int64? {
            switch self {
            case .picture(let picture):
                if case .stamp(let time) = picture.showing { time } else { nil }
            case .audio(let packet): packet.stamped
            }
        }
    }

    /// Opens a capture; an index is read where one lies beside it, with `.idx` behind the name.
    ///
    /// - Parameters:
    ///   - path: a file; `-` is standard input.
    ///   - rate: pictures a second where the capture has no times; nil: what the stream tells, else 60.
    /// - Throws: `FileError` when it cannot be read; `CodecError` when it is no capture.
    public convenience init(path: String, rate: Rate? = nil) throws {
        let index = path == "-" ? nil : try FileSource(ifPresent: path + ".idx")
        try self.init(FileSource(path: path), index: index, rate: rate)
    }

    /// Opens a source of bytes.
    ///
    /// - Parameters:
    ///   - source: the capture.
    ///   - index: its index, where there is one.
    ///   - rate: pictures a second where the capture has no times; nil: what the stream tells, else 60.
    /// - Throws: what the source throws; `CodecError` when it is no capture.
    public init(_ source: any ByteSource, index: (any ByteSource)? = nil, rate: Rate? = nil) throws
    {
        bytes = CaptureBytes(source)
        let kind = try CaptureKind(bytes)
        report = CaptureReport(kind: kind)
        pictureTimes = PictureTimes(rate: rate)
        switch kind {
        case .video(let codec):
            if let index {
                format = try IndexedVideo(bytes: bytes, index: index)
                report.hasIndex = true
            } else {
                format = BareVideo(bytes: bytes)
            }
            try open(codec)
        case .opus: format = BareOpus(bytes: bytes)
        case .datagrams: format = DatagramFile(bytes: bytes)
        case .log: format = LogReader(bytes: bytes)
        }
    }

    /// What errors call the capture.
    public var name: String { bytes.name }

    /// Whether audio may come: byte streams hold none, and logs tell.
    public var mayHoldAudio: Bool {
        switch report.kind {
        case .video: false
        case .opus, .datagrams: true
        case .log: description.audio != nil || report.sessions == 0
        }
    }

    /// The next picture or packet; nil at the end.
    ///
    /// - Throws: what the source throws; `CodecError` for an index that is wrong.
    public func next() throws -> CaptureItem? {
        while given == ready.count {
            ready.removeAll(keepingCapacity: true)
            given = 0
            if hasEnded { return nil }
            try read()
        }
        defer { given += 1 }
        return ready[given]
    }

    private func read() throws {
        guard let record = try format.next() else { return try finish() }
        switch record {
        case .video(let piece):
            try openIfNeeded()
            pictures?.append(piece)
        case .unit(let unit, let stamp):
            try openIfNeeded()
            if let time = stamp.time, let received = stamp.received { jitter.take(time, received) }
            try pictures?.append(unit: unit, stamp)
        case .audio(let packet, let stamp): take(packet, stamp)
        case .description(let new):
            if let codec = new.video?.codec, codec != description.video?.codec {
                try finishPictures()
                try open(codec)
            }
            if new.audio != description.audio, audioTimes != nil {
                finishAudio()
                settle()
                audioTimes = nil
            }
            description = new
            pictureTimes.described = new.video?.rate ?? pictureTimes.described
        case .mode(_, _, let rate): pictureTimes.described = rate ?? pictureTimes.described
        case .clockStep(let amount): clock.step(by: amount)
        case .session:
            report.sessions += 1
            if report.sessions > 1 { try join() }
        case .other: break
        case .damage(let text, let offset): report.note(text, offset: offset)
        }
        try takePictures()
    }

    /// Another capture was joined on: nothing of the one before counts for it.
    private func join() throws {
        try finishPictures()
        finishAudio()
        pictures = nil
        description = CaptureDescription()
        settle()
        // It goes on where the one before ended; its own clock says nothing of that.
        noteSteps()
        let end = max(report.end ?? .zero, report.audio?.end ?? .zero)
        joinedAt = end.converted(to: 1_000_000_000, rounding: .up).value
        clock = CaptureClock()
        origin = nil
        pictureTimes.join()
        audioTimes = nil
    }

    private func openIfNeeded() throws { if pictures == nil { try open("hevc") } }

    private func open(_ codec: String) throws {
        switch codec {
        case "hevc": pictures = HEVCPictures()
        case "h264": pictures = H264Pictures()
        default:
            throw CodecError(
                call: "open",
                code: 0,
                text: "its pictures are \(codec), which is not read yet",
                subject: bytes.name
            )
        }
    }

    // MARK: Pictures

    private func takePictures() throws {
        while let picture = try pictures?.next() { take(picture) }
    }

    private func finishPictures() throws {
        guard pictures != nil else { return }
        pictures?.finish()
        try takePictures()
        report.junk += pictures?.junk ?? 0
        for timed in pictureTimes.finish() { place(timed) }
    }

    private func take(_ picture: CapturedPicture) {
        report.verdicts[picture.verdict, default: 0] += 1
        guard picture.verdict == .admitted || picture.verdict.isLoss else { return }
        if picture.verdict == .admitted, picture.isRandomAccess { report.randomAccessPoints += 1 }
        let stamp = picture.stamp.time.map { stamp in
            clock.time(
                of: stamp,
                .video,
                received: picture.stamp.received,
                isReordered: picture.form.map { $0.reorderLimit > 0 } ?? false
            )
        }
        if let raw = picture.stamp.time, picture.verdict == .admitted, report.firstStamp == nil {
            report.firstStamp = raw
        }
        for timed in pictureTimes.take(picture, stamp) { place(timed) }
        report.rate = pictureTimes.usedRate
        report.rateIsAssumed = pictureTimes.rateIsAssumed
    }

    private func place(_ picture: UntimedPicture) {
        guard origin != nil else {
            early.append(.picture(picture))
            return settleIfKnown()
        }
        emit(picture)
    }

    private func emit(_ untimed: UntimedPicture) {
        let start = (origin ?? 0) - joinedAt
        let scale: Int32 = 1_000_000_000
        func time(_ point: UntimedPicture.Point) -> MediaTime {
            switch point {
            case .stamp(let value): MediaTime(value - start, scale)
            case .exact(let time): time
            }
        }
        var (decoding, showing) = (time(untimed.decoding), time(untimed.showing))
        // Pictures before the start of a capture that was joined on would lie in the one before.
        if let lastDecoding, decoding <= lastDecoding {
            decoding = lastDecoding.adding(MediaTime(1, scale))
            showing = max(showing, decoding)
        }
        lastDecoding = decoding
        let timed = TimedPicture(
            picture: untimed.picture,
            decodingTime: decoding,
            time: showing,
            duration: untimed.duration
        )
        let picture = timed.picture
        intervals.take(picture, at: timed.time, duration: timed.duration, &report)
        if picture.verdict == .admitted {
            if report.start == nil { report.start = timed.time }
            if let form = picture.form, report.changes.last?.form.looks(like: form) != true,
                report.changes.count < CaptureReport.kept
            {
                report.changes.append(
                    CaptureReport.Change(number: picture.number, time: timed.time, form: form)
                )
            }
        }
        let end = timed.time.adding(timed.duration)
        if report.end.map({ $0 < end }) ?? true { report.end = end }
        ready.append(.picture(timed))
    }

    // MARK: Audio

    private func take(_ packet: [UInt8], _ stamp: CaptureStamp) {
        if report.audio == nil { report.audio = CaptureReport.Audio() }
        let audio = description.audio ?? CaptureDescription.Audio(channels: 2)
        report.audio?.channels = audio.channels
        if audioTimes == nil {
            let floor = report.audio?.end?.converted(to: 48_000).value ?? 0
            audioTimes = AudioTimes(audio, after: floor)
        }
        var placed: [AudioSequence.Placed] = []
        audioSequence.take(packet, stamp) { placed.append($0) }
        for packet in placed { time(packet) }
    }

    private func finishAudio() {
        var placed: [AudioSequence.Placed] = []
        audioSequence.flush { placed.append($0) }
        for packet in placed { time(packet) }
        report.audio?.duplicates += audioSequence.duplicates
        report.audio?.late += audioSequence.late
        audioSequence = AudioSequence()
    }

    private func time(_ packet: AudioSequence.Placed) {
        guard audioTimes != nil, let untimed = audioTimes?.take(packet, &clock) else { return }
        report.audio?.packets += 1
        if packet.startsAnew { report.audio?.restarts += 1 }
        if untimed.isBroken {
            report.audio?.broken += 1
            report.note("a packet of audio is no Opus", offset: packet.stamp.offset)
        }
        if packet.bytes == nil {
            report.audio?.lost += 1
            if !lastWasLost { report.audio?.gaps += 1 }
        }
        lastWasLost = packet.bytes == nil
        if report.audio?.firstStamp == nil { report.audio?.firstStamp = packet.stamp.time }
        guard origin != nil else {
            early.append(.audio(untimed))
            return settleIfKnown()
        }
        emit(untimed)
    }

    private func emit(_ untimed: UntimedPacket) {
        // To the nearest sample, once: from there on samples are counted.
        let shift = audioTimes?.startPosition(origin: origin ?? 0, joinedAt: joinedAt) ?? 0
        let position = untimed.position + shift
        let end = MediaTime(position + Int64(untimed.sampleCount), 48_000)
        if report.audio?.start == nil { report.audio?.start = MediaTime(position, 48_000) }
        report.audio?.end = end
        ready.append(
            .audio(
                TimedPacket(
                    bytes: untimed.bytes,
                    position: position,
                    sampleCount: untimed.sampleCount,
                    audio: untimed.audio,
                    stamp: untimed.stamp
                )
            )
        )
    }

    // MARK: The start of the timeline

    /// The most units and packets that are looked at for the start.
    private static let earlyLimit = 4096

    private func settleIfKnown() {
        var (hasPicture, hasAudio) = (false, false)
        for item in early {
            switch item {
            case .picture(let picture):
                if picture.picture.verdict == .admitted { hasPicture = true }
                // Without stamps nothing relates the two.
                if case .exact = picture.showing { return settle() }
            case .audio(let packet):
                // Packets that are missing, or came as copies, have no stamps.
                if packet.stamped != nil { hasAudio = true }
            }
        }
        if report.kind == .opus { return settle() }
        let wantsPicture = description.video != nil || pictures != nil
        let wantsAudio = description.audio != nil
        let isKnown = (hasPicture || !wantsPicture) && (hasAudio || !wantsAudio)
        if isKnown || early.count >= Self.earlyLimit { settle() }
    }

    /// Fixes the start of the timeline by what has come, and gives that.
    private func settle() {
        guard origin == nil else { return }
        var starts: [Int64] = []
        for item in early {
            if case .picture(let picture) = item, picture.picture.verdict != .admitted { continue }
            if let stamp = item.stamp { starts.append(stamp) }
        }
        if joinedAt == 0 { report.origin = starts.min().map { UInt64(clamping: $0) } }
        origin = starts.min() ?? early.lazy.compactMap(\.stamp).first ?? 0
        let items = early
        early = []
        for item in items {
            switch item {
            case .picture(let picture): emit(picture)
            case .audio(let packet): emit(packet)
            }
        }
    }

    private func noteSteps() {
        let start = (origin ?? 0) - joinedAt
        report.clockSteps += clock.steps.map {
            (MediaTime($0.time - start, 1_000_000_000), $0.amount)
        }
    }

    private func finish() throws {
        hasEnded = true
        try finishPictures()
        finishAudio()
        settle()
        intervals.finish(&report)
        report.jitter = jitter.result
        noteSteps()
        if report.kind.holdsPictures, report.verdicts.values.reduce(0, +) == 0 {
            report.note("there is no access unit", offset: 0)
        }
    }
}
