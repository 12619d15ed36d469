import Media

/// The course of one channel in bounded memory: least, greatest and power of stretches of samples.
///
/// A stretch is a power of two of samples; when there are too many stretches each two become one.
struct Waveform {
    /// A stretch.
    struct Stretch {
        var least: Float = .infinity
        var greatest: Float = -.infinity
        /// The sum of the squares.
        var power = 0.0
        var count = 0

        var rootMeanSquare: Float { count > 0 ? Float((power / Double(count)).squareRoot()) : 0 }

        mutating func add(_ other: Stretch) {
            least = min(least, other.least)
            greatest = max(greatest, other.greatest)
            power += other.power
            count += other.count
        }
    }

    private static let limit = 1 << 16
    /// Samples of a stretch.
    private var length = 1
    private var stretches: [Stretch] = []
    private(set) var count = 0
    /// Samples at or beyond full scale.
    private(set) var fullCount = 0

    /// Appends samples; what is no number counts as silence.
    mutating func append(_ samples: Span<Float>) {
        for index in samples.indices {
            let sample = samples[index].isFinite ? samples[index] : 0
            if count == Self.limit * length { halve() }
            let place = count / length
            if place == stretches.count { stretches.append(Stretch()) }
            stretches[place].least = min(stretches[place].least, sample)
            stretches[place].greatest = max(stretches[place].greatest, sample)
            stretches[place].power += Double(sample * sample)
            stretches[place].count += 1
            if sample.magnitude >= 1 { fullCount += 1 }
            count += 1
        }
    }

    private mutating func halve() {
        for place in 0..<stretches.count / 2 {
            stretches[place] = stretches[2 * place]
            stretches[place].add(stretches[2 * place + 1])
        }
        stretches.removeLast(stretches.count / 2)
        length *= 2
    }

    /// One of `columns` equal parts of `total` samples: all of its samples are in it, and at least one
    /// where this channel reaches so far.
    func column(_ column: Int, of columns: Int, total: Int) -> Stretch? {
        let first = column * total / columns / length
        let end = ((column + 1) * total / columns + length - 1) / length
        guard first < stretches.count else { return nil }
        var all = Stretch()
        for place in first..<min(max(first + 1, end), stretches.count) { all.add(stretches[place]) }
        return all
    }
}
