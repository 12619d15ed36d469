/// The numbers of ITU-T H.273 that a stream gives for its colours; 2 where it gives none.
public struct CodedColor: Sendable, Equatable {
    /// Which red, green and blue.
    public var primaries = 2
    /// How numbers become light.
    public var transfer = 2
    /// How red, green and blue became luma and chroma.
    public var matrix = 2
    /// Whether black is 0 and white the largest number.
    public var isFullRange = false

    /// Holds nothing told.
    public init() {}

    /// Reads the head of usability information, which H.264 and HEVC share: up to where chroma samples lie.
    ///
    /// Source: ITU-T H.264 (08/2021) clause E.1.1, H.265 (08/2021) clause E.2.1.
    init(usability reader: inout BitReader) {
        // The shape of a sample; 255 is told as two numbers.
        if reader.flag(), reader.bits(8) == 255 { reader.skip(32) }
        if reader.flag() { reader.skip(1) }
        if reader.flag() {
            reader.skip(3)
            isFullRange = reader.flag()
            if reader.flag() {
                primaries = Int(reader.bits(8))
                transfer = Int(reader.bits(8))
                matrix = Int(reader.bits(8))
            }
        }
        if reader.flag() {
            _ = reader.unsigned()
            _ = reader.unsigned()
        }
    }
}
