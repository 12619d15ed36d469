import CLibAV
public import Media

/// What was found when a written film was read back, packet by packet.
public struct FilmCheck: Sendable {
    /// How much of a film is decoded to see whether it can be.
    public enum Depth: String, Sendable, CaseIterable {
        /// Nothing: packets are counted, and their times read.
        case packets
        /// The first and the last second.
        case fast
        /// Everything.
        case full
    }

    /// What was found of one stream.
    public struct Stream: Sendable {
        /// What it carries, as the container says.
        public let info: StreamInfo
        /// Packets, without those that only prime a decoder.
        public let packetCount: Int
        /// When it begins, as shown or heard.
        public let start: MediaTime
        /// When it ends, as shown or heard.
        public let end: MediaTime
        /// Frames of video or samples of audio that were decoded; nil when not all were.
        public let decodedCount: Int64?
    }

    /// The streams, as numbered in the file.
    public let streams: [Stream]

    /// Seconds between the first and the last end of the streams.
    public var drift: Double {
        let ends = streams.map(\.end.seconds)
        return (ends.max() ?? 0) - (ends.min() ?? 0)
    }

    /// The end of the longest stream.
    public var length: MediaTime { streams.map(\.end).max() ?? .zero }

    /// Reads a film back.
    ///
    /// - Parameters:
    ///   - path: the film.
    ///   - depth: how much of it is decoded.
    /// - Throws: `FileError` when it cannot be read; `CodecError` when it cannot be opened, decoding
    ///   times do not rise, it is cut short, or a packet cannot be decoded.
    public init(path: String, depth: Depth = .fast) throws {
        let input = try InputHandle(FileSource(path: path), limits: ReadLimits())
        let infos = input.info().streams
        var walk = try Walk(input, infos, depth)
        try walk.run(input)
        streams = walk.found(infos)
        if streams.isEmpty {
            throw CodecError(
                call: "read back",
                code: 0,
                text: "it has no stream with packets",
                subject: path
            )
        }
    }
}

/// One pass over a film's packets, decoding those that are asked for.
private struct Walk: ~Copyable {
    private struct Tally {
        var packets = 0
        var start: Fraction?
        var end: Fraction?
        var decodingTime: Int64?
        var decoded: Int64 = 0
    }

    private let depth: FilmCheck.Depth
    private let packet: PacketHandle
    private let decoders: [StreamDecoder?]
    private var tallies: [Tally]

    /// How much of each end is decoded.
    private static let window = 1.0

    init(_ input: borrowing InputHandle, _ infos: [StreamInfo], _ depth: FilmCheck.Depth) throws {
        var decoders: [StreamDecoder?] = []
        for (index, info) in infos.enumerated() {
            if case .other = info.content {
                decoders.append(nil)
            } else {
                decoders.append(try StreamDecoder(input, index))
            }
        }
        let packet = try PacketHandle()
        self.packet = packet
        self.depth = depth
        self.decoders = decoders
        tallies = Array(repeating: Tally(), count: infos.count)
    }

    mutating func run(_ input: borrowing InputHandle) throws {
        try read(input) { walk, index, time in
            try walk.count(index, input)
            if walk.depth == .full || walk.depth == .fast && time < Self.window {
                try walk.decode(index, input.name)
            }
        }
        if depth == .packets { return }
        if depth == .full {
            try flush(input.name)
            return
        }
        try flush(input.name)
        try decodeEnd(input)
    }

    /// Decodes the last second, from the key frame before it.
    private mutating func decodeEnd(_ input: borrowing InputHandle) throws {
        let end = tallies.compactMap(\.end).max()?.seconds ?? 0
        if end <= Self.window { return }
        let from = Int64((end - Self.window) * Double(AV_TIME_BASE))
        try check(
            "av_seek_frame",
            unsafe av_seek_frame(input.pointer, -1, from, AVSEEK_FLAG_BACKWARD),
            input.name
        )
        for decoder in decoders { decoder?.reset() }
        try read(input) { walk, index, _ in try walk.decode(index, input.name) }
        try flush(input.name)
    }

    private mutating func read(
        _ input: borrowing InputHandle,
        _ body: (inout Walk, Int, Double) throws -> Void
    ) throws {
        while true {
            let code = unsafe av_read_frame(input.pointer, packet.pointer)
            if code == foxfire_error_eof { return }
            try input.io.rethrow()
            try check("av_read_frame", code, input.name)
            defer { packet.clear() }
            let index = unsafe Int(packet.pointer.pointee.stream_index)
            guard tallies.indices.contains(index), let stream = unsafe input.stream(index) else {
                continue
            }
            let stamp = unsafe packet.pointer.pointee.pts
            let time = unsafe Fraction(stamp, stream.pointee.time_base)?.seconds ?? 0
            try body(&self, index, time)
        }
    }

    /// Takes note of where the packet lies.
    private mutating func count(_ index: Int, _ input: borrowing InputHandle) throws {
        let raw = unsafe packet.pointer.pointee
        guard let stream = unsafe input.stream(index) else { return }
        let base = unsafe stream.pointee.time_base
        let subject = "\(input.name) stream \(index)"
        let stamp = unsafe raw.pts
        guard let shown = Fraction(stamp, base) else {
            throw CodecError(
                call: "read back",
                code: 0,
                text: "a packet has no presentation time",
                subject: subject
            )
        }
        // Matroska stores no decoding times, and the library cannot always tell them.
        let hasDecodingTime = unsafe raw.dts != foxfire_no_time
        if hasDecodingTime, let last = tallies[index].decodingTime, unsafe raw.dts <= last {
            throw CodecError(
                call: "read back",
                code: 0,
                text: "decoding times do not rise at \(shown.time)",
                subject: subject
            )
        }
        if hasDecodingTime { tallies[index].decodingTime = unsafe raw.dts }
        if unsafe raw.flags & AV_PKT_FLAG_DISCARD != 0 { return }
        let length = unsafe length(of: raw.duration, stream)
        // Ogg's lengths leave out already what is not to be heard.
        let isCut = input.container == "ogg"
        let end = unsafe shown + length - (isCut ? .zero : padding(stream))
        // What primes a decoder ends at or before 0 and is not heard.
        if shown < .zero, end <= .zero { return }
        tallies[index].packets += 1
        let heard = max(shown, .zero)
        tallies[index].start = min(tallies[index].start ?? heard, heard)
        tallies[index].end = max(tallies[index].end ?? end, end)
    }

    /// How long a packet lasts; libavformat does not say it of pictures of 1000 a second and more.
    private func length(of duration: Int64, _ stream: UnsafeMutablePointer<AVStream>) -> Fraction {
        let rate = unsafe stream.pointee.avg_frame_rate
        if duration <= 0, rate.num > 0, rate.den > 0 {
            return Fraction(1, AVRational(num: rate.den, den: rate.num)) ?? .zero
        }
        return unsafe Fraction(duration, stream.pointee.time_base) ?? .zero
    }

    /// How much of the packet's end is not to be heard, in whole counts of the stream's clock.
    private func padding(_ stream: UnsafeMutablePointer<AVStream>) -> Fraction {
        var size = 0
        guard
            let data = unsafe av_packet_get_side_data(
                packet.pointer,
                AV_PKT_DATA_SKIP_SAMPLES,
                &size
            ), size >= 8
        else { return .zero }
        // Bytes 4 to 7 tell the samples to drop at the end, the lowest byte first.
        var samples: Int64 = 0
        for index in 0..<4 { unsafe samples |= Int64(data[4 + index]) << (8 * index) }
        let rate = unsafe stream.pointee.codecpar.pointee.sample_rate
        let base = unsafe stream.pointee.time_base
        guard let told = Fraction(samples, AVRational(num: 1, den: max(1, rate))) else {
            return .zero
        }
        return Fraction(MediaTime(told.counts(of: base.den), base.den))
    }

    private mutating func decode(_ index: Int, _ name: String) throws {
        guard let decoder = decoders[index] else { return }
        tallies[index].decoded += try unsafe decoder.decode(
            packet.pointer,
            "\(name) stream \(index)"
        )
    }

    private mutating func flush(_ name: String) throws {
        for index in decoders.indices {
            guard let decoder = decoders[index] else { continue }
            tallies[index].decoded += try unsafe decoder.decode(nil, "\(name) stream \(index)")
        }
    }

    func found(_ infos: [StreamInfo]) -> [FilmCheck.Stream] {
        zip(infos, tallies).compactMap { info, tally in
            guard let start = tally.start, let end = tally.end else { return nil }
            return FilmCheck.Stream(
                info: info,
                packetCount: tally.packets,
                start: start.time,
                end: end.time,
                decodedCount: depth == .full ? tally.decoded : nil
            )
        }
    }
}

/// A decoder in a box, since arrays hold no handles.
private final class StreamDecoder {
    private var decoder: Decoder

    init(_ input: borrowing InputHandle, _ index: Int) throws {
        guard let stream = unsafe input.stream(index) else {
            preconditionFailure("A film has no stream \(index).")
        }
        decoder = try unsafe Decoder(
            stream,
            threads: 0,
            subject: "\(input.name) stream \(index)"
        )
    }

    /// Decodes a packet and returns how many frames or samples came out.
    func decode(_ packet: UnsafeMutablePointer<AVPacket>?, _ subject: String) throws -> Int64 {
        func check(_ fault: DecodeFault?) throws(CodecError) {
            guard let fault else { return }
            throw CodecError(call: "read back", code: 0, text: fault.text, subject: subject)
        }
        try check(unsafe decoder.send(packet))
        var count: Int64 = 0
        loop: while true {
            switch try decoder.receive() {
            case .nothing: break loop
            case .fault(let fault): try check(fault)
            case .frame(let fault):
                try check(fault)
                let samples = unsafe Int64(decoder.frame.pointer.pointee.nb_samples)
                count += samples > 0 ? samples : 1
            }
        }
        return count
    }

    func reset() { decoder.reset() }
}
