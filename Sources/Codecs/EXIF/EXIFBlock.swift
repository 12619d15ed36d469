/// What a still says of itself in EXIF: always orientation 1, and what else is given.
///
/// Source: CIPA DC-008-2019 (Exif 2.32), section 4.6.
public struct EXIFBlock: Sendable, Hashable {
    /// Names the pair that the still belongs to: 36 characters of a UUID.
    public var contentIdentifier: String?
    /// When it was taken, as in `2026-12-03 04:05:06`; without a zone.
    public var date: String?
    /// What wrote it.
    public var software: String?
    /// What it shows.
    public var description: String?

    /// Pixels across and down of a JPEG, whose EXIF must tell them and what else JPEG asks for.
    public var width: Int?
    /// Pixels down.
    public var height: Int?

    /// Says what is given, and the orientation.
    public init(
        contentIdentifier: String? = nil,
        date: String? = nil,
        software: String? = nil,
        description: String? = nil,
        width: Int? = nil,
        height: Int? = nil
    ) {
        self.width = width
        self.height = height
        self.contentIdentifier = contentIdentifier
        self.date = date
        self.software = software
        self.description = description
    }

    private struct Field {
        var tag: Int
        var type: Int
        var bytes: [UInt8]
        var count: Int {
            switch type {
            case 3: bytes.count / 2
            case 4: bytes.count / 4
            case 5: bytes.count / 8
            default: bytes.count
            }
        }
    }

    /// A TIFF structure, big-endian; with the identifier alone the 126 bytes that Apple's library writes.
    public var tiff: [UInt8] {
        func text(_ tag: Int, _ value: String?) -> [Field] {
            value.map { [Field(tag: tag, type: 2, bytes: Array($0.utf8.filter { $0 != 0 }) + [0])] }
                ?? []
        }
        let stamp = date.map { $0.replacing("-", with: ":").replacing("T", with: " ") }
        var inner: [Field] = []
        let isJPEG = width != nil && height != nil
        if isJPEG || stamp != nil {
            inner.append(Field(tag: 0x9000, type: 7, bytes: Array("0232".utf8)))
        }
        inner += text(0x9003, stamp) + text(0x9004, stamp)
        // Y, Cb, Cr.
        if isJPEG { inner.append(Field(tag: 0x9101, type: 7, bytes: [1, 2, 3, 0])) }
        if let contentIdentifier {
            inner.append(Field(tag: 0x927C, type: 7, bytes: MakerNote.block(contentIdentifier)))
        }
        if let width, let height {
            inner.append(Field(tag: 0xA000, type: 7, bytes: Array("0100".utf8)))
            // Colours are told by a profile, if at all.
            inner.append(Field(tag: 0xA001, type: 3, bytes: [0xFF, 0xFF]))
            inner.append(Field(tag: 0xA002, type: 4, bytes: .words(width)))
            inner.append(Field(tag: 0xA003, type: 4, bytes: .words(height)))
        }
        var outer = text(0x10E, description) + [Field(tag: 0x112, type: 3, bytes: [0, 1])]
        if isJPEG {
            // 72 pixels an inch, as everyone writes who knows of no paper.
            outer.append(Field(tag: 0x11A, type: 5, bytes: .words(72, 1)))
            outer.append(Field(tag: 0x11B, type: 5, bytes: .words(72, 1)))
            outer.append(Field(tag: 0x128, type: 3, bytes: [0, 2]))
        }
        outer += text(0x131, software) + text(0x132, stamp)
        if isJPEG { outer.append(Field(tag: 0x213, type: 3, bytes: [0, 1])) }
        if !inner.isEmpty { outer.append(Field(tag: 0x8769, type: 4, bytes: [0, 0, 0, 0])) }
        var bytes = Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
        let pointer = Self.append(outer, to: &bytes)
        if let pointer {
            bytes.set32(bytes.count, at: pointer)
            _ = Self.append(inner, to: &bytes)
        }
        return bytes
    }

    /// Appends a directory and its values; gives the place of the pointer to the inner one.
    private static func append(_ fields: [Field], to bytes: inout [UInt8]) -> Int? {
        var pointer: Int?
        var rest: [UInt8] = []
        let end = bytes.count + 2 + 12 * fields.count + 4
        bytes.put16(fields.count)
        for field in fields {
            bytes.put16(field.tag)
            bytes.put16(field.type)
            bytes.put32(field.count)
            if field.tag == 0x8769 { pointer = bytes.count }
            if field.bytes.count <= 4 {
                bytes += field.bytes
                bytes.putZeros(4 - field.bytes.count)
            } else {
                bytes.put32(end + rest.count)
                rest += field.bytes
                // Values begin at even places.
                if rest.count % 2 == 1 { rest.append(0) }
            }
        }
        bytes.put32(0)
        bytes += rest
        return pointer
    }

    /// Reads what a pair needs of an EXIF block.
    ///
    /// - Parameter tiff: the structure, from its header on.
    /// - Returns: the MakerNote's identifier, and the orientation, 1 where none is told.
    /// - Throws: `CodecError` for numbers that do not fit, or a block that does not begin as TIFF.
    package static func read(_ tiff: [UInt8]) throws(CodecError) -> (
        identifier: String?, orientation: Int
    ) {
        guard let reader = TIFFReader(tiff, subject: "EXIF") else {
            throw CodecError(
                call: "read",
                code: 0,
                text: "it does not begin with a TIFF header",
                subject: "EXIF"
            )
        }
        let outer = try reader.directory(at: try reader.number(4, 4))
        var (identifier, orientation) = (String?.none, 1)
        if let entry = outer.first(where: { $0.tag == 0x112 && $0.type == 3 }) {
            orientation = try reader.number(entry.place + 8, 2)
        }
        // The first of each alone: a directory that names itself over and over costs nothing.
        if let pointer = outer.first(where: { $0.tag == 0x8769 }) {
            let inner = try reader.directory(at: try reader.number(pointer.place + 8, 4))
            if let note = inner.first(where: { $0.tag == 0x927C }) {
                identifier = try MakerNote.identifier(try reader.value(note))
            }
        }
        return (identifier, (1...8).contains(orientation) ? orientation : 1)
    }
}
