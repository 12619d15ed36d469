public import Media

/// A modulation track: parameters over time in a file, each bit as it was.
///
/// What analysis and modulators made of a sound once is read again by every part of a film. The file is
/// little-endian: the 8 bytes 89 'F' 'X' 'T' 0D 0A 1A 0A; u32 version 1; u32 species; i32 numerator and i32
/// denominator of the rate. Then records, each begun by a byte:
///
/// - 2, a look: u32 length, then palette, background, spawn, species and wiring, as `TrackLook` lays them
///   out. It holds for the readings behind it; the first reading has one before it.
/// - 1, a reading: i64 time and i32 its scale, i64 duration and i32 its scale, u32 the parameters whose base
///   differs from the reading before, u32 those whose factor does (bit n: parameter n; before the first
///   reading all are 0), then as f64 the bases and the factors that differ.
/// - 0, the end, once and last: i64 time of the end and i32 its scale, u64 number of readings, and a u64
///   hash of all bytes before it, by `CheckpointHash` over the header and each record on its own.
public enum ModulationTrack {
    /// One reading.
    public struct Reading: Sendable {
        /// When it begins to hold.
        public let time: MediaTime
        /// How long it holds.
        public let duration: MediaTime
        /// What it says.
        public let parameters: ParameterSet
    }

    static let magic: [UInt8] = [
        0x89, UInt8(ascii: "F"), UInt8(ascii: "X"), UInt8(ascii: "T"), 0x0D, 0x0A, 0x1A, 0x0A,
    ]
    static let version: UInt32 = 1
    static let headerSize = 8 + 4 * 4
    /// Bytes of the end's record.
    static let endSize = 1 + 8 + 4 + 8 + 8
    /// The most bytes of a look.
    static let lookLimit = 1 << 20

    enum Tag {
        static let end: UInt8 = 0
        static let reading: UInt8 = 1
        static let look: UInt8 = 2
    }
}

/// Writes a modulation track; memory: one reading and 64 KiB.
public struct ModulationTrackWriter: ~Copyable {
    private let file: OutputFile
    private var bytes = TrackBytes()
    private var record = TrackBytes()
    private var hash = CheckpointHash()
    private var look: TrackLook?
    private var bases = [Double](repeating: 0, count: Parameter.allCases.count)
    private var factors = [Double](repeating: 0, count: Parameter.allCases.count)
    private var count: UInt64 = 0
    private var end = MediaTime.zero

    /// Begins a track.
    ///
    /// - Parameters:
    ///   - format: what all readings have.
    ///   - file: where it is written; the caller gives it its name.
    /// - Throws: `FileError`, as when the disk is full.
    public init(_ format: ParameterFormat, to file: OutputFile) throws(FileError) {
        self.file = file
        record.add(ModulationTrack.magic)
        record.add(ModulationTrack.version)
        record.add(UInt32(format.speciesCount))
        record.add(format.rate.numerator)
        record.add(format.rate.denominator)
        try flush()
    }

    /// Writes the next reading; times must not fall.
    ///
    /// - Parameters:
    ///   - parameters: what it says, of the track's format.
    ///   - time: when it begins to hold.
    ///   - duration: how long it holds.
    /// - Throws: `FileError`, as when the disk is full.
    public mutating func write(
        _ parameters: ParameterSet,
        at time: MediaTime,
        for duration: MediaTime
    ) throws(FileError) {
        let look = TrackLook(parameters)
        if look != self.look {
            var text = TrackBytes()
            look.write(to: &text)
            record.add(ModulationTrack.Tag.look)
            record.add(UInt32(text.bytes.count))
            record.add(text.bytes)
            self.look = look
            try flush()
        }
        record.add(ModulationTrack.Tag.reading)
        record.add(time)
        record.add(duration)
        let (bases, factors) = (parameters.parameters.bases, parameters.parameters.factors)
        record.add(Self.mask(self.bases, bases))
        record.add(Self.mask(self.factors, factors))
        for index in bases.indices where Self.differ(self.bases[index], bases[index]) {
            record.add(bases[index])
        }
        for index in factors.indices where Self.differ(self.factors[index], factors[index]) {
            record.add(factors[index])
        }
        (self.bases, self.factors) = (bases, factors)
        count += 1
        end = max(end, time.adding(duration))
        try flush()
    }

    /// Writes the end.
    ///
    /// - Throws: `FileError`, as when the disk is full.
    public consuming func finish() throws(FileError) {
        record.add(ModulationTrack.Tag.end)
        record.add(end)
        record.add(count)
        unsafe record.bytes.withUnsafeBytes { unsafe hash.add($0) }
        bytes.add(record.bytes)
        bytes.add(hash.value)
        try file.write(bytes.bytes.span)
    }

    /// -0 differs from 0.
    private static func differ(_ one: Double, _ other: Double) -> Bool {
        one.bitPattern != other.bitPattern
    }

    private static func mask(_ old: [Double], _ new: [Double]) -> UInt32 {
        new.indices.reduce(0) { differ(old[$1], new[$1]) ? $0 | 1 << UInt32($1) : $0 }
    }

    /// Ends a record.
    private mutating func flush() throws(FileError) {
        unsafe record.bytes.withUnsafeBytes { unsafe hash.add($0) }
        bytes.add(record.bytes)
        record.bytes.removeAll(keepingCapacity: true)
        guard bytes.bytes.count >= 1 << 16 else { return }
        try file.write(bytes.bytes.span)
        bytes.bytes.removeAll(keepingCapacity: true)
    }
}

/// Bytes that grow, little-endian.
struct TrackBytes {
    var bytes: [UInt8] = []

    mutating func add(_ more: [UInt8]) { bytes += more }

    mutating func add<T: FixedWidthInteger>(_ value: T) {
        unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func add(_ value: Double) { add(value.bitPattern) }

    mutating func add(_ time: MediaTime) {
        add(time.value)
        add(time.scale)
    }
}
