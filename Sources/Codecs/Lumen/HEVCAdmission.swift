/// Decides which access units of HEVC a decoder may have, and in which order.
///
/// A unit whose references are not there waits while good ones behind it go first, four of them at most; so
/// units that were swapped on their way are put back. What is admitted decodes to the pictures that were
/// sent. Losses of a multiple of 2^log2_max_pic_order_cnt_lsb units cannot be seen in the stream itself, and
/// neither can damage inside a slice.
///
/// Latency: four units. Memory: five units and a line for each picture that a decoder keeps.
public struct HEVCAdmission: Sendable {
    /// What became of a unit.
    public enum Verdict: String, Sendable {
        /// It decodes to the picture that was sent.
        case admitted
        /// It came before, byte for byte.
        case duplicate
        /// It came too late for its place, from where it was sent or again.
        case straggler
        /// It refers to a picture that was lost or damaged.
        case refersToLoss = "refers to loss"
        /// It is damaged itself.
        case damaged
        /// It belongs before the random access point that decoding began with.
        case skipped
        /// Nothing came before it that decoding can begin with.
        case noStart = "no start"
        /// It holds no picture.
        case noPicture = "no picture"
    }

    /// How many units a unit waits for at most.
    private static let patience = 4

    private struct Waiting: Sendable {
        let unit: HEVCAccessUnit
        let digest: UInt64
        /// Whether a later unit was admitted meanwhile.
        var wasPassed = false
        var age = 0
    }

    private var model = PictureModel()
    private var queue: [Waiting] = []
    /// The addresses of the slices of each sequence's first picture.
    private var slicing: [Int: [Int]] = [:]
    /// The last instantaneous refresh.
    private var lastRefresh: UInt64?

    /// Knows nothing yet.
    public init() {}

    /// Takes the next unit, in the order of the stream.
    ///
    /// - Parameters:
    ///   - unit: the unit; nil at the end of the stream.
    ///   - tell: gets units and what became of them, admitted ones in the order of decoding.
    public mutating func take(
        _ unit: HEVCAccessUnit?,
        _ tell: (HEVCAccessUnit, Verdict) -> Void
    ) {
        if let unit {
            queue.append(Waiting(unit: checked(unit), digest: Self.digest(unit.bytes)))
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
    private mutating func settleOne(_ tell: (HEVCAccessUnit, Verdict) -> Void) {
        let fits = queue.map(fit)
        // Units that need nobody's place are told at once.
        if let verdict = plainVerdict(queue[0], fits[0]) {
            let first = queue.removeFirst()
            if verdict == .damaged || verdict == .refersToLoss { enter(first, isClean: false) }
            return tell(first.unit, verdict)
        }
        let good = fits.firstIndex(of: .fits)
        if let good { return admit(at: choice(good, fits), tell) }
        lose(tell)
    }

    /// What a unit at the head is, where no other unit changes that; nil where it may go or wait.
    private func plainVerdict(_ waiting: Waiting, _ fit: PictureModel.Fit?) -> Verdict? {
        guard let fit else { return waiting.unit.slices.isEmpty ? .noPicture : .damaged }
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

    private mutating func admit(at index: Int, _ tell: (HEVCAccessUnit, Verdict) -> Void) {
        let chosen = queue.remove(at: index)
        let isRefresh = chosen.unit.slices.first?.isRefresh == true
        if isRefresh, chosen.digest == lastRefresh, isRepeated() {
            return tell(chosen.unit, .duplicate)
        }
        if isRefresh { lastRefresh = chosen.digest }
        enter(chosen, isClean: true)
        tell(chosen.unit, .admitted)
        for place in 0..<index { queue[place].wasPassed = true }
        for place in queue.indices where queue[place].wasPassed { queue[place].age += 1 }
        while let old = queue.firstIndex(where: { $0.age > Self.patience }) {
            tell(queue.remove(at: old).unit, .straggler)
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
    private mutating func lose(_ tell: (HEVCAccessUnit, Verdict) -> Void) {
        let first = queue.removeFirst()
        if first.wasPassed { return tell(first.unit, .straggler) }
        if let slice = first.unit.slices.first, let sequence = first.unit.sequence {
            switch model.fit(of: slice, sequence, digest: first.digest) {
            case .hasNoStart: return tell(first.unit, .noStart)
            case .contradicts: model.distrust()
            default: break
            }
        }
        enter(first, isClean: false)
        tell(first.unit, .refersToLoss)
    }

    private mutating func enter(_ waiting: Waiting, isClean: Bool) {
        guard let slice = waiting.unit.slices.first, let sequence = waiting.unit.sequence else {
            return
        }
        model.enter(slice, sequence, digest: waiting.digest, isClean: isClean)
    }

    /// FNV-1a with 64 bits.
    private static func digest(_ bytes: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}
