import Glibc

/// The light that a trail of each strength gives: palette, exposure, contrast, hue and saturation in
/// one table, made anew when any of them moves.
struct ColorTable: Sendable {
    /// Red, green, blue and nothing, in linear light, for equal steps of strength / (strength + 1).
    private(set) var light: [SIMD4<Float>] = []
    private var key: Key?

    static let size = 4096

    private struct Key: Hashable, Sendable {
        let palette: Palette
        let exposure: Double
        let contrast: Double
        let saturation: Double
        let hue: Double
    }

    /// Makes the table for these parameters, unless it is there already.
    mutating func update(_ palette: Palette, _ parameters: Parameters) {
        let key = Key(
            palette: palette,
            exposure: parameters.value(.exposure),
            contrast: parameters.value(.contrast),
            saturation: parameters.value(.saturation),
            hue: parameters.value(.hue)
        )
        if self.key == key { return }
        self.key = key
        light = (0..<Self.size).map { index in
            let coordinate = min(Double(index), Double(Self.size) - 1.5) / Double(Self.size - 1)
            return Self.light(strength: coordinate / (1 - coordinate), key)
        }
    }

    private static func light(strength: Double, _ key: Key) -> SIMD4<Float> {
        let lit = strength * key.exposure
        let shaped = key.contrast == 1 ? lit : pow(lit, key.contrast)
        // How bright a thing looks goes with the logarithm of its light.
        let position = min(1, log(1 + 3 * shaped) / log(1 + 3 * 24))
        var lab = key.palette.lab(at: position)
        if key.hue != 0 {
            let (sine, cosine) = (sin(key.hue * .pi / 180), cos(key.hue * .pi / 180))
            lab = SIMD3(lab.x, lab.y * cosine - lab.z * sine, lab.y * sine + lab.z * cosine)
        }
        var color = linearRGB(lab: lab)
        let luminance = (color * SIMD3(0.2126, 0.7152, 0.0722)).sum()
        color = luminance + (color - luminance) * key.saturation
        // The strongest trails shine beyond white: the bloom and the shoulder show how much.
        color *= 1 + 0.04 * min(shaped, 1000) * position
        color = pointwiseMax(color, SIMD3(repeating: 0))
        return SIMD4(Float(color.x), Float(color.y), Float(color.z), 0)
    }
}
