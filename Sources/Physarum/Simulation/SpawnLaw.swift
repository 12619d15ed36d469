/// Where and how agents start, drawn from random bits.
///
/// Divisions and roots only, no trigonometry, so that it is the same on every machine.
enum SpawnLaw: Sendable {
    case uniform
    /// Between two circles around the map's middle; radii in parts of the map's shorter side.
    case annulus(inner: Double, outer: Double)
    /// By the light of a picture, which lies in the map's middle, as large as fits.
    case picture(SpawnPicture)

    init(_ spawn: Spawn, picture: SpawnPicture?) {
        if let picture {
            self = .picture(picture)
            return
        }
        switch spawn {
        case .uniform: self = .uniform
        case .ring: self = .annulus(inner: 0.36, outer: 0.39)
        case .disc: self = .annulus(inner: 0, outer: 0.25)
        }
    }

    /// A place and a heading.
    func start(bits: UInt64, on grid: Grid) -> (place: SIMD2<Float>, heading: SIMD2<Float>) {
        let place = place(bits: bits, width: Double(grid.width), height: Double(grid.height))
        func coordinate(_ value: Double, _ size: Int) -> Float {
            let value = Float(value - 0.5)
            return value >= Float(size) - 0.5 ? -0.5 : max(value, -0.5)
        }
        let heading = Self.direction(bits: bits)
        return (
            SIMD2(coordinate(place.x, grid.width), coordinate(place.y, grid.height)),
            SIMD2(Float(heading.x), Float(heading.y))
        )
    }

    /// A place in 0 ..< width and 0 ..< height.
    private func place(bits: UInt64, width: Double, height: Double) -> SIMD2<Double> {
        let uniform = SIMD2(Self.unit(bits), Self.unit(bits >> 32))
        switch self {
        case .uniform: return uniform * SIMD2(width, height)
        case .annulus(let inner, let outer):
            // Evenly over the area, whose rings grow with the radius.
            let square = inner * inner + uniform.x * (outer * outer - inner * inner)
            let radius = square.squareRoot() * min(width, height)
            let direction = Self.direction(bits: RandomBits.mixed(bits ^ 0x5350_4157_4E))
            return SIMD2(width, height) / 2 + direction * radius
        case .picture(let picture):
            let pixel = picture.pixel(bits: RandomBits.mixed(bits ^ 0x5350_4157_4E))
            let size = SIMD2(Double(picture.width), Double(picture.height))
            let scale = min(width / size.x, height / size.y)
            let place = SIMD2(Double(pixel.x), Double(pixel.y)) + uniform
            return SIMD2(width, height) / 2 + (place - size / 2) * scale
        }
    }

    /// A point drawn in the disc and brought to length 1.
    private static func direction(bits: UInt64) -> SIMD2<Double> {
        var bits = bits
        while true {
            bits = RandomBits.mixed(bits)
            let point = SIMD2(unit(bits), unit(bits >> 32)) * 2 - 1
            let square = point.x * point.x + point.y * point.y
            if square > 0.01 && square < 1 { return point / square.squareRoot() }
        }
    }

    private static func unit(_ bits: UInt64) -> Double {
        Double(bits & 0xFFFF_FFFF) / 4_294_967_296
    }
}

/// A picture that agents are born by: the brighter, the more.
///
/// Memory: 8 bytes a pixel. Drawing a pixel takes time in the logarithm of their number.
public struct SpawnPicture: Sendable {
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int
    /// The light of each pixel and all before it, in 1/65535 of white.
    private let sums: [UInt64]

    /// Makes it of light; nil where all is dark, or there are no whole rows.
    ///
    /// - Parameters:
    ///   - width: pixels across.
    ///   - light: linear light of each pixel, row by row, 0…1; what is beyond counts as the end.
    public init?(width: Int, light: [Float]) {
        guard width > 0, !light.isEmpty, light.count % width == 0 else { return nil }
        self.width = width
        height = light.count / width
        var sum: UInt64 = 0
        sums = light.map { value in
            // Not a number counts as dark.
            sum += value > 0 ? UInt64((min(value, 1) * 65_535).rounded()) : 0
            return sum
        }
        if sum == 0 { return nil }
    }

    /// Draws a pixel.
    func pixel(bits: UInt64) -> (x: Int, y: Int) {
        let mark = bits.multipliedFullWidth(by: sums[sums.count - 1]).high
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > mark { high = middle } else { low = middle + 1 }
        }
        return (low % width, low / width)
    }
}
