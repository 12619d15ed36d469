import Media

/// A picture in linear light: red, green, blue and nothing a pixel.
struct LightImage: Sendable {
    let width: Int
    let height: Int
    var pixels: [SIMD4<Float>]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = Array(repeating: .zero, count: width * height)
    }
}

/// Light that spreads around what is bright: a sum of blurs, each twice as wide as the one before.
///
/// It works on a picture of at most `baseHeight` rows, so that its reach and its cost do not depend
/// on the size of the film.
struct Bloom: Sendable {
    static let baseHeight = 270
    /// Levels of a base of full height; level k blurs by about 5·2^k pixels of 1080.
    static let levelCount = 6

    /// The picture that spreads, then its halves, quarters, and so on.
    var levels: [LightImage]
    /// By how many levels the base is coarser than one of full height.
    private let lift: Double

    /// Makes the levels for a film of this size.
    init(width: Int, height: Int) {
        var rows = min(Self.baseHeight, height)
        var columns = max(1, Int((Double(width) * Double(rows) / Double(height)).rounded()))
        lift = PortableMath.log2(Double(Self.baseHeight) / Double(rows))
        levels = []
        for _ in 0..<max(1, Self.levelCount - Int(lift.rounded())) {
            levels.append(LightImage(width: columns, height: rows))
            (columns, rows) = ((columns + 1) / 2, (rows + 1) / 2)
        }
    }

    /// Turns level 0 into the sum of its blurs.
    ///
    /// - Parameter radius: how far the light reaches, in pixels of a picture 1080 high.
    mutating func spread(radius: Double) {
        for level in 1..<levels.count { Self.reduce(levels[level - 1], into: &levels[level]) }
        let weights = weights(radius: radius)
        for pixel in levels[levels.count - 1].pixels.indices {
            levels[levels.count - 1].pixels[pixel] *= weights[levels.count - 1]
        }
        for level in (0..<levels.count - 1).reversed() {
            let coarse = levels[level + 1]
            Self.expand(coarse, weights[level], onto: &levels[level])
        }
    }

    /// How much of each level is in the sum; together 1.
    func weights(radius: Double) -> [Float] {
        let centre = PortableMath.log2(radius / 5) - lift
        func share(_ level: Int) -> Double { PortableMath.exp2(-abs(Double(level) - centre) * 0.8) }
        var raw = levels.indices.map(share)
        // Blurs too fine for a low base leave the picture as it is.
        for level in 1..<max(1, Self.levelCount + 1 - raw.count) { raw[0] += share(-level) }
        let sum = raw.reduce(0, +)
        return raw.map { Float($0 / sum) }
    }

    /// Halves a picture with the binomial filter 1 4 6 4 1, along rows and columns.
    private static func reduce(_ source: LightImage, into target: inout LightImage) {
        let (width, height) = (source.width, source.height)
        var column = [SIMD4<Float>](repeating: .zero, count: width)
        for row in 0..<target.height {
            func start(_ offset: Int) -> Int {
                min(max(2 * row + offset, 0), height - 1) * width
            }
            let rows = (start(-2), start(-1), start(0), start(1), start(2))
            for x in 0..<width {
                let outer = source.pixels[rows.0 + x] + source.pixels[rows.4 + x]
                let inner = source.pixels[rows.1 + x] + source.pixels[rows.3 + x]
                column[x] = outer * 0.0625 + inner * 0.25 + source.pixels[rows.2 + x] * 0.375
            }
            for x in 0..<target.width {
                func at(_ offset: Int) -> SIMD4<Float> {
                    column[min(max(2 * x + offset, 0), width - 1)]
                }
                target.pixels[row * target.width + x] =
                    (at(-2) + at(2)) * 0.0625 + (at(-1) + at(1)) * 0.25 + at(0) * 0.375
            }
        }
    }

    /// Doubles `source` by the same filter and adds it to `weight` times `target`.
    private static func expand(
        _ source: LightImage,
        _ weight: Float,
        onto target: inout LightImage
    ) {
        let width = source.width
        var column = [SIMD4<Float>](repeating: .zero, count: width)
        for row in 0..<target.height {
            let middle = row / 2
            let before = max(middle - 1, 0) * width
            let here = middle * width
            let after = min(middle + 1, source.height - 1) * width
            for x in 0..<width {
                column[x] =
                    row % 2 == 0
                    ? (source.pixels[before + x] + source.pixels[after + x]) * 0.125
                        + source.pixels[here + x] * 0.75
                    : (source.pixels[here + x] + source.pixels[after + x]) * 0.5
            }
            for x in 0..<target.width {
                let middle = x / 2
                let before = column[max(middle - 1, 0)]
                let after = column[min(middle + 1, width - 1)]
                let light =
                    x % 2 == 0
                    ? (before + after) * 0.125 + column[middle] * 0.75
                    : (column[middle] + after) * 0.5
                let pixel = row * target.width + x
                target.pixels[pixel] = target.pixels[pixel] * weight + light
            }
        }
    }
}
