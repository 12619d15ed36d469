import CLibAV
import Media

/// Gives decoded frames our layouts: copied where only the name differs, else converted.
struct FrameLayout: ~Copyable {
    private var converter: PictureConverter?

    /// The frame in our layout.
    ///
    /// - Parameters:
    ///   - frame: what a decoder gave.
    ///   - untold: stands in for colours that the frame does not tell; nil: what such pictures usually have.
    /// - Returns: a copy.
    /// - Throws: `CodecError` for a size or a layout that is not taken, or when memory ran out.
    mutating func picture(
        _ frame: borrowing FrameHandle,
        untold: ColorInfo? = nil
    ) throws(CodecError) -> VideoFrame {
        let raw = unsafe frame.pointer.pointee
        let (width, height) = unsafe (Int(raw.width), Int(raw.height))
        let stored = AVPixelFormat(unsafe raw.format)
        guard (1...16384).contains(width), (1...16384).contains(height),
            let layout = PixelLayout(nearest: stored)
        else {
            throw CodecError(
                call: "avcodec_receive_frame",
                code: 0,
                text: "a picture of \(width)x\(height), where sides of 1 to 16384 are taken",
                subject: "video"
            )
        }
        let tagged = unsafe TaggedColor(
            layout: layout,
            format: stored,
            height: height,
            matrix: raw.colorspace,
            range: raw.color_range,
            primaries: raw.color_primaries,
            transfer: raw.color_trc,
            untold: untold
        )
        let format = VideoFormat(width: width, height: height, layout: layout, color: tagged.color)
        if Self.isSame(stored, layout) {
            return unsafe VideoFrame(format: format, copying: frame.pointer)
        }
        let source = unsafe PictureConverter.Source(
            width: raw.width,
            height: raw.height,
            format: raw.format,
            color: tagged.color
        )
        if converter?.source != source || converter?.target != format {
            converter = try PictureConverter(
                from: source,
                to: format,
                flags: SWS_BICUBIC | PictureConverter.exactness,
                subject: "video"
            )
        }
        guard let picture = try unsafe converter?.convert(frame.pointer, subject: "video") else {
            preconditionFailure("A converter was just made.")
        }
        return picture
    }

    /// Whether the library's layout is ours but for the name.
    private static func isSame(_ stored: AVPixelFormat, _ layout: PixelLayout) -> Bool {
        if stored == layout.libraryFormat { return true }
        let plain = [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P]
        return plain.contains(stored)
    }
}
