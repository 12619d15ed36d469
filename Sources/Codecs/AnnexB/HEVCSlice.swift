/// The head of a slice segment of HEVC, up to the pictures that its picture refers to.
///
/// Source: ITU-T H.265 (08/2021) clauses 7.3.1.2, 7.3.6.1 and 8.3.2.
package struct HEVCSlice: Sendable {
    /// The kind of NAL unit, 0…31.
    package let kind: Int
    /// The sub-layer it belongs to, 0…6.
    package let layer: Int
    package let isFirst: Bool
    package let pictureSet: Int
    /// Its first block.
    package let address: Int
    /// Whether it goes on with the slice before, and tells nothing of what follows here.
    package let isDependent: Bool
    /// The low bits of the picture's order count; 0 of an instantaneous refresh.
    package let orderCount: Int
    package let references: HEVCReferenceSet
    package let longTerm: [LongTerm]

    package struct LongTerm: Sendable {
        /// The order count, or only its low bits.
        package var orderCount: Int
        package var hasOnlyLowBits: Bool
        package var isUsed: Bool
    }

    /// Whether decoding can begin with its picture.
    package var isRandomAccess: Bool { (16...23).contains(kind) }
    /// Whether it refreshes all: IDR.
    package var isRefresh: Bool { kind == 19 || kind == 20 }
    /// Whether it is shown before a random access point that it comes after, and may refer to what lies
    /// before that: RASL.
    package var isSkippedLeading: Bool { kind == 8 || kind == 9 }
    /// Whether others of its sub-layer may refer to it, and it is no leading picture: clause 8.3.1.
    package var countsForOrder: Bool {
        layer == 0 && !(6...9).contains(kind) && !(kind <= 14 && kind % 2 == 0)
    }

    /// Reads a slice's head; nil where its parameter sets are missing, or it breaks off.
    init?(_ unit: [UInt8], _ sets: HEVCParameterSets) {
        guard unit.count > 2 else { return nil }
        kind = Int(unit[0] >> 1 & 0x3F)
        layer = Int(unit[1] & 7) - 1
        var reader = BitReader(unit, from: 2)
        isFirst = reader.flag()
        if (16...23).contains(kind) { reader.skip(1) }
        pictureSet = reader.unsigned(upTo: 63)
        guard !reader.isOverrun, let picture = sets.picture(pictureSet),
            let sequence = sets.sequence(picture.sequence)
        else { return nil }
        isDependent = !isFirst && picture.hasDependentSlices && reader.flag()
        address = isFirst ? 0 : Int(reader.bits(sequence.addressBits))
        var orderCount = 0
        var references: HEVCReferenceSet?
        var longTerm: [LongTerm] = []
        if !isDependent {
            reader.skip(picture.extraBits)
            _ = reader.unsigned(upTo: 2)
            if picture.hasOutputFlag { reader.skip(1) }
            if sequence.hasSeparatePlanes { reader.skip(2) }
            if kind != 19, kind != 20 {
                orderCount = Int(reader.bits(sequence.orderCountBits))
                references = Self.shortTerm(&reader, sequence)
                if sequence.hasLongTerm {
                    longTerm = Self.longTerm(&reader, sequence, orderCount)
                }
            }
        }
        if reader.isOverrun { return nil }
        self.orderCount = orderCount
        self.references = references ?? HEVCReferenceSet()
        self.longTerm = longTerm
    }

    private static func shortTerm(_ reader: inout BitReader, _ sequence: HEVCSequence)
        -> HEVCReferenceSet?
    {
        let sets = sequence.referenceSets
        guard reader.flag() else {
            return HEVCReferenceSet(&reader, number: sets.count, others: sets, isInSlice: true)
        }
        let bits = sets.count > 1 ? Int.bitWidth - (sets.count - 1).leadingZeroBitCount : 0
        let index = Int(reader.bits(bits))
        return sets.indices.contains(index) ? sets[index] : nil
    }

    /// Equation 7-52 and what stands before it.
    private static func longTerm(
        _ reader: inout BitReader,
        _ sequence: HEVCSequence,
        _ orderCount: Int
    ) -> [LongTerm] {
        let known = sequence.longTerm
        let fromSequence = known.isEmpty ? 0 : reader.unsigned(upTo: 32)
        let own = reader.unsigned(upTo: 32)
        let bits = known.count > 1 ? Int.bitWidth - (known.count - 1).leadingZeroBitCount : 0
        let modulus = 1 << sequence.orderCountBits
        var result: [LongTerm] = []
        var cycles = 0
        for index in 0..<fromSequence + own where !reader.isOverrun {
            var low = 0
            var isUsed = false
            if index < fromSequence {
                let place = Int(reader.bits(bits))
                if known.indices.contains(place) {
                    (low, isUsed) = (known[place].lowBits, known[place].isUsed)
                }
            } else {
                low = Int(reader.bits(sequence.orderCountBits))
                isUsed = reader.flag()
            }
            let hasCycles = reader.flag()
            if index == 0 || index == fromSequence { cycles = 0 }
            if hasCycles { cycles += Int(reader.unsigned()) }
            result.append(
                LongTerm(
                    // Relative to the picture's own count, of which only the low bits are known here.
                    orderCount: hasCycles ? low - orderCount - cycles * modulus : low,
                    hasOnlyLowBits: !hasCycles,
                    isUsed: isUsed
                )
            )
        }
        return result
    }
}

/// The parameter sets that a stream has told so far.
struct HEVCParameterSets: Sendable {
    private var sequences: [Int: HEVCSequence] = [:]
    private var pictures: [Int: HEVCPictureSet] = [:]

    func sequence(_ id: Int) -> HEVCSequence? { sequences[id] }
    func picture(_ id: Int) -> HEVCPictureSet? { pictures[id] }

    /// The sequence that a slice's picture belongs to.
    func sequence(of slice: HEVCSlice) -> HEVCSequence? {
        pictures[slice.pictureSet].flatMap { sequences[$0.sequence] }
    }

    /// Takes a parameter set; other units, and broken sets, are passed over.
    ///
    /// - Parameter unit: a NAL unit.
    mutating func take(_ unit: [UInt8]) {
        guard unit.count > 2 else { return }
        switch unit[0] >> 1 & 0x3F {
        case 33: if let set = HEVCSequence(unit) { sequences[set.id] = set }
        case 34: if let set = HEVCPictureSet(unit) { pictures[set.id] = set }
        default: break
        }
    }
}

/// The numbers of parameter sets.
package enum HEVCParameterSetID {
    /// The number of a video, sequence or picture parameter set; nil where it is none.
    package static func id(of unit: [UInt8]) -> Int? {
        guard unit.count > 2 else { return nil }
        switch unit[0] >> 1 & 0x3F {
        case 32: return Int(unit[2] >> 4)
        case 33: return HEVCSequence(unit)?.id
        case 34: return HEVCPictureSet(unit)?.id
        default: return nil
        }
    }
}
