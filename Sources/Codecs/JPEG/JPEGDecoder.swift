import CTurboJPEG
public import Media

/// Decodes JPEG files (libjpeg-turbo); pictures come out as they are stored, not turned.
public enum JPEGDecoder {
    /// Decodes a picture.
    ///
    /// - Parameter bytes: the whole file.
    /// - Returns: full-range rgb24, or gray8 of gray files, with sRGB's primaries and transfer.
    /// - Throws: `CodecError` for a file that is cut or damaged, has four inks, or sides beyond 16384.
    public static func decode(_ bytes: [UInt8]) throws(CodecError) -> VideoFrame {
        guard let handle = unsafe tjInitDecompress() else {
            throw CodecError(
                call: "tjInitDecompress",
                code: 0,
                text: "out of memory",
                subject: "JPEG"
            )
        }
        defer { unsafe tjDestroy(handle) }
        func check(_ call: String, _ code: Int32) throws(CodecError) {
            guard code != 0 else { return }
            let text = unsafe String(cString: tjGetErrorStr2(handle))
            throw CodecError(call: call, code: code, text: text, subject: "JPEG")
        }
        var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
        let head = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe tjDecompressHeader3(
                handle,
                bytes.baseAddress,
                UInt(bytes.count),
                &width,
                &height,
                &sampling,
                &space
            )
        }
        try check("tjDecompressHeader3", head)
        let inks = [TJCS_CMYK, TJCS_YCCK].map { Int32($0.rawValue) }
        guard (1...16_384).contains(width), (1...16_384).contains(height), !inks.contains(space)
        else {
            throw CodecError(
                call: "decode",
                code: 0,
                text: inks.contains(space)
                    ? "it holds four inks (CMYK) and no light"
                    : "its sides, \(width)x\(height), are beyond 16384",
                subject: "JPEG",
                hint: "convert it to RGB with another program"
            )
        }
        let isGray = space == Int32(TJCS_GRAY.rawValue)
        var color = ColorInfo.sRGB
        if isGray { color.matrix = .bt601 }
        let format = VideoFormat(
            width: Int(width),
            height: Int(height),
            layout: isGray ? .gray8 : .rgb24,
            color: color
        )
        // Of a file that ends early the rest stays as it is.
        var pixels = Writable<UInt8>(repeating: 0, count: format.byteCount)
        let code = unsafe pixels.withUnsafeMutablePointer { target in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe tjDecompress2(
                    handle,
                    bytes.baseAddress,
                    UInt(bytes.count),
                    target,
                    width,
                    Int32(format.planes[0].stride),
                    height,
                    isGray ? TJPF_GRAY.rawValue : TJPF_RGB.rawValue,
                    TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING
                )
            }
        }
        try check("tjDecompress2", code)
        return VideoFrame(format: format, bytes: pixels)
    }
}
