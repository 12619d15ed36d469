/// A short-term reference picture set: which pictures a picture refers to, or keeps for later ones.
///
/// Source: ITU-T H.265 (08/2021) clauses 7.3.7 and 7.4.8.
package struct HEVCReferenceSet: Sendable, Equatable {
    /// Order counts relative to the picture's, the nearest first: those before it, then those after it.
    package var before: [Entry] = []
    package var after: [Entry] = []

    package struct Entry: Sendable, Equatable {
        package var distance: Int
        /// Whether the picture itself may refer to it.
        package var isUsed: Bool
    }

    /// The most pictures that a decoder keeps.
    static let limit = 16

    /// Refers to none.
    init() {}

    /// Reads a set.
    ///
    /// - Parameters:
    ///   - reader: at the set.
    ///   - number: its place among the sequence's; in a slice as many as there are.
    ///   - others: the sequence's sets before it.
    ///   - isInSlice: whether a slice tells it, and not the sequence.
    init(_ reader: inout BitReader, number: Int, others: [HEVCReferenceSet], isInSlice: Bool) {
        if number > 0, reader.flag() {
            let back = isInSlice ? reader.unsigned(upTo: number - 1) + 1 : 1
            let isNegative = reader.flag()
            let size = reader.unsigned(upTo: 32_767) + 1
            guard number - back < others.count else { return }
            predict(&reader, from: others[number - back], by: isNegative ? -size : size)
            return
        }
        let beforeCount = reader.unsigned(upTo: Self.limit)
        let afterCount = reader.unsigned(upTo: Self.limit - beforeCount)
        var distance = 0
        for _ in 0..<beforeCount {
            distance -= reader.unsigned(upTo: 32_767) + 1
            before.append(Entry(distance: distance, isUsed: reader.flag()))
        }
        distance = 0
        for _ in 0..<afterCount {
            distance += reader.unsigned(upTo: 32_767) + 1
            after.append(Entry(distance: distance, isUsed: reader.flag()))
        }
    }

    /// Equations 7-61 and 7-62.
    private mutating func predict(
        _ reader: inout BitReader,
        from other: HEVCReferenceSet,
        by shift: Int
    ) {
        let count = other.before.count + other.after.count
        var (used, kept) = ([Bool](), [Bool]())
        for _ in 0...count {
            let isUsed = reader.flag()
            used.append(isUsed)
            kept.append(isUsed || reader.flag())
        }
        func add(_ distance: Int, _ index: Int, isBefore: Bool) {
            guard kept[index], isBefore ? distance < 0 : distance > 0 else { return }
            let entry = Entry(distance: distance, isUsed: used[index])
            if isBefore { before.append(entry) } else { after.append(entry) }
        }
        for (index, entry) in other.after.enumerated().reversed() {
            add(entry.distance + shift, other.before.count + index, isBefore: true)
        }
        add(shift, count, isBefore: true)
        for (index, entry) in other.before.enumerated() {
            add(entry.distance + shift, index, isBefore: true)
        }
        for (index, entry) in other.before.enumerated().reversed() {
            add(entry.distance + shift, index, isBefore: false)
        }
        add(shift, count, isBefore: false)
        for (index, entry) in other.after.enumerated() {
            add(entry.distance + shift, other.before.count + index, isBefore: false)
        }
    }
}
