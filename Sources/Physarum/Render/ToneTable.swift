import Media

/// Turns linear light into code values: a filmic shoulder, the artist's gamma, BT.709's transfer.
struct ToneTable: Sendable {
    /// Code values from 0 to 255 × 256, for each place of `scale`.
    private(set) var codes: [UInt16] = []
    private var gamma = 0.0

    /// Linear light, where 1 is a screen's white.
    static let scale = LogScale(floor: 0x1p-8, ceiling: 64, bits: 9)

    /// Makes the table for this gamma, unless it is there already.
    mutating func update(gamma: Double) {
        if self.gamma == gamma { return }
        self.gamma = gamma
        codes = (0..<Self.scale.count).map { place in
            let light = Self.shoulder(Self.scale.value(at: place))
            let code = Self.transfer(gamma == 1 ? light : Self.power(light, gamma))
            return UInt16((code * 65_280).rounded())
        }
    }

    /// Lets light through as it is up to a knee and bends what is above towards 1, without a corner.
    static func shoulder(_ light: Double) -> Double {
        let knee = 0.35
        if light <= knee { return light }
        return knee + (1 - knee) * (1 - PortableMath.exp(-(light - knee) / (1 - knee)))
    }

    /// The opto-electronic transfer characteristic of ITU-R BT.709-6, section 1.2.
    static func transfer(_ light: Double) -> Double {
        light < 0.018 ? 4.5 * light : 1.099 * power(light, 0.45) - 0.099
    }

    private static func power(_ base: Double, _ exponent: Double) -> Double {
        // Of what is no normal number no power is seen.
        base.isNormal && base > 0 ? PortableMath.exp2(PortableMath.log2(base) * exponent) : 0
    }
}
