import Glibc

/// Turns linear light into code values: a filmic shoulder, the artist's gamma, BT.709's transfer.
struct ToneTable: Sendable {
    /// Code values from 0 to 255 × 256, for equal steps of light / (light + 1).
    private(set) var codes: [UInt16] = []
    private var gamma = 0.0

    static let size = 16_384

    /// Makes the table for this gamma, unless it is there already.
    mutating func update(gamma: Double) {
        if self.gamma == gamma { return }
        self.gamma = gamma
        codes = (0..<Self.size).map { index in
            let coordinate = min(Double(index), Double(Self.size) - 1.5) / Double(Self.size - 1)
            let light = Self.shoulder(coordinate / (1 - coordinate))
            let code = Self.transfer(gamma == 1 ? light : pow(light, gamma))
            return UInt16((code * 65_280).rounded())
        }
    }

    /// Lets light through as it is up to a knee and bends what is above towards 1, without a corner.
    static func shoulder(_ light: Double) -> Double {
        let knee = 0.35
        if light <= knee { return light }
        return knee + (1 - knee) * (1 - exp(-(light - knee) / (1 - knee)))
    }

    /// The opto-electronic transfer characteristic of ITU-R BT.709-6, section 1.2.
    static func transfer(_ light: Double) -> Double {
        light < 0.018 ? 4.5 * light : 1.099 * pow(light, 0.45) - 0.099
    }
}
