import Codecs
import Graph
import Media

/// Gives pictures of changing sizes one size, with black bars where their shapes differ.
///
/// Without `size` it is the first picture's, made even. Layout, matrix and range become the first picture's
/// too. Primaries and transfer do not: where those change, light is not what it should be, which is told. A
/// change of size is told as well. Pictures that have the size pass as they are.
///
/// No latency. Memory: three pictures. Deterministic.
struct VideoFit: Node, ~Copyable {
    static let kind = "video.fit"
    static let execution = Execution.serial

    let video: Input<VideoFrame>
    let out: Output<VideoFrame>
    let size: PixelSize?
    private var target: VideoFormat?
    private var scaler: Scaler?
    private var seen: VideoFormat?

    init(_ c: inout Contract) {
        video = c.input("video", .inOrder, changes: .accepts, "Pictures of any format.")
        out = c.output("video", "The same pictures, all of one format.")
        size = c.optionalSize(
            "size",
            in: 2...16_384,
            .pixels,
            "Width and height; without it those of the first picture, made even."
        )
    }

    private func target(for first: VideoFormat) -> VideoFormat {
        VideoFormat(
            width: size?.width ?? max(2, first.width & ~1),
            height: size?.height ?? max(2, first.height & ~1),
            layout: first.layout,
            color: first.color
        )
    }

    func resolve(_ f: inout Formats) {
        guard let first = f[video] else { return }
        let target = target(for: first)
        f.set(
            out,
            target,
            rate: f.rate(of: video),
            duration: f.duration(of: video),
            bytesPerPacket: target.byteCount
        )
    }

    mutating func start(_ f: borrowing Formats) {
        if let first = f[video] { target = target(for: first) }
    }

    mutating func run(_ io: inout IO) throws {
        while let packet = io.take(video) {
            let picture = packet.payload
            let target = target ?? target(for: picture.format)
            self.target = target
            if seen != picture.format { tell(picture.format, target, packet.time, io.environment) }
            io.emit(try fitted(picture, target), like: packet, on: out)
        }
    }

    private mutating func tell(
        _ format: VideoFormat,
        _ target: VideoFormat,
        _ time: MediaTime,
        _ environment: NodeEnvironment
    ) {
        defer { seen = format }
        guard let seen else { return }
        environment.warn(
            "at \(time) pictures change from \(seen) to \(format): they stay \(target.width)x\(target.height)"
        )
        if format.color.transfer != target.color.transfer
            || format.color.primaries != target.color.primaries
        {
            environment.warn(
                "from \(time) on light is not converted: colours look other than meant"
            )
        }
    }

    private mutating func fitted(_ picture: VideoFrame, _ target: VideoFormat) throws -> VideoFrame
    {
        let source = picture.format
        if source == target { return picture }
        let inner = Self.inner(source, target)
        if scaler?.source != source {
            scaler = try Scaler(
                from: source,
                to: VideoFormat(
                    width: inner.width,
                    height: inner.height,
                    layout: target.layout,
                    color: target.color
                )
            )
        }
        guard let scaled = try scaler?.convert(picture) else { return picture }
        return scaled.format == target ? scaled : Self.framed(scaled, target)
    }

    /// The largest even size of a picture's shape within another.
    private static func inner(_ source: VideoFormat, _ target: VideoFormat) -> (
        width: Int, height: Int
    ) {
        let isWide = source.width * target.height >= source.height * target.width
        let width =
            isWide ? target.width : target.height * source.width / max(1, source.height) & ~1
        let height =
            isWide ? target.width * source.height / max(1, source.width) & ~1 : target.height
        return (min(target.width, max(2, width)), min(target.height, max(2, height)))
    }

    /// A picture in the middle of a black one.
    private static func framed(_ picture: VideoFrame, _ target: VideoFormat) -> VideoFrame {
        var bytes = Writable<UInt8>(uninitialized: target.byteCount)
        let (from, to) = (picture.format, target)
        let shift = target.layout.chromaShift
        let left = (to.width - from.width) / 2 & ~((1 << shift.horizontal) - 1)
        let top = (to.height - from.height) / 2 & ~((1 << shift.vertical) - 1)
        let isDeep = target.layout.bytesPerSample == 2
        let unit = target.layout.samplesPerPixel * target.layout.bytesPerSample
        for (index, plane) in to.planes.enumerated() {
            let black = blackSample(target, plane: index)
            bytes.withMutableSpan { span in
                for place in stride(from: 0, to: plane.stride * plane.height, by: isDeep ? 2 : 1) {
                    span[plane.offset + place] = UInt8(truncatingIfNeeded: black)
                    if isDeep {
                        span[plane.offset + place + 1] = UInt8(truncatingIfNeeded: black >> 8)
                    }
                }
            }
            let inner = from.planes[index]
            let isChroma = index > 0
            let column = (isChroma ? left >> shift.horizontal : left) * unit
            let row = isChroma ? top >> shift.vertical : top
            for line in 0..<inner.height {
                bytes.copy(
                    picture.bytes,
                    from: inner.offset + line * inner.stride,
                    count: inner.stride,
                    to: plane.offset + (row + line) * plane.stride + column
                )
            }
        }
        return VideoFrame(format: target, bytes: bytes)
    }

    private static func blackSample(_ format: VideoFormat, plane: Int) -> Int {
        let scale: Int
        switch format.layout {
        case .yuv420p10, .yuv422p10, .yuv444p10: scale = 4
        case .rgb48, .rgba64: scale = 256
        default: scale = 1
        }
        if plane > 0 { return 128 * scale }
        return format.color.range == .limited ? 16 * scale : 0
    }
}
