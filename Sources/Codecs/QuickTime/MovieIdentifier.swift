/// The movie-level metadata that names a pair: `moov/meta` in QuickTime's form, which has no version.
///
/// Source: QuickTime File Format Specification, "Metadata"; the layout is that of files from cameras.
package enum MovieIdentifier {
    /// The key of the identifier.
    package static let key = "com.apple.quicktime.content.identifier"

    /// Makes the box.
    ///
    /// - Parameter identifier: 36 characters of a UUID.
    /// - Returns: 172 bytes.
    package static func box(_ identifier: String) -> [UInt8] {
        .box(
            "meta",
            .box("hdlr", .words(0, 0), Array("mdta".utf8), [UInt8](repeating: 0, count: 14)),
            .box("keys", .words(0, 1, 8 + key.utf8.count), Array("mdta".utf8), Array(key.utf8)),
            .box(
                "ilst",
                .words(24 + identifier.utf8.count, 1),
                // Type 1 is UTF-8; the locale is none.
                .box("data", .words(1, 0), Array(identifier.utf8))
            )
        )
    }

    /// Reads the identifier of a `meta` box, of QuickTime's form or ISO's.
    ///
    /// - Parameters:
    ///   - meta: the box.
    ///   - bytes: those that it was read from.
    /// - Returns: the identifier; nil where the box holds none.
    /// - Throws: `CodecError` for boxes that do not fit.
    package static func read(_ meta: Box, _ bytes: [UInt8]) throws(CodecError) -> String? {
        // ISO's form has a version and flags before the boxes.
        let isISO =
            meta.body.count >= 8
            && Box.name(bytes[meta.body.lowerBound + 4..<meta.body.lowerBound + 8]) != "hdlr"
        let parts = try meta.children(bytes, after: isISO ? 4 : 0)
        guard let keys = parts.first(where: { $0.type == "keys" }),
            let list = parts.first(where: { $0.type == "ilst" })
        else { return nil }
        var (number, place) = (0, 8)
        for index in 0..<min(try keys.number(bytes, 4), 10_000) {
            let length = try keys.number(bytes, place)
            guard length >= 8, length <= keys.body.count - place else {
                throw keys.fault("key \(index + 1) has a length of \(length)")
            }
            let start = keys.body.lowerBound + place
            if bytes[start + 8..<start + length].elementsEqual(key.utf8) { number = index + 1 }
            place += length
        }
        guard number > 0 else { return nil }
        for item in try list.children(bytes) {
            // The type of an item is its key's number.
            guard
                bytes[item.range.lowerBound + 4..<item.range.lowerBound + 8].reduce(
                    0,
                    { $0 << 8 | Int($1) }
                ) == number,
                let data = try item.first("data", of: bytes), data.body.count >= 8
            else { continue }
            return String(
                decoding: bytes[(data.body.lowerBound + 8)..<data.body.upperBound],
                as: UTF8.self
            )
        }
        return nil
    }
}
