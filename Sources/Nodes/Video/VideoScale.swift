import Codecs
import Graph
import Media

/// Changes the size of pictures, and how their samples lie in memory.
///
/// Pictures are stretched to `size`, whatever their shape, unless `fit` keeps it: `contain` shows all of them
/// between black bars, `cover` fills the size and cuts off what is over. With `longEdge` in the place of `size`
/// the longer side becomes that long, and the other follows. With `even` sides become even, as video in 4:2:0
/// needs them: stretched by a pixel at most. Going from RGB to luma and chroma takes the
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

    /// What happens where shapes differ.
    enum Fit: String, CaseIterable { case stretch, contain, cover }

    /// The ranges a user can ask for.
    enum Range: String, CaseIterable {
        case limited, full

        var range: ColorInfo.Range { self == .full ? .full : .limited }
    }

    let video: Input<VideoFrame>
    let out: Output<VideoFrame>
    let size: PixelSize?
    let longEdge: Int?
    let fit: Fit
    let isEven: Bool
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
        longEdge = c.optionalInteger(
            "longEdge",
            in: 1...16_384,
            .pixels,
            "How long the longer side becomes; the shape stays."
        )
        fit = c.choice(
            "fit",
            default: .stretch,
            "What happens where the shape of \"size\" is another."
        )
        isEven = c.boolean("even", default: false, "Whether sides are made even.")
        c.require(size == nil || longEdge == nil, "longEdge", "cannot stand beside \"size\"")
        c.require(fit == .stretch || size != nil, "fit", "needs a \"size\"")
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
        let sides = sides(of: source)
        return VideoFormat(width: sides.width, height: sides.height, layout: layout, color: color)
    }

    private func sides(of source: VideoFormat) -> (width: Int, height: Int) {
        var (width, height) = (size?.width ?? source.width, size?.height ?? source.height)
        if let longEdge {
            let long = max(source.width, source.height)
            // The nearest whole number, and never nothing.
            width = max(1, (2 * source.width * longEdge + long) / (2 * long))
            height = max(1, (2 * source.height * longEdge + long) / (2 * long))
        }
        if isEven { (width, height) = (max(2, width & ~1), max(2, height & ~1)) }
        return (width, height)
    }

    /// What pictures are scaled to before bars are put beside them, or their edges are cut off.
    private func scaledFormat(_ source: VideoFormat, _ target: VideoFormat) -> VideoFormat {
        let sides =
            switch fit {
            case .stretch: (width: target.width, height: target.height)
            case .contain:
                Fitting.inner(source, width: target.width, height: target.height)
            case .cover: Fitting.outer(source, width: target.width, height: target.height)
            }
        return VideoFormat(
            width: sides.width,
            height: sides.height,
            layout: target.layout,
            color: target.color
        )
    }

    mutating func start(_ f: borrowing Formats) throws {
        guard let source = f[video] else { return }
        let target = try target(of: source)
        self.target = target
        let scaled = scaledFormat(source, target)
        guard max(scaled.width, scaled.height) <= 16_384 else {
            throw Problem(
                .range,
                "pictures of \(source.width)x\(source.height) that cover \(target.width)x\(target.height) "
                    + "would have a side beyond 16384",
                pointer: "/fit"
            )
        }
        scaler = source == scaled ? nil : try Scaler(from: source, to: scaled, filter: filter)
    }

    mutating func run(_ io: inout IO) throws {
        while let packet = io.take(video) {
            let scaled = try scaler?.convert(packet.payload) ?? packet.payload
            guard let target else { return }
            let picture =
                switch fit {
                case _ where scaled.format == target: scaled
                case .cover: Fitting.cropped(scaled, target)
                case .contain, .stretch: Fitting.framed(scaled, target)
                }
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
