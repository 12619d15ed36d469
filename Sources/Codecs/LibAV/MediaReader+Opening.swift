import CLibAV
import Media

extension MediaReader {
    /// The stream that a choice means.
    static func pick(
        _ choice: StreamChoice,
        _ kind: String,
        _ best: Int?,
        _ info: MediaInfo,
        _ name: String
    ) throws(CodecError) -> Int? {
        func fits(_ index: Int) -> Bool {
            guard info.streams.indices.contains(index) else { return false }
            switch info.streams[index].content {
            case .audio: return kind == "audio"
            case .video: return kind == "video"
            case .other: return false
            }
        }
        switch choice {
        case .none: return nil
        case .ifPresent: return best
        case .best:
            if let best { return best }
            throw CodecError(
                call: "open",
                code: 0,
                text: "it has no \(kind)" + unusable(kind, info),
                subject: name
            )
        case .stream(let index):
            if fits(index) { return index }
            let usable = info.streams.indices.filter(fits).map(String.init)
            throw CodecError(
                call: "open",
                code: 0,
                text: "stream \(index) is no \(kind) stream",
                subject: name,
                hint: usable.isEmpty
                    ? "it has no \(kind)"
                    : "its \(kind) streams are \(usable.joined(separator: ", "))"
            )
        }
    }

    /// Why streams of a kind are not taken, when there are any.
    private static func unusable(_ kind: String, _ info: MediaInfo) -> String {
        for stream in info.streams {
            if case .other(let why) = stream.content, why.hasPrefix(kind) { return ", but \(why)" }
        }
        return ""
    }

    private static func storesFloats(_ codec: AVCodecID) -> Bool {
        [
            AV_CODEC_ID_PCM_F32LE, AV_CODEC_ID_PCM_F32BE, AV_CODEC_ID_PCM_F64LE,
            AV_CODEC_ID_PCM_F64BE,
        ].contains(codec)
    }

    static func openAudio(
        _ index: Int?,
        _ input: borrowing InputHandle,
        _ info: MediaInfo,
        origin: Fraction,
        end: MediaTime?
    ) throws(CodecError) -> AudioTrack? {
        guard let index, let stream = unsafe input.stream(index),
            case .audio(let format) = info.streams[index].content
        else { return nil }
        let decoder = try unsafe Decoder(
            stream,
            threads: 1,
            subject: "\(input.name) stream \(index) (audio)"
        )
        let isOgg = input.container == "ogg"
        let isVorbisInOgg =
            unsafe isOgg && stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_VORBIS
        let clock = StreamClock(
            base: unsafe stream.pointee.time_base,
            durationsTrim: input.container.hasPrefix("mov") || isOgg && !isVorbisInOgg,
            endsTell: isVorbisInOgg,
            countsSamples: isOgg,
            isMadeUp: elementary.contains(input.container)
        )
        return AudioTrack(
            index: index,
            decoder: decoder,
            clock: clock,
            format: format,
            padding: unsafe Self.priming(stream.pointee.codecpar.pointee),
            storesFloats: unsafe Self.storesFloats(stream.pointee.codecpar.pointee.codec_id),
            origin: origin,
            end: end
        )
    }

    /// Formats without a clock: libavformat adds up lengths of packets, rounded each.
    private static let elementary: Set<String> = [
        "ac3", "eac3", "aac", "loas", "dts", "dtshd", "mlp", "truehd",
    ]

    /// Samples of priming: as the container tells, or as AAC encoders have it where it cannot.
    private static func priming(_ parameters: AVCodecParameters) -> Int {
        let (told, codec) = unsafe (Int(parameters.initial_padding), parameters.codec_id)
        return told == 0 && codec == AV_CODEC_ID_AAC ? 1024 : told
    }

    static func openVideo(
        _ index: Int?,
        _ input: borrowing InputHandle,
        _ info: MediaInfo,
        threads: Int,
        origin: Fraction,
        end: MediaTime?
    ) throws(CodecError) -> VideoTrack? {
        guard let index, let stream = unsafe input.stream(index),
            case .video(_, let rate) = info.streams[index].content
        else { return nil }
        let decoder = try unsafe Decoder(
            stream,
            threads: threads,
            subject: "\(input.name) stream \(index) (video)"
        )
        return VideoTrack(
            index: index,
            decoder: decoder,
            clock: StreamClock(base: unsafe stream.pointee.time_base),
            rate: rate,
            origin: origin,
            end: end
        )
    }

    /// Tells the library which streams need not be read.
    static func discardOthers(_ input: borrowing InputHandle, keeping wanted: [Int?]) {
        for index in 0..<input.streamCount where !wanted.contains(index) {
            guard let stream = unsafe input.stream(index) else { continue }
            unsafe stream.pointee.discard = AVDISCARD_ALL
        }
    }

    /// Moves to somewhere before `start` where reading from the beginning would only take longer.
    ///
    /// Only where times after a seek are exact; elsewhere everything before `start` is decoded and
    /// dropped, which no result shows.
    static func seek(
        _ input: borrowing InputHandle,
        _ info: MediaInfo,
        to start: Fraction,
        audio: Int?
    ) {
        guard info.byteCount != nil, start.seconds > 2 * preroll else { return }
        let isExact = info.container.hasPrefix("mov") || info.container == "wav"
        let isRounded = info.container.hasPrefix("matroska")
        let canCount = audio.map { countsFrames(info.streams[$0].codec) } ?? true
        guard isExact || isRounded && canCount else { return }
        let target = (start.seconds - preroll) * Double(AV_TIME_BASE)
        // A file whose index cannot be used is read from its beginning.
        unsafe av_seek_frame(input.pointer, -1, Int64(target), AVSEEK_FLAG_BACKWARD)
    }

    /// Seconds before the start that are decoded to fill the memory of audio decoders.
    private static let preroll = 1.0

    /// Whether a codec's frames are all of one length, so that a rounded time tells their number.
    private static func countsFrames(_ codec: String) -> Bool {
        ["aac", "opus", "mp3", "flac", "ac3", "eac3"].contains(codec)
    }

    /// The time on the file's clock that counts as 0.
    ///
    /// Where a container counts from its own zero a stream that starts late is late; where its clock
    /// may start anywhere, the first stream's start is zero.
    static func zero(_ input: borrowing InputHandle, _ info: MediaInfo) -> Fraction {
        guard input.clockIsArbitrary else { return .zero }
        let starts = info.streams.compactMap { stream -> Fraction? in
            if case .other = stream.content { return nil }
            return stream.startTime.map { Fraction($0) }
        }
        return starts.min() ?? .zero
    }
}
