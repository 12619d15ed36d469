import CLibAV
public import Media

/// Turns pictures of one format into another: size, layout, matrix and range.
///
/// Transfer and primaries are not converted: source and target agree on them, or differ in name only.
/// Between RGB and luma-chroma of one size it computes itself, exactly; the rest is swscale's, set to be
/// exact. Deterministic at any number of threads; one picture at a time.
public struct Scaler: ~Copyable {
    /// How pixels between pixels are found.
    public enum Filter: String, Sendable, CaseIterable {
        case bicubic, lanczos, bilinear, nearest
    }

    /// The pictures it takes.
    public let source: VideoFormat
    /// The pictures it gives.
    public let target: VideoFormat
    private let way: Way

    private enum Way {
        case relabel
        case toYUV(RGBToYUV)
        case toRGB(YUVToRGB)
        case library(LibraryScaler)
    }

    /// Makes a scaler.
    ///
    /// - Parameters:
    ///   - source: the pictures it takes.
    ///   - target: the pictures it gives.
    ///   - filter: how pixels are found where sizes differ.
    /// - Throws: `CodecError` when the library cannot.
    public init(from source: VideoFormat, to target: VideoFormat, filter: Filter = .lanczos)
        throws(CodecError)
    {
        self.source = source
        self.target = target
        if Self.holdsSame(source, target) {
            way = .relabel
        } else if let own = RGBToYUV(from: source, to: target) {
            way = .toYUV(own)
        } else if let own = YUVToRGB(from: source, to: target) {
            way = .toRGB(own)
        } else {
            way = .library(try LibraryScaler(Self.library(source, target, filter)))
        }
    }

    /// Whether a picture of one format is one of the other as it stands.
    private static func holdsSame(_ source: VideoFormat, _ target: VideoFormat) -> Bool {
        source.width == target.width && source.height == target.height
            && source.layout == target.layout && source.color.matrix == target.color.matrix
            && source.color.range == target.color.range
    }

    private static func library(
        _ source: VideoFormat,
        _ target: VideoFormat,
        _ filter: Filter
    ) throws(CodecError) -> PictureConverter {
        let kind =
            switch filter {
            case .bicubic: SWS_BICUBIC
            case .lanczos: SWS_LANCZOS
            case .bilinear: SWS_BILINEAR
            case .nearest: SWS_POINT
            }
        return try PictureConverter(
            from: PictureConverter.Source(
                width: Int32(source.width),
                height: Int32(source.height),
                format: source.layout.libraryFormat.rawValue,
                color: source.color
            ),
            to: target,
            flags: kind | PictureConverter.exactness,
            subject: "scaler"
        )
    }

    /// Converts one picture, which must have the format `source`.
    ///
    /// - Parameters:
    ///   - picture: what to convert.
    ///   - executor: runs bands of rows at the same time, where the way allows that.
    /// - Returns: the picture in the format `target`.
    /// - Throws: `CodecError` when the library fails.
    public mutating func convert(
        _ picture: VideoFrame,
        using executor: any Executor = SerialExecutor()
    ) throws(CodecError) -> VideoFrame {
        precondition(picture.format == source, "A scaler takes pictures of its source format.")
        switch way {
        case .relabel: return source == target ? picture : relabelled(picture)
        case .toYUV(let own): return own.convert(picture, using: executor)
        case .toRGB(let own): return own.convert(picture, using: executor)
        case .library(let scaler): return try scaler.convert(picture)
        }
    }

    private func relabelled(_ picture: VideoFrame) -> VideoFrame {
        var bytes = Writable<UInt8>(uninitialized: picture.byteCount)
        unsafe picture.bytes.withUnsafePointer { from in
            unsafe bytes.withUnsafeMutablePointer { to in
                unsafe to.update(from: from, count: picture.byteCount)
            }
        }
        return VideoFrame(format: target, bytes: bytes)
    }
}

/// The library's converter in a box, since an enum's cases hold no handles that can be used in place.
private final class LibraryScaler {
    private let converter: PictureConverter
    private let frame: FrameHandle

    init(_ converter: consuming PictureConverter) throws(CodecError) {
        frame = try FrameHandle()
        self.converter = converter
    }

    func convert(_ picture: VideoFrame) throws(CodecError) -> VideoFrame {
        // The library reads whole vectors, maybe beyond the last row of our unpadded picture.
        frame.clear()
        try frame.copy(picture)
        return try unsafe converter.convert(frame.pointer, subject: "scaler")
    }
}
