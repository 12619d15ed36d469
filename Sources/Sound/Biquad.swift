import Media

/// A filter of second order, or a chain of them: what Butterworth filters and shelves are made of.
///
/// Runs in double precision as transposed direct form II, so that low corners at high sample rates stay
/// exact. The same bits on every machine. State: two numbers a section.
public struct Biquads: Sendable {
    /// One section: H(z) = (b0 + b1 z⁻¹ + b2 z⁻²) / (1 + a1 z⁻¹ + a2 z⁻²).
    public struct Section: Sendable {
        var b0, b1, b2, a1, a2: Double
        var z1 = 0.0
        var z2 = 0.0
    }

    private var sections: [Section]

    /// Makes a chain of sections, the first one first; none passes all unchanged.
    public init(_ sections: [Section]) { self.sections = sections }

    /// Filters samples in place.
    ///
    /// - Parameters:
    ///   - samples: holds one channel's samples, which follow those of the call before. What is no number
    ///     does not stay in the filter.
    ///   - range: where they lie; nil for all.
    public mutating func process(
        _ samples: inout MutableSpan<Float>,
        in range: Range<Int>? = nil
    ) {
        let range = range ?? 0..<samples.count
        for index in sections.indices {
            var section = sections[index]
            for sample in range {
                let x = Double(samples[sample])
                let y = section.b0 * x + section.z1
                section.z1 = section.b1 * x - section.a1 * y + section.z2
                section.z2 = section.b2 * x - section.a2 * y
                samples[sample] = Float(y)
            }
            // What has faded out is cut before it becomes subnormal, which is slow.
            if !(section.z1.magnitude > 1e-30 && section.z1.isFinite) { section.z1 = 0 }
            if !(section.z2.magnitude > 1e-30 && section.z2.isFinite) { section.z2 = 0 }
            sections[index] = section
        }
    }

    /// The gain at a frequency, as a ratio of amplitudes.
    ///
    /// - Parameters:
    ///   - frequency: in Hz, up to half the sample rate.
    ///   - sampleRate: samples a second.
    /// - Returns: the ratio; 1 is no change.
    public func gain(at frequency: Double, sampleRate: Double) -> Double {
        let phase = PortableMath.phase(turns: frequency / sampleRate)
        let (c1, s1) = (PortableMath.cosine(phase: phase), PortableMath.sine(phase: phase))
        let (c2, s2) = (
            PortableMath.cosine(phase: phase &* 2), PortableMath.sine(phase: phase &* 2)
        )
        var power = 1.0
        for section in sections {
            func square(_ zero: Double, _ one: Double, _ two: Double) -> Double {
                let real = zero + one * c1 + two * c2
                let imaginary = one * s1 + two * s2
                return real * real + imaginary * imaginary
            }
            power *= square(section.b0, section.b1, section.b2)
            power /= square(1, section.a1, section.a2)
        }
        return power.squareRoot()
    }
}

/// Which side of a corner passes.
public enum FilterBand: String, Sendable, CaseIterable {
    /// What lies below the corner.
    case lowPass = "low-pass"
    /// What lies above it.
    case highPass = "high-pass"
}

extension Biquads {
    /// A Butterworth filter: maximally flat, −3.01 dB at its corner, 6 dB an octave for each order.
    ///
    /// By the bilinear transform, warped so that the corner lies where it should.
    ///
    /// - Parameters:
    ///   - band: what passes.
    ///   - frequency: the corner in Hz, above 0 and below half the sample rate.
    ///   - order: 1…12.
    ///   - sampleRate: samples a second.
    /// - Returns: the filter at rest.
    public static func butterworth(
        _ band: FilterBand,
        frequency: Double,
        order: Int,
        sampleRate: Double
    ) -> Biquads {
        precondition((1...12).contains(order), "A Butterworth filter has an order of 1 to 12.")
        let corner = warped(frequency, sampleRate)
        var sections: [Section] = []
        for pair in 0..<order / 2 {
            // A pair of poles on the circle: s² + s/Q + 1, 1/Q = 2 sin((2k + 1) π / 2n).
            let turns = (2 * Double(pair) + 1) / (4 * Double(order))
            let damping = 2 * PortableMath.sine(phase: PortableMath.phase(turns: turns))
            let square = corner * corner
            let scale = 1 / (1 + damping * corner + square)
            let gain = band == .lowPass ? square * scale : scale
            let sign = band == .lowPass ? 2.0 : -2.0
            sections.append(
                Section(
                    b0: gain,
                    b1: sign * gain,
                    b2: gain,
                    a1: 2 * (square - 1) * scale,
                    a2: (1 - damping * corner + square) * scale
                )
            )
        }
        if order % 2 == 1 {
            let scale = 1 / (1 + corner)
            let gain = band == .lowPass ? corner * scale : scale
            sections.append(
                Section(
                    b0: gain,
                    b1: band == .lowPass ? gain : -gain,
                    b2: 0,
                    a1: (corner - 1) * scale,
                    a2: 0
                )
            )
        }
        return Biquads(sections)
    }

    /// A rise of 6 dB an octave from one corner to another, as transmitters have it: (1 + s/ω₁) / (1 + s/ω₂).
    ///
    /// Swapping the corners gives the fall that undoes it. The magnitude is matched at 0 Hz, at half the
    /// higher corner and near the upper end, so that it stays within 0.5 dB of the formula at any rate.
    ///
    /// - Parameters:
    ///   - lower: where the rise starts, in Hz: +3 dB there.
    ///   - upper: where it ends, in Hz.
    ///   - unity: where the gain is 0 dB, in Hz.
    ///   - sampleRate: samples a second, more than twice either corner.
    /// - Returns: the filter at rest.
    public static func emphasis(
        from lower: Double,
        to upper: Double,
        unity: Double,
        sampleRate: Double
    ) -> Biquads {
        let highest = max(lower, upper)
        precondition(
            min(lower, upper) > 0 && highest * 2 < sampleRate,
            "A corner lies between 0 and half the sample rate."
        )
        func power(_ frequency: Double) -> Double {
            let (rise, fall) = (frequency / lower, frequency / upper)
            return (1 + rise * rise) / (1 + fall * fall)
        }
        func cosine(_ frequency: Double) -> Double {
            PortableMath.cosine(phase: PortableMath.phase(turns: frequency / sampleRate))
        }
        // The power of a first-order filter is (p + q cos ω) / (1 + r cos ω): three places fix it.
        let (middle, top) = (highest / 2, min(2 * highest, 0.48 * sampleRate))
        let (c1, c2) = (cosine(middle), cosine(top))
        let (g1, g2) = (power(middle), power(top))
        // From p + q = 1 + r, with p and q put into the other two.
        let (first, second) = (1 - c1, 1 - c2)
        let determinant = first * (c2 * g2 - 1) - second * (c1 * g1 - 1)
        let r = ((1 - g2) * first - (1 - g1) * second) / determinant
        let q = (1 - g1 + r * (1 - c1 * g1)) / first
        let p = 1 + r - q
        // Back from powers to the filter with its pole and zero inside the unit circle.
        let pole = r == 0 ? 0 : (1 - (1 - r * r).squareRoot()) / r
        let scale = 1 + pole * pole
        let (sum, difference) = (
            ((p + q) * scale).squareRoot(), (max(0, p - q) * scale).squareRoot()
        )
        var section = Section(
            b0: (sum + difference) / 2,
            b1: (sum - difference) / 2,
            b2: 0,
            a1: pole,
            a2: 0
        )
        let gain = 1 / Biquads([section]).gain(at: unity, sampleRate: sampleRate)
        section.b0 *= gain
        section.b1 *= gain
        return Biquads([section])
    }

    /// tan(π f / rate), which the bilinear transform moves to f.
    private static func warped(_ frequency: Double, _ sampleRate: Double) -> Double {
        precondition(
            frequency > 0 && frequency * 2 < sampleRate,
            "A corner lies between 0 and half the sample rate."
        )
        let phase = PortableMath.phase(turns: frequency / sampleRate / 2)
        return PortableMath.sine(phase: phase) / PortableMath.cosine(phase: phase)
    }
}
