import CPNG
public import Media

/// Decodes PNG files (libpng); pictures come out as they are stored, not turned.
public enum PNGDecoder {
    /// Decodes a picture.
    ///
    /// Palettes and depths below 8 become 8 bits, a transparent colour becomes alpha, and gray with alpha or of
    /// 16 bits becomes RGB.
    ///
    /// - Parameter bytes: the whole file.
    /// - Returns: full-range gray8, rgb24, rgba32, rgb48 or rgba64, with sRGB's primaries and transfer.
    /// - Throws: `CodecError` for a file that is cut or damaged, or of sides beyond 16384.
    public static func decode(_ bytes: [UInt8]) throws(CodecError) -> VideoFrame {
        var file = unsafe foxfire_png()
        defer { unsafe foxfire_png_close(&file) }
        let result: Result<VideoFrame, CodecError> = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe decode(bytes, &file)
        }
        return try result.get()
    }

    private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ file: inout foxfire_png)
        -> Result<VideoFrame, CodecError>
    {
        guard unsafe foxfire_png_open(&file, bytes.baseAddress, bytes.count, 16_384) == 0 else {
            return .failure(unsafe fault("png_read_info", file))
        }
        let layout: PixelLayout? =
            switch unsafe (file.channels, file.depth) {
            case (1, 8): .gray8
            case (3, 8): .rgb24
            case (4, 8): .rgba32
            case (3, 16): .rgb48
            case (4, 16): .rgba64
            default: nil
            }
        guard let layout else { return .failure(unsafe fault("png_read_update_info", file)) }
        var color = ColorInfo.sRGB
        if layout == .gray8 { color.matrix = .bt601 }
        let format = unsafe VideoFormat(
            width: Int(file.width),
            height: Int(file.height),
            layout: layout,
            color: color
        )
        // Of a damaged file nothing is given, so that what is not written yet is never seen.
        var pixels = Writable<UInt8>(uninitialized: format.byteCount)
        let code = unsafe pixels.withUnsafeMutablePointer { target in
            unsafe foxfire_png_read(&file, target, format.planes[0].stride)
        }
        guard code == 0 else { return .failure(unsafe fault("png_read_image", file)) }
        return .success(VideoFrame(format: format, bytes: pixels))
    }

    private static func fault(_ call: String, _ file: foxfire_png) -> CodecError {
        var text = unsafe file.error
        let words = unsafe withUnsafeBytes(of: &text) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return CodecError(
            call: call,
            code: 0,
            text: words.isEmpty ? "its pixels are of a form that is not taken" : words,
            subject: "PNG"
        )
    }
}
