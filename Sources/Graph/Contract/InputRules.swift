import Media

/// What is known of one input: enough to apply the rules without its packets.
struct LaneView {
    /// The time of the packet that waits first.
    var head: MediaTime?
    /// Nothing before this will come.
    var bound: MediaTime?
    /// Nothing more will come.
    var hasEnded: Bool

    /// Whether there is nothing and never will be.
    var isOver: Bool { hasEnded && head == nil }
}

/// The three rules by which a node reads several inputs; pure.
enum InputRules {
    /// The input whose head is earliest, when no other can still give an earlier one.
    ///
    /// Of equal times the input declared first is earlier. O(inputs²).
    static func earliest(_ views: [LaneView]) -> (input: Int, time: MediaTime)? {
        var best: (input: Int, time: MediaTime)?
        for (index, view) in views.enumerated() {
            if let head = view.head, best.map({ head < $0.time }) ?? true { best = (index, head) }
        }
        guard let best else { return nil }
        for (index, view) in views.enumerated() where index != best.input && view.head == nil {
            if view.hasEnded { continue }
            guard let bound = view.bound else { return nil }
            // An input declared before wins ties, so it must be known to be past the time.
            if index < best.input ? bound <= best.time : bound < best.time { return nil }
        }
        return best
    }

    enum Match {
        /// Some input must give more first.
        case incomplete
        /// These heads have no partner and never will have.
        case drop([Int])
        /// All heads are of this time.
        case set(MediaTime)
    }

    /// What can be done with the heads of inputs that are read together.
    static func match(_ views: [LaneView]) -> Match {
        var latest: MediaTime?
        for view in views {
            // A bound tells as much as a head: nothing before it will come.
            guard let time = view.head ?? view.bound else { continue }
            if latest.map({ time > $0 }) ?? true { latest = time }
        }
        guard let latest else { return .incomplete }
        var behind: [Int] = []
        for (index, view) in views.enumerated() {
            if let head = view.head, head < latest { behind.append(index) }
        }
        if !behind.isEmpty { return .drop(behind) }
        return views.allSatisfy { $0.head != nil } ? .set(latest) : .incomplete
    }

    /// Whether a `.hold` input's latest packet at or before `time` is known.
    static func isKnown(_ view: LaneView, lastWaiting: MediaTime?, after time: MediaTime) -> Bool {
        if view.hasEnded { return true }
        if let bound = view.bound, bound > time { return true }
        return lastWaiting.map { $0 > time } ?? false
    }

    /// Nothing before this will come on any of the inputs.
    static func lowerBound(_ views: [LaneView]) -> MediaTime? {
        var lowest: MediaTime?
        for view in views where !view.isOver {
            guard let time = view.head ?? view.bound else { return nil }
            if lowest.map({ time < $0 }) ?? true { lowest = time }
        }
        return lowest
    }

    /// Whether inputs will give nothing more: all of them, or of inputs read together any.
    static func haveEnded(_ views: [LaneView], together: Bool) -> Bool {
        if views.isEmpty { return false }
        return together ? views.contains(where: \.isOver) : views.allSatisfy(\.isOver)
    }
}
