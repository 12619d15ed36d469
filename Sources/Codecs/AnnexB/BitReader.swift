/// Reads the syntax elements of a NAL unit, first bit first, without its emulation prevention bytes.
///
/// Behind the end it gives zeros and remembers that; so a parser reads on and asks `isOverrun` once.
///
/// Source: ITU-T H.265 (08/2021) clauses 7.2, 7.3.1.1 and 9.2; H.264 has the same.
struct BitReader: ~Copyable {
    private let bytes: [UInt8]
    private var byte = 0
    /// Bits of the byte that are read.
    private var bit = 0
    /// Zeros in a row before the byte.
    private var zeros = 0
    /// Whether more was read than there is, or a number was beyond 32 bits.
    private(set) var isOverrun = false

    /// Reads from the first byte behind a NAL unit's header.
    ///
    /// - Parameters:
    ///   - bytes: the unit, header and emulation prevention included.
    ///   - start: where to begin.
    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        byte = start
        skipPrevention()
    }

    /// A byte 3 behind two zeros is not part of what was written.
    private mutating func skipPrevention() {
        if byte < bytes.count, zeros >= 2, bytes[byte] == 3 {
            byte += 1
            zeros = 0
        }
    }

    /// The next bit.
    mutating func flag() -> Bool { bits(1) == 1 }

    /// The next `count` bits, 0 to 32, as a number.
    mutating func bits(_ count: Int) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard byte < bytes.count else {
                isOverrun = true
                return 0
            }
            value = value << 1 | UInt32(bytes[byte] >> UInt8(7 - bit) & 1)
            bit += 1
            if bit == 8 {
                zeros = bytes[byte] == 0 ? zeros + 1 : 0
                bit = 0
                byte += 1
                skipPrevention()
            }
        }
        return value
    }

    /// Passes over bits.
    mutating func skip(_ count: Int) {
        for _ in 0..<count / 32 { _ = bits(32) }
        _ = bits(count % 32)
    }

    /// An Exp-Golomb number, ue(v), up to 2^32 − 2.
    mutating func unsigned() -> UInt32 {
        var length = 0
        while !isOverrun, !flag() {
            length += 1
            if length > 31 { isOverrun = true }
        }
        if isOverrun { return 0 }
        return (1 << UInt32(length)) - 1 + bits(length)
    }

    /// An Exp-Golomb number, ue(v), that must be at most `limit`; else the reading is overrun.
    mutating func unsigned(upTo limit: Int) -> Int {
        let value = Int(unsigned())
        if value > limit {
            isOverrun = true
            return 0
        }
        return value
    }

    /// A signed Exp-Golomb number, se(v).
    mutating func signed() -> Int {
        let code = Int(unsigned())
        return code & 1 == 1 ? (code + 1) / 2 : -code / 2
    }
}
