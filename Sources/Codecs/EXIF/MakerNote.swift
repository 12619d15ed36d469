/// The block of a still that names its pair: Apple's MakerNote with the content identifier alone.
///
/// Offsets in it count from its own start, so that it may stand anywhere in an EXIF block.
package enum MakerNote {
    /// The tag of the identifier.
    private static let tag = 0x11
    private static let head = Array("Apple iOS".utf8) + [0, 0, 1] + Array("MM".utf8)

    /// Makes the block.
    ///
    /// - Parameter identifier: 36 characters of a UUID.
    /// - Returns: 69 bytes.
    package static func block(_ identifier: String) -> [UInt8] {
        var bytes = head
        bytes.put16(1)
        bytes.put16(tag)
        // Text, its length with the zero behind it, and where it stands.
        bytes.put16(2)
        bytes.put32(identifier.utf8.count + 1)
        bytes.put32(bytes.count + 8)
        bytes.put32(0)
        return bytes + Array(identifier.utf8) + [0]
    }

    /// Reads the identifier.
    ///
    /// - Parameter bytes: the block.
    /// - Returns: the identifier; nil where the block is none of Apple's, or has none.
    /// - Throws: `CodecError` for a block that is cut off or whose numbers do not fit.
    package static func identifier(_ bytes: [UInt8]) throws(CodecError) -> String? {
        guard bytes.starts(with: head.prefix(9)) else { return nil }
        let reader = TIFFReader(
            bytes,
            subject: "Apple MakerNote",
            isLittle: bytes.dropFirst(12).first == 0x49
        )
        for entry in try reader.directory(at: 14) where entry.tag == tag {
            let value = try reader.value(entry)
            guard entry.type == 2, value.last == 0 else {
                throw reader.fault(
                    "the content identifier does not end in a zero byte",
                    entry.place
                )
            }
            return String(decoding: value.dropLast(), as: UTF8.self)
        }
        return nil
    }
}
