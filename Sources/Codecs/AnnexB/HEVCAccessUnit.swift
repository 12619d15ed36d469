/// A coded picture of HEVC with all that belongs to it, as it stands in the stream.
public struct HEVCAccessUnit: Sendable {
    /// Where its first start code lies in the stream, in bytes.
    public let offset: Int64
    /// Its bytes, start codes included.
    public let bytes: [UInt8]
    /// Where its NAL units lie in the bytes, start codes and zeros before them left out.
    public let units: [Range<Int>]
    /// The heads of the picture's slices; empty where it has no picture that can be read.
    package let slices: [HEVCSlice]
    /// The sequence that the picture belongs to.
    public let sequence: HEVCSequence?
    /// What is wrong with it by itself, where something is.
    public var fault: String?

    /// Whether decoding can begin with it.
    public var isRandomAccess: Bool { slices.first?.isRandomAccess ?? false }

    /// The kind of a NAL unit.
    package func kind(_ unit: Range<Int>) -> Int { Int(bytes[unit.lowerBound] >> 1 & 0x3F) }
}

/// Cuts a byte stream of HEVC into access units.
///
/// A unit ends before the next picture's first slice, or before the parameter sets, messages and delimiters
/// that stand before it. A slice that belongs to no picture whose first slice came begins a unit of its own,
/// which has a fault.
///
/// Memory: one access unit, at most `byteLimit`. O(bytes).
///
/// Source: ITU-T H.265 (08/2021) clause 7.4.2.4.4.
public struct HEVCAccessUnitReader: Sendable {
    /// The largest access unit that is taken, in bytes.
    public static let byteLimit = AccessUnitCutter.byteLimit

    private var cutter = AccessUnitCutter()
    private var sets = HEVCParameterSets()
    private var slices: [HEVCSlice] = []
    private var sequence: HEVCSequence?
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

    /// The next access unit; nil before more bytes come, or at the end.
    ///
    /// - Throws: `CodecError` when a unit is larger than any is.
    public mutating func next() throws(CodecError) -> HEVCAccessUnit? {
        while let unit = cutter.next() {
            // A header has two bytes.
            guard unit.end - unit.start >= 2 else { continue }
            let kind = Int(cutter.scanner.buffer[unit.start] >> 1 & 0x3F)
            let layer =
                Int(cutter.scanner.buffer[unit.start] & 1) << 5
                | Int(cutter.scanner.buffer[unit.start + 1] >> 3)
            let slice = kind < 32 && layer == 0 ? head(of: unit) : nil
            let begins = layer == 0 && startsUnit(kind, unit, slice)
            let done = begins && !cutter.isEmpty ? cut(at: unit.code) : nil
            take(kind, layer, unit, slice)
            if let done { return done }
        }
        return try cutter.end(of: "HEVC stream").map { cut(at: $0) }
    }

    /// Cuts bytes that begin and end with access units, beside the stream; there is mostly one.
    ///
    /// Parameter sets hold for what follows. Offsets count from the bytes' start.
    ///
    /// - Parameter bytes: access units, whole.
    /// - Returns: the units.
    /// - Throws: `CodecError` when they are more than a unit may be.
    public mutating func units(of bytes: [UInt8]) throws(CodecError) -> [HEVCAccessUnit] {
        var reader = HEVCAccessUnitReader()
        swap(&reader.sets, &sets)
        defer { swap(&reader.sets, &sets) }
        reader.append(bytes[...])
        reader.finish()
        var result: [HEVCAccessUnit] = []
        while let unit = try reader.next() { result.append(unit) }
        return result
    }

    private func head(of unit: AnnexBScanner.Unit) -> HEVCSlice? {
        // All that is read of a slice's head: sets of references in it are at most some hundred bytes.
        HEVCSlice(cutter.bytes(of: unit, upTo: 1024), sets)
    }

    private func startsUnit(_ kind: Int, _ unit: AnnexBScanner.Unit, _ slice: HEVCSlice?) -> Bool {
        switch kind {
        case 0..<32:
            guard hasPicture else { return false }
            // The first bit behind the header.
            if cutter.scanner.buffer[unit.start + 2 < unit.end ? unit.start + 2 : unit.start] & 0x80
                != 0
            {
                return true
            }
            guard let slice, let first = slices.first, !slice.isDependent else { return false }
            return slice.orderCount != first.orderCount || slice.pictureSet != first.pictureSet
                || slice.isRefresh != first.isRefresh
        case 32...35, 39, 41...44, 48...55: return hasPicture
        default: return false
        }
    }

    private mutating func take(
        _ kind: Int,
        _ layer: Int,
        _ unit: AnnexBScanner.Unit,
        _ slice: HEVCSlice?
    ) {
        cutter.take(unit)
        guard layer == 0 else { return }
        if kind >= 32 {
            if kind <= 34 { sets.take(cutter.bytes(of: unit)) }
            return
        }
        if let slice {
            if !hasPicture, !slice.isFirst {
                fault = "the first slice of the picture is missing"
            }
            if slices.isEmpty { sequence = sets.sequence(of: slice) }
            slices.append(slice)
        } else if kind < 10 || (16...21).contains(kind) {
            fault = "its parameter sets are missing"
        }
        hasPicture = true
    }

    private mutating func cut(at end: Int) -> HEVCAccessUnit {
        let cut = cutter.cut(at: end)
        let result = HEVCAccessUnit(
            offset: cut.offset,
            bytes: cut.bytes,
            units: cut.units,
            slices: slices,
            sequence: sequence,
            fault: fault
        )
        (slices, sequence) = ([], nil)
        (fault, hasPicture) = (nil, false)
        return result
    }
}
