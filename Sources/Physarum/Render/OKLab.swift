import Media

/// A colour by how light, how colourful and of which hue it looks (OKLCh).
///
/// Source: Björn Ottosson, "A perceptual color space for image processing", 2020.
public struct OKLCh: Sendable, Hashable {
    /// 0 is black, 1 is the white of the screen.
    public var lightness: Double
    /// 0 is grey; a screen's most vivid colours have about 0.3.
    public var chroma: Double
    /// Degrees: red at 29, yellow at 110, green at 142, cyan at 195, blue at 264.
    public var hue: Double

    /// Says all three.
    public init(_ lightness: Double, _ chroma: Double, _ hue: Double) {
        self.lightness = lightness
        self.chroma = chroma
        self.hue = hue
    }

    /// No light at all.
    public static let black = OKLCh(0, 0, 0)

    /// The same colour in the rectangular space that mixes evenly: lightness, green–red, blue–yellow.
    var lab: SIMD3<Double> {
        let phase = PortableMath.phase(turns: hue / 360)
        return SIMD3(
            lightness,
            chroma * PortableMath.cosine(phase: phase),
            chroma * PortableMath.sine(phase: phase)
        )
    }
}

/// Turns a colour of the OKLab space into linear light of BT.709 primaries.
///
/// What no screen can show has parts below 0 or above 1.
func linearRGB(lab: SIMD3<Double>) -> SIMD3<Double> {
    let (lightness, a, b) = (lab.x, lab.y, lab.z)
    let long = cube(lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b)
    let middle = cube(lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b)
    let short = cube(lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b)
    return SIMD3(
        4.076_741_662_1 * long - 3.307_711_591_3 * middle + 0.230_969_929_2 * short,
        -1.268_438_004_6 * long + 2.609_757_401_1 * middle - 0.341_319_396_5 * short,
        -0.004_196_086_3 * long - 0.703_418_614_7 * middle + 1.707_614_701_0 * short
    )
}

private func cube(_ value: Double) -> Double { value * value * value }
