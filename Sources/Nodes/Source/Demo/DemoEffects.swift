import Media

/// An echo that jumps from side to side and gets darker.
struct PingPongEcho {
    private var left: [Double]
    private var right: [Double]
    private var position = 0
    private var dark = (left: 0.0, right: 0.0)
    private let feedback: Double

    /// Repeats after `samples`, each time by `feedback` softer.
    init(samples: Int, feedback: Double) {
        left = Array(repeating: 0, count: samples)
        right = left
        self.feedback = feedback
    }

    mutating func next(_ inputLeft: Double, _ inputRight: Double) -> (left: Double, right: Double) {
        let (oldLeft, oldRight) = (left[position], right[position])
        dark.left += 0.35 * (oldLeft - dark.left)
        dark.right += 0.35 * (oldRight - dark.right)
        // Both inputs go to the left line, and each line feeds the other.
        left[position] = (inputLeft + inputRight) * 0.7 + dark.right * feedback
        right[position] = dark.left * feedback
        position += 1
        if position == left.count { position = 0 }
        return (dark.left, dark.right)
    }
}

/// The sound of a hall: eight delays that feed each other through a Hadamard matrix.
///
/// Jot and Chaigne, "Digital delay networks for designing artificial reverberators", 1991.
struct Hall {
    private static let lengths = [1423, 1637, 1871, 2137, 2383, 2671, 2969, 3251]
    /// What went into the eight lines, one after another; a power of two above the longest.
    private var lines = [SIMD8<Double>](repeating: SIMD8(), count: 4096)
    private var position = 0
    private var dark = SIMD8<Double>()
    private let gains: SIMD8<Double>
    /// Which lines hear the left side, and which the right.
    private static let leftShare = SIMD8<Double>(1, 0, 1, 0, 1, 0, 1, 0)
    private static let rightShare = SIMD8<Double>(0, 1, 0, 1, 0, 1, 0, 1)

    /// Dies away by 60 dB in `seconds`.
    init(seconds: Double) {
        var gains = SIMD8<Double>()
        for (line, length) in Self.lengths.enumerated() {
            // 60 dB are a factor of e^6.9; the matrix alone would make it louder by √8.
            let time = Double(length) / StereoTick.sampleRate
            gains[line] =
                PortableMath.exp(-6.907755278982137 * time / seconds) * 0.35355339059327373
        }
        self.gains = gains
    }

    mutating func next(_ left: Double, _ right: Double) -> (left: Double, right: Double) {
        var arriving = SIMD8<Double>()
        for line in 0..<8 { arriving[line] = lines[(position - Self.lengths[line]) & 4095][line] }
        // High frequencies die first.
        dark += 0.55 * (arriving - dark)
        lines[position] =
            Self.hadamard(dark) * gains + Self.leftShare * left + Self.rightShare * right
        position = (position + 1) & 4095
        return (dark[0] - dark[2] + dark[4] - dark[6], dark[1] - dark[3] + dark[5] - dark[7])
    }

    /// All sums of the eight with the signs of the Hadamard matrix.
    private static func hadamard(_ x: SIMD8<Double>) -> SIMD8<Double> {
        let a = x.evenHalf + x.oddHalf
        let b = x.evenHalf - x.oddHalf
        let (c, d) = (a.evenHalf + a.oddHalf, a.evenHalf - a.oddHalf)
        let (e, f) = (b.evenHalf + b.oddHalf, b.evenHalf - b.oddHalf)
        return SIMD8(
            c[0] + c[1],
            c[0] - c[1],
            d[0] + d[1],
            d[0] - d[1],
            e[0] + e[1],
            e[0] - e[1],
            f[0] + f[1],
            f[0] - f[1]
        )
    }
}
