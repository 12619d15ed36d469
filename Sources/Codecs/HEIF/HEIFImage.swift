import CHEIF
import Media

/// Owns a picture in libheif's memory.
@safe final class HEIFImage {
    let pointer: OpaquePointer

    /// Takes a picture that the library decoded.
    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe heif_image_release(pointer) }

    /// Turns an RGB picture into luma, chroma and maybe alpha.
    ///
    /// - Parameters:
    ///   - picture: full-range RGB.
    ///   - chroma: how chroma is stored.
    ///   - bitDepth: 8 or 10.
    ///   - executor: runs bands of rows at the same time.
    /// - Throws: `CodecError` when memory ran out.
    init(
        _ picture: VideoFrame,
        _ chroma: ChromaSampling,
        _ bitDepth: Int,
        _ executor: any Executor
    ) throws(CodecError) {
        let source = picture.format
        let target = VideoFormat(
            width: source.width,
            height: source.height,
            layout: Self.layout(chroma, bitDepth),
            color: ColorInfo(
                matrix: .bt601,
                range: .full,
                primaries: source.color.primaries,
                transfer: source.color.transfer
            )
        )
        var scaler = try Scaler(from: source, to: target)
        let planar = try scaler.convert(picture, using: executor)
        var made: OpaquePointer?
        let result = unsafe heif_image_create(
            Int32(target.width),
            Int32(target.height),
            heif_colorspace_YCbCr,
            Self.libraryChroma(chroma),
            &made
        )
        try unsafe checkHEIF("heif_image_create", result)
        unsafe pointer = try allocated("heif_image_create", made)
        let channels = [heif_channel_Y, heif_channel_Cb, heif_channel_Cr]
        for (channel, plane) in zip(channels, target.planes) {
            let width = plane.stride / target.layout.bytesPerSample
            try unsafe addPlane(channel, width, plane.height, bitDepth) { row, line in
                unsafe planar.bytes.withUnsafePointer { bytes in
                    unsafe line.update(
                        from: bytes + plane.offset + row * plane.stride,
                        count: plane.stride
                    )
                }
            }
        }
        if source.layout.samplesPerPixel == 4 { try addAlpha(picture, bitDepth) }
        try setColor(source.color)
    }

    /// The longer of its sides, in pixels.
    var longerSide: Int {
        unsafe Int(
            max(heif_image_get_primary_width(pointer), heif_image_get_primary_height(pointer))
        )
    }

    private static func layout(_ chroma: ChromaSampling, _ bitDepth: Int) -> PixelLayout {
        switch (chroma, bitDepth) {
        case (.half, 8): .yuv420p
        case (.wide, 8): .yuv422p
        case (.full, 8): .yuv444p
        case (.half, _): .yuv420p10
        case (.wide, _): .yuv422p10
        case (.full, _): .yuv444p10
        }
    }

    private static func libraryChroma(_ chroma: ChromaSampling) -> heif_chroma {
        switch chroma {
        case .half: heif_chroma_420
        case .wide: heif_chroma_422
        case .full: heif_chroma_444
        }
    }

    private func addPlane(
        _ channel: heif_channel,
        _ width: Int,
        _ height: Int,
        _ bitDepth: Int,
        fill: (_ row: Int, _ line: UnsafeMutablePointer<UInt8>) -> Void
    ) throws(CodecError) {
        let result = unsafe heif_image_add_plane(
            pointer,
            channel,
            Int32(width),
            Int32(height),
            Int32(bitDepth)
        )
        try unsafe checkHEIF("heif_image_add_plane", result)
        var stride: Int32 = 0
        guard let plane = unsafe heif_image_get_plane(pointer, channel, &stride) else { return }
        for row in 0..<height { unsafe fill(row, plane + row * Int(stride)) }
    }

    private func addAlpha(_ picture: VideoFrame, _ bitDepth: Int) throws(CodecError) {
        let format = picture.format
        let isWide = format.layout.bytesPerSample == 2
        let width = format.width
        try unsafe addPlane(heif_channel_Alpha, width, format.height, bitDepth) { row, line in
            picture.bytes.withSpan { bytes in
                for column in 0..<width {
                    let place = ((row * width + column) * 4 + 3) * (isWide ? 2 : 1)
                    let value =
                        isWide
                        ? Int(bytes[place]) | Int(bytes[place + 1]) << 8 : Int(bytes[place]) * 257
                    // To the nearest of the 256 or 1024 codes.
                    let top = 1 << bitDepth - 1
                    let code = (value * top * 2 + 65_535) / (2 * 65_535)
                    if bitDepth == 8 {
                        unsafe line[column] = UInt8(code)
                    } else {
                        unsafe line[2 * column] = UInt8(truncatingIfNeeded: code)
                        unsafe line[2 * column + 1] = UInt8(code >> 8)
                    }
                }
            }
        }
    }

    private func setColor(_ color: ColorInfo) throws(CodecError) {
        if let profile = ICCProfile.bytes(for: color.primaries), color.isShownAsSRGB {
            let result = unsafe profile.withUnsafeBytes { bytes in
                unsafe heif_image_set_raw_color_profile(
                    pointer,
                    "prof",
                    bytes.baseAddress,
                    bytes.count
                )
            }
            try unsafe checkHEIF("heif_image_set_raw_color_profile", result)
        }
        guard let codes = unsafe heif_nclx_color_profile_alloc() else { return }
        defer { unsafe heif_nclx_color_profile_free(codes) }
        let transfer = color.isShownAsSRGB ? ColorInfo.Transfer.sRGB : color.transfer
        try unsafe checkHEIF(
            "heif_nclx_color_profile_set_color_primaries",
            heif_nclx_color_profile_set_color_primaries(codes, UInt16(color.primaries.rawValue))
        )
        try unsafe checkHEIF(
            "heif_nclx_color_profile_set_transfer_characteristics",
            heif_nclx_color_profile_set_transfer_characteristics(
                codes,
                UInt16(transfer.rawValue)
            )
        )
        try unsafe checkHEIF(
            "heif_nclx_color_profile_set_matrix_coefficients",
            heif_nclx_color_profile_set_matrix_coefficients(
                codes,
                UInt16(ColorInfo.Matrix.bt601.rawValue)
            )
        )
        unsafe codes.pointee.full_range_flag = 1
        try unsafe checkHEIF(
            "heif_image_set_nclx_color_profile",
            heif_image_set_nclx_color_profile(pointer, codes)
        )
    }
}

extension ColorInfo {
    /// Whether stills tell these colours by a profile with sRGB's curve.
    ///
    /// Screens show BT.709 material by a curve near sRGB's, not by the inverse of the camera's.
    var isShownAsSRGB: Bool {
        switch transfer {
        case .sRGB, .bt709, .bt601, .bt2020: true
        case .linear, .pq, .hlg: false
        }
    }
}
