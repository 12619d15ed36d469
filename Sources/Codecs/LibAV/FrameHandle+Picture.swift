import CLibAV
import Media

extension FrameHandle {
    /// Makes the library's empty picture refer to ours, which lives until the library lets go.
    func refer(to picture: VideoFrame) throws(CodecError) {
        let base = unsafe picture.bytes.withUnsafePointer { bytes in
            unsafe UnsafeMutablePointer<UInt8>(mutating: bytes)
        }
        // The buffer owns one count of the picture, which its end gives back.
        let kept = unsafe Unmanaged.passRetained(picture)
        let buffer = unsafe av_buffer_create(
            base,
            picture.byteCount,
            { opaque, _ in
                guard let opaque = unsafe opaque else { return }
                unsafe Unmanaged<VideoFrame>.fromOpaque(opaque).release()
            },
            kept.toOpaque(),
            AV_BUFFER_FLAG_READONLY
        )
        guard let buffer = unsafe buffer else {
            unsafe kept.release()
            throw CodecError(
                call: "av_buffer_create",
                code: foxfire_error_nomem,
                text: "out of memory",
                subject: "libav"
            )
        }
        let format = picture.format
        unsafe pointer.pointee.buf.0 = buffer
        unsafe pointer.pointee.width = Int32(format.width)
        unsafe pointer.pointee.height = Int32(format.height)
        unsafe pointer.pointee.format = format.layout.libraryFormat.rawValue
        unsafe pointer.pointee.colorspace = format.color.libraryMatrix
        unsafe pointer.pointee.color_range = format.color.libraryRange
        unsafe pointer.pointee.color_primaries = format.color.libraryPrimaries
        unsafe pointer.pointee.color_trc = format.color.libraryTransfer
        let planes = format.planes
        unsafe pointer.pointee.data.0 = base
        unsafe pointer.pointee.linesize.0 = Int32(planes[0].stride)
        guard planes.count == 3 else { return }
        unsafe pointer.pointee.data.1 = base + planes[1].offset
        unsafe pointer.pointee.linesize.1 = Int32(planes[1].stride)
        unsafe pointer.pointee.data.2 = base + planes[2].offset
        unsafe pointer.pointee.linesize.2 = Int32(planes[2].stride)
    }
    /// Makes the empty picture a padded copy of ours.
    func copy(_ picture: VideoFrame) throws(CodecError) {
        let format = picture.format
        unsafe pointer.pointee.width = Int32(format.width)
        unsafe pointer.pointee.height = Int32(format.height)
        unsafe pointer.pointee.format = format.layout.libraryFormat.rawValue
        try check("av_frame_get_buffer", unsafe av_frame_get_buffer(pointer, 64), "picture")
        unsafe picture.bytes.withUnsafePointer { bytes in
            for (index, plane) in format.planes.enumerated() {
                guard let target = unsafe self.plane(index) else { continue }
                unsafe av_image_copy_plane(
                    target,
                    Int32(stride(index)),
                    bytes + plane.offset,
                    Int32(plane.stride),
                    Int32(plane.stride),
                    Int32(plane.height)
                )
            }
        }
    }
}
