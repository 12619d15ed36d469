import Media

/// The light that a trail of each strength gives: palette, contrast, hue and saturation in one
/// table, made anew when any of them moves.
struct ColorTable: Sendable {
    /// Red, green and blue in linear light, and how much of what is behind the trail it hides, 0…1, for
    /// each place of `scale`.
    private(set) var light: [SIMD4<Float>] = []
    private var key: Key?
    /// The palette in linear light, evenly along its positions, and what it was made of.
    private var ramp: [SIMD3<Double>] = []
    private var rampKey: RampKey?

    /// The strengths of trails, where 1 is the mean at rest at an exposure of 1.
    static let scale = LogScale(floor: 0.25, ceiling: 1024, bits: 8)
    private static let rampSize = 512

    private struct RampKey: Hashable, Sendable {
        let palette: Palette
        let hue: Double
    }

    private struct Key: Hashable, Sendable {
        let contrast: Double
        let saturation: Double
    }

    /// Makes the table for these parameters, unless it is there already.
    mutating func update(_ palette: Palette, _ parameters: Parameters) {
        let rampKey = RampKey(palette: palette, hue: parameters.value(.hue))
        let key = Key(
            contrast: parameters.value(.contrast),
            saturation: parameters.value(.saturation)
        )
        if self.key == key && self.rampKey == rampKey { return }
        if self.rampKey != rampKey { ramp = Self.ramp(rampKey) }
        self.rampKey = rampKey
        self.key = key
        light = (0..<Self.scale.count).map { light(strength: Self.scale.value(at: $0), key) }
    }

    private static func ramp(_ key: RampKey) -> [SIMD3<Double>] {
        let phase = PortableMath.phase(turns: key.hue / 360)
        let (sine, cosine) = (PortableMath.sine(phase: phase), PortableMath.cosine(phase: phase))
        return (0...rampSize).map { index in
            let lab = key.palette.lab(at: Double(index) / Double(rampSize))
            return linearRGB(
                lab: SIMD3(
                    lab.x,
                    lab.y * cosine - lab.z * sine,
                    lab.y * sine + lab.z * cosine
                )
            )
        }
    }

    private func light(strength: Double, _ key: Key) -> SIMD4<Float> {
        let shaped =
            key.contrast == 1 || strength == 0
            ? strength : PortableMath.exp2(PortableMath.log2(strength) * key.contrast)
        // How bright a thing looks goes with the logarithm of its light; 24 times the mean is the
        // palette's end.
        let position = min(1, PortableMath.log2(1 + 3 * shaped) / PortableMath.log2(1 + 3 * 24))
        let step = position * Double(Self.rampSize)
        let index = min(Int(step), Self.rampSize - 1)
        let part = step - Double(index)
        var color = ramp[index] * (1 - part) + ramp[index + 1] * part
        let luminance = (color * SIMD3(0.2126, 0.7152, 0.0722)).sum()
        color = luminance + (color - luminance) * key.saturation
        // The strongest trails shine beyond white: the bloom and the shoulder show how much.
        color *= 1 + 0.04 * min(shaped, 100) * position
        color.replace(with: 0, where: color .< 0)
        let cover = shaped / (shaped + 1)
        return SIMD4(Float(color.x), Float(color.y), Float(color.z), Float(cover))
    }
}
