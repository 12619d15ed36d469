import Codecs

/// The pictures that a decoder would hold, and which of them are exact.
///
/// Decoders of HEVC give damaged pictures without a word. So a picture is only believed when every picture
/// that it refers to is there and is believed itself; nothing else is given to the decoder, and what comes
/// out is exact.
///
/// Source: ITU-T H.265 (08/2021) clauses 8.3.1 and 8.3.2.
struct PictureModel: Sendable {
    /// A picture that was decoded and is kept.
    struct Picture: Sendable {
        var orderCount: Int
        /// Whether it and all that it refers to came whole.
        var isClean: Bool
        /// Tells units apart.
        var digest: UInt64
    }

    /// What a unit is to the pictures so far.
    enum Fit: Sendable, Equatable {
        /// All that it refers to is there and clean.
        case fits
        /// It refers to a picture that is there and not clean.
        case refersToDamage
        /// It refers to a picture that is not there.
        case missesReference
        /// The same picture is there already, from the same bytes.
        case isDuplicate
        /// Another picture of its order count is there: an instantaneous refresh was lost.
        case contradicts
        /// It may refer to what lies before the random access point that decoding began with.
        case isSkipped
        /// Nothing came yet that decoding can begin with.
        case hasNoStart
    }

    private(set) var pictures: [Picture] = []
    /// The order count that the next is told relative to, of the last picture of the lowest sub-layer.
    private var anchor: Int?
    /// Whether leading pictures are skipped: the last random access point began the decoding.
    private var skipsLeading = false
    /// The most pictures that a picture kept since the last random access point.
    private var mostKept = 0

    /// The order count of a unit's picture.
    func orderCount(of slice: HEVCSlice, _ sequence: HEVCSequence) -> Int {
        if startsAnew(slice) { return slice.orderCount }
        let modulus = 1 << sequence.orderCountBits
        let before = anchor ?? 0
        let low = before & (modulus - 1)
        let high = before - low
        if slice.orderCount < low, low - slice.orderCount >= modulus / 2 {
            return high + modulus + slice.orderCount
        }
        if slice.orderCount > low, slice.orderCount - low > modulus / 2 {
            return high - modulus + slice.orderCount
        }
        return high + slice.orderCount
    }

    /// Whether a picture drops all before it: a refresh, a broken link, or the first random access point.
    func startsAnew(_ slice: HEVCSlice) -> Bool {
        slice.isRefresh || (16...18).contains(slice.kind)
            || slice.isRandomAccess && (anchor == nil || !pictures.contains(where: \.isClean))
    }

    /// Whether a unit's picture comes behind all that the model has seen, in the order of showing.
    func isBehindAll(_ slice: HEVCSlice, _ sequence: HEVCSequence) -> Bool {
        anchor.map { orderCount(of: slice, sequence) > $0 } ?? false
    }

    /// What a unit is to the pictures so far.
    func fit(of slice: HEVCSlice, _ sequence: HEVCSequence, digest: UInt64) -> Fit {
        if startsAnew(slice) { return .fits }
        guard anchor != nil else { return .hasNoStart }
        if slice.isSkippedLeading, skipsLeading { return .isSkipped }
        let count = orderCount(of: slice, sequence)
        if let same = pictures.first(where: { $0.orderCount == count }) {
            return same.digest == digest ? .isDuplicate : .contradicts
        }
        let kept = references(of: slice, sequence, count)
        // Without reordering every picture keeps as many as the one before, but for a lost refresh.
        if sequence.reorderLimit == 0, !slice.isRandomAccess, kept.count < mostKept {
            return .contradicts
        }
        var fit = Fit.fits
        for reference in kept where reference.isUsed {
            guard let place = reference.place else { return .missesReference }
            if !pictures[place].isClean { fit = .refersToDamage }
        }
        return fit
    }

    /// Takes a unit's picture in; it is clean when it came whole and fits.
    mutating func enter(
        _ slice: HEVCSlice,
        _ sequence: HEVCSequence,
        digest: UInt64,
        isClean: Bool
    ) {
        let count = orderCount(of: slice, sequence)
        if startsAnew(slice) {
            pictures = []
            skipsLeading = true
            mostKept = 0
        } else {
            let kept = references(of: slice, sequence, count)
            if slice.isRandomAccess {
                // What it keeps is for its leading pictures alone.
                skipsLeading = false
                mostKept = 0
            } else {
                mostKept = max(mostKept, kept.count)
            }
            let places = Set(kept.compactMap(\.place))
            pictures = pictures.indices.filter(places.contains).map { pictures[$0] }
        }
        pictures.append(Picture(orderCount: count, isClean: isClean, digest: digest))
        if slice.countsForOrder { anchor = count }
    }

    /// Says that a refresh was lost: nothing that is kept is exact any more.
    mutating func distrust() {
        for index in pictures.indices { pictures[index].isClean = false }
    }

    /// What a picture keeps: where it is among the pictures, and whether it is used by the picture itself.
    private func references(of slice: HEVCSlice, _ sequence: HEVCSequence, _ count: Int) -> [(
        place: Int?, isUsed: Bool
    )] {
        let modulus = 1 << sequence.orderCountBits
        let short = (slice.references.before + slice.references.after).map { entry in
            (
                place: pictures.firstIndex { $0.orderCount == count + entry.distance },
                isUsed: entry.isUsed
            )
        }
        let long = slice.longTerm.map { entry in
            (
                place: pictures.firstIndex {
                    entry.hasOnlyLowBits
                        ? $0.orderCount & (modulus - 1) == entry.orderCount
                        : $0.orderCount == count + entry.orderCount
                },
                isUsed: entry.isUsed
            )
        }
        return short + long
    }
}
