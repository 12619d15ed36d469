/// A coded picture of H.264 with all that belongs to it, as it stands in the stream.
public struct H264AccessUnit: Sendable {
    /// Where its first start code lies in the stream, in bytes.
    public let offset: Int64
    /// Its bytes, start codes included.
    public let bytes: [UInt8]
    /// Where its NAL units lie in the bytes, start codes and zeros before them left out.
    public let units: [Range<Int>]
    /// The head of its first slice; nil where it has no picture that can be read.
    package let slice: H264Slice?
    /// The sequence that the picture belongs to.
    public let sequence: H264Sequence?
    /// What is wrong with it by itself, where something is.
    public var fault: String?

    /// The number of a parameter set of it, with its kind: 7 sequence, 8 picture; nil of other units.
    package func set(_ range: Range<Int>) -> (kind: Int, id: Int)? {
        let unit = Array(bytes[range])
        switch unit.first.map({ Int($0 & 0x1F) }) {
        case 7: return H264Sequence(unit).map { (7, $0.id) }
        case 8: return H264ParameterSets.picture(unit).map { (8, $0.id) }
        default: return nil
        }
    }
}

/// Cuts a byte stream of H.264 into access units.
///
/// A unit ends before the next picture's first slice, or before the parameter sets, messages and delimiters
/// that stand before it. A slice that belongs to no picture whose first slice came begins a unit of its own,
/// which has a fault. Slices come in the order of their blocks.
///
/// Memory: one access unit, at most `HEVCAccessUnitReader.byteLimit`. O(bytes).
///
/// Source: ITU-T H.264 (08/2021) clauses 7.4.1.2.3 and 7.4.1.2.4.
public struct H264AccessUnitReader: Sendable {
    private var cutter = AccessUnitCutter()
    private var sets = H264ParameterSets()
    private var slice: H264Slice?
    private var sequence: H264Sequence?
    private var fault: String?
    private var hasPicture = false

    /// Holds nothing.
    public init() {}

    /// How many bytes stood before the first start code.
    public var junk: Int64 { cutter.scanner.junk }

    /// Takes the stream's next bytes.
    public mutating func append(_ bytes: ArraySlice<UInt8>) { cutter.append(bytes) }

    /// Says that the stream is over.
    public mutating func finish() { cutter.finish() }

    /// Cuts bytes that begin and end with access units, beside the stream; there is mostly one.
    ///
    /// - Parameter bytes: access units, whole.
    /// - Returns: the units.
    /// - Throws: `CodecError` when they are more than a unit may be.
    public mutating func units(of bytes: [UInt8]) throws(CodecError) -> [H264AccessUnit] {
        var reader = H264AccessUnitReader()
        swap(&reader.sets, &sets)
        defer { swap(&reader.sets, &sets) }
        reader.append(bytes[...])
        reader.finish()
        var result: [H264AccessUnit] = []
        while let unit = try reader.next() { result.append(unit) }
        return result
    }

    /// The next access unit; nil before more bytes come, or at the end.
    ///
    /// - Throws: `CodecError` when a unit is larger than any is.
    public mutating func next() throws(CodecError) -> H264AccessUnit? {
        while let unit = cutter.next() {
            let kind = Int(cutter.scanner.buffer[unit.start] & 0x1F)
            let isPicture = (1...5).contains(kind)
            let head = isPicture ? H264Slice(self.head(of: unit), sets) : nil
            let begins = hasPicture && startsUnit(kind, head, unit)
            let done = begins && !cutter.isEmpty ? cut(at: unit.code) : nil
            take(kind, unit, head)
            if let done { return done }
        }
        return try cutter.end(of: "H.264 stream").map { cut(at: $0) }
    }

    /// All that is read of a slice's head.
    private func head(of unit: AnnexBScanner.Unit) -> [UInt8] {
        cutter.bytes(of: unit, upTo: 64)
    }

    private func startsUnit(_ kind: Int, _ head: H264Slice?, _ unit: AnnexBScanner.Unit) -> Bool {
        switch kind {
        case 1...5:
            guard let head, let slice else {
                // Without parameter sets the first number of a slice can be read all the same.
                var reader = BitReader(self.head(of: unit), from: 1)
                return reader.unsigned() == 0
            }
            return head.firstBlock == 0 || head.frameNumber != slice.frameNumber
                || head.pictureSet != slice.pictureSet || head.isRefresh != slice.isRefresh
                || head.refreshID != slice.refreshID || head.orderCount != slice.orderCount
                || head.isReference != slice.isReference
        case 6...9, 14...18: return true
        default: return false
        }
    }

    private mutating func take(_ kind: Int, _ unit: AnnexBScanner.Unit, _ head: H264Slice?) {
        cutter.take(unit)
        if kind == 7 || kind == 8 { sets.take(cutter.bytes(of: unit)) }
        guard (1...5).contains(kind) else { return }
        if let head {
            if !hasPicture, head.firstBlock != 0 {
                fault = "the first slice of the picture is missing"
            }
            if slice == nil {
                slice = head
                sequence = sets.sequence(of: head.pictureSet)
            }
        } else {
            fault = "its parameter sets are missing"
        }
        hasPicture = true
    }

    private mutating func cut(at end: Int) -> H264AccessUnit {
        let cut = cutter.cut(at: end)
        let result = H264AccessUnit(
            offset: cut.offset,
            bytes: cut.bytes,
            units: cut.units,
            slice: slice,
            sequence: sequence,
            fault: fault
        )
        (slice, sequence) = (nil, nil)
        (fault, hasPicture) = (nil, false)
        return result
    }
}
