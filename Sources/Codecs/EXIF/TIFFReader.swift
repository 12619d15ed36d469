/// Reads directories of a TIFF structure, as EXIF and MakerNotes have them.
///
/// Source: TIFF 6.0, section 2; CIPA DC-008-2019 (Exif 2.32), section 4.6.
struct TIFFReader: Sendable {
    /// An entry of a directory.
    struct Entry: Sendable {
        var tag: Int
        var type: Int
        var count: Int
        /// Where the entry stands.
        var place: Int
    }

    let bytes: [UInt8]
    let subject: String
    let isLittle: Bool

    init(_ bytes: [UInt8], subject: String, isLittle: Bool) {
        self.bytes = bytes
        self.subject = subject
        self.isLittle = isLittle
    }

    /// Opens what begins with a TIFF header; nil where there is none.
    init?(_ bytes: [UInt8], subject: String) {
        guard bytes.count >= 8 else { return nil }
        if bytes.starts(with: [0x4D, 0x4D, 0, 42]) {
            self.init(bytes, subject: subject, isLittle: false)
        } else if bytes.starts(with: [0x49, 0x49, 42, 0]) {
            self.init(bytes, subject: subject, isLittle: true)
        } else {
            return nil
        }
    }

    func fault(_ text: String, _ place: Int) -> CodecError {
        CodecError(call: "read", code: 0, text: "\(text), at its byte \(place)", subject: subject)
    }

    /// A number of two or four bytes.
    func number(_ place: Int, _ size: Int) throws(CodecError) -> Int {
        guard place >= 0, place <= bytes.count - size else {
            throw fault("it has \(bytes.count) bytes, and a number of it lies beyond", place)
        }
        let part = bytes[place..<place + size]
        return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }

    /// The entries of the directory at a place.
    func directory(at place: Int) throws(CodecError) -> [Entry] {
        var entries: [Entry] = []
        for index in 0..<(try number(place, 2)) {
            let start = place + 2 + 12 * index
            entries.append(
                Entry(
                    tag: try number(start, 2),
                    type: try number(start + 2, 2),
                    count: try number(start + 4, 4),
                    place: start
                )
            )
            _ = try number(start + 8, 4)
        }
        return entries
    }

    /// The bytes of an entry's value.
    func value(_ entry: Entry) throws(CodecError) -> [UInt8] {
        let sizes = [
            1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 16: 8,
        ]
        guard let size = sizes[entry.type], entry.count <= bytes.count else {
            throw fault(
                "tag \(entry.tag) has type \(entry.type) and count \(entry.count)",
                entry.place
            )
        }
        let length = size * entry.count
        let start = length <= 4 ? entry.place + 8 : try number(entry.place + 8, 4)
        guard start <= bytes.count, length <= bytes.count - start else {
            throw fault("tag \(entry.tag) reaches beyond the end", entry.place)
        }
        return Array(bytes[start..<start + length])
    }
}
