import Codecs
import Graph
import Media

/// Changes the size of pictures, and how their samples lie in memory.
///
/// Pictures are stretched to `size`, whatever their shape. Going from RGB to luma and chroma takes the
/// BT.709 matrix and limited range unless told otherwise; going to RGB takes full range. Primaries and
/// transfer stay as they are. The engine puts this node on an edge by itself where a reader needs
/// another layout.
///
/// No latency. Memory: two pictures. Deterministic.
struct VideoScale: Node, ~Copyable {
    static let kind = "video.scale"
    static let execution = Execution.stateless

    /// The matrices a user can ask for.
    enum Matrix: String, CaseIterable {
        case rgb, bt709, bt601, bt470bg, bt2020

        var matrix: ColorInfo.Matrix {
            switch self {
            case .rgb: .rgb
            case .bt709: .bt709
            case .bt601: .bt601
            case .bt470bg: .bt470bg
            case .bt2020: .bt2020
            }
        }

        init(_ matrix: ColorInfo.Matrix) {
            switch matrix {
            case .rgb: self = .rgb
            case .bt709: self = .bt709
            case .bt601: self = .bt601
            case .bt470bg: self = .bt470bg
            case .bt2020: self = .bt2020
            }
        }
    }

    /// The ranges a user can ask for.
    enum Range: String, CaseIterable {
        case limited, full

        var range: ColorInfo.Range { self == .full ? .full : .limited }
    }

    let video: Input<VideoFrame>
    let out: Output<VideoFrame>
    let size: PixelSize?
    let layout: PixelLayout?
    let matrix: Matrix?
    let range: Range?
    let filter: Scaler.Filter
    private var target: VideoFormat?
    private var scaler: Scaler?

    init(_ c: inout Contract) {
        video = c.input("video", .inOrder, "Pictures of any format.")
        out = c.output("video", "The same pictures in the format asked for.")
        size = c.optionalSize(
            "size",
            in: 1...16_384,
            .pixels,
            "Width and height; without it the size stays."
        )
        layout = c.optionalChoice(
            "layout",
            "How samples lie in memory; without it the layout stays."
        )
        matrix = c.optionalChoice(
            "matrix",
            "How luma and chroma are made; \"rgb\" goes with RGB layouts alone."
        )
        range = c.optionalChoice(
            "range",
            "Which values are black and white; without it as fits the layout."
        )
        filter = c.choice(
            "filter",
            default: Scaler.Filter.lanczos,
            "How pixels are found where sizes differ."
        )
        if let matrix, let layout {
            c.require(
                (matrix == .rgb) == layout.isRGB || layout == .gray8,
                "matrix",
                "must be \"rgb\" for RGB layouts and another for the rest"
            )
        }
    }

    func resolve(_ f: inout Formats) throws {
        guard let source = f[video] else { return }
        let target = try target(of: source)
        f.set(
            out,
            target,
            rate: f.rate(of: video),
            duration: f.duration(of: video),
            bytesPerPacket: target.byteCount
        )
    }

    /// What pictures of a format become.
    private func target(of source: VideoFormat) throws -> VideoFormat {
        let layout = layout ?? source.layout
        var color = source.color
        if layout.isRGB != source.layout.isRGB {
            color.matrix = layout.isRGB ? .rgb : .bt709
            color.range = layout.isRGB ? .full : .limited
        }
        if let matrix { color.matrix = matrix.matrix }
        if let range { color.range = range.range }
        if layout.isRGB != (color.matrix == .rgb), layout != .gray8 {
            throw Problem(
                .format,
                "pictures of layout \(layout) cannot have the matrix \(Matrix(color.matrix).rawValue)",
                pointer: "/matrix",
                hint: "leave it out, or set \"layout\" too"
            )
        }
        return VideoFormat(
            width: size?.width ?? source.width,
            height: size?.height ?? source.height,
            layout: layout,
            color: color
        )
    }

    mutating func start(_ f: borrowing Formats) throws {
        guard let source = f[video] else { return }
        let target = try target(of: source)
        self.target = target
        scaler =
            source == target ? nil : try Scaler(from: source, to: target, filter: filter)
    }

    mutating func run(_ io: inout IO) throws {
        while let packet = io.take(video) {
            let picture = try scaler?.convert(packet.payload) ?? packet.payload
            io.emit(picture, like: packet, on: out)
        }
    }

    static let conversion: Conversion? = Conversion(of: VideoFrame.self) { from, to in
        let isSameSize = from.width == to.width && from.height == to.height
        guard isSameSize, from.color.primaries == to.color.primaries,
            from.color.transfer == to.color.transfer
        else { return nil }
        return [
            "layout": .string(to.layout.rawValue),
            "matrix": .string(Matrix(to.color.matrix).rawValue),
            "range": .string(to.color.range == .full ? "full" : "limited"),
        ]
    }
}

extension PixelLayout {
    /// Whether samples are red, green and blue rather than luma and chroma, or gray.
    fileprivate var isRGB: Bool {
        switch self {
        case .rgb24, .rgba32, .rgb48, .rgba64: true
        default: false
        }
    }
}
