import Media

/// The arithmetic between red, green, blue and luma, chroma (H.273, equations 38 to 43 and 53 to 58).
struct ColorMatrix {
    /// Luma of red, green and blue; they sum to 1.
    let red: Double
    let green: Double
    let blue: Double

    /// The weights of a matrix; nil for RGB, which has none.
    init?(_ matrix: ColorInfo.Matrix) {
        switch matrix {
        case .rgb: return nil
        case .bt709: (red, blue) = (0.2126, 0.0722)
        case .bt470bg, .bt601: (red, blue) = (0.299, 0.114)
        case .bt2020: (red, blue) = (0.2627, 0.0593)
        }
        green = 1 - red - blue
    }
}

/// Which codes of a sample stand for which values.
struct CodeRange {
    /// The code of black.
    let black: Float
    /// Codes from black to white.
    let luma: Float
    /// The code of no colour.
    let neutral: Float
    /// Codes from the most to the least of a colour difference.
    let chroma: Float
    /// The greatest code.
    let top: Float

    /// The codes of samples of `bits` bits.
    init(_ range: ColorInfo.Range, bits: Int) {
        let scale = Float(1 << (bits - 8))
        let top = Float(1 << bits) - 1
        self.top = top
        neutral = 128 * scale
        switch range {
        case .limited: (black, luma, chroma) = (16 * scale, 219 * scale, 224 * scale)
        case .full: (black, luma, chroma) = (0, top, top)
        }
    }
}

extension PixelLayout {
    /// Bits of a sample that are used.
    var bits: Int {
        switch self {
        case .yuv420p10, .yuv422p10, .yuv444p10: 10
        default: bytesPerSample * 8
        }
    }
}

/// Adding this to a float of less than 2²² leaves the nearest whole number in its lowest bits, ties to
/// even: a conversion that vectorises where the plain one does not.
let roundingShift: Float = 12_582_912
