import CDeflate
public import Media

/// Writes pictures as PNG files, fast: simple filters, and libdeflate for the compression.
///
/// Takes full-range gray8, rgb24, rgba32, rgb48 and rgba64. Memory: about twice the picture.
/// The bytes depend on picture, settings and metadata alone.
@safe public struct PNGEncoder: ~Copyable {
    /// How much the compressor tries: 1…12.
    public let level: Int
    private let compressor: Compressor

    /// Makes an encoder.
    ///
    /// - Parameter level: how much the compressor tries, 1…12; 1 is fastest.
    /// - Throws: `CodecError` when memory runs out.
    public init(level: Int = 1) throws(CodecError) {
        precondition((1...12).contains(level), "A compression level is 1 to 12.")
        compressor = try Compressor(level)
        self.level = level
    }

    /// Appends one picture, as a whole PNG file, to `bytes`.
    ///
    /// - Parameters:
    ///   - picture: full-range gray or RGB.
    ///   - metadata: text chunks, written in the keys' order; keys are Latin-1 of 1…79 characters.
    ///   - tiff: an EXIF block, from its TIFF header on; nil for none.
    ///   - bytes: what the file is appended to.
    /// - Throws: `CodecError` for a picture that PNG cannot hold, or a key that it cannot.
    public mutating func encode(
        _ picture: VideoFrame,
        metadata: [String: String] = [:],
        tiff: [UInt8]? = nil,
        into bytes: inout [UInt8]
    ) throws(CodecError) {
        let format = picture.format
        guard let kind = PNGKind(format.layout), format.color.range == .full else {
            throw CodecError(
                call: "encode",
                code: 0,
                text: "PNG does not hold \(format)",
                subject: "PNG",
                hint: "convert to full-range gray8, rgb24, rgba32, rgb48 or rgba64 before"
            )
        }
        bytes += [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        PNGChunk.header(format, kind, into: &bytes)
        PNGChunk.color(format.color, isGray: kind.isGray, compressor, into: &bytes)
        if let tiff {
            _ = try EXIFBlock.read(tiff)
            PNGChunk.append("eXIf", tiff, to: &bytes)
        }
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            try PNGChunk.text(key, value, into: &bytes)
        }
        let rows = PNGFilter.filtered(picture, kind)
        try compressor.appendData(rows, to: &bytes)
        PNGChunk.append("IEND", [], to: &bytes)
    }

    /// Owns libdeflate's compressor.
    @safe struct Compressor: ~Copyable {
        private let pointer: OpaquePointer
        private let isFastest: Bool

        init(_ level: Int) throws(CodecError) {
            guard let made = unsafe libdeflate_alloc_compressor(Int32(level)) else {
                throw CodecError(
                    call: "libdeflate_alloc_compressor",
                    code: 0,
                    text: "out of memory",
                    subject: "PNG"
                )
            }
            unsafe pointer = made
            isFastest = level == 1
        }

        /// Whether looking for repeats would gain next to nothing, by three samples.
        private func repeatsLittle(_ rows: Span<UInt8>) -> Bool {
            let size = 32 << 10
            guard rows.count >= 16 * size else { return false }
            var (plain, found) = (0.0, 0)
            var scratch = Writable<UInt8>(uninitialized: size + 1024)
            unsafe rows.withUnsafeBufferPointer { bytes in
                for part in 1...3 {
                    let start = bytes.count / 4 * part
                    let sample = unsafe UnsafeBufferPointer(rebasing: bytes[start..<start + size])
                    plain += unsafe HuffmanStream.estimate(sample)
                    let length = unsafe scratch.withUnsafeMutablePointer { output in
                        unsafe libdeflate_deflate_compress(
                            pointer,
                            sample.baseAddress,
                            size,
                            output,
                            size + 1024
                        )
                    }
                    found += length > 0 ? length : size
                }
            }
            return plain < 1.02 * Double(found)
        }

        deinit { unsafe libdeflate_free_compressor(pointer) }

        /// A few bytes, compressed.
        func compressed(_ contents: [UInt8]) -> [UInt8] {
            let bound = unsafe libdeflate_zlib_compress_bound(pointer, contents.count)
            return unsafe contents.withUnsafeBytes { input in
                unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                    count = unsafe libdeflate_zlib_compress(
                        pointer,
                        input.baseAddress,
                        input.count,
                        output.baseAddress,
                        bound
                    )
                }
            }
        }

        /// Appends the data chunk.
        func appendData(_ rows: borrowing Writable<UInt8>, to bytes: inout [UInt8])
            throws(CodecError)
        {
            if isFastest, rows.withSpan({ repeatsLittle($0) }) {
                let start = bytes.count
                bytes.append(contentsOf: repeatElement(0, count: 8))
                rows.withSpan { HuffmanStream.append($0, to: &bytes) }
                return PNGChunk.seal("IDAT", at: start, in: &bytes)
            }
            let bound = unsafe libdeflate_zlib_compress_bound(pointer, rows.count)
            var data = Writable<UInt8>(uninitialized: bound)
            let start = bytes.count
            let size = rows.withSpan { source in
                unsafe source.withUnsafeBufferPointer { input in
                    unsafe data.withUnsafeMutablePointer { output in
                        let size = unsafe libdeflate_zlib_compress(
                            pointer,
                            input.baseAddress,
                            input.count,
                            output,
                            bound
                        )
                        bytes.append(contentsOf: repeatElement(0, count: 8))
                        unsafe bytes.append(
                            contentsOf: UnsafeBufferPointer(start: output, count: size)
                        )
                        return size
                    }
                }
            }
            // A chunk's length has 31 bits: only a picture of gigabytes of noise is longer.
            guard size > 0, size <= Int(Int32.max) else {
                throw CodecError(
                    call: "libdeflate_zlib_compress",
                    code: 0,
                    text: "the compressed picture is longer than a PNG chunk may be",
                    subject: "PNG"
                )
            }
            PNGChunk.seal("IDAT", at: start, in: &bytes)
        }
    }
}

/// How PNG stores one of our layouts.
struct PNGKind {
    /// Bits of one sample.
    let depth: UInt8
    /// PNG's number for gray, RGB and RGBA.
    let colorType: UInt8
    /// Bytes of a pixel.
    let pixelBytes: Int

    var isGray: Bool { colorType == 0 }

    init?(_ layout: PixelLayout) {
        switch layout {
        case .gray8: (depth, colorType) = (8, 0)
        case .rgb24: (depth, colorType) = (8, 2)
        case .rgba32: (depth, colorType) = (8, 6)
        case .rgb48: (depth, colorType) = (16, 2)
        case .rgba64: (depth, colorType) = (16, 6)
        default: return nil
        }
        pixelBytes = layout.samplesPerPixel * layout.bytesPerSample
    }
}
