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
        let inner = Fitting.inner(source, width: target.width, height: target.height)
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
        return scaled.format == target ? scaled : Fitting.framed(scaled, target)
    }
}
