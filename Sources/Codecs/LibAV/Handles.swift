import CLibAV

/// Owns an `AVPacket`.
@safe struct PacketHandle: ~Copyable {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(CodecError) {
        unsafe pointer = try allocated("av_packet_alloc", av_packet_alloc())
    }

    deinit {
        var owned: UnsafeMutablePointer<AVPacket>? = unsafe pointer
        unsafe av_packet_free(&owned)
    }

    /// Lets go of what the packet refers to.
    func clear() { unsafe av_packet_unref(pointer) }
}

extension UnsafeMutablePointer<AVPacket> {
    /// Moves the packet's times by `seconds`, to the nearest count of its stream's clock.
    func move(by seconds: Double, _ base: AVRational) {
        let counts = seconds / Double(base.num) * Double(base.den)
        guard counts.magnitude < 0x1p62 else { return }
        let shift = Int64(counts.rounded())
        func moved(_ time: Int64) -> Int64 {
            if time == foxfire_no_time { return time }
            let (sum, overflow) = time.addingReportingOverflow(shift)
            return overflow ? time : sum
        }
        unsafe pointee.pts = moved(pointee.pts)
        unsafe pointee.dts = moved(pointee.dts)
    }
}

/// Owns an `AVFrame`.
@safe struct FrameHandle: ~Copyable {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() throws(CodecError) {
        unsafe pointer = try allocated("av_frame_alloc", av_frame_alloc())
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFrame>? = unsafe pointer
        unsafe av_frame_free(&owned)
    }

    /// Lets go of what the frame refers to.
    func clear() { unsafe av_frame_unref(pointer) }

    /// The address of plane `index`; null when the frame has none.
    func plane(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
        // `extended_data` reaches beyond the eight planes of `data`: audio may have 64 channels.
        unsafe pointer.pointee.extended_data[index]
    }

    /// Bytes from one row of plane `index` (0…3) to the next; negative when stored upside down.
    func stride(_ index: Int) -> Int {
        let sizes = unsafe pointer.pointee.linesize
        switch index {
        case 0: return Int(sizes.0)
        case 1: return Int(sizes.1)
        case 2: return Int(sizes.2)
        default: return Int(sizes.3)
        }
    }
}

/// Owns an `AVCodecContext`.
@safe struct CodecHandle: ~Copyable {
    let pointer: UnsafeMutablePointer<AVCodecContext>

    init(_ codec: UnsafePointer<AVCodec>) throws(CodecError) {
        _ = LibraryLog.installed
        unsafe pointer = try allocated("avcodec_alloc_context3", avcodec_alloc_context3(codec))
    }

    deinit {
        var owned: UnsafeMutablePointer<AVCodecContext>? = unsafe pointer
        unsafe avcodec_free_context(&owned)
    }

    /// Sets one of the codec's private options.
    func set(_ option: String, _ value: String, _ subject: String) throws(CodecError) {
        try check(
            "av_opt_set",
            unsafe av_opt_set(pointer.pointee.priv_data, option, value, 0),
            "\(subject) option \(option)=\(value)"
        )
    }
}

/// Owns an `AVDictionary`, as options and metadata are handed over.
@safe struct DictionaryHandle: ~Copyable {
    var pointer: OpaquePointer?

    init() { unsafe pointer = nil }

    deinit {
        var owned = unsafe pointer
        unsafe av_dict_free(&owned)
    }

    mutating func set(_ key: String, _ value: String) throws(CodecError) {
        try check("av_dict_set", unsafe av_dict_set(&pointer, key, value, 0), key)
    }
}

/// The entries of a dictionary that stays the library's.
func entries(of dictionary: OpaquePointer?) -> [String: String] {
    var result: [String: String] = [:]
    var entry: UnsafeMutablePointer<AVDictionaryEntry>? = nil
    while true {
        unsafe entry = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
        guard let found = unsafe entry else { return result }
        let key = unsafe String(cString: found.pointee.key)
        result[key] = unsafe String(cString: found.pointee.value)
    }
}

/// A copy of bytes in the library's own memory, with the zeros behind it that its readers want.
func paddedCopy(_ bytes: [UInt8]) throws(CodecError) -> UnsafeMutablePointer<UInt8> {
    guard let memory = unsafe av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
        throw CodecError(
            call: "av_mallocz",
            code: foxfire_error_nomem,
            text: "out of memory",
            subject: "libav"
        )
    }
    unsafe memory.copyMemory(from: bytes, byteCount: bytes.count)
    return unsafe memory.assumingMemoryBound(to: UInt8.self)
}
