/// The cyclic redundancy check of iSCSI, which storage uses too.
///
/// Source: RFC 3720, section 12.1: polynomial 0x1EDC6F41, reflected, begun and ended with all bits set.
public enum CRC32C {
    /// For each byte, and for each with up to seven zero bytes behind it, its remainder.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var rest = UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0x82F6_3B78 }
            tables[byte] = rest
        }
        for index in 256..<8 * 256 {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()

    /// The check of some bytes; O(bytes).
    public static func check(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBytes { memory in
            unsafe tables.withUnsafeBufferPointer { table in
                var rest = ~UInt32(0)
                var place = 0
                // Eight bytes at once: each byte's table has as many zeros behind it as bytes follow.
                while place + 8 <= memory.count {
                    let word = unsafe UInt64(
                        littleEndian: memory.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    )
                    let mixed = word ^ UInt64(rest)
                    rest = 0
                    for index in 0..<8 {
                        let byte = Int(mixed >> (8 * UInt64(index)) & 0xFF)
                        rest ^= unsafe table[(7 - index) * 256 + byte]
                    }
                    place += 8
                }
                while place < memory.count {
                    let byte = unsafe memory[place]
                    rest = unsafe rest >> 8 ^ table[Int((rest ^ UInt32(byte)) & 0xFF)]
                    place += 1
                }
                return ~rest
            }
        }
    }
}
