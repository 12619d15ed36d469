/// A signal over time in bounded memory: the least, the greatest and the mean of each stretch.
///
/// When there are too many stretches each two become one.
struct Buckets {
    struct Bucket {
        var least: Double
        var greatest: Double
        var sum: Double
        var count: Int

        var mean: Double { sum / Double(count) }
    }

    private static let limit = 16_384
    /// Seconds of a stretch.
    private(set) var length: Double
    /// The stretches; nil where nothing was said.
    private(set) var buckets: [Bucket?] = []

    init(length: Double) { self.length = length }

    /// Adds a value at a time, in seconds.
    mutating func add(_ value: Double, at time: Double) {
        while Int(time / length) >= Self.limit { halve() }
        let place = Int(max(time, 0) / length)
        while buckets.count <= place { buckets.append(nil) }
        let fresh = Bucket(least: value, greatest: value, sum: value, count: 1)
        buckets[place] = Self.together(buckets[place], fresh)
    }

    private mutating func halve() {
        buckets = stride(from: 0, to: buckets.count, by: 2).map { place in
            Self.together(buckets[place], place + 1 < buckets.count ? buckets[place + 1] : nil)
        }
        length *= 2
    }

    private static func together(_ one: Bucket?, _ other: Bucket?) -> Bucket? {
        guard let one, let other else { return one ?? other }
        return Bucket(
            least: min(one.least, other.least),
            greatest: max(one.greatest, other.greatest),
            sum: one.sum + other.sum,
            count: one.count + other.count
        )
    }

    /// All of a stretch of time, in seconds; nil where nothing was said.
    func all(_ times: Range<Double>) -> Bucket? {
        let first = min(max(Int(times.lowerBound / length), 0), buckets.count)
        let last = min(max(Int((times.upperBound / length).rounded(.up)), first), buckets.count)
        return buckets[first..<last].reduce(nil) { Self.together($0, $1) }
    }

    /// The least and the greatest of all; nil where nothing was said.
    var range: ClosedRange<Double>? {
        let whole = buckets.reduce(nil) { Self.together($0, $1) }
        return whole.map { $0.least...$0.greatest }
    }
}
