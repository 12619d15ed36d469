import CTurboJPEG
public import Media

/// Writes pictures as JPEG files (libjpeg-turbo), with EXIF, XMP and a colour profile.
///
/// The file begins with its EXIF block, as cameras write it, and has no JFIF header then. The bytes depend on
/// picture, settings and metadata alone. Memory: three times the picture. Source of the segments: CIPA
/// DC-008-2019 section 4.7, XMP part 3 section 1.1.3, ICC.1:2022 annex B.4.
public struct JPEGEncoder: Sendable {
    /// 1…100, more is better and larger.
    public let quality: Int
    /// How chroma is stored.
    public let chroma: ChromaSampling

    /// Makes an encoder.
    ///
    /// - Parameters:
    ///   - quality: 1…100.
    ///   - chroma: how chroma is stored.
    public init(quality: Int = 92, chroma: ChromaSampling = .half) {
        precondition((1...100).contains(quality), "A JPEG's quality is 1 to 100.")
        self.quality = quality
        self.chroma = chroma
    }

    /// Encodes one picture.
    ///
    /// - Parameters:
    ///   - picture: full-range gray8, rgb24 or rgba32, whose alpha is left out.
    ///   - tiff: an EXIF block, from its TIFF header on; nil for none.
    ///   - xmp: an XMP packet; nil for none.
    /// - Returns: the file.
    /// - Throws: `CodecError` for a picture or metadata that JPEG cannot hold, or when the library fails.
    public func encode(_ picture: VideoFrame, tiff: [UInt8]? = nil, xmp: String? = nil)
        throws(CodecError) -> [UInt8]
    {
        let format = picture.format
        guard [.gray8, .rgb24, .rgba32].contains(format.layout), format.color.range == .full else {
            throw CodecError(
                call: "encode",
                code: 0,
                text: "JPEG does not hold \(format)",
                subject: "JPEG",
                hint: "convert to full-range gray8 or rgb24 before"
            )
        }
        let coded = try JPEGHandle().compress(picture, quality: quality, sampling)
        var bytes: [UInt8] = [0xFF, 0xD8]
        let rest = tiff == nil ? coded[2...] : Self.withoutJFIF(coded)
        if let tiff {
            _ = try EXIFBlock.read(tiff)
            try Self.append(0xE1, Array("Exif\0\0".utf8) + tiff, to: &bytes, "EXIF")
        }
        if let xmp {
            let name = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
            try Self.append(0xE1, name + Array(xmp.utf8), to: &bytes, "XMP")
        }
        if format.color.isShownAsSRGB, let profile = ICCProfile.bytes(for: format.color.primaries) {
            let name = Array("ICC_PROFILE\0".utf8) + [1, 1]
            try Self.append(0xE2, name + profile, to: &bytes, "the colour profile")
        }
        return bytes + rest
    }

    private var sampling: Int32 {
        switch chroma {
        case .half: Int32(TJSAMP_420.rawValue)
        case .wide: Int32(TJSAMP_422.rawValue)
        case .full: Int32(TJSAMP_444.rawValue)
        }
    }

    private static func withoutJFIF(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        guard bytes.count > 6, bytes[2] == 0xFF, bytes[3] == 0xE0 else { return bytes[2...] }
        return bytes[(4 + (Int(bytes[4]) << 8 | Int(bytes[5])))...]
    }

    private static func append(
        _ marker: UInt8,
        _ contents: [UInt8],
        to bytes: inout [UInt8],
        _ name: String
    ) throws(CodecError) {
        guard contents.count + 2 <= 65_535 else {
            throw CodecError(
                call: "encode",
                code: 0,
                text: "\(name) has \(contents.count) bytes, and a segment holds 65533",
                subject: "JPEG",
                hint: "shorten the description"
            )
        }
        bytes += [0xFF, marker]
        bytes.put16(contents.count + 2)
        bytes += contents
    }
}

/// Owns the library's compressor.
@safe private struct JPEGHandle: ~Copyable {
    private let handle: tjhandle

    init() throws(CodecError) {
        guard let made = unsafe tjInitCompress() else {
            throw CodecError(
                call: "tjInitCompress",
                code: 0,
                text: "out of memory",
                subject: "JPEG"
            )
        }
        unsafe handle = made
    }

    deinit { unsafe tjDestroy(handle) }

    func compress(_ picture: VideoFrame, quality: Int, _ sampling: Int32) throws(CodecError)
        -> [UInt8]
    {
        let format = picture.format
        let isGray = format.layout == .gray8
        let pixels =
            switch format.layout {
            case .gray8: TJPF_GRAY
            case .rgba32: TJPF_RGBA
            default: TJPF_RGB
            }
        var data: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        defer { unsafe tjFree(data) }
        let code = unsafe picture.bytes.withUnsafePointer { bytes in
            unsafe tjCompress2(
                handle,
                bytes,
                Int32(format.width),
                Int32(format.planes[0].stride),
                Int32(format.height),
                pixels.rawValue,
                &data,
                &size,
                isGray ? Int32(TJSAMP_GRAY.rawValue) : sampling,
                Int32(quality),
                TJFLAG_ACCURATEDCT
            )
        }
        guard code == 0, let data = unsafe data else {
            throw CodecError(
                call: "tjCompress2",
                code: code,
                text: unsafe String(cString: tjGetErrorStr2(handle)),
                subject: "JPEG"
            )
        }
        return unsafe Array(UnsafeBufferPointer(start: data, count: Int(size)))
    }
}
