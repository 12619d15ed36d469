import CLibAV
import Media

extension PixelLayout {
    /// FFmpeg's number for this layout.
    var libraryFormat: AVPixelFormat {
        switch self {
        case .gray8: AV_PIX_FMT_GRAY8
        case .rgb24: AV_PIX_FMT_RGB24
        case .rgba32: AV_PIX_FMT_RGBA
        case .rgb48: foxfire_rgb48
        case .rgba64: foxfire_rgba64
        case .yuv420p: AV_PIX_FMT_YUV420P
        case .yuv422p: AV_PIX_FMT_YUV422P
        case .yuv444p: AV_PIX_FMT_YUV444P
        case .yuv420p10: foxfire_yuv420p10
        case .yuv422p10: foxfire_yuv422p10
        case .yuv444p10: foxfire_yuv444p10
        }
    }

    /// The layout that loses least of what FFmpeg's `format` holds.
    init?(nearest format: AVPixelFormat) {
        guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return nil }
        let flags = unsafe descriptor.pointee.flags
        let hasAlpha = flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
        if let same = Self.allCases.first(where: { $0.libraryFormat == format }) {
            self = same
            return
        }
        // `yuvj420p` and its like are their plain forms; the range is told apart from the layout.
        switch format {
        case AV_PIX_FMT_YUVJ420P: self = .yuv420p
        case AV_PIX_FMT_YUVJ422P: self = .yuv422p
        case AV_PIX_FMT_YUVJ444P: self = .yuv444p
        default:
            var candidates = Self.allCases.map(\.libraryFormat)
            candidates.append(AV_PIX_FMT_NONE)
            let best = unsafe avcodec_find_best_pix_fmt_of_list(
                candidates,
                format,
                hasAlpha ? 1 : 0,
                nil
            )
            guard let found = Self.allCases.first(where: { $0.libraryFormat == best }) else {
                return nil
            }
            self = found
        }
    }

    /// Whether samples are red, green and blue rather than luma and chroma.
    var isRGB: Bool {
        switch self {
        case .rgb24, .rgba32, .rgb48, .rgba64: true
        default: false
        }
    }
}

/// Colour as a file tags it, made whole where tags are missing.
struct TaggedColor {
    let color: ColorInfo
    /// Whether a tag was missing or says what `ColorInfo` cannot.
    let isAssumed: Bool

    /// Reads the tags of a picture; what is missing follows from what such pictures usually are.
    ///
    /// Untagged video is BT.709 from 720 lines up, BT.601 of its line count below, and limited in
    /// range, as players take it, unless `untold` says otherwise.
    init(
        layout: PixelLayout,
        format: AVPixelFormat,
        height: Int,
        matrix: AVColorSpace,
        range: AVColorRange,
        primaries: AVColorPrimaries,
        transfer: AVColorTransferCharacteristic,
        untold: ColorInfo? = nil
    ) {
        var assumed = false
        func known<T>(_ value: T?, else other: T) -> T {
            if let value { return value }
            assumed = true
            return other
        }
        let isHD = height >= 720
        let isPAL = height == 576 || height == 288
        let isFullFormat =
            [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P].contains(format)
        if layout.isRGB {
            color = ColorInfo(
                matrix: .rgb,
                range: .full,
                primaries: known(Self.primaries(primaries), else: .bt709),
                transfer: known(Self.transfer(transfer), else: .sRGB)
            )
        } else {
            let standard: ColorInfo.Matrix = isHD ? .bt709 : isPAL ? .bt470bg : .bt601
            let usual: ColorInfo.Range = isFullFormat ? .full : .limited
            color = ColorInfo(
                matrix: known(Self.matrix(matrix), else: untold?.matrix ?? standard),
                range: isFullFormat
                    ? .full : known(Self.range(range), else: untold?.range ?? usual),
                primaries: known(
                    Self.primaries(primaries),
                    else: untold?.primaries ?? (isHD ? .bt709 : isPAL ? .bt470bg : .bt601)
                ),
                transfer: known(
                    Self.transfer(transfer),
                    else: untold?.transfer ?? (isHD ? .bt709 : .bt601)
                )
            )
        }
        isAssumed = assumed
    }

    private static func matrix(_ value: AVColorSpace) -> ColorInfo.Matrix? {
        switch value {
        case AVCOL_SPC_BT709: .bt709
        case AVCOL_SPC_BT470BG: .bt470bg
        case AVCOL_SPC_SMPTE170M: .bt601
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
        default: nil
        }
    }

    private static func range(_ value: AVColorRange) -> ColorInfo.Range? {
        switch value {
        case AVCOL_RANGE_MPEG: .limited
        case AVCOL_RANGE_JPEG: .full
        default: nil
        }
    }

    private static func primaries(_ value: AVColorPrimaries) -> ColorInfo.Primaries? {
        switch value {
        case AVCOL_PRI_BT709: .bt709
        case AVCOL_PRI_BT470BG: .bt470bg
        case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M: .bt601
        case AVCOL_PRI_BT2020: .bt2020
        case AVCOL_PRI_SMPTE432: .displayP3
        default: nil
        }
    }

    private static func transfer(_ value: AVColorTransferCharacteristic) -> ColorInfo.Transfer? {
        switch value {
        case AVCOL_TRC_BT709: .bt709
        case AVCOL_TRC_SMPTE170M: .bt601
        case AVCOL_TRC_LINEAR: .linear
        case AVCOL_TRC_IEC61966_2_1: .sRGB
        case AVCOL_TRC_BT2020_10, AVCOL_TRC_BT2020_12: .bt2020
        case AVCOL_TRC_SMPTE2084: .pq
        case AVCOL_TRC_ARIB_STD_B67: .hlg
        default: nil
        }
    }
}

extension ColorInfo {
    // H.273's numbers are FFmpeg's too.
    var libraryMatrix: AVColorSpace { AVColorSpace(UInt32(matrix.rawValue)) }
    var libraryRange: AVColorRange { AVColorRange(UInt32(range.rawValue)) }
    var libraryPrimaries: AVColorPrimaries { AVColorPrimaries(UInt32(primaries.rawValue)) }
    var libraryTransfer: AVColorTransferCharacteristic {
        AVColorTransferCharacteristic(UInt32(transfer.rawValue))
    }
}
