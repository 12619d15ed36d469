public import Media

/// A sequence parameter set of HEVC, as far as pictures are placed, told apart and shown by it.
///
/// Source: ITU-T H.265 (08/2021) clauses 7.3.2.2, 7.3.3 and E.2.1.
public struct HEVCSequence: Sendable {
    /// Its number, 0…15.
    public let id: Int
    /// How the chroma planes lie: 0 none, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    public let chromaFormat: Int
    /// The size that is shown, in luma samples; what is coded may be larger.
    public let width: Int
    /// Its height.
    public let height: Int
    /// Bits of a luma sample, 8…16.
    public let bitDepth: Int
    /// The colours as the stream tells them.
    public let color: CodedColor
    /// Pictures a second, where the stream tells.
    public let frameRate: Rate?
    /// The most pictures that follow another in decoding and come before it in showing.
    public let reorderLimit: Int

    /// How many low bits of a picture's order count each slice tells.
    package let orderCountBits: Int
    /// How many bits number a block of the largest size.
    let addressBits: Int
    let hasSeparatePlanes: Bool
    let referenceSets: [HEVCReferenceSet]
    let hasLongTerm: Bool
    let longTerm: [LongTerm]

    struct LongTerm: Sendable {
        var lowBits: Int
        var isUsed: Bool
    }

    /// Reads a parameter set; nil where it is none that a decoder would take.
    ///
    /// - Parameter unit: the NAL unit, its header of two bytes included.
    public init?(_ unit: [UInt8]) {
        var reader = BitReader(unit, from: 2)
        reader.skip(4)
        let layers = Int(reader.bits(3))
        guard layers < 7 else { return nil }
        reader.skip(1)
        Self.skipProfile(&reader, layers)
        id = reader.unsigned(upTo: 15)
        chromaFormat = reader.unsigned(upTo: 3)
        hasSeparatePlanes = chromaFormat == 3 && reader.flag()
        let coded = (reader.unsigned(upTo: 16_384), reader.unsigned(upTo: 16_384))
        var window = (left: 0, right: 0, top: 0, bottom: 0)
        if reader.flag() {
            window = (
                reader.unsigned(upTo: 16_384), reader.unsigned(upTo: 16_384),
                reader.unsigned(upTo: 16_384), reader.unsigned(upTo: 16_384)
            )
        }
        let (across, down) = (
            chromaFormat == 1 || chromaFormat == 2 ? 2 : 1, chromaFormat == 1 ? 2 : 1
        )
        width = coded.0 - across * (window.left + window.right)
        height = coded.1 - down * (window.top + window.bottom)
        bitDepth = reader.unsigned(upTo: 8) + 8
        _ = reader.unsigned(upTo: 8)
        orderCountBits = reader.unsigned(upTo: 12) + 4
        var reorder = 0
        for _ in (reader.flag() ? 0 : layers)...layers {
            _ = reader.unsigned(upTo: 15)
            reorder = reader.unsigned(upTo: 15)
            _ = reader.unsigned()
        }
        reorderLimit = reorder
        let smallest = reader.unsigned(upTo: 3) + 3
        let block = smallest + reader.unsigned(upTo: 3)
        let blocks = Self.divided(coded.0, block) * Self.divided(coded.1, block)
        addressBits = blocks > 1 ? Int.bitWidth - (blocks - 1).leadingZeroBitCount : 0
        for _ in 0..<4 { _ = reader.unsigned(upTo: 32) }
        if reader.flag(), reader.flag() { Self.skipScaling(&reader) }
        reader.skip(2)
        if reader.flag() {
            reader.skip(8)
            _ = reader.unsigned(upTo: 8)
            _ = reader.unsigned(upTo: 8)
            reader.skip(1)
        }
        var sets: [HEVCReferenceSet] = []
        let count = reader.unsigned(upTo: 64)
        for number in 0..<count where !reader.isOverrun {
            sets.append(
                HEVCReferenceSet(&reader, number: number, others: sets, isInSlice: false)
            )
        }
        referenceSets = sets
        hasLongTerm = reader.flag()
        var longTerm: [LongTerm] = []
        if hasLongTerm {
            for _ in 0..<reader.unsigned(upTo: 32) {
                let low = Int(reader.bits(orderCountBits))
                longTerm.append(LongTerm(lowBits: low, isUsed: reader.flag()))
            }
        }
        self.longTerm = longTerm
        reader.skip(2)
        let hasUsability = reader.flag()
        guard !reader.isOverrun, width > 0, height > 0 else { return nil }
        // What comes now only describes: a set that ends within it still decodes.
        (color, frameRate) = hasUsability ? Self.usability(&reader) : (CodedColor(), nil)
    }

    private static func divided(_ size: Int, _ bits: Int) -> Int {
        (size + (1 << bits) - 1) >> bits
    }

    private static func skipProfile(_ reader: inout BitReader, _ layers: Int) {
        reader.skip(88 + 8)
        var present: [(profile: Bool, level: Bool)] = []
        for _ in 0..<layers { present.append((reader.flag(), reader.flag())) }
        if layers > 0 { reader.skip(2 * (8 - layers)) }
        for layer in present { reader.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
    }

    private static func skipScaling(_ reader: inout BitReader) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard reader.flag() else {
                    _ = reader.unsigned(upTo: 5)
                    continue
                }
                if size > 1 { _ = reader.signed() }
                for _ in 0..<min(64, 1 << (4 + size << 1)) { _ = reader.signed() }
            }
        }
    }

    private static func usability(_ reader: inout BitReader) -> (CodedColor, Rate?) {
        let color = CodedColor(usability: &reader)
        reader.skip(3)
        if reader.flag() { for _ in 0..<4 { _ = reader.unsigned() } }
        guard reader.flag() else { return (color, nil) }
        let (tick, scale) = (reader.bits(32), reader.bits(32))
        guard !reader.isOverrun, tick > 0, scale > 0, tick <= Int32.max, scale <= Int32.max else {
            return (color, nil)
        }
        return (color, Rate(Int32(scale), Int32(tick)))
    }
}

/// A picture parameter set of HEVC, as far as slice headers need it.
///
/// Source: ITU-T H.265 (08/2021) clause 7.3.2.3.
struct HEVCPictureSet: Sendable {
    let id: Int
    let sequence: Int
    let hasDependentSlices: Bool
    let hasOutputFlag: Bool
    let extraBits: Int

    /// Reads a parameter set; nil where it is none.
    init?(_ unit: [UInt8]) {
        var reader = BitReader(unit, from: 2)
        id = reader.unsigned(upTo: 63)
        sequence = reader.unsigned(upTo: 15)
        hasDependentSlices = reader.flag()
        hasOutputFlag = reader.flag()
        extraBits = Int(reader.bits(3))
        if reader.isOverrun { return nil }
    }
}
