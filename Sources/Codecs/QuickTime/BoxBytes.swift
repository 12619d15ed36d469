/// Numbers as QuickTime, HEIF and TIFF files hold them: big-endian.
extension [UInt8] {
    /// Appends two bytes.
    mutating func put16(_ value: Int) {
        append(contentsOf: [8, 0].map { UInt8(value >> $0 & 0xFF) })
    }

    /// Appends four bytes; negative numbers as their two's complement.
    mutating func put32(_ value: Int) {
        append(contentsOf: [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) })
    }

    /// Appends zeros.
    mutating func putZeros(_ count: Int) { append(contentsOf: repeatElement(0, count: count)) }

    /// Replaces the four bytes at a place.
    mutating func set32(_ value: Int, at place: Int) {
        for index in 0..<4 { self[place + index] = UInt8(value >> (24 - 8 * index) & 0xFF) }
    }

    /// Replaces the eight bytes at a place.
    mutating func set64(_ value: Int, at place: Int) {
        set32(value >> 32, at: place)
        set32(value, at: place + 4)
    }

    /// A box: its length in four bytes, its type, and what it holds.
    ///
    /// - Parameters:
    ///   - type: four characters.
    ///   - contents: at most 4 GiB less eight bytes.
    /// - Returns: the box's bytes.
    static func box(_ type: String, _ contents: [UInt8]...) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.put32(8 + contents.reduce(0) { $0 + $1.count })
        bytes += type.utf8
        for part in contents { bytes += part }
        return bytes
    }

    /// A list of four-byte numbers.
    static func words(_ values: Int...) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in values { bytes.put32(value) }
        return bytes
    }
}
