import CLibAV
import Media

/// How much of a file may be looked at, and how big what it holds may be.
public struct ReadLimits: Sendable {
    /// Bytes read to find out what a file is.
    public var probeBytes: Int
    /// Streams a file may have.
    public var streams: Int

    /// The limits that any sensible file keeps.
    public init(probeBytes: Int = 5_000_000, streams: Int = 256) {
        self.probeBytes = probeBytes
        self.streams = streams
    }
}

extension MediaInfo {
    /// Opens a file, tells what it holds, and closes it.
    ///
    /// - Parameters:
    ///   - path: a file; `-` is standard input, which is then spent.
    ///   - limits: how much may be looked at.
    /// - Throws: `FileError` when the file cannot be read, `CodecError` when it is no media file.
    public init(probing path: String, limits: ReadLimits = ReadLimits()) throws {
        self = try InputHandle(FactoryHeader.mending(FileSource(path: path)), limits: limits).info()
    }

    /// Tells what a source of bytes holds; the source is then spent.
    ///
    /// - Parameters:
    ///   - source: where bytes come from.
    ///   - limits: how much may be looked at.
    /// - Throws: what the source throws, or `CodecError` when it is no media file.
    public init(probing source: any ByteSource, limits: ReadLimits = ReadLimits()) throws {
        self = try InputHandle(source, limits: limits).info()
    }
}

/// Owns an `AVFormatContext` that was opened for reading.
@safe struct OpenedInput: ~Copyable {
    let pointer: UnsafeMutablePointer<AVFormatContext>

    deinit {
        var owned: UnsafeMutablePointer<AVFormatContext>? = unsafe pointer
        unsafe avformat_close_input(&owned)
    }
}

/// An opened media file: the container, and what its bytes come from.
@safe struct InputHandle: ~Copyable {
    // The container goes before the reader that it reads through.
    private let opened: OpenedInput
    let io: InputIO
    let name: String
    let byteCount: Int64?

    /// Formats that any text fits: taking one of them would hide that a file is no media file.
    private static let textFormats: Set<String> = ["tty", "bin", "xbin", "adf", "idf"]

    init(_ source: any ByteSource, limits: ReadLimits) throws {
        _ = LibraryLog.installed
        _ = LibraryLog.takeLast()
        let name = source.name
        self.name = name
        byteCount = source.length
        if source.length == 0 {
            throw CodecError(
                call: "open",
                code: 0,
                text: "the file is empty",
                subject: source.name
            )
        }
        let io = try InputIO(source)
        let context = unsafe try allocated("avformat_alloc_context", avformat_alloc_context())
        unsafe context.pointee.pb = io.pointer
        unsafe context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        unsafe context.pointee.probesize = Int64(limits.probeBytes)
        unsafe context.pointee.max_streams = Int32(clamping: limits.streams)
        // A playlist must not make us open other files or hosts.
        unsafe context.pointee.io_open = { _, _, _, _, _ in foxfire_error_denied }
        var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        // No name: what a file is follows from its bytes, not from what it is called.
        // On failure the library frees the context, but not our reader.
        let code = unsafe avformat_open_input(&opened, "", nil, nil)
        guard code >= 0, let opened = unsafe opened else {
            try io.rethrow()
            throw Self.notMedia(
                "avformat_open_input",
                code,
                source,
                head: io.state.head
            )
        }
        let owned = unsafe OpenedInput(pointer: opened)
        let format = unsafe String(cString: opened.pointee.iformat.pointee.name)
        if Self.textFormats.contains(format) {
            throw Self.notMedia(
                "avformat_open_input",
                foxfire_error_invalid_data,
                source,
                head: []
            )
        }
        let found = unsafe avformat_find_stream_info(opened, nil)
        try io.rethrow()
        try check("avformat_find_stream_info", found, name)
        self.opened = owned
        self.io = io
    }

    var pointer: UnsafeMutablePointer<AVFormatContext> { unsafe opened.pointer }

    private static func notMedia(
        _ call: String,
        _ code: Int32,
        _ source: any ByteSource,
        head: [UInt8]
    ) -> CodecError {
        let name = source.name
        if code == foxfire_error_eof, head.isEmpty {
            return CodecError(call: call, code: code, text: "there is nothing in it", subject: name)
        }
        let isMovie = head.count >= 8 && Array(head[4..<8]) == Array("ftyp".utf8)
        if isMovie {
            let isPipe = source.length == nil
            return CodecError(
                call: call,
                code: code,
                text: describe(code),
                subject: name,
                hint: isPipe
                    ? "from a pipe a movie can be read only when its index comes first"
                    : "a movie without its index was cut short, or is not finished yet"
            )
        }
        if code != foxfire_error_invalid_data && code != foxfire_error_eof {
            return CodecError(call: call, code: code, text: describe(code), subject: name)
        }
        return CodecError(
            call: call,
            code: code,
            text: "not a media file: \(describe(code))",
            subject: name,
            hint: "any file that FFmpeg plays is taken; ffprobe tells more"
        )
    }

    var streamCount: Int { Int(unsafe pointer.pointee.nb_streams) }

    /// The library's stream `index`; null when there is none.
    func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
        guard (0..<streamCount).contains(index) else { return nil }
        return unsafe pointer.pointee.streams[index]
    }

    /// The container's short name.
    var container: String { unsafe String(cString: pointer.pointee.iformat.pointee.name) }

    /// Whether the container's clock starts anywhere, so that its first time means nothing.
    var clockIsArbitrary: Bool {
        !(container.hasPrefix("mov") || container.hasPrefix("matroska"))
    }

    func info() -> MediaInfo {
        let format = unsafe pointer.pointee
        let streams = (0..<streamCount).map { describeStream($0) }
        let audio = best(AVMEDIA_TYPE_AUDIO, streams)
        let video = best(AVMEDIA_TYPE_VIDEO, streams)
        return MediaInfo(
            container: container,
            containerTitle: unsafe format.iformat.pointee.long_name.map {
                unsafe String(cString: $0)
            }
                ?? container,
            duration: Fraction(unsafe format.duration, AVRational(num: 1, den: AV_TIME_BASE))?.time,
            durationIsEstimated: unsafe format.duration_estimation_method
                == AVFMT_DURATION_FROM_BITRATE,
            byteCount: byteCount,
            bitRate: positive(unsafe format.bit_rate),
            metadata: unsafe entries(of: format.metadata),
            streams: streams,
            bestAudio: audio,
            bestVideo: video
        )
    }

    /// The stream of a kind that a player would take, if we can decode it.
    private func best(_ kind: AVMediaType, _ streams: [StreamInfo]) -> Int? {
        let index = Int(unsafe av_find_best_stream(pointer, kind, -1, -1, nil, 0))
        func fits(_ index: Int) -> Bool {
            switch streams[index].content {
            case .audio: kind == AVMEDIA_TYPE_AUDIO
            case .video: kind == AVMEDIA_TYPE_VIDEO
            case .other: false
            }
        }
        if index >= 0, fits(index) { return index }
        return streams.indices.first(where: fits)
    }
}

/// A number that means something only when positive.
func positive(_ value: Int64) -> Int64? { value > 0 ? value : nil }
