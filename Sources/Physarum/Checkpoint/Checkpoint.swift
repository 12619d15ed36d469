import Media

/// What a checkpoint file says before its arrays: of which simulation it is, and how far a film came.
///
/// A checkpoint holds all that a simulation goes on from. The file is little-endian: the 8 bytes
/// 89 'F' 'X' 'C' 0D 0A 1A 0A; u32 version 1; u32 species; u32 width; u32 height; u32 edges (0 torus,
/// 1 walls); u32 zero; u64 seed; i64 steps made; i64 step of the film that comes next; i64 frame that
/// comes next; frame rate and steps a second as i64 numerator and denominator each; u64 agents of each
/// of four species. Then for each species x, y, heading x, heading y (f32) and identity (u32) of all
/// agents, and the trail before and after the last step (f32), row by row. At the end a u64 hash of all
/// before it, by `CheckpointHash`.
public struct Checkpoint: Sendable, Hashable {
    /// Cells across.
    public let width: Int
    /// Cells down.
    public let height: Int
    /// What lies beyond the map's edges.
    public let edges: MapEdges
    /// The simulation's seed.
    public let seed: UInt64
    /// How many agents each species has.
    public let agentCounts: [Int]
    /// How many steps were made, those before the film too.
    public let stepCount: Int64
    /// The film's rates.
    public let clock: FilmClock
    /// The step of the film that comes next.
    public let step: Int64
    /// The frame that comes next.
    public let frame: Int64

    static let magic: [UInt8] = [
        0x89, UInt8(ascii: "F"), UInt8(ascii: "X"), UInt8(ascii: "C"), 0x0D, 0x0A, 0x1A, 0x0A,
    ]
    static let version: UInt32 = 1
    /// Bytes before the arrays.
    static let headerSize = 8 + 6 * 4 + 4 * 8 + 4 * 8 + 4 * 8

    /// How many bytes the file has.
    public var fileSize: Int {
        let agents = agentCounts.reduce(0, +) * 5 * 4
        return Self.headerSize + agents + agentCounts.count * 2 * width * height * 4 + 8
    }

    init(
        width: Int,
        height: Int,
        edges: MapEdges,
        seed: UInt64,
        agentCounts: [Int],
        stepCount: Int64,
        clock: FilmClock,
        step: Int64,
        frame: Int64
    ) {
        self.width = width
        self.height = height
        self.edges = edges
        self.seed = seed
        self.agentCounts = agentCounts
        self.stepCount = stepCount
        self.clock = clock
        self.step = step
        self.frame = frame
    }

    /// Reads what a file says of itself.
    ///
    /// - Throws: `CheckpointError` when it cannot be read, is no checkpoint, or is not as long as it says.
    public init(path: String) throws(CheckpointError) {
        self = try CheckpointReader(path: path).checkpoint
    }

    /// The header's bytes.
    var bytes: [UInt8] {
        var bytes = Self.magic
        func add(_ value: UInt32) {
            for shift in stride(from: 0, to: 32, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
            }
        }
        func add(_ value: UInt64) {
            add(UInt32(truncatingIfNeeded: value))
            add(UInt32(truncatingIfNeeded: value >> 32))
        }
        func add(_ value: Int64) { add(UInt64(bitPattern: value)) }
        func add(_ rate: Rate) {
            add(Int64(rate.numerator))
            add(Int64(rate.denominator))
        }
        add(Self.version)
        add(UInt32(agentCounts.count))
        add(UInt32(width))
        add(UInt32(height))
        add(edges == .walls ? 1 : 0 as UInt32)
        add(0 as UInt32)
        add(seed)
        add(stepCount)
        add(step)
        add(frame)
        add(clock.frameRate)
        add(clock.stepsPerSecond)
        for species in 0..<4 {
            add(UInt64(species < agentCounts.count ? agentCounts[species] : 0))
        }
        return bytes
    }

    /// Reads a header; any bytes may come.
    ///
    /// - Throws: a text that says what is wrong, and at which byte.
    init(header bytes: [UInt8]) throws(CheckpointFault) {
        guard bytes.count == Self.headerSize, Array(bytes.prefix(8)) == Self.magic else {
            throw CheckpointFault("it is no checkpoint: it does not begin like one")
        }
        var offset = 8
        func integer(_ count: Int) -> UInt64 {
            defer { offset += count }
            return (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
        }
        func number<T: FixedWidthInteger>(
            _ what: String,
            _ count: Int,
            in range: ClosedRange<T>
        ) throws(CheckpointFault) -> T {
            let place = offset
            let raw = integer(count)
            let value = T.isSigned ? T(exactly: Int64(bitPattern: raw)) : T(exactly: raw)
            guard let value, range.contains(value) else {
                throw CheckpointFault(
                    "byte \(place): \(what) must be in \(range), not \(raw): the file is damaged"
                )
            }
            return value
        }
        let version = UInt32(truncatingIfNeeded: integer(4))
        if version != Self.version {
            throw CheckpointFault(
                "it is of version \(version); this Foxfire reads version \(Self.version)"
            )
        }
        let species = try number("the number of species", 4, in: Species.countRange)
        width = try number("the width", 4, in: Simulation.sideRange)
        height = try number("the height", 4, in: Simulation.sideRange)
        edges = try number("the kind of edges", 4, in: 0...1) == 1 ? .walls : .torus
        _ = integer(4)
        seed = integer(8)
        // So far that no sum of two is beyond Int64.
        let steps = 0...Int64(1) << 60
        stepCount = try number("the number of steps", 8, in: steps)
        step = try number("the next step", 8, in: steps)
        frame = try number("the next frame", 8, in: steps)
        let terms: ClosedRange<Int32> = 1...Int32.max
        let rates = try (
            number("the frame rate", 8, in: terms), number("the frame rate", 8, in: terms),
            number("the steps a second", 8, in: terms), number("the steps a second", 8, in: terms)
        )
        clock = FilmClock(
            frameRate: Rate(rates.0, rates.1),
            stepsPerSecond: Rate(rates.2, rates.3)
        )
        var counts: [Int] = []
        for _ in 0..<species {
            counts.append(
                try number("the number of agents", 8, in: 0...Simulation.agentRange.upperBound)
            )
        }
        agentCounts = counts
        guard Simulation.agentRange.contains(counts.reduce(0, +)) else {
            throw CheckpointFault(
                "byte \(offset): there must be \(Simulation.agentRange) agents: the file is damaged"
            )
        }
    }
}

/// What is wrong with a checkpoint's bytes.
struct CheckpointFault: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

/// Why a checkpoint cannot be used.
public struct CheckpointError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file.
    public let path: String
    /// What is wrong with it, in a sentence.
    public let reason: String

    /// The path and what is wrong.
    public var description: String { "\(path): \(reason)" }
}

/// A running hash of 64 bits over words of 8 bytes, that finds accidents, not attacks.
///
/// Every word w of a part, little-endian and the last one filled up with zeros, changes the hash h to
/// g xor (g >> 32), where g is (h xor w) · 9FB21C651E98DF25 modulo 2^64; it begins as 9E3779B97F4A7C15.
struct CheckpointHash: Sendable {
    private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var hash = value
        func mix(_ word: UInt64) {
            hash = (hash ^ word) &* 0x9FB2_1C65_1E98_DF25
            hash ^= hash >> 32
        }
        var offset = 0
        while offset + 8 <= bytes.count {
            unsafe mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
            offset += 8
        }
        if offset < bytes.count {
            var word: UInt64 = 0
            for index in offset..<bytes.count {
                word |= unsafe UInt64(bytes[index]) << (8 * UInt64(index - offset))
            }
            mix(word)
        }
        value = hash
    }
}
