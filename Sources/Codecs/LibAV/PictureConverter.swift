import CLibAV
import Media

/// Owns an `SwsContext` and a padded picture for its results.
///
/// The library reads and writes in whole vectors, which our unpadded rows cannot take: what it writes
/// goes to the padded picture, and from there row by row to a frame.
@safe struct PictureConverter: ~Copyable {
    /// What a converter is made for; another picture needs another converter.
    struct Source: Hashable {
        var width: Int32
        var height: Int32
        var format: Int32
        var color: ColorInfo
    }

    /// Exact and the same on every machine, rather than fast.
    static let exactness =
        SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP

    let source: Source
    let target: VideoFormat
    private let context: OpaquePointer
    private let picture: FrameHandle

    init(from source: Source, to target: VideoFormat, flags: Int32, subject: String)
        throws(CodecError)
    {
        self.source = source
        self.target = target
        let picture = try FrameHandle()
        unsafe picture.pointer.pointee.width = Int32(target.width)
        unsafe picture.pointer.pointee.height = Int32(target.height)
        unsafe picture.pointer.pointee.format = target.layout.libraryFormat.rawValue
        try check(
            "av_frame_get_buffer",
            unsafe av_frame_get_buffer(picture.pointer, 64),
            subject
        )
        let context = unsafe try allocated(
            "sws_getContext",
            sws_getContext(
                source.width,
                source.height,
                AVPixelFormat(source.format),
                Int32(target.width),
                Int32(target.height),
                target.layout.libraryFormat,
                flags,
                nil,
                nil,
                nil
            )
        )
        unsafe Self.setColors(context, source, target)
        unsafe self.context = unsafe context
        self.picture = picture
    }

    deinit { unsafe sws_freeContext(context) }

    private static func setColors(
        _ context: OpaquePointer,
        _ source: Source,
        _ target: VideoFormat
    ) {
        // Of an RGB side the library uses no matrix; the other side's is right for both.
        let sourceMatrix = source.color.matrix == .rgb ? target.color.matrix : source.color.matrix
        let targetMatrix = target.color.matrix == .rgb ? source.color.matrix : target.color.matrix
        unsafe sws_setColorspaceDetails(
            context,
            sws_getCoefficients(coefficients(sourceMatrix)),
            source.color.range == .full ? 1 : 0,
            sws_getCoefficients(coefficients(targetMatrix)),
            target.color.range == .full ? 1 : 0,
            0,
            1 << 16,
            1 << 16
        )
    }

    private static func coefficients(_ matrix: ColorInfo.Matrix) -> Int32 {
        switch matrix {
        case .bt709, .rgb: SWS_CS_ITU709
        case .bt470bg, .bt601: SWS_CS_ITU601
        case .bt2020: SWS_CS_BT2020
        }
    }

    /// Converts the library's picture.
    func convert(_ frame: UnsafeMutablePointer<AVFrame>, subject: String) throws(CodecError)
        -> VideoFrame
    {
        let data = unsafe planes(of: frame.pointee)
        let strides = unsafe PictureConverter.strides(of: frame.pointee)
        let outData = unsafe writablePlanes(of: picture.pointer.pointee)
        let outStrides = unsafe PictureConverter.strides(of: picture.pointer.pointee)
        try check(
            "sws_scale",
            unsafe sws_scale(
                context,
                data,
                strides,
                0,
                frame.pointee.height,
                outData,
                outStrides
            ),
            subject
        )
        return unsafe VideoFrame(format: target, copying: picture.pointer)
    }

    private func planes(of frame: AVFrame) -> [UnsafePointer<UInt8>?] {
        let data = unsafe frame.data
        return unsafe [
            UnsafePointer(data.0), UnsafePointer(data.1), UnsafePointer(data.2),
            UnsafePointer(data.3),
        ]
    }

    private func writablePlanes(of frame: AVFrame) -> [UnsafeMutablePointer<UInt8>?] {
        let data = unsafe frame.data
        return unsafe [data.0, data.1, data.2, data.3]
    }

    private static func strides(of frame: AVFrame) -> [Int32] {
        let sizes = unsafe frame.linesize
        return [sizes.0, sizes.1, sizes.2, sizes.3]
    }
}

extension VideoFrame {
    /// Copies the library's picture, which must have this format's size and layout.
    convenience init(format: VideoFormat, copying frame: UnsafeMutablePointer<AVFrame>) {
        var bytes = Writable<UInt8>(uninitialized: format.byteCount)
        let data = unsafe frame.pointee.data
        let sizes = unsafe frame.pointee.linesize
        let sources = unsafe [data.0, data.1, data.2]
        let strides = [sizes.0, sizes.1, sizes.2]
        unsafe bytes.withUnsafeMutablePointer { target in
            for (index, plane) in format.planes.enumerated() {
                guard let source = unsafe sources[index] else { continue }
                unsafe av_image_copy_plane(
                    target + plane.offset,
                    Int32(plane.stride),
                    source,
                    strides[index],
                    Int32(plane.stride),
                    Int32(plane.height)
                )
            }
        }
        self.init(format: format, bytes: bytes)
    }
}
