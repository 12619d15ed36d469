/// How much longer than the quickest things took on their way: received minus stamped, over its minimum so far.
///
/// Up to a second. Memory: 40 kB once something came.
struct JitterMeter {
    /// In ns.
    private static let step: Int64 = 100_000
    private static let count = 10_000

    private var least: Int64?
    private var bins: [UInt32] = []
    private var total = 0

    mutating func take(_ stamp: UInt64, _ received: UInt64) {
        let way = Int64(bitPattern: received &- stamp)
        if bins.isEmpty { bins = Array(repeating: 0, count: Self.count) }
        let floor = min(least ?? way, way)
        least = floor
        let late = UInt64(bitPattern: way &- floor) / UInt64(Self.step)
        bins[Int(min(late, UInt64(Self.count - 1)))] &+= 1
        total += 1
    }

    /// The median and the 99th percentile, in ns; nil where nothing came.
    var result: (median: Int64, high: Int64)? {
        total == 0 ? nil : (percentile(50), percentile(99))
    }

    private func percentile(_ percent: Int) -> Int64 {
        var left = total * percent / 100
        for (index, count) in bins.enumerated() {
            left -= Int(count)
            if left < 0 { return Int64(index) * Self.step }
        }
        return Int64(Self.count) * Self.step
    }
}
