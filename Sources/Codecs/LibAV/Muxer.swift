import CLibAV
public import Media

/// Writes encoded streams into a container.
///
/// Packets are written as they come, in the order in which they come: nothing is held back to be
/// sorted, so that the order of calls alone decides the bytes. No date and no version is written.
/// A stream whose packets begin before 0 (priming, reordered pictures) gets an edit list or a codec
/// delay, so that players begin at 0. Memory: mp4 and mov keep about 100 bytes a packet for the
/// index; mkv keeps its cue points.
public struct Muxer: ~Copyable {
    private let opened: OpenedOutput
    private let io: OutputIO
    private let packet: PacketHandle
    private let streams: [EncodedFormat]
    private let subject: String
    private let container: Container
    private var lastDecodingTime: [(ticks: Int64, time: MediaTime)?]
    private var chapters = 0

    /// Opens a container and writes its header.
    ///
    /// - Parameters:
    ///   - container: which kind.
    ///   - target: where to; mp4 and mov need a file.
    ///   - streams: what packets will come, the first stream first.
    ///   - metadata: title, comment and the like; other keys are kept too.
    ///   - indexFirst: whether mp4 and mov get their index at the front, so that they play while
    ///     they load; it means to write the file twice.
    /// - Throws: `CodecError` when a codec does not fit the container, `FileError` when writing
    ///   fails.
    public init(
        _ container: Container,
        to target: OutputTarget,
        streams: [EncodedFormat],
        metadata: [String: String] = [:],
        indexFirst: Bool = true
    ) throws {
        let subject: String
        switch target {
        case .file(let file): subject = file.path
        case .standardOutput:
            subject = "standard output"
            guard container.canStream else {
                throw CodecError(
                    call: "open",
                    code: 0,
                    text: "\(container) needs a file to go back in",
                    subject: subject,
                    hint: "write to a file, or take mkv"
                )
            }
        }
        precondition(!streams.isEmpty, "A container needs a stream.")
        for stream in streams {
            if let refusal = container.refusal(of: stream.codec) {
                throw CodecError(call: "open", code: 0, text: refusal, subject: subject)
            }
        }
        let io = try OutputIO(target)
        let opened = try OpenedOutput(container, subject)
        let context = unsafe opened.pointer
        unsafe context.pointee.pb = io.pointer
        unsafe context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
        // Streams keep the times they come with; edit lists and codec delays do the rest.
        unsafe context.pointee.avoid_negative_ts = 0
        unsafe context.pointee.opaque = Unmanaged.passUnretained(io.state).toOpaque()
        opened.allowReadingBack()
        for stream in streams { try opened.add(stream, container, subject) }
        try opened.setMetadata(metadata)
        try opened.writeHeader(
            container,
            streams,
            keepsKeys: metadata.keys.contains { !Self.commonKeys.contains($0) },
            indexFirst: indexFirst,
            io,
            subject
        )
        let packet = try PacketHandle()
        lastDecodingTime = Array(repeating: nil, count: streams.count)
        self.container = container
        self.subject = subject
        self.streams = streams
        self.opened = opened
        self.io = io
        self.packet = packet
    }

    /// Keys that mp4 and mov have fields of their own for.
    private static let commonKeys: Set<String> = [
        "title", "artist", "album", "comment", "genre", "composer", "copyright", "description",
    ]

    /// Writes one packet.
    ///
    /// - Parameters:
    ///   - unit: the packet; its format must be the stream's.
    ///   - stream: which stream, counted from 0.
    ///   - shift: what is taken off its times.
    /// - Throws: `FileError` when writing fails; `CodecError` for decoding times that do not rise.
    public mutating func write(_ unit: EncodedUnit, stream: Int, earlierBy shift: MediaTime = .zero)
        throws
    {
        precondition(streams.indices.contains(stream), "There is no stream \(stream).")
        guard unit.packet.format == streams[stream] else {
            throw CodecError(
                call: "write",
                code: 0,
                text: "a packet is \(unit.packet.format), and the stream is \(streams[stream])",
                subject: "\(subject) stream \(stream)"
            )
        }
        packet.clear()
        let pointer = unsafe packet.pointer
        let base = opened.timeBase(of: stream)
        let start = shift.ticks(base)
        var decodingTime = stored(unit.decodingTime, stream).ticks(base) - start
        // Times that rise by less than the container counts are a count apart.
        if let last = lastDecodingTime[stream], unit.decodingTime > last.time {
            decodingTime = max(decodingTime, last.ticks + 1)
        }
        if let last = lastDecodingTime[stream], decodingTime <= last.ticks {
            throw CodecError(
                call: "write",
                code: 0,
                text: "a packet's decoding time, \(unit.decodingTime), is not after the one before",
                subject: "\(subject) stream \(stream)"
            )
        }
        lastDecodingTime[stream] = (decodingTime, unit.decodingTime)
        unsafe pointer.pointee.stream_index = Int32(stream)
        unsafe pointer.pointee.dts = decodingTime
        unsafe pointer.pointee.pts = max(
            stored(unit.packet.presentationTime, stream).ticks(base) - start,
            decodingTime
        )
        unsafe pointer.pointee.duration = unit.duration.ticks(base)
        unsafe pointer.pointee.flags = unit.isKey ? AV_PKT_FLAG_KEY : 0
        unsafe pointer.pointee.size = Int32(unit.packet.bytes.count)
        try markPadding(unit, stream)
        let code = unsafe unit.packet.bytes.withUnsafePointer { bytes in
            unsafe pointer.pointee.data = UnsafeMutablePointer(mutating: bytes)
            defer { unsafe pointer.pointee.data = nil }
            return unsafe av_write_frame(opened.pointer, pointer)
        }
        unsafe pointer.pointee.size = 0
        try io.rethrow()
        try check("av_write_frame", code, "\(subject) stream \(stream)")
    }

    /// Adds a chapter; mov keeps none, since its chapters are a track that must be there from the start.
    ///
    /// - Parameters:
    ///   - title: its name.
    ///   - start: where it begins.
    ///   - end: where it ends.
    /// - Throws: `CodecError` when memory ran out.
    public mutating func addChapter(_ title: String, from start: MediaTime, to end: MediaTime)
        throws(CodecError)
    {
        let base = AVRational(num: 1, den: 1000)
        let first = max(0, start.ticks(base))
        chapters += 1
        try opened.addChapter(title, chapters, first..<max(first, end.ticks(base)), base)
    }

    /// A time as it is stored: readers of Matroska take off the priming that it declares.
    private func stored(_ time: MediaTime, _ stream: Int) -> MediaTime {
        guard container == .mkv, !foxfire_matroska_moves_priming, streams[stream].codec == "opus",
            case .audio(let format, let priming, _) = streams[stream].content
        else { return time }
        return time.converted(to: Int32(format.sampleRate)).advanced(by: Int64(priming))
    }

    /// Tells Matroska how much of a short last packet is not to be heard; others go by duration.
    private func markPadding(_ unit: EncodedUnit, _ stream: Int) throws(CodecError) {
        guard container == .mkv, case .audio(let format, _, let length) = streams[stream].content,
            streams[stream].codec == "opus" || streams[stream].codec == "aac", length > 0
        else { return }
        let held = unit.duration.converted(to: Int32(format.sampleRate)).value
        guard held < length else { return }
        let data = unsafe av_packet_new_side_data(
            packet.pointer,
            AV_PKT_DATA_SKIP_SAMPLES,
            10
        )
        let bytes = unsafe try allocated("av_packet_new_side_data", data)
        let padding = UInt32(Int64(length) - held)
        for index in 0..<10 {
            // Four bytes of samples to skip at the start, four at the end, two of reasons.
            let isEnd = (4..<8).contains(index)
            unsafe bytes[index] =
                isEnd ? UInt8(truncatingIfNeeded: padding >> (8 * (index - 4))) : 0
        }
    }

    /// Writes what belongs at the end; the file is whole then, and may be committed.
    ///
    /// - Throws: `FileError` when writing fails.
    public consuming func finish() throws {
        let code = unsafe av_write_trailer(opened.pointer)
        unsafe avio_flush(io.pointer)
        try io.rethrow()
        try check("av_write_trailer", code, subject)
        try check("avio_flush", unsafe io.pointer.pointee.error, subject)
    }
}

extension MediaTime {
    /// The time in a library's counts, to the nearest.
    func ticks(_ base: AVRational) -> Int64 {
        let doubled = 2 * Int128(value) * Int128(base.den)
        let divisor = 2 * Int128(scale) * Int128(base.num)
        let (quotient, remainder) = (doubled + divisor / 2).quotientAndRemainder(
            dividingBy: divisor
        )
        return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
    }
}
