import CLibAV
public import Media

/// Changes the sample rate of audio, by the soxr engine at a precision of 28 bits, and its channels.
///
/// Output is aligned with input, and n input samples give round(n · out / in). Blocks of any size give
/// the same samples. Latency: the filter's half length, some milliseconds, given back at the end.
/// Channels are mixed by libswresample's matrix for the default layouts (ITU-R BS.775), scaled so that
/// nothing clips that did not before; mono goes to both sides at its own level.
public struct Resampler: ~Copyable {
    /// What it takes.
    public let source: AudioFormat
    /// What it gives.
    public let target: AudioFormat
    private let context: ResamplerHandle
    private var taken: Int64 = 0
    private var given: Int64 = 0
    private var isFinished = false

    /// Makes a resampler.
    ///
    /// - Parameters:
    ///   - source: what it takes.
    ///   - target: what it gives.
    /// - Throws: `CodecError` when the library cannot.
    public init(from source: AudioFormat, to target: AudioFormat) throws(CodecError) {
        let context = try ResamplerHandle.open(source, target)
        self.source = source
        self.target = target
        self.context = context
    }

    /// Takes one block, which must have the format `source`.
    ///
    /// - Returns: what came out; nil while nothing does.
    public mutating func process(_ block: AudioBlock) throws(CodecError) -> AudioBlock? {
        precondition(!isFinished, "A finished resampler takes no audio.")
        precondition(block.format == source, "A resampler takes blocks of its source format.")
        taken += Int64(block.frameCount)
        let room = context.room(for: block.frameCount)
        return try convert(block, room: room, most: .max)
    }

    /// Gives what is left, so that the whole has its exact length.
    public mutating func finish() throws(CodecError) -> AudioBlock? {
        precondition(!isFinished, "A resampler is finished once.")
        isFinished = true
        let wanted = wantedLength - given
        guard wanted > 0 else { return nil }
        return try convert(nil, room: Int(wanted), most: Int(wanted))
    }

    /// round(n · out / in), halves up.
    private var wantedLength: Int64 {
        let (rateIn, rateOut) = (Int64(source.sampleRate), Int64(target.sampleRate))
        let doubled = 2 * Int128(taken) * Int128(rateOut) + Int128(rateIn)
        return Int64(doubled / (2 * Int128(rateIn)))
    }

    private mutating func convert(_ block: AudioBlock?, room: Int, most: Int) throws(CodecError)
        -> AudioBlock?
    {
        if room == 0 { return nil }
        let channels = target.channels
        var scratch = Writable<Float>(repeating: 0, count: room * channels)
        let count: Int
        do {
            count = try unsafe scratch.withUnsafeMutablePointer { output throws(CodecError) in
                let outputs = unsafe (0..<channels).map {
                    unsafe UnsafeMutableRawPointer(output + $0 * room)
                        .assumingMemoryBound(to: UInt8.self) as UnsafeMutablePointer<UInt8>?
                }
                return try unsafe context.convert(block, into: outputs, room: room)
            }
        }
        // At the end what the filter lacks is silence, and what it has too much is cut.
        let kept = block == nil ? most : count
        if kept == 0 { return nil }
        given += Int64(kept)
        if kept == room { return AudioBlock(format: target, samples: scratch) }
        var samples = Writable<Float>(uninitialized: kept * channels)
        scratch.withSpan { all in
            samples.withMutableSpan { out in
                for channel in 0..<channels {
                    for index in 0..<kept {
                        out[channel * kept + index] = all[channel * room + index]
                    }
                }
            }
        }
        return AudioBlock(format: target, samples: samples)
    }
}

/// Owns an `SwrContext`.
@safe struct ResamplerHandle: ~Copyable {
    let pointer: OpaquePointer
    let channels: Int

    static func open(_ source: AudioFormat, _ target: AudioFormat) throws(CodecError) -> Self {
        _ = LibraryLog.installed
        let subject = "resampler \(source) to \(target)"
        var context: OpaquePointer? = nil
        var (from, to) = unsafe (AVChannelLayout(), AVChannelLayout())
        unsafe av_channel_layout_default(&from, Int32(source.channels))
        unsafe av_channel_layout_default(&to, Int32(target.channels))
        let code = unsafe swr_alloc_set_opts2(
            &context,
            &to,
            AV_SAMPLE_FMT_FLTP,
            Int32(target.sampleRate),
            &from,
            AV_SAMPLE_FMT_FLTP,
            Int32(source.sampleRate),
            0,
            nil
        )
        try check("swr_alloc_set_opts2", code, subject)
        let handle = unsafe ResamplerHandle(
            pointer: try allocated("swr_alloc_set_opts2", context),
            channels: source.channels
        )
        let raw = unsafe UnsafeMutableRawPointer(handle.pointer)
        try check("av_opt_set", unsafe av_opt_set(raw, "resampler", "soxr", 0), subject)
        try check("av_opt_set", unsafe av_opt_set_double(raw, "precision", 28, 0), subject)
        // For floats the library would let a mix go beyond full scale.
        try check("av_opt_set", unsafe av_opt_set_double(raw, "rematrix_maxval", 1, 0), subject)
        if source.channels == 1, target.channels == 2 {
            // The matrix takes 3 dB off mono for either side; a copy has its level.
            let volume = 2.0.squareRoot()
            let code = unsafe av_opt_set_double(raw, "rematrix_volume", volume, 0)
            try check("av_opt_set", code, subject)
        }
        try check("swr_init", unsafe swr_init(handle.pointer), subject)
        return handle
    }

    deinit {
        var owned: OpaquePointer? = unsafe pointer
        unsafe swr_free(&owned)
    }

    /// How many samples may come out when `count` more go in.
    func room(for count: Int) -> Int {
        max(0, Int(unsafe swr_get_out_samples(pointer, Int32(count))))
    }

    /// Converts a block, or with nil the rest; returns how many samples came out.
    func convert(
        _ block: AudioBlock?,
        into outputs: [UnsafeMutablePointer<UInt8>?],
        room: Int
    ) throws(CodecError) -> Int {
        var outputs = unsafe outputs
        guard let block else {
            return Int(
                try check(
                    "swr_convert",
                    unsafe swr_convert(pointer, &outputs, Int32(room), nil, 0),
                    "resampler"
                )
            )
        }
        let code = unsafe block.samples.withUnsafePointer { samples in
            var inputs = unsafe (0..<channels).map {
                unsafe UnsafeRawPointer(samples + $0 * block.frameCount)
                    .assumingMemoryBound(to: UInt8.self) as UnsafePointer<UInt8>?
            }
            return unsafe swr_convert(
                pointer,
                &outputs,
                Int32(room),
                &inputs,
                Int32(block.frameCount)
            )
        }
        return Int(try check("swr_convert", code, "resampler"))
    }
}
