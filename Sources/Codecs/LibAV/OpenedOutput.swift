import CLibAV
import Media

/// Owns an `AVFormatContext` that writes.
@safe struct OpenedOutput: ~Copyable {
    let pointer: UnsafeMutablePointer<AVFormatContext>

    init(_ container: Container, _ subject: String) throws(CodecError) {
        _ = LibraryLog.installed
        var context: UnsafeMutablePointer<AVFormatContext>? = nil
        let code = unsafe avformat_alloc_output_context2(
            &context,
            nil,
            container.libraryName,
            "output"
        )
        try check("avformat_alloc_output_context2", code, subject)
        unsafe pointer = try allocated("avformat_alloc_output_context2", context)
    }

    deinit { unsafe avformat_free_context(pointer) }

    /// Counts per second of pictures without a constant rate: a sample's length has 32 bits, so that finer
    /// ones would not hold gaps of seconds.
    private static let variableTimescale: Int32 = 1_000_000

    func timeBase(of stream: Int) -> AVRational {
        guard let stream = unsafe pointer.pointee.streams[stream] else {
            preconditionFailure("A stream that was added is there.")
        }
        return unsafe stream.pointee.time_base
    }

    /// Lets the library read the file it writes, which moving the index to the front needs.
    ///
    /// It asks for that by name; all names mean our own unfinished file.
    func allowReadingBack() {
        unsafe pointer.pointee.io_open = { context, result, _, flags, _ in
            guard let context = unsafe context, let result = unsafe result,
                flags & AVIO_FLAG_WRITE == 0, let opaque = unsafe context.pointee.opaque
            else { return foxfire_error_denied }
            let state = unsafe Unmanaged<OutputIO.State>.fromOpaque(opaque).takeUnretainedValue()
            do {
                unsafe result.pointee = try state.openReader()
                return 0
            } catch {
                if state.failure == nil { state.failure = error }
                return foxfire_error_io
            }
        }
        unsafe pointer.pointee.io_close2 = { context, _ in
            if let opaque = unsafe context?.pointee.opaque {
                unsafe Unmanaged<OutputIO.State>.fromOpaque(opaque).takeUnretainedValue().reader =
                    nil
            }
            return 0
        }
    }

    /// Adds a stream of a format.
    func add(_ format: EncodedFormat, _ container: Container, _ subject: String)
        throws(CodecError)
    {
        let stream = unsafe try allocated("avformat_new_stream", avformat_new_stream(pointer, nil))
        guard let parameters = unsafe stream.pointee.codecpar,
            let codec = unsafe avcodec_descriptor_get_by_name(format.codec)
        else {
            throw CodecError(
                call: "avcodec_descriptor_get_by_name",
                code: 0,
                text: "there is no codec \"\(format.codec)\"",
                subject: subject
            )
        }
        unsafe parameters.pointee.codec_id = codec.pointee.id
        unsafe parameters.pointee.codec_type = codec.pointee.type
        unsafe parameters.pointee.profile = format.profile ?? FF_PROFILE_UNKNOWN
        unsafe parameters.pointee.level = format.level ?? FF_LEVEL_UNKNOWN
        unsafe parameters.pointee.bit_rate = format.bitRate ?? 0
        switch format.content {
        case .video(let picture, let rate):
            unsafe Self.describe(picture, rate, stream, parameters)
            if format.codec == "hevc", container == .mp4 || container == .mov {
                // Apple's players take no other tag.
                unsafe parameters.pointee.codec_tag = foxfire_tag_hvc1
            }
        case .audio(let audio, let priming, let length):
            unsafe parameters.pointee.sample_rate = Int32(audio.sampleRate)
            unsafe av_channel_layout_default(
                &parameters.pointee.ch_layout,
                Int32(audio.channels)
            )
            unsafe parameters.pointee.initial_padding = Int32(priming)
            unsafe parameters.pointee.frame_size =
                format.codec.hasPrefix("pcm_") ? 0 : Int32(length)
            let bits = unsafe av_get_bits_per_sample(codec.pointee.id)
            unsafe parameters.pointee.bits_per_coded_sample = bits
            unsafe parameters.pointee.block_align = bits * Int32(audio.channels) / 8
            if format.codec == "opus" { unsafe parameters.pointee.seek_preroll = 3840 }
            unsafe stream.pointee.time_base = AVRational(num: 1, den: Int32(audio.sampleRate))
        }
        try unsafe Self.setConfiguration(format.configuration, parameters)
    }

    private static func describe(
        _ picture: VideoFormat,
        _ rate: Rate?,
        _ stream: UnsafeMutablePointer<AVStream>,
        _ parameters: UnsafeMutablePointer<AVCodecParameters>
    ) {
        unsafe parameters.pointee.width = Int32(picture.width)
        unsafe parameters.pointee.height = Int32(picture.height)
        unsafe parameters.pointee.format = picture.layout.libraryFormat.rawValue
        unsafe parameters.pointee.color_space = picture.color.libraryMatrix
        unsafe parameters.pointee.color_range = picture.color.libraryRange
        unsafe parameters.pointee.color_primaries = picture.color.libraryPrimaries
        unsafe parameters.pointee.color_trc = picture.color.libraryTransfer
        unsafe parameters.pointee.chroma_location = AVCHROMA_LOC_LEFT
        unsafe parameters.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        unsafe stream.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        guard let rate else {
            unsafe stream.pointee.time_base = AVRational(num: 1, den: Self.variableTimescale)
            return
        }
        unsafe stream.pointee.time_base = AVRational(num: rate.denominator, den: rate.numerator)
        unsafe stream.pointee.avg_frame_rate = AVRational(
            num: rate.numerator,
            den: rate.denominator
        )
    }

    private static func setConfiguration(
        _ bytes: [UInt8],
        _ parameters: UnsafeMutablePointer<AVCodecParameters>
    ) throws(CodecError) {
        if bytes.isEmpty { return }
        // The parameters own it from here on.
        unsafe parameters.pointee.extradata = try paddedCopy(bytes)
        unsafe parameters.pointee.extradata_size = Int32(bytes.count)
    }

    func setMetadata(_ metadata: [String: String]) throws(CodecError) {
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            try check(
                "av_dict_set",
                unsafe av_dict_set(&pointer.pointee.metadata, key, value, 0),
                key
            )
        }
    }

    /// Adds a chapter; readers of mp4 and mkv get them when the file is ended.
    func addChapter(_ title: String, _ number: Int, _ range: Range<Int64>, _ base: AVRational)
        throws(CodecError)
    {
        let memory = unsafe av_mallocz(MemoryLayout<AVChapter>.size)
        let chapter = unsafe try allocated(
            "av_mallocz",
            memory?.assumingMemoryBound(to: AVChapter.self)
        )
        unsafe chapter.pointee.id = Int64(number)
        unsafe chapter.pointee.time_base = base
        unsafe chapter.pointee.start = range.lowerBound
        unsafe chapter.pointee.end = range.upperBound
        let code = unsafe av_dict_set(&chapter.pointee.metadata, "title", title, 0)
        var count = Int32(clamping: unsafe pointer.pointee.nb_chapters)
        // The context owns it from here on; where there is no memory, it frees the whole list.
        let added = unsafe av_dynarray_add_nofree(&pointer.pointee.chapters, &count, chapter)
        try check("av_dynarray_add_nofree", added, "chapter")
        unsafe pointer.pointee.nb_chapters = UInt32(count)
        try check("av_dict_set", code, "chapter")
    }

    func writeHeader(
        _ container: Container,
        _ streams: [EncodedFormat],
        keepsKeys: Bool,
        indexFirst: Bool,
        _ io: borrowing OutputIO,
        _ subject: String
    ) throws {
        var options = DictionaryHandle()
        switch container {
        case .mp4, .mov:
            var flags = indexFirst ? "+faststart" : ""
            // Keys of our own survive only in the form that leaves the common ones out.
            if keepsKeys { flags += "+use_metadata_tags" }
            if !flags.isEmpty { try options.set("movflags", flags) }
            try options.set("movie_timescale", "\(Self.movieTimescale(streams))")
        case .wav: try options.set("rf64", "auto")
        case .mkv, .flac, .ogg: break
        }
        let code = unsafe avformat_write_header(pointer, &options.pointer)
        try io.rethrow()
        try check("avformat_write_header", code, subject)
    }

    /// Counts per second in which mp4 tells the lengths of its edits: whole for samples and frames.
    private static func movieTimescale(_ streams: [EncodedFormat]) -> Int {
        var scale = 1
        for stream in streams {
            let wanted =
                switch stream.content {
                case .audio(let format, _, _): format.sampleRate
                case .video(_, let rate): Int(rate?.numerator ?? variableTimescale)
                }
            var (a, b) = (scale, wanted)
            while b != 0 { (a, b) = (b, a % b) }
            let common = scale / a * wanted
            scale = common <= 10_000_000 ? common : max(scale, wanted)
        }
        return max(scale, 1000)
    }
}
