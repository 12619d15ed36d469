import Graph
import Media
import Physarum

/// Turns trails into pictures: palette, exposure, bloom and a filmic shoulder.
///
/// The look follows the parameters that come with each field. Light is mixed linearly and written
/// as full-range RGB with BT.709 primaries and transfer, dithered so that dark gradients show no
/// bands. A picture of another size than the map is resampled, of
/// another shape it shows a part of the map or has a margin, as `framing` says.
///
/// No latency. Memory: about 6 MB beside the pictures. Deterministic.
struct RenderPhysarum: Node {
    static let kind = "render.physarum"
    static let execution = Execution.stateless
    let fields: Input<TrailField>
    let video: Output<VideoFrame>
    let size: PixelSize?
    let layout: PixelLayout
    let framing: Framing
    let isSupersampled: Bool
    private var renderer: Renderer?

    init(_ c: inout Contract) {
        fields = c.input("field", .inOrder, "Trails of one size.")
        video = c.output("video", "A picture of each.")
        size = c.optionalSize(
            "size",
            in: 16...16_384,
            .pixels,
            "Width and height of the pictures; without it, the map's."
        )
        framing = c.choice(
            "framing",
            default: Framing.cover,
            "What becomes of a map of another shape: cover cuts off what is too much, contain shows all."
        )
        isSupersampled = c.boolean(
            "supersampling",
            default: false,
            "Whether four points make a pixel: fine bright lines get smoother, and it takes longer."
        )
        let depth = c.integer(
            "bitDepth",
            default: 8,
            in: 8...16,
            .bits,
            "8, or 16 for encoders and files of more than 8 bits."
        )
        c.require(depth == 8 || depth == 16, "bitDepth", "must be 8 or 16")
        layout = depth == 16 ? .rgb48 : .rgb24
    }

    private func format(_ f: borrowing Formats) -> VideoFormat? {
        let size = size ?? f[fields].map { PixelSize(width: $0.width, height: $0.height) }
        return size.map {
            VideoFormat(width: $0.width, height: $0.height, layout: layout, color: .rgb709)
        }
    }

    func resolve(_ f: inout Formats) {
        guard let format = format(f) else { return }
        f.set(
            video,
            format,
            rate: f.rate(of: fields),
            duration: f.duration(of: fields),
            bytesPerPacket: format.byteCount
        )
    }

    mutating func start(_ f: borrowing Formats) {
        renderer = format(f).map {
            Renderer(
                width: $0.width,
                height: $0.height,
                layout: layout,
                framing: framing,
                isSupersampled: isSupersampled
            )
        }
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(fields) {
            let picture = renderer?.render(packet.payload, on: io.environment.executor)
            if let picture { io.emit(picture, like: packet, on: video) }
        }
    }
}
