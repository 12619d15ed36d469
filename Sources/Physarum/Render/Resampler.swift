/// Resamples a row of numbers to another length: an antialiased cubic.
///
/// The kernel is that of Mitchell and Netravali, "Reconstruction filters in computer graphics", 1988,
/// with B = C = 1/3; it is widened when there are fewer samples than before.
struct Resampler: Sendable {
    /// How many samples there were.
    let sourceCount: Int
    /// How many old samples make a new one.
    let tapCount: Int
    /// Per new sample, the first old sample that counts; it may lie beyond the ends.
    let firsts: [Int]
    /// Per new sample `tapCount` weights, which sum to 1, or all 0 beyond the source.
    let weights: [Float]

    /// Makes a resampler from `source` to `target` samples.
    ///
    /// - Parameters:
    ///   - source: how many samples there were.
    ///   - target: how many there shall be.
    ///   - window: the part of the source that they are evenly spread over, where the first sample
    ///     reaches from 0 to 1; beyond the source they are 0. Without it, all of it.
    init(from source: Int, to target: Int, window: Range<Double>? = nil) {
        let window = window ?? 0..<Double(source)
        let ratio = (window.upperBound - window.lowerBound) / Double(target)
        let scale = max(1, ratio)
        let tapCount = Int((4 * scale).rounded(.up))
        var firsts: [Int] = []
        var weights: [Float] = []
        for index in 0..<target {
            let centre = window.lowerBound + (Double(index) + 0.5) * ratio - 0.5
            guard (-0.5...Double(source) - 0.5).contains(centre) else {
                firsts.append(0)
                weights += repeatElement(0, count: tapCount)
                continue
            }
            let first = Int((centre - 2 * scale).rounded(.up))
            let raw = (0..<tapCount).map { Self.kernel((Double(first + $0) - centre) / scale) }
            let sum = raw.reduce(0, +)
            firsts.append(first)
            weights += raw.map { Float($0 / sum) }
        }
        sourceCount = source
        self.tapCount = tapCount
        self.firsts = firsts
        self.weights = weights
    }

    private static func kernel(_ position: Double) -> Double {
        let x = abs(position)
        if x < 1 { return (7 * x * x * x - 12 * x * x + 16.0 / 3) / 6 }
        if x < 2 { return (-7.0 / 3 * x * x * x + 12 * x * x - 20 * x + 32.0 / 3) / 6 }
        return 0
    }

    /// Floats of scratch memory that `resampleRow` needs.
    var scratchCount: Int { sourceCount + 2 * tapCount }

    /// Makes row `row` of the resampled picture, `columns` across and `rows` down.
    ///
    /// Beyond the edges of `map` the edge goes on; `scratch` holds `columns.scratchCount` floats.
    static func resampleRow(
        _ row: Int,
        of map: UnsafePointer<Float>,
        columns: Resampler,
        rows: Resampler,
        scratch: UnsafeMutablePointer<Float>,
        to target: UnsafeMutablePointer<Float>
    ) {
        let (width, padding) = (columns.sourceCount, columns.tapCount)
        let line = unsafe scratch + padding
        for tap in 0..<rows.tapCount {
            let weight = rows.weights[row * rows.tapCount + tap]
            let place = min(max(rows.firsts[row] + tap, 0), rows.sourceCount - 1)
            let source = unsafe map + place * width
            if tap == 0 {
                for x in 0..<width { unsafe line[x] = weight * source[x] }
            } else if weight != 0 {
                for x in 0..<width { unsafe line[x] += weight * source[x] }
            }
        }
        for x in 0..<padding {
            unsafe scratch[x] = line[0]
            unsafe line[width + x] = line[width - 1]
        }
        let (firsts, weights) = (columns.firsts.span, columns.weights.span)
        for x in firsts.indices {
            let start = unsafe line + firsts[x]
            let first = x &* columns.tapCount
            var sum: Float = 0
            for tap in 0..<columns.tapCount {
                unsafe sum += weights[first &+ tap] * start[tap]
            }
            // The kernel dips below 0 beside sharp edges; light does not.
            unsafe target[x] = sum > 0 ? sum : 0
        }
    }
}
