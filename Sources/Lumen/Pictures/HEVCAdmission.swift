import Codecs

/// Decides which access units of HEVC a decoder may have, and in which order.
///
/// A unit whose references are not there waits while good ones behind it go first, four of them at most; so
/// units that were swapped on their way are put back. What is admitted decodes to the pictures that were
/// sent. Losses of a multiple of 2^log2_max_pic_order_cnt_lsb units cannot be seen in the stream itself, and
/// neither can damage inside a slice.
///
/// Latency: four units. Memory: five units and a line for each picture that a decoder keeps.
struct HEVCAdmission: Sendable {
    /// A unit, what became of it, and where its picture belongs.
    struct Decision: Sendable {
        let unit: JudgedUnit
        let verdict: PictureVerdict
        /// Where it belongs; nil where it has no picture that can be read.
        let place: Place?
    }

    /// A picture's place in the order of showing.
    struct Place: Sendable {
        /// As its sequence counts.
        let orderCount: Int
        /// Whether the count begins with it.
        let startsAnew: Bool
    }

    /// How many units a unit waits for at most.
    private static let patience = 4

    private struct Waiting: Sendable {
        let judged: JudgedUnit
        let digest: UInt64
        /// Whether a later unit was admitted meanwhile.
        var wasPassed = false
        var age = 0

        var unit: HEVCAccessUnit { judged.unit }
    }

    private var model = PictureModel()
    private var queue: [Waiting] = []
    /// The addresses of the slices of each sequence's first picture.
    private var slicing: [Int: [Int]] = [:]
    /// The last instantaneous refresh.
    private var lastRefresh: UInt64?
    /// The capture's number of the last unit that entered the model.
    private var lastIndex: UInt32?

    /// Knows nothing yet.
    init() {}

    /// Takes the next unit, in the order of the stream.
    ///
    /// - Parameters:
    ///   - unit: the unit; nil at the end of the stream.
    ///   - tell: gets units and what became of them, admitted ones in the order of decoding.
    mutating func take(
        _ unit: JudgedUnit?,
        _ tell: (Decision) -> Void
    ) {
        if var unit {
            unit.unit = checked(unit.unit)
            queue.append(Waiting(judged: unit, digest: Self.digest(unit.unit.bytes)))
        }
        while queue.count > (unit == nil ? 0 : Self.patience) { settleOne(tell) }
    }

    /// Finds units whose slices are not those of their sequence's first picture.
    private mutating func checked(_ unit: HEVCAccessUnit) -> HEVCAccessUnit {
        guard unit.fault == nil, let sequence = unit.sequence else { return unit }
        var unit = unit
        let addresses = unit.slices.map(\.address)
        if let usual = slicing[sequence.id], !unit.slices.contains(where: \.isRefresh) {
            if usual != addresses { unit.fault = "a slice of it is missing" }
        } else {
            slicing[sequence.id] = addresses
        }
        return unit
    }

    /// Decides on one unit of the queue.
    private mutating func settleOne(_ tell: (Decision) -> Void) {
        distrustAcrossGap()
        let fits = queue.map(fit)
        // Units that need nobody's place are told at once.
        if let verdict = plainVerdict(queue[0], fits[0]) {
            let first = queue.removeFirst()
            let decision = decision(first, verdict)
            if verdict == .damaged || verdict == .refersToLoss { enter(first, isClean: false) }
            return tell(decision)
        }
        let good = fits.firstIndex(of: .fits)
        if let good { return admit(at: choice(good, fits), tell) }
        lose(tell)
    }

    /// Where so many units are missing that order counts come round, what is kept is not what is meant.
    private mutating func distrustAcrossGap() {
        guard let lastIndex, let sequence = queue[0].unit.sequence else { return }
        let gaps = queue.compactMap { waiting in
            waiting.judged.stamp.index.map { Int(Int32(bitPattern: $0 &- lastIndex)) }
        }
        // Units that wait may close it.
        guard let nearest = gaps.filter({ $0 > 0 }).min() else { return }
        if nearest > 1 << (sequence.orderCountBits - 1) { model.distrust() }
    }

    /// What a unit at the head is, where no other unit changes that; nil where it may go or wait.
    private func plainVerdict(_ waiting: Waiting, _ fit: PictureModel.Fit?) -> PictureVerdict? {
        guard let fit else { return waiting.unit.fault == nil ? .noPicture : .damaged }
        if waiting.unit.fault != nil, fit != .isDuplicate { return .damaged }
        switch fit {
        case .isDuplicate: return .duplicate
        case .isSkipped: return .skipped
        case .hasNoStart: return queue.contains { $0.unit.isRandomAccess } ? nil : .noStart
        case .refersToDamage: return .refersToLoss
        case .fits, .missesReference, .contradicts: return nil
        }
    }

    private func fit(_ waiting: Waiting) -> PictureModel.Fit? {
        guard let slice = waiting.unit.slices.first, let sequence = waiting.unit.sequence else {
            return nil
        }
        if waiting.unit.fault != nil { return .refersToDamage }
        return model.fit(of: slice, sequence, digest: waiting.digest)
    }

    /// Which unit goes next, where that at `good` could: a refresh lets those go first that belong before
    /// it.
    private func choice(_ good: Int, _ fits: [PictureModel.Fit?]) -> Int {
        guard let slice = queue[good].unit.slices.first, slice.isRefresh,
            let sequence = queue[good].unit.sequence
        else { return good }
        var after = model
        after.enter(slice, sequence, digest: queue[good].digest, isClean: true)
        for index in queue.indices.dropFirst(good + 1) where fits[index] == .fits {
            guard let other = queue[index].unit.slices.first, !other.isRefresh,
                let otherSequence = queue[index].unit.sequence
            else { continue }
            if after.fit(of: other, otherSequence, digest: queue[index].digest) != .fits {
                return index
            }
        }
        return good
    }

    private mutating func admit(at index: Int, _ tell: (Decision) -> Void) {
        let chosen = queue.remove(at: index)
        let isRefresh = chosen.unit.slices.first?.isRefresh == true
        if isRefresh, chosen.digest == lastRefresh, isRepeated() {
            return tell(decision(chosen, .duplicate))
        }
        if isRefresh {
            lastRefresh = chosen.digest
            let lost = settleBefore(chosen, upTo: index, tell)
            return admitted(chosen, passing: index - lost, tell)
        }
        admitted(chosen, passing: index, tell)
    }

    /// Units before a refresh that wait for what was lost will not be helped by it.
    ///
    /// Those whose order count goes on behind the pictures so far are losses; those that may belong right behind
    /// the refresh wait on.
    ///
    /// - Parameters:
    ///   - refresh: the refresh, not in the queue any more.
    ///   - end: how many units stand before it.
    ///   - tell: gets those that are lost.
    /// - Returns: how many they were.
    private mutating func settleBefore(
        _ refresh: Waiting,
        upTo end: Int,
        _ tell: (Decision) -> Void
    ) -> Int {
        guard let slice = refresh.unit.slices.first, let sequence = refresh.unit.sequence else {
            return 0
        }
        var after = model
        after.enter(slice, sequence, digest: refresh.digest, isClean: true)
        let lost = queue.prefix(end).prefix { waiting in
            guard let head = waiting.unit.slices.first, let own = waiting.unit.sequence else {
                return false
            }
            return !head.isRefresh && after.orderCount(of: head, own) > Self.patience + 1
                && model.isBehindAll(head, own)
        }.count
        for _ in 0..<lost {
            let first = queue.removeFirst()
            let decision = decision(first, .refersToLoss)
            enter(first, isClean: false)
            tell(decision)
        }
        return lost
    }

    private mutating func admitted(
        _ chosen: Waiting,
        passing index: Int,
        _ tell: (Decision) -> Void
    ) {
        let decision = decision(chosen, .admitted)
        enter(chosen, isClean: true)
        tell(decision)
        for place in 0..<index { queue[place].wasPassed = true }
        for place in queue.indices where queue[place].wasPassed { queue[place].age += 1 }
        while let old = queue.firstIndex(where: { $0.age > Self.patience }) {
            tell(self.decision(queue.remove(at: old), .straggler))
        }
    }

    /// Whether a refresh that came before is only a copy: the next unit goes on from before it.
    private func isRepeated() -> Bool {
        guard let next = queue.first(where: { $0.unit.slices.first?.isRefresh == false }) else {
            return true
        }
        return fit(next) == .fits
    }

    /// Nothing fits: the first unit is a loss, or came too late.
    private mutating func lose(_ tell: (Decision) -> Void) {
        let first = queue.removeFirst()
        if first.wasPassed { return tell(decision(first, .straggler)) }
        if let slice = first.unit.slices.first, let sequence = first.unit.sequence {
            switch model.fit(of: slice, sequence, digest: first.digest) {
            case .hasNoStart: return tell(decision(first, .noStart))
            case .contradicts: model.distrust()
            default: break
            }
        }
        let decision = decision(first, .refersToLoss)
        enter(first, isClean: false)
        tell(decision)
    }

    /// What is told of a unit, before its picture enters the model.
    private func decision(_ waiting: Waiting, _ verdict: PictureVerdict) -> Decision {
        var place: Place?
        if let slice = waiting.unit.slices.first, let sequence = waiting.unit.sequence {
            place = Place(
                orderCount: model.orderCount(of: slice, sequence),
                startsAnew: model.startsAnew(slice)
            )
        }
        return Decision(unit: waiting.judged, verdict: verdict, place: place)
    }

    private mutating func enter(_ waiting: Waiting, isClean: Bool) {
        guard let slice = waiting.unit.slices.first, let sequence = waiting.unit.sequence else {
            return
        }
        model.enter(slice, sequence, digest: waiting.digest, isClean: isClean)
        lastIndex = waiting.judged.stamp.index
    }

    /// Tells units apart: four words at once are mixed by multiplication, then all are folded.
    private static func digest(_ bytes: [UInt8]) -> UInt64 {
        unsafe bytes.withUnsafeBytes { memory in
            let prime: UInt64 = 0x9E37_79B9_7F4A_7C15
            var lanes = SIMD4<UInt64>(1, 2, 3, 4) &* prime
            var place = 0
            while place + 32 <= memory.count {
                let words = unsafe memory.loadUnaligned(
                    fromByteOffset: place,
                    as: SIMD4<UInt64>.self
                )
                lanes = (lanes ^ words) &* prime
                lanes ^= lanes &>> 29
                place += 32
            }
            var hash = UInt64(memory.count)
            for lane in 0..<4 { hash = (hash ^ lanes[lane]) &* prime ^ hash >> 31 }
            while place < memory.count {
                hash = unsafe (hash ^ UInt64(memory[place])) &* prime
                hash ^= hash >> 32
                place += 1
            }
            return hash
        }
    }
}

/// An access unit with what the capture says of it.
struct JudgedUnit: Sendable {
    var unit: HEVCAccessUnit
    var stamp: CaptureStamp
}
