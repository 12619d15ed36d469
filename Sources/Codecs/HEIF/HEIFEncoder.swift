import CHEIF
import Glibc
public import Media

/// Writes pictures as HEIC files (HEVC, by libheif and x265).
///
/// Luma and chroma are full range with the matrix of BT.601, as phones write stills; an ICC profile tells
/// sRGB or Display P3, and the stream itself the same code points. Pictures are never marked as turned. The
/// bytes depend on picture, settings and metadata alone. Memory: about ten times the picture.
public struct HEIFEncoder: Sendable {
    /// How to encode.
    public struct Settings: Sendable, Hashable {
        /// 0…100, more is better and larger; x265's constant rate factor is half of what 100 leaves.
        public var quality: Int
        /// How much x265 tries, as `VideoEncoder.presets`.
        public var preset: String
        /// How chroma is stored; phones take 4:2:0 alone.
        public var chroma: ChromaSampling
        /// 8 or 10; phones take 8 alone.
        public var bitDepth: Int
        /// The longer side of a thumbnail, in pixels; nil for none.
        public var thumbnail: Int?

        /// Says all of it.
        public init(
            quality: Int = 90,
            preset: String = "slow",
            chroma: ChromaSampling = .half,
            bitDepth: Int = 8,
            thumbnail: Int? = nil
        ) {
            self.quality = quality
            self.preset = preset
            self.chroma = chroma
            self.bitDepth = bitDepth
            self.thumbnail = thumbnail
        }
    }

    /// How it encodes.
    public let settings: Settings
    /// How many threads x265 takes, which no byte depends on; more than processors cost time.
    var threads = max(1, min(32, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    /// Makes an encoder.
    ///
    /// - Parameter settings: how to encode.
    /// - Throws: `CodecError` for settings out of range, and where the machine has no HEVC encoder for libheif.
    public init(_ settings: Settings = Settings()) throws(CodecError) {
        let isValid =
            (0...100).contains(settings.quality) && [8, 10].contains(settings.bitDepth)
            && VideoEncoder.presets.contains(settings.preset)
            && settings.thumbnail.map { (16...4096).contains($0) } ?? true
        guard isValid else {
            throw CodecError(
                call: "open",
                code: 0,
                text: "\(settings) are out of range",
                subject: "HEIC encoder",
                hint:
                    "quality 0 to 100, 8 or 10 bits, a thumbnail of 16 to 4096 pixels, x265's presets"
            )
        }
        guard Self.isAvailable else {
            throw CodecError(
                call: "open",
                code: 0,
                text: "libheif here has no HEVC encoder",
                subject: "HEIC encoder",
                hint: "install libheif with its x265 encoder, or write JPEG"
            )
        }
        self.settings = settings
    }

    /// Whether HEIC can be written on this machine.
    public static var isAvailable: Bool {
        heif_have_encoder_for_format(heif_compression_HEVC) != 0
    }

    /// Encodes one picture.
    ///
    /// - Parameters:
    ///   - picture: full-range rgb24, rgba32, rgb48 or rgba64; alpha is kept.
    ///   - tiff: an EXIF block, from its TIFF header on; nil for none.
    ///   - xmp: an XMP packet; nil for none.
    ///   - executor: runs bands of rows at the same time.
    /// - Returns: the file.
    /// - Throws: `CodecError` for a picture or an EXIF block that it cannot take, or when the library fails.
    public func encode(
        _ picture: VideoFrame,
        tiff: [UInt8]? = nil,
        xmp: String? = nil,
        using executor: any Executor = SerialExecutor()
    ) throws(CodecError) -> [UInt8] {
        guard picture.format.layout.isRGB, picture.format.color.range == .full else {
            throw CodecError(
                call: "encode",
                code: 0,
                text: "it does not take \(picture.format)",
                subject: "HEIC encoder",
                hint: "convert to full-range rgb24, rgba32, rgb48 or rgba64 before"
            )
        }
        // The library takes anything for EXIF, and then tells a wrong place.
        if let tiff { _ = try EXIFBlock.read(tiff) }
        let image = try HEIFImage(picture, settings.chroma, settings.bitDepth, executor)
        var file = try HEIFFile()
        try file.encode(image, settings, threads)
        // The library only reads where it says that it takes them.
        if let tiff { try file.addEXIF(tiff) }
        if let xmp { try file.addXMP(xmp) }
        var bytes = try file.bytes()
        if settings.chroma != .half || settings.bitDepth != 8 { Self.nameExtended(&bytes) }
        return bytes
    }

    /// Names the brand of pictures beyond Main and Main 10 (ISO/IEC 23008-12, annex B.4): the library names that
    /// of Main always.
    private static func nameExtended(_ bytes: inout [UInt8]) {
        guard let box = try? Box.list(bytes).first, box.type == "ftyp" else { return }
        for place in [8] + stride(from: 16, to: box.range.upperBound, by: 4)
        where Box.name(bytes[place..<place + 4]) == "heic" {
            bytes.replaceSubrange(place..<place + 4, with: Array("heix".utf8))
        }
    }
}

/// Owns libheif's file that is being built.
@safe private struct HEIFFile: ~Copyable {
    private let context: OpaquePointer
    private var primary: OpaquePointer?

    init() throws(CodecError) {
        unsafe context = try allocated("heif_context_alloc", heif_context_alloc())
    }

    deinit {
        unsafe heif_image_handle_release(primary)
        unsafe heif_context_free(context)
    }

    mutating func encode(_ image: HEIFImage, _ settings: HEIFEncoder.Settings, _ threads: Int)
        throws(CodecError)
    {
        let encoder = unsafe try HEIFEncoderHandle(context: context, settings, threads)
        guard let options = unsafe heif_encoding_options_alloc() else {
            throw CodecError(
                call: "heif_encoding_options_alloc",
                code: 0,
                text: "out of memory",
                subject: "HEIC encoder"
            )
        }
        defer { unsafe heif_encoding_options_free(options) }
        try unsafe checkHEIF(
            "heif_context_encode_image",
            heif_context_encode_image(
                context,
                image.pointer,
                encoder.pointer,
                options,
                &primary
            )
        )
        // One that is no smaller than the picture is none.
        guard let size = settings.thumbnail, size < image.longerSide else { return }
        var thumbnail: OpaquePointer?
        let result = unsafe heif_context_encode_thumbnail(
            context,
            image.pointer,
            primary,
            encoder.pointer,
            options,
            Int32(size),
            &thumbnail
        )
        unsafe heif_image_handle_release(thumbnail)
        try unsafe checkHEIF("heif_context_encode_thumbnail", result)
    }

    func addEXIF(_ tiff: [UInt8]) throws(CodecError) {
        let block = Array("Exif\0\0".utf8) + tiff
        let result = unsafe block.withUnsafeBytes { bytes in
            unsafe heif_context_add_exif_metadata(
                context,
                primary,
                bytes.baseAddress,
                Int32(bytes.count)
            )
        }
        try unsafe checkHEIF("heif_context_add_exif_metadata", result)
    }

    func addXMP(_ text: String) throws(CodecError) {
        let result = unsafe Array(text.utf8).withUnsafeBytes { bytes in
            unsafe heif_context_add_XMP_metadata(
                context,
                primary,
                bytes.baseAddress,
                Int32(bytes.count)
            )
        }
        try unsafe checkHEIF("heif_context_add_XMP_metadata", result)
    }

    /// The file.
    func bytes() throws(CodecError) -> [UInt8] {
        var result: [UInt8] = []
        var writer = unsafe heif_writer(
            writer_api_version: 1,
            write: { _, data, count, target in
                unsafe target?.assumingMemoryBound(to: [UInt8].self).pointee.append(
                    contentsOf: UnsafeRawBufferPointer(start: data, count: count)
                )
                return unsafe heif_error(
                    code: heif_error_Ok,
                    subcode: heif_suberror_Unspecified,
                    message: heifNoMessage.pointer
                )
            }
        )
        let code = unsafe withUnsafeMutablePointer(to: &result) { target in
            unsafe heif_context_write(context, &writer, target)
        }
        try unsafe checkHEIF("heif_context_write", code)
        return result
    }
}

/// The library wants a text even where nothing is wrong.
private let heifNoMessage = HEIFText()

/// A text that lives as long as the program.
@safe private struct HEIFText: @unchecked Sendable {
    let pointer: UnsafePointer<CChar>

    init() {
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        unsafe text.initialize(to: 0)
        unsafe pointer = UnsafePointer(text)
    }
}

/// Owns libheif's encoder, which x265 does the work of.
@safe private final class HEIFEncoderHandle {
    let pointer: OpaquePointer

    init(context: OpaquePointer, _ settings: HEIFEncoder.Settings, _ threads: Int)
        throws(CodecError)
    {
        var made: OpaquePointer?
        let result = unsafe heif_context_get_encoder_for_format(
            context,
            heif_compression_HEVC,
            &made
        )
        try unsafe checkHEIF("heif_context_get_encoder_for_format", result)
        unsafe pointer = try allocated("heif_context_get_encoder_for_format", made)
        let quality = unsafe heif_encoder_set_lossy_quality(pointer, Int32(settings.quality))
        try unsafe checkHEIF("heif_encoder_set_lossy_quality", unsafe quality)
        // Wavefronts decide bytes and exist only with a pool; how many threads it has does not.
        let parameters = [
            ("preset", settings.preset), ("chroma", settings.chroma.rawValue),
            ("x265:pools", "\(threads)"), ("x265:frame-threads", "1"), ("x265:info", "0"),
        ]
        for (name, value) in parameters {
            let result = unsafe heif_encoder_set_parameter(pointer, name, value)
            try unsafe checkHEIF("heif_encoder_set_parameter \(name)", result)
        }
    }

    deinit { unsafe heif_encoder_release(pointer) }
}

/// Throws what libheif refused.
func checkHEIF(_ call: String, _ result: heif_error) throws(CodecError) {
    guard unsafe result.code != heif_error_Ok else { return }
    throw CodecError(
        call: call,
        code: unsafe Int32(bitPattern: result.code.rawValue),
        text: unsafe result.message.map { unsafe String(cString: $0) } ?? "it failed",
        subject: "HEIF"
    )
}
