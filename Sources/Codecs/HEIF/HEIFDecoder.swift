import CHEIF
public import Media

/// Decodes HEIC and AVIF files (libheif) in the process that calls it.
///
/// The library is known to crash on crafted files, so that programs that open files of strangers decode them by
/// `HEIFProcess`. Pictures come out turned as the file says.
public enum HEIFDecoder {
    /// Decodes the primary picture.
    ///
    /// - Parameter bytes: the whole file.
    /// - Returns: full-range rgb24, rgba32, or of more than 8 bits rgb48 or rgba64.
    /// - Throws: `CodecError` for a file that the library cannot decode, and for pictures beyond 16384 pixels.
    public static func decode(_ bytes: [UInt8]) throws(CodecError) -> VideoFrame {
        let readable = try HEIFReferences.withoutToneMaps(bytes)
        let file = try HEIFInput(readable)
        let handle = try file.primary()
        let image = try handle.decode()
        return try image.picture(hasAlpha: handle.hasAlpha, color: handle.color)
    }
}

/// Owns libheif's file that is being read.
@safe private final class HEIFInput {
    private let context: OpaquePointer

    init(_ bytes: [UInt8]) throws(CodecError) {
        unsafe context = try allocated("heif_context_alloc", heif_context_alloc())
        unsafe heif_context_set_maximum_image_size_limit(context, 16_384)
        // The library copies the file.
        let result = unsafe bytes.withUnsafeBytes { bytes in
            unsafe heif_context_read_from_memory(context, bytes.baseAddress, bytes.count, nil)
        }
        try unsafe checkHEIF("heif_context_read_from_memory", result)
    }

    deinit { unsafe heif_context_free(context) }

    func primary() throws(CodecError) -> HEIFHandle {
        var made: OpaquePointer?
        let result = unsafe heif_context_get_primary_image_handle(context, &made)
        try unsafe checkHEIF("heif_context_get_primary_image_handle", result)
        return unsafe HEIFHandle(try allocated("heif_context_get_primary_image_handle", made))
    }
}

/// Owns a picture of a file that is not decoded yet.
@safe private final class HEIFHandle {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe heif_image_handle_release(pointer) }

    var hasAlpha: Bool { unsafe heif_image_handle_has_alpha_channel(pointer) != 0 }

    /// What its numbers mean, of what we have names for; else sRGB.
    var color: ColorInfo {
        var color = ColorInfo.sRGB
        var codes: UnsafeMutablePointer<heif_color_profile_nclx>?
        let result = unsafe heif_image_handle_get_nclx_color_profile(pointer, &codes)
        if unsafe result.code == heif_error_Ok, let codes = unsafe codes {
            let primaries = unsafe UInt8(truncatingIfNeeded: codes.pointee.color_primaries.rawValue)
            let transfer = unsafe UInt8(
                truncatingIfNeeded: codes.pointee.transfer_characteristics.rawValue
            )
            color.primaries = ColorInfo.Primaries(rawValue: primaries) ?? .bt709
            color.transfer = ColorInfo.Transfer(rawValue: transfer) ?? .sRGB
            unsafe heif_nclx_color_profile_free(codes)
        }
        let size = unsafe heif_image_handle_get_raw_color_profile_size(pointer)
        guard size > 0, size < 16 << 20 else { return color }
        var profile = [UInt8](repeating: 0, count: size)
        let read = unsafe profile.withUnsafeMutableBytes { bytes in
            unsafe heif_image_handle_get_raw_color_profile(pointer, bytes.baseAddress)
        }
        if unsafe read.code == heif_error_Ok, let known = ICCProfile.primaries(of: profile) {
            color.primaries = known
        }
        return color
    }

    func decode() throws(CodecError) -> HEIFImage {
        let isDeep = unsafe heif_image_handle_get_luma_bits_per_pixel(pointer) > 8
        let chroma =
            switch (isDeep, hasAlpha) {
            case (false, false): heif_chroma_interleaved_RGB
            case (false, true): heif_chroma_interleaved_RGBA
            case (true, false): heif_chroma_interleaved_RRGGBB_LE
            case (true, true): heif_chroma_interleaved_RRGGBBAA_LE
            }
        var made: OpaquePointer?
        let result = unsafe heif_decode_image(pointer, &made, heif_colorspace_RGB, chroma, nil)
        try unsafe checkHEIF("heif_decode_image", result)
        return unsafe HEIFImage(owning: try allocated("heif_decode_image", made))
    }
}

extension HEIFImage {
    /// A decoded picture as a frame.
    fileprivate func picture(hasAlpha: Bool, color: ColorInfo) throws(CodecError) -> VideoFrame {
        let channel = heif_channel_interleaved
        let width = unsafe Int(heif_image_get_width(pointer, channel))
        let height = unsafe Int(heif_image_get_height(pointer, channel))
        let bits = unsafe Int(heif_image_get_bits_per_pixel_range(pointer, channel))
        let isDeep = bits > 8
        var stride: Int32 = 0
        let data = unsafe heif_image_get_plane_readonly(pointer, channel, &stride)
        guard (1...16_384).contains(width), (1...16_384).contains(height), bits <= 16,
            let data = unsafe data
        else {
            throw CodecError(
                call: "decode",
                code: 0,
                text: "a picture of \(width)x\(height) with \(bits) bits is beyond 16384x16384",
                subject: "HEIF"
            )
        }
        let layout: PixelLayout =
            isDeep ? (hasAlpha ? .rgba64 : .rgb48) : (hasAlpha ? .rgba32 : .rgb24)
        let format = VideoFormat(width: width, height: height, layout: layout, color: color)
        let row = format.planes[0].stride
        var bytes = Writable<UInt8>(uninitialized: format.byteCount)
        unsafe bytes.withUnsafeMutablePointer { target in
            for line in 0..<height {
                let source = unsafe data + line * Int(stride)
                let place = unsafe target + line * row
                guard isDeep else {
                    unsafe place.update(from: source, count: row)
                    continue
                }
                for index in Swift.stride(from: 0, to: row, by: 2) {
                    let value = unsafe Int(source[index]) | Int(source[index + 1]) << 8
                    // The lowest bits repeat the highest, so that white stays white.
                    let wide = value << (16 - bits) | value >> max(0, 2 * bits - 16)
                    unsafe place[index] = UInt8(truncatingIfNeeded: wide)
                    unsafe place[index + 1] = UInt8(truncatingIfNeeded: wide >> 8)
                }
            }
        }
        return VideoFrame(format: format, bytes: bytes)
    }
}
