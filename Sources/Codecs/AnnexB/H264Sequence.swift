public import Media

/// A sequence parameter set of H.264, as far as pictures are placed, told apart and shown by it.
///
/// Source: ITU-T H.264 (08/2021) clauses 7.3.2.1.1 and E.1.1.
public struct H264Sequence: Sendable {
    /// Its number, 0…31.
    public let id: Int
    /// How the chroma planes lie: 0 none, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    public let chromaFormat: Int
    /// The size that is shown, in luma samples; what is coded may be larger.
    public let width: Int
    /// Its height.
    public let height: Int
    /// Bits of a luma sample, 8…14.
    public let bitDepth: Int
    /// The colours as the stream tells them.
    public let color: CodedColor
    /// Pictures a second, where the stream tells.
    public let frameRate: Rate?
    /// The most pictures that follow another in decoding and come before it in showing.
    public let reorderLimit: Int

    /// How many bits a slice tells of its frame number.
    package let frameNumberBits: Int
    /// How order counts are told: 0, 1 or 2.
    package let orderCountType: Int
    /// How many low bits of a picture's order count each slice tells, for type 0.
    package let orderCountBits: Int
    let hasSeparatePlanes: Bool
    let hasFramesOnly: Bool

    /// Profiles whose sets tell chroma and depth.
    private static let highProfiles: Set<UInt8> = [
        100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
    ]

    /// Reads a parameter set; nil where it is none that a decoder would take.
    ///
    /// - Parameter unit: the NAL unit, its header of a byte included.
    public init?(_ unit: [UInt8]) {
        guard unit.count > 4 else { return nil }
        let profile = unit[1]
        var reader = BitReader(unit, from: 4)
        id = reader.unsigned(upTo: 31)
        var (chroma, depth, separate) = (1, 8, false)
        if Self.highProfiles.contains(profile) {
            chroma = reader.unsigned(upTo: 3)
            separate = chroma == 3 && reader.flag()
            depth = reader.unsigned(upTo: 6) + 8
            _ = reader.unsigned(upTo: 6)
            reader.skip(1)
            if reader.flag() { Self.skipScaling(&reader, lists: chroma == 3 ? 12 : 8) }
        }
        (chromaFormat, bitDepth, hasSeparatePlanes) = (chroma, depth, separate)
        frameNumberBits = reader.unsigned(upTo: 12) + 4
        orderCountType = reader.unsigned(upTo: 2)
        var orderBits = 0
        if orderCountType == 0 { orderBits = reader.unsigned(upTo: 12) + 4 }
        if orderCountType == 1 {
            reader.skip(1)
            _ = reader.signed()
            _ = reader.signed()
            for _ in 0..<reader.unsigned(upTo: 255) { _ = reader.signed() }
        }
        orderCountBits = orderBits
        _ = reader.unsigned(upTo: 16)
        reader.skip(1)
        let across = reader.unsigned(upTo: 1023) + 1
        let down = reader.unsigned(upTo: 1023) + 1
        hasFramesOnly = reader.flag()
        if !hasFramesOnly { reader.skip(1) }
        reader.skip(1)
        var window = (left: 0, right: 0, top: 0, bottom: 0)
        if reader.flag() {
            window = (
                reader.unsigned(upTo: 16_384), reader.unsigned(upTo: 16_384),
                reader.unsigned(upTo: 16_384), reader.unsigned(upTo: 16_384)
            )
        }
        let frames = hasFramesOnly ? 1 : 2
        let horizontal = chroma == 1 || chroma == 2 ? 2 : 1
        let vertical = (chroma == 1 ? 2 : 1) * frames
        width = across * 16 - horizontal * (window.left + window.right)
        height = down * 16 * frames - vertical * (window.top + window.bottom)
        let hasUsability = reader.flag()
        guard !reader.isOverrun, width > 0, height > 0 else { return nil }
        let told = hasUsability ? Self.usability(&reader) : nil
        color = told?.color ?? CodedColor()
        frameRate = told?.rate
        // Baseline has no pictures that come before earlier ones; where others do not say, some may.
        let isPlain = profile == 66 || orderCountType == 2
        reorderLimit = told?.reorder ?? (isPlain ? 0 : 2)
    }

    private static func skipScaling(_ reader: inout BitReader, lists: Int) {
        for list in 0..<lists where reader.flag() {
            var (last, next) = (8, 8)
            for _ in 0..<(list < 6 ? 16 : 64) where !reader.isOverrun {
                if next != 0 { next = (last + Int(reader.signed()) + 256) & 0xFF }
                if next != 0 { last = next }
            }
        }
    }

    private static func usability(_ reader: inout BitReader) -> (
        color: CodedColor, rate: Rate?, reorder: Int?
    ) {
        let color = CodedColor(usability: &reader)
        var rate: Rate?
        if reader.flag() {
            let (tick, scale) = (reader.bits(32), reader.bits(32))
            reader.skip(1)
            // Two ticks are a frame.
            if tick > 0, scale > 0, tick <= Int32.max / 2, scale <= Int32.max {
                rate = Rate(Int32(scale), Int32(tick) * 2)
            }
        }
        let hasBuffers = reader.flag()
        if hasBuffers { skipBuffer(&reader) }
        let hasOthers = reader.flag()
        if hasOthers { skipBuffer(&reader) }
        if hasBuffers || hasOthers { reader.skip(1) }
        reader.skip(1)
        guard reader.flag() else { return (color, reader.isOverrun ? nil : rate, nil) }
        reader.skip(1)
        for _ in 0..<4 { _ = reader.unsigned() }
        let reorder = reader.unsigned(upTo: 16)
        return reader.isOverrun ? (color, nil, nil) : (color, rate, reorder)
    }

    private static func skipBuffer(_ reader: inout BitReader) {
        let count = reader.unsigned(upTo: 31) + 1
        reader.skip(8)
        for _ in 0..<count where !reader.isOverrun {
            _ = reader.unsigned()
            _ = reader.unsigned()
            reader.skip(1)
        }
        reader.skip(20)
    }
}

/// The head of a slice of H.264, up to its picture's place.
///
/// Source: ITU-T H.264 (08/2021) clauses 7.3.1 and 7.3.3.
package struct H264Slice: Sendable {
    /// Whether its picture refreshes all: IDR.
    package let isRefresh: Bool
    /// Whether others may refer to its picture.
    package let isReference: Bool
    package let pictureSet: Int
    /// Its first macroblock.
    package let firstBlock: Int
    package let frameNumber: Int
    /// Tells refreshes apart that follow each other.
    package let refreshID: Int
    /// The low bits of the order count, where they are told.
    package let orderCount: Int

    init?(_ unit: [UInt8], _ sets: H264ParameterSets) {
        guard unit.count > 2 else { return nil }
        let kind = unit[0] & 0x1F
        isRefresh = kind == 5
        isReference = unit[0] & 0x60 != 0
        var reader = BitReader(unit, from: 1)
        firstBlock = reader.unsigned(upTo: 1 << 20)
        _ = reader.unsigned(upTo: 9)
        pictureSet = reader.unsigned(upTo: 255)
        guard !reader.isOverrun, let sequence = sets.sequence(of: pictureSet) else { return nil }
        if sequence.hasSeparatePlanes { reader.skip(2) }
        frameNumber = Int(reader.bits(sequence.frameNumberBits))
        if !sequence.hasFramesOnly, reader.flag() { reader.skip(1) }
        refreshID = isRefresh ? reader.unsigned(upTo: 65_535) : 0
        orderCount = sequence.orderCountType == 0 ? Int(reader.bits(sequence.orderCountBits)) : 0
        if reader.isOverrun { return nil }
    }
}

/// The parameter sets that a stream of H.264 has told so far.
struct H264ParameterSets: Sendable {
    private var sequences: [Int: H264Sequence] = [:]
    /// Of each picture parameter set its sequence.
    private var pictures: [Int: Int] = [:]

    func sequence(of picture: Int) -> H264Sequence? { pictures[picture].flatMap { sequences[$0] } }

    /// Takes a parameter set; other units, and broken sets, are passed over.
    mutating func take(_ unit: [UInt8]) {
        switch unit.first.map({ $0 & 0x1F }) {
        case 7: if let set = H264Sequence(unit) { sequences[set.id] = set }
        case 8: if let (id, sequence) = Self.picture(unit) { pictures[id] = sequence }
        default: break
        }
    }

    static func picture(_ unit: [UInt8]) -> (id: Int, sequence: Int)? {
        var reader = BitReader(unit, from: 1)
        let (id, sequence) = (reader.unsigned(upTo: 255), reader.unsigned(upTo: 31))
        return reader.isOverrun ? nil : (id, sequence)
    }
}
