public import Media

/// Turns trails into pictures: palette, exposure, bloom and a filmic shoulder in linear light,
/// dithered to code values of BT.709.
///
/// Where several species leave trails, the sum of these says how bright it is there, and their parts of
/// it how much each one's colours count. The look comes with each field. The same field gives the same bytes whatever executor runs the
/// parts. Memory: about 6 MB beside the frame itself.
public struct Renderer: Sendable {
    /// What the frames are.
    public let format: VideoFormat
    private let framing: Framing
    /// How many points each side of a pixel is looked at.
    let sampling: Int

    /// For each species the light of its trail.
    var colors = [ColorTable()]
    var tones = ToneTable()
    var bloom: Bloom
    private var fit: Fit?
    let bloomColumns: [Position]
    let bloomRows: [Position]
    /// The squared distance from the picture's middle to each column, where the corners have 1.
    let columnFall: [Float]
    let rowFall: [Float]

    /// How a map of one size becomes the picture and the bloom's base.
    struct Fit: Sendable {
        let source: TrailFormat
        let columns: Resampler?
        let rows: Resampler?
        let bloomColumns: Resampler
        let bloomRows: Resampler
    }

    /// Where a pixel lies between two of the bloom's: so much of the way from one to the next.
    struct Position: Sendable {
        let index: Int
        let part: Float

        static func all(_ count: Int, over size: Int) -> [Position] {
            (0..<count).map { pixel in
                let place = (Double(pixel) + 0.5) * Double(size) / Double(count) - 0.5
                let inside = min(max(place, 0), Double(size - 1))
                let index = Int(inside)
                return Position(index: index, part: Float(inside - Double(index)))
            }
        }
    }

    /// Makes a renderer for pictures of one size.
    ///
    /// - Parameters:
    ///   - width: pixels across, 1…16384.
    ///   - height: pixels down, 1…16384.
    ///   - layout: `rgb24`, or `rgb48` for encoders of more than 8 bits.
    ///   - framing: what becomes of maps of another shape.
    ///   - isSupersampled: whether the light of four points is mixed to each pixel, which makes fine
    ///     bright lines smoother and takes longer.
    public init(
        width: Int,
        height: Int,
        layout: PixelLayout = .rgb24,
        framing: Framing = .cover,
        isSupersampled: Bool = false
    ) {
        precondition(
            layout == .rgb24 || layout == .rgb48,
            "Pictures are rendered as rgb24 or rgb48."
        )
        format = VideoFormat(width: width, height: height, layout: layout, color: .rgb709)
        self.framing = framing
        sampling = isSupersampled ? 2 : 1
        bloom = Bloom(width: width, height: height)
        bloomColumns = Position.all(width, over: bloom.levels[0].width)
        bloomRows = Position.all(height, over: bloom.levels[0].height)
        func fall(_ count: Int, part: Double) -> [Float] {
            (0..<count).map { pixel in
                let place = (Double(pixel) + 0.5) / Double(count) * 2 - 1
                return Float(place * place * part)
            }
        }
        columnFall = fall(width, part: 0.5)
        rowFall = fall(height, part: 0.5)
    }

    /// Renders one field.
    ///
    /// - Parameters:
    ///   - field: the trail, of any size; it is resampled to the picture's, and of another
    ///     shape it is framed.
    ///   - executor: runs the parts of the work.
    /// - Returns: the picture, in `format`.
    public mutating func render(_ field: TrailField, on executor: any Executor) -> VideoFrame {
        let parameters = field.parameters.parameters
        let palettes = field.parameters.palettes(count: field.format.speciesCount)
        while colors.count < palettes.count { colors.append(ColorTable()) }
        for (index, palette) in palettes.enumerated() { colors[index].update(palette, parameters) }
        tones.update(gamma: parameters.value(.gamma))
        let fit = fit(field.format)
        let intensity = parameters.value(.bloomIntensity)
        // At an exposure of 1 the trail's mean at rest counts as 1.
        let scale = Float(parameters.value(.exposure) / max(field.restingTrail, 1e-6))
        if intensity > 0 {
            fillBloom(field, fit, scale: scale, on: executor)
            bloom.spread(radius: parameters.value(.bloomRadius))
        }
        return compose(
            field,
            fit,
            scale: scale,
            bloomIntensity: Float(intensity),
            background: background(field.parameters.background),
            vignette: Float(parameters.value(.vignette)),
            on: executor
        )
    }

    /// A colour as the light that lies behind trails.
    private func background(_ color: OKLCh) -> SIMD4<Float> {
        let light = linearRGB(lab: color.lab)
        return SIMD4(Float(max(light.x, 0)), Float(max(light.y, 0)), Float(max(light.z, 0)), 0)
    }

    private mutating func fit(_ source: TrailFormat) -> Fit {
        if let fit, fit.source == source { return fit }
        let (width, height) = (sampling * format.width, sampling * format.height)
        let window = framing.window(
            map: (source.width, source.height),
            picture: (format.width, format.height)
        )
        let same = source.width == width && source.height == height
        let base = bloom.levels[0]
        func columns(_ count: Int) -> Resampler {
            Resampler(from: source.width, to: count, window: window.columns)
        }
        func rows(_ count: Int) -> Resampler {
            Resampler(from: source.height, to: count, window: window.rows)
        }
        let fresh = Fit(
            source: source,
            columns: same ? nil : columns(width),
            rows: same ? nil : rows(height),
            bloomColumns: columns(base.width),
            bloomRows: rows(base.height)
        )
        fit = fresh
        return fresh
    }
}
