public import Media

/// Writes audio as a WAV file with nothing in it but format and samples.
///
/// 16 bits have the plain header of 44 bytes that every player and every microcontroller reads; 24
/// bits and floats have the extensible one (WAVE_FORMAT_EXTENSIBLE) where there are more than two
/// channels, else the plain one. The file's sizes are written at the end; a stream has the largest
/// instead, which readers take for "until the end".
///
/// Source: "Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft, 1991;
/// "Multiple channel audio data and WAVE files", Microsoft, 2007.
public struct WAVWriter: ~Copyable {
    /// How a sample is stored.
    public enum SampleFormat: String, Sendable, CaseIterable {
        /// 16-bit integers.
        case pcm16
        /// 24-bit integers.
        case pcm24
        /// 32-bit floats, full scale ±1, not clipped.
        case float32

        /// Bytes of one sample.
        public var byteCount: Int {
            switch self {
            case .pcm16: 2
            case .pcm24: 3
            case .float32: 4
            }
        }
    }

    /// How a sample becomes an integer.
    public enum Rounding: String, Sendable, CaseIterable {
        /// To the nearest: the least error.
        case nearest
        /// Towards zero: no peak grows, and silence is approached from both sides alike.
        case towardZero = "toward-zero"

        /// A number as a whole one.
        ///
        /// By hand where it matters: without SSE 4.1 `rounded` calls the C library.
        @inline(__always) fileprivate func whole(_ value: Float) -> Float {
            // From here on every number is whole.
            guard value.magnitude < 0x1p23 else { return value }
            if self == .towardZero { return Float(Int32(value)) }
            // The sum has no bits left for a fraction, and rounds to even.
            let shift: Float = value < 0 ? -0x1p23 : 0x1p23
            return (value + shift) - shift
        }
    }

    /// How the samples are stored.
    public let sampleFormat: SampleFormat
    /// How they become integers.
    public let rounding: Rounding
    /// What audio it takes.
    public let format: AudioFormat
    /// Samples so far that were beyond full scale, over all channels; they were clipped.
    public private(set) var clippedCount: Int64 = 0
    /// Bytes of samples so far.
    public private(set) var dataCount: Int64 = 0
    private let target: OutputTarget
    /// What is not written yet.
    private var bytes: [UInt8] = []
    private static let bufferSize = 64 << 10

    /// The most bytes of samples a file can say it has, less what its header takes.
    public static let dataLimit: Int64 = 0xFFFF_FFFF - 256

    /// Writes the header.
    ///
    /// - Parameters:
    ///   - target: where to.
    ///   - format: the audio's format.
    ///   - sampleFormat: how samples are stored.
    ///   - rounding: how they become integers.
    /// - Throws: `FileError` when writing fails.
    public init(
        to target: OutputTarget,
        format: AudioFormat,
        sampleFormat: SampleFormat = .pcm16,
        rounding: Rounding = .nearest
    ) throws {
        self.target = target
        self.format = format
        self.sampleFormat = sampleFormat
        self.rounding = rounding
        try target.write(Self.header(format, sampleFormat, dataCount: nil).span)
    }

    private static func header(
        _ format: AudioFormat,
        _ sampleFormat: SampleFormat,
        dataCount: Int64?
    ) -> [UInt8] {
        let isExtensible = format.channels > 2
        let isFloat = sampleFormat == .float32
        let frame = UInt32(sampleFormat.byteCount * format.channels)
        let bits = UInt16(sampleFormat.byteCount * 8)
        var chunk: [UInt8] = []
        chunk.append(word: isExtensible ? 0xFFFE : isFloat ? 3 : 1)
        chunk.append(word: UInt16(format.channels))
        chunk.append(long: UInt32(format.sampleRate))
        chunk.append(long: UInt32(format.sampleRate) &* frame)
        chunk.append(word: UInt16(truncatingIfNeeded: frame))
        chunk.append(word: bits)
        if isExtensible {
            chunk.append(word: 22)
            chunk.append(word: bits)
            chunk.append(long: Self.speakers(format.channels))
            chunk.append(word: isFloat ? 3 : 1)
            // The rest of the subformat's GUID says that the code before is a plain format's.
            chunk += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        } else if isFloat {
            chunk.append(word: 0)
        }
        let padding = (dataCount ?? 0) & 1
        // RIFF's size counts all after itself: "WAVE", both chunks' heads, the format, the samples.
        let riff = dataCount.map { UInt32(clamping: 4 + 8 + Int64(chunk.count) + 8 + $0 + padding) }
        var header = Array("RIFF".utf8)
        header.append(long: riff ?? .max)
        header += Array("WAVEfmt ".utf8)
        header.append(long: UInt32(chunk.count))
        header += chunk + Array("data".utf8)
        header.append(long: dataCount.map { UInt32(clamping: $0) } ?? .max)
        return header
    }

    /// The loudspeakers of FFmpeg's default layout of that many channels; 0 where none is usual.
    private static func speakers(_ channels: Int) -> UInt32 {
        switch channels {
        case 1: 0x4
        case 2: 0x3
        case 3: 0xB
        case 4: 0x107
        case 5: 0x37
        case 6: 0x3F
        case 7: 0x70F
        case 8: 0x63F
        default: 0
        }
    }

    /// Appends one block, which must have the format that the file has.
    ///
    /// - Throws: `FileError` when writing fails; `CodecError` beyond 4 GiB, which no WAV file holds.
    public mutating func write(_ block: AudioBlock) throws {
        precondition(block.format == format, "A WAV file has one format.")
        let added = Int64(block.frameCount * format.channels * sampleFormat.byteCount)
        if case .file = target, dataCount + added > Self.dataLimit {
            throw CodecError(
                call: "write",
                code: 0,
                text: "a WAV file cannot hold more than 4 GiB",
                subject: target.name,
                hint: "write a shorter part, or mkv with codec pcm"
            )
        }
        block.samples.withSpan { samples in
            if sampleFormat == .pcm16, format.channels == 1 {
                appendMono(samples)
            } else {
                for frame in 0..<block.frameCount {
                    for channel in 0..<format.channels {
                        append(samples[channel * block.frameCount + frame])
                    }
                }
            }
        }
        dataCount += added
        // Who reads a pipe may be waiting.
        if case .file = target, bytes.count < Self.bufferSize { return }
        try flush()
    }

    private mutating func flush() throws {
        try target.write(bytes.span)
        bytes.removeAll(keepingCapacity: true)
    }

    /// One channel of 16 bits, four samples at a time as a word.
    private mutating func appendMono(_ samples: Span<Float>) {
        var words: [UInt64] = []
        words.reserveCapacity(samples.count / 4)
        var index = 0
        while index + 4 <= samples.count {
            var word: UInt64 = 0
            for lane in 0..<4 {
                let value = UInt64(
                    UInt16(truncatingIfNeeded: scaled(samples[index + lane], 0x1p15))
                )
                word |= value << UInt64(16 * lane)
            }
            words.append(word.littleEndian)
            index += 4
        }
        unsafe words.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        while index < samples.count {
            append(samples[index])
            index += 1
        }
    }

    private mutating func append(_ sample: Float) {
        switch sampleFormat {
        case .float32: bytes.append(long: sample.bitPattern)
        case .pcm16: bytes.append(word: UInt16(truncatingIfNeeded: scaled(sample, 0x1p15)))
        case .pcm24:
            let value = scaled(sample, 0x1p23)
            bytes.append(word: UInt16(truncatingIfNeeded: value))
            bytes.append(UInt8(truncatingIfNeeded: value >> 16))
        }
    }

    /// A sample in units of 1/`scale`, rounded and clipped; what is no number is silence.
    private mutating func scaled(_ sample: Float, _ scale: Float) -> Int32 {
        if sample.isNaN { return 0 }
        let value = rounding.whole(sample * scale)
        if value > scale - 1 || value < -scale {
            // A full-scale peak is one step above what fits, and no clipping.
            if sample.magnitude > 1 { clippedCount += 1 }
            return Int32(min(max(value, -scale), scale - 1))
        }
        return Int32(value)
    }

    /// Writes what belongs at the end; the file is whole then, and may be committed.
    ///
    /// - Throws: `FileError` when writing fails.
    public consuming func finish() throws {
        try flush()
        // A chunk of odd length is padded.
        if dataCount & 1 == 1 { try target.write([0].span) }
        guard case .file(let file) = target else { return }
        try file.seek(to: 0)
        try file.write(Self.header(format, sampleFormat, dataCount: dataCount).span)
    }
}

extension [UInt8] {
    /// Appends 16 bits, the lowest byte first.
    fileprivate mutating func append(word: UInt16) {
        append(UInt8(truncatingIfNeeded: word))
        append(UInt8(truncatingIfNeeded: word >> 8))
    }

    /// Appends 32 bits, the lowest byte first.
    fileprivate mutating func append(long: UInt32) {
        append(word: UInt16(truncatingIfNeeded: long))
        append(word: UInt16(truncatingIfNeeded: long >> 16))
    }
}
