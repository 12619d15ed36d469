/// How a picture's samples lie in memory; names as FFmpeg's.
public enum PixelLayout: String, Sendable, CaseIterable {
    case gray8, rgb24, rgba32, rgb48, rgba64
    case yuv420p, yuv422p, yuv444p, yuv420p10, yuv422p10, yuv444p10

    /// Bytes of one sample; samples of two bytes are in the machine's byte order.
    public var bytesPerSample: Int {
        switch self {
        case .rgb48, .rgba64, .yuv420p10, .yuv422p10, .yuv444p10: 2
        default: 1
        }
    }

    /// Samples that lie together for one pixel of plane 0.
    public var samplesPerPixel: Int {
        switch self {
        case .rgb24, .rgb48: 3
        case .rgba32, .rgba64: 4
        default: 1
        }
    }

    /// Whether luma and chroma lie in three planes.
    public var isPlanar: Bool { planeCount == 3 }

    /// 1 or 3.
    public var planeCount: Int {
        switch self {
        case .gray8, .rgb24, .rgba32, .rgb48, .rgba64: 1
        default: 3
        }
    }

    /// By how many bits a chroma plane's width and height are shifted down.
    public var chromaShift: (horizontal: Int, vertical: Int) {
        switch self {
        case .yuv420p, .yuv420p10: (1, 1)
        case .yuv422p, .yuv422p10: (1, 0)
        default: (0, 0)
        }
    }
}

/// Where one plane lies in a frame's memory.
public struct Plane: Sendable, Hashable {
    /// Bytes from the start of the frame's memory.
    public let offset: Int
    /// Bytes from one row to the next; a row has no more.
    public let stride: Int
    /// Rows.
    public let height: Int
}

/// What a stream of pictures is: size, layout and colour.
public struct VideoFormat: StreamFormat {
    /// Pixels across, 1…16384.
    public let width: Int
    /// Pixels down, 1…16384.
    public let height: Int
    /// How samples lie in memory.
    public let layout: PixelLayout
    /// What the samples mean as light.
    public let color: ColorInfo

    /// Says all four; width and height must be in 1…16384.
    public init(width: Int, height: Int, layout: PixelLayout, color: ColorInfo) {
        precondition(
            (1...16384).contains(width) && (1...16384).contains(height),
            "A picture's sides are 1 to 16384 pixels."
        )
        self.width = width
        self.height = height
        self.layout = layout
        self.color = color
    }

    /// Size, layout and colour.
    public var description: String { "\(width)x\(height) \(layout) \(color)" }

    /// Where the planes lie: one after another, rows without padding.
    public var planes: [Plane] {
        let first = Plane(
            offset: 0,
            stride: width * layout.samplesPerPixel * layout.bytesPerSample,
            height: height
        )
        guard layout.isPlanar else { return [first] }
        let shift = layout.chromaShift
        let chromaWidth = (width + (1 << shift.horizontal) - 1) >> shift.horizontal
        let chromaHeight = (height + (1 << shift.vertical) - 1) >> shift.vertical
        let stride = chromaWidth * layout.bytesPerSample
        let second = first.stride * first.height
        return [
            first,
            Plane(offset: second, stride: stride, height: chromaHeight),
            Plane(offset: second + stride * chromaHeight, stride: stride, height: chromaHeight),
        ]
    }

    /// Bytes of one frame.
    public var byteCount: Int { planes.reduce(0) { $0 + $1.stride * $1.height } }
}

/// One picture.
public final class VideoFrame: Payload {
    /// Size, layout and colour.
    public let format: VideoFormat
    /// The planes' rows as `format.planes` says.
    public let bytes: Lease<UInt8>

    /// The memory of the picture.
    public var byteCount: Int { bytes.byteCount }

    /// Makes a frame of what was written; `bytes` must hold exactly `format.byteCount`.
    public init(format: VideoFormat, bytes: consuming Writable<UInt8>) {
        precondition(bytes.count == format.byteCount, "A frame's memory must fit its format.")
        self.format = format
        self.bytes = bytes.frozen()
    }
}
