/// Turns the host's clock, which may be set while it runs, into one that only rises.
///
/// Pictures and audio share the clock. What is stamped before a step may come behind what is stamped after
/// it, so each stream is put where it goes on best. All in ns, as integers.
struct CaptureClock {
    enum Stream: Int { case video, audio }

    /// A step that was found: at which time of the risen clock, and by how much.
    struct Step: Sendable, Equatable {
        var time: Int64
        var amount: Int64
    }

    private struct Last {
        var time: Int64
        var received: UInt64?
        var interval: Int64
        /// Which shift it was put with.
        var shift: Int
    }

    /// What is added to stamps, the newest first; they are numbered in the order in which they came up.
    private var shifts: [(number: Int, amount: Int64)] = [(0, 0)]
    private var last: [Last?] = [nil, nil]
    private(set) var steps: [Step] = []
    /// How many there were, those beyond the kept ones too.
    private(set) var stepCount = 0

    /// Further than this from where a stream goes on, ahead of what its arrival says, the clock was set.
    private static let leap: Int64 = 1_000_000_000
    /// So much later is what has the stamp of the one before.
    static let least: Int64 = 1_000_000

    /// Takes a step that the capture tells of: stamps from about here on are so much larger.
    mutating func step(by amount: Int64) {
        // A step of centuries is damage.
        guard amount.magnitude < 1 << 60 else { return }
        push(shifts[0].amount - amount, at: last.compactMap { $0?.time }.max() ?? 0, amount: amount)
    }

    /// The risen time of a stamp.
    ///
    /// - Parameters:
    ///   - stamp: on the host's clock.
    ///   - stream: whose it is.
    ///   - received: when it came, on the client's clock, where known.
    ///   - isReordered: whether times of this stream may fall by themselves.
    /// - Returns: in ns; later than the one before of the stream, unless those may fall.
    mutating func time(
        of stamp: UInt64,
        _ stream: Stream,
        received: UInt64?,
        isReordered: Bool = false
    ) -> Int64 {
        let raw = Self.sum(Int64(clamping: stamp), 0)
        guard let before = last[stream.rawValue] else {
            let time = Self.sum(raw, shifts[0].amount)
            last[stream.rawValue] = Last(
                time: time,
                received: received,
                interval: 0,
                shift: shifts[0].number
            )
            return time
        }
        let slack = isReordered ? Self.leap : 0
        let waited: Int64? = before.received.flatMap { old in
            received.flatMap { $0 >= old ? Self.sum(Int64(clamping: $0 - old), 0) : nil }
        }
        // A stream that has gone over to a shift does not go back.
        let fitting = shifts.filter { shift in
            let distance = Self.sum(raw, shift.amount) - before.time
            guard distance >= -slack, shift.number >= before.shift else { return false }
            return waited.map { distance - $0 < Self.leap } ?? true
        }
        var time: Int64
        var shift = shifts[0].number
        if let best = fitting.min(by: { Self.sum(raw, $0.amount) < Self.sum(raw, $1.amount) }) {
            time = Self.sum(raw, best.amount)
            shift = best.number
        } else {
            let expected = Self.sum(before.time, max(waited ?? before.interval, Self.least))
            push(expected - raw, at: expected, amount: Self.sum(raw, shifts[0].amount) - expected)
            time = expected
            shift = shifts[0].number
        }
        // At the end of all times they stand still.
        if !isReordered, time <= before.time { time = Self.sum(before.time, Self.least) }
        last[stream.rawValue] = Last(
            time: isReordered ? max(time, before.time) : time,
            received: received ?? before.received,
            interval: min(max(0, time - before.time), Self.leap),
            shift: shift
        )
        return time
    }

    private mutating func push(_ shift: Int64, at time: Int64, amount: Int64) {
        shifts.insert((shifts[0].number + 1, shift), at: 0)
        if shifts.count > 2 { shifts.removeLast() }
        stepCount += 1
        if steps.count < 100 { steps.append(Step(time: time, amount: amount)) }
    }

    /// Stamps are any 64 bits, so sums are kept within a quarter of what there is.
    private static func sum(_ first: Int64, _ second: Int64) -> Int64 {
        let bound = Int64.max / 4
        let sum = min(max(first, -bound), bound) + min(max(second, -bound), bound)
        return min(max(sum, -bound), bound)
    }
}
