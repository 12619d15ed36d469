/// The NAL units that have come of an access unit, and where it is cut from the stream.
///
/// What begins a unit is each codec's own; what is the same for all is here. Memory: one access unit, at most
/// `byteLimit`.
struct AccessUnitCutter: Sendable {
    /// The largest access unit that is taken, in bytes.
    static let byteLimit = 64 << 20

    /// An access unit as it stands in the stream.
    struct Cut {
        /// Where its first start code lies in the stream, in bytes.
        var offset: Int64
        /// Its bytes, start codes included.
        var bytes: [UInt8]
        /// Where its NAL units lie in the bytes.
        var units: [Range<Int>]
    }

    private(set) var scanner = AnnexBScanner()
    private var units: [AnnexBScanner.Unit] = []

    /// Whether no NAL unit has come since the last cut.
    var isEmpty: Bool { units.isEmpty }

    /// Takes the stream's next bytes.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        let moved = scanner.append(bytes)
        for index in units.indices {
            units[index].code -= moved
            units[index].start -= moved
            units[index].end -= moved
        }
    }

    /// Says that the stream is over.
    mutating func finish() { scanner.finish() }

    /// The next NAL unit that is whole; nil before more bytes come, or at the end.
    mutating func next() -> AnnexBScanner.Unit? { scanner.next() }

    /// Counts a NAL unit to the access unit.
    mutating func take(_ unit: AnnexBScanner.Unit) { units.append(unit) }

    /// The first bytes of a NAL unit.
    func bytes(of unit: AnnexBScanner.Unit, upTo limit: Int = .max) -> [UInt8] {
        Array(scanner.buffer[unit.start..<unit.start + min(unit.end - unit.start, limit)])
    }

    /// Ends the access unit before a place in the buffer.
    mutating func cut(at end: Int) -> Cut {
        let start = units[0].code
        let result = Cut(
            offset: scanner.offset + Int64(start),
            bytes: Array(scanner.buffer[start..<end]),
            units: units.map { $0.start - start..<$0.end - start }
        )
        scanner.drop(upTo: end)
        units = []
        return result
    }

    /// Looks where the last access unit ends.
    ///
    /// - Parameter stream: what is read, for the error's text.
    /// - Returns: a place in the buffer; nil while more may come, or when none is left.
    /// - Throws: `CodecError` when a unit is larger than any is.
    func end(of stream: String) throws(CodecError) -> Int? {
        if scanner.count > Self.byteLimit {
            throw CodecError(
                call: "read",
                code: 0,
                text: "no access unit ends within \(Self.byteLimit >> 20) MiB",
                subject: stream
            )
        }
        return !units.isEmpty && scanner.isDone ? scanner.buffer.count : nil
    }
}
