/// Decides where decoded audio belongs: what silence goes before it, and what of it overlaps.
///
/// Counts are samples at the stream's rate since the timeline's start. Pure, so that it is tested
/// without files.
struct AudioTimeline {
    /// Where the next sample given out will lie; at least 0.
    private(set) var next: Int64
    /// Where the next block is expected: before 0 while the timeline's start is not reached, and nil
    /// before the first block.
    private var expected: Int64?
    /// Where the timeline ends; nothing from here on is wanted.
    private let end: Int64?
    /// How far a block's own time may be off before it is believed.
    private let tolerance: Int64
    /// A block that lies further ahead than this many samples is not believed.
    private let longestGap: Int64

    /// What becomes of a block of samples.
    struct Placement: Equatable {
        /// Samples of silence before it.
        var silence: Int64
        /// Which of its samples are used.
        var used: Range<Int>
    }

    /// Makes an empty timeline.
    ///
    /// - Parameters:
    ///   - next: where the first sample lies, after a format change; nil at the start.
    ///   - end: where the timeline ends, if it does.
    ///   - tolerance: how many samples a block's time may be off: the rounding of its clock.
    ///   - longestGap: how many samples of silence a file may ask for at once.
    init(from next: Int64? = nil, end: Int64?, tolerance: Int64, longestGap: Int64 = 1 << 40) {
        self.longestGap = longestGap
        self.next = next ?? 0
        expected = next
        self.end = end
        self.tolerance = tolerance
    }

    /// Whether the end is reached.
    var isFull: Bool { end.map { next >= $0 } ?? false }

    /// Places a block of `count` samples that says it lies at `position`, if it says so.
    mutating func place(at position: Int64?, count: Int) -> Placement {
        let isFirst = expected == nil
        var start = expected ?? 0
        // What a block says counts from the blocks before it, unless it is off by more than rounding:
        // then its clock is believed.
        if let position, position < start || position - start <= longestGap,
            isFirst || (position - start).magnitude > tolerance.magnitude
        {
            start = position
        }
        let limit = end ?? .max
        let silence = max(0, min(start, limit) - next)
        next += silence
        // What lies before `next` was heard already, or lies before the timeline's start.
        let skipped = Int(clamping: min(max(0, next - start), Int64(count)))
        let room = max(0, limit - next)
        let used = skipped..<(skipped + Int(min(Int64(count - skipped), room)))
        next += Int64(used.count)
        expected = start + Int64(count)
        return Placement(silence: silence, used: used)
    }
}
