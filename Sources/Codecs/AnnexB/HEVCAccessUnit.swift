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
    public static let byteLimit = 64 << 20

    private var scanner = AnnexBScanner()
    private var sets = HEVCParameterSets()
    private var units: [AnnexBScanner.Unit] = []
    private var slices: [HEVCSlice] = []
    private var sequence: HEVCSequence?
    private var fault: String?
    private var hasPicture = false

    /// Holds nothing.
    public init() {}

    /// How many bytes stood before the first start code.
    public var junk: Int64 { scanner.junk }

    /// Takes the stream's next bytes.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        let moved = scanner.append(bytes)
        for index in units.indices {
            units[index].code -= moved
            units[index].start -= moved
            units[index].end -= moved
        }
    }

    /// Says that the stream is over.
    public mutating func finish() { scanner.finish() }

    /// The next access unit; nil before more bytes come, or at the end.
    ///
    /// - Throws: `CodecError` when a unit is larger than any is.
    public mutating func next() throws(CodecError) -> HEVCAccessUnit? {
        while let unit = scanner.next() {
            // A header has two bytes.
            guard unit.end - unit.start >= 2 else { continue }
            let kind = Int(scanner.buffer[unit.start] >> 1 & 0x3F)
            let layer =
                Int(scanner.buffer[unit.start] & 1) << 5 | Int(scanner.buffer[unit.start + 1] >> 3)
            let slice = kind < 32 && layer == 0 ? head(of: unit) : nil
            let begins = layer == 0 && startsUnit(kind, unit, slice)
            let done = begins && !units.isEmpty ? cut(at: unit.code) : nil
            take(kind, layer, unit, slice)
            if let done { return done }
        }
        if scanner.count > Self.byteLimit {
            throw CodecError(
                call: "read",
                code: 0,
                text: "no access unit ends within \(Self.byteLimit >> 20) MiB",
                subject: "HEVC stream"
            )
        }
        // The last one, once the stream is over and nothing is open.
        guard !units.isEmpty, scanner.isDone else { return nil }
        return cut(at: scanner.buffer.count)
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
        let end = min(unit.end, unit.start + 1024)
        return HEVCSlice(Array(scanner.buffer[unit.start..<end]), sets)
    }

    private func startsUnit(_ kind: Int, _ unit: AnnexBScanner.Unit, _ slice: HEVCSlice?) -> Bool {
        switch kind {
        case 0..<32:
            guard hasPicture else { return false }
            // The first bit behind the header.
            if scanner.buffer[unit.start + 2 < unit.end ? unit.start + 2 : unit.start] & 0x80 != 0 {
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
        units.append(unit)
        guard layer == 0 else { return }
        if kind >= 32 {
            if kind <= 34 { sets.take(Array(scanner.buffer[unit.start..<unit.end])) }
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
        let start = units[0].code
        let result = HEVCAccessUnit(
            offset: scanner.offset + Int64(start),
            bytes: Array(scanner.buffer[start..<end]),
            units: units.map { $0.start - start..<$0.end - start },
            slices: slices,
            sequence: sequence,
            fault: fault
        )
        scanner.drop(upTo: end)
        (units, slices, sequence) = ([], [], nil)
        (fault, hasPicture) = (nil, false)
        return result
    }
}
