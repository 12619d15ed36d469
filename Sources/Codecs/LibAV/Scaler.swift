import CLibAV
public import Media

/// Turns pictures of one format into another: size, layout, matrix and range.
///
/// Transfer and primaries are not converted: source and target must agree on them, or differ only
/// because one of them is a mere label. Deterministic; one picture at a time.
public struct Scaler: ~Copyable {
    /// How pixels between pixels are found.
    public enum Filter: String, Sendable, CaseIterable {
        case bicubic, lanczos, bilinear, nearest
    }

    /// The pictures it takes.
    public let source: VideoFormat
    /// The pictures it gives.
    public let target: VideoFormat
    private let converter: PictureConverter
    private let frame: FrameHandle

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
        let kind =
            switch filter {
            case .bicubic: SWS_BICUBIC
            case .lanczos: SWS_LANCZOS
            case .bilinear: SWS_BILINEAR
            case .nearest: SWS_POINT
            }
        let converter = try PictureConverter(
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
        let frame = try FrameHandle()
        self.source = source
        self.target = target
        self.converter = converter
        self.frame = frame
    }

    /// Converts one picture, which must have the format `source`.
    ///
    /// - Throws: `CodecError` when the library fails.
    public mutating func convert(_ picture: VideoFrame) throws(CodecError) -> VideoFrame {
        precondition(picture.format == source, "A scaler takes pictures of its source format.")
        // The library reads whole vectors, maybe beyond the last row of our unpadded picture.
        frame.clear()
        try frame.copy(picture)
        return try unsafe converter.convert(frame.pointer, subject: "scaler")
    }
}
