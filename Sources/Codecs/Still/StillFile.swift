import CDeflate
package import Media

/// What a still says of itself: HEIC, JPEG or PNG, without its pixels being decoded.
///
/// Memory: the file, at most 256 MiB. Source: ISO/IEC 23008-12 (HEIF), ITU-T T.81 annex B (JPEG), ISO/IEC 15948
/// (PNG).
package struct StillFile: Sendable {
    /// The largest file that is read, in bytes.
    static let byteLimit = 256 << 20

    /// How the file is built.
    package enum Kind: String, Sendable {
        case heic = "HEIC", jpeg = "JPEG", png = "PNG"
    }

    /// How it is built.
    package let kind: Kind
    /// Pixels across and down as they are stored; nil where the file does not say.
    package private(set) var size: (width: Int, height: Int)?
    /// The EXIF block, from its TIFF header on; nil where there is none.
    package private(set) var tiff: [UInt8]?
    /// The XMP packet of a JPEG or a HEIC; nil where there is none.
    package private(set) var xmp: [UInt8]?
    /// The ICC profile of a JPEG or a PNG; nil where there is none.
    package private(set) var profile: [UInt8]?
    /// Primaries and transfer that a PNG tells by their code points.
    package private(set) var codes: (primaries: ColorInfo.Primaries, transfer: ColorInfo.Transfer)?
    /// How a HEIC is turned before it is shown, in quarters counterclockwise.
    package private(set) var quarters = 0

    /// Reads a still.
    ///
    /// - Parameter path: the file.
    /// - Throws: `FileError` when it cannot be read, `CodecError` for another kind of file or one that does not
    ///   hold together.
    package init(path: String) throws {
        let file = try FileBytes(path)
        guard file.count <= Self.byteLimit else {
            throw CodecError(
                call: "read",
                code: 0,
                text: "it has \(file.count) bytes; stills of at most \(Self.byteLimit) are read",
                subject: path
            )
        }
        try self.init(try file.read(0..<file.count), name: path)
    }

    /// Reads a still that is in memory.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - name: what errors call it.
    /// - Throws: `CodecError` as above.
    package init(_ bytes: [UInt8], name: String) throws(CodecError) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            kind = .jpeg
            try readJPEG(bytes, name)
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            kind = .png
            try readPNG(bytes, name)
        } else if Self.isHEIF(bytes) {
            kind = .heic
            do {
                try readHEIF(bytes)
            } catch {
                throw error.within(name)
            }
        } else {
            throw CodecError(
                call: "read",
                code: 0,
                text: "it is no HEIC, JPEG or PNG file",
                subject: name
            )
        }
    }

    /// Whether brands of still pictures stand at the beginning.
    private static func isHEIF(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 16, Box.name(bytes[4..<8]) == "ftyp" else { return false }
        let length = min(bytes[..<4].reduce(0) { $0 << 8 | Int($1) }, bytes.count, 256)
        let places = [8] + stride(from: 16, through: length - 4, by: 4)
        let known = ["heic", "heix", "heim", "heis", "mif1", "avif"]
        return places.contains { known.contains(Box.name(bytes[$0..<$0 + 4])) }
    }

    private mutating func readJPEG(_ bytes: [UInt8], _ name: String) throws(CodecError) {
        var place = 2
        while place + 4 <= bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            if marker == 0xFF {
                place += 1
                continue
            }
            // Behind this come the pixels.
            if marker == 0xDA || marker == 0xD9 { return }
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            let body = place + 4
            let end = place + 2 + length
            guard length >= 2, end <= bytes.count else {
                throw Self.fault("a segment of it is cut off", place, name)
            }
            let isExif = marker == 0xE1 && bytes[body..<end].starts(with: Array("Exif\0\0".utf8))
            if isExif, tiff == nil { tiff = Array(bytes[body + 6..<end]) }
            let head = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
            if marker == 0xE1, xmp == nil, bytes[body..<end].starts(with: head) {
                xmp = Array(bytes[body + head.count..<end])
            }
            // A profile goes on over several segments, which are numbered and lie in order.
            let name = Array("ICC_PROFILE\0".utf8)
            if marker == 0xE2, bytes[body..<end].starts(with: name), length >= 16 {
                // In place: a copy for each of a file's thousands of segments would take hours.
                if profile == nil { profile = [] }
                profile?.append(contentsOf: bytes[body + 14..<end])
            }
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame, length >= 7 {
                size = (
                    Int(bytes[body + 3]) << 8 | Int(bytes[body + 4]),
                    Int(bytes[body + 1]) << 8 | Int(bytes[body + 2])
                )
            }
            place = end
        }
        throw Self.fault("it ends, or has other bytes, before its pixels", place, name)
    }

    private mutating func readPNG(_ bytes: [UInt8], _ name: String) throws(CodecError) {
        var place = 8
        var hasProfile = false
        while place + 12 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = Box.name(bytes[place + 4..<place + 8])
            guard length <= bytes.count - place - 12 else {
                throw Self.fault("chunk \(type) is cut off", place, name)
            }
            let body = bytes[place + 8..<place + 8 + length]
            if type == "IHDR", length >= 8 {
                let sides = [body.prefix(4), body.dropFirst(4).prefix(4)].map {
                    $0.reduce(0) { $0 << 8 | Int($1) }
                }
                size = (sides[0], sides[1])
            }
            if type == "eXIf" { tiff = Array(body) }
            // The first alone, however many there are.
            if type == "iCCP", !hasProfile {
                hasProfile = true
                profile = Self.inflated(body)
            }
            if type == "cICP", length == 4,
                let primaries = ColorInfo.Primaries(rawValue: body[body.startIndex]),
                let transfer = ColorInfo.Transfer(rawValue: body[body.startIndex + 1])
            {
                codes = (primaries, transfer)
            }
            if type == "IEND" { return }
            place += 12 + length
        }
        throw Self.fault("it ends before its end chunk", place, name)
    }

    /// The profile of a PNG's chunk, behind its name and its method; nil where it is damaged.
    private static func inflated(_ chunk: ArraySlice<UInt8>) -> [UInt8]? {
        guard let end = chunk.firstIndex(of: 0), end + 2 <= chunk.endIndex,
            let decompressor = unsafe libdeflate_alloc_decompressor()
        else { return nil }
        defer { unsafe libdeflate_free_decompressor(decompressor) }
        let packed = Array(chunk[(end + 2)...])
        // Profiles have hundreds of bytes, or some hundred thousand with tables.
        var profile = [UInt8](repeating: 0, count: 4 << 20)
        var count = 0
        let result = unsafe packed.withUnsafeBytes { input in
            unsafe profile.withUnsafeMutableBytes { output in
                unsafe libdeflate_zlib_decompress(
                    decompressor,
                    input.baseAddress,
                    input.count,
                    output.baseAddress,
                    output.count,
                    &count
                )
            }
        }
        return result == LIBDEFLATE_SUCCESS ? Array(profile.prefix(count)) : nil
    }

    private static func fault(_ text: String, _ place: Int, _ name: String) -> CodecError {
        CodecError(call: "read", code: 0, text: "\(text), at byte \(place)", subject: name)
    }
}

/// HEIF: items, where they lie, and what belongs to them.
extension StillFile {
    private mutating func readHEIF(_ bytes: [UInt8]) throws(CodecError) {
        guard let meta = try Box.list(bytes).first(where: { $0.type == "meta" }) else {
            throw Self.fault("it has no meta box", 0, "box")
        }
        let parts = try meta.children(bytes, after: 4)
        func part(_ type: String) -> Box? { parts.first { $0.type == type } }
        guard let primaryBox = part("pitm") else { throw meta.fault("it has no pitm box") }
        let primary =
            try primaryBox.number(bytes, 0, 1) == 0
            ? primaryBox.number(bytes, 4, 2) : primaryBox.number(bytes, 4)
        if let properties = part("iprp") { try readProperties(properties, of: primary, bytes) }
        guard let infos = part("iinf"), let places = part("iloc") else { return }
        let isShort = try infos.number(bytes, 0, 1) == 0
        for info in try infos.children(bytes, after: isShort ? 6 : 8) where info.type == "infe" {
            let version = try info.number(bytes, 0, 1)
            guard version >= 2 else { continue }
            let wide = version == 2 ? 2 : 4
            let id = try info.number(bytes, 4, wide)
            let type = try info.name(bytes, 6 + wide)
            // Behind a name that ends with a zero stands what it is.
            let text = bytes[info.body].dropFirst(10 + wide).drop { $0 != 0 }.dropFirst()
            if type == "mime", xmp == nil, text.starts(with: "application/rdf+xml".utf8) {
                xmp = try Self.item(id, places, in: part("idat"), bytes)
            }
            guard type == "Exif", tiff == nil else { continue }
            let item = try Self.item(id, places, in: part("idat"), bytes)
            // Before the block stands how far its header lies behind these four bytes.
            guard item.count >= 4 else { throw info.fault("the Exif item has \(item.count) bytes") }
            let offset = item[..<4].reduce(0) { $0 << 8 | Int($1) }
            guard 4 + offset < item.count else {
                throw info.fault(
                    "the Exif item has \(item.count) bytes and says that its header lies at \(4 + offset)"
                )
            }
            tiff = Array(item[(4 + offset)...])
        }
    }

    private mutating func readProperties(_ box: Box, of primary: Int, _ bytes: [UInt8])
        throws(CodecError)
    {
        guard let list = try box.first("ipco", of: bytes),
            let links = try box.first("ipma", of: bytes)
        else { return }
        let all = try list.children(bytes)
        let idSize = try links.number(bytes, 0, 1) < 1 ? 2 : 4
        let isWide = try links.number(bytes, 3, 1) & 1 == 1
        var place = 8
        for _ in 0..<(try links.number(bytes, 4)) {
            let id = try links.number(bytes, place, idSize)
            let count = try links.number(bytes, place + idSize, 1)
            place += idSize + 1
            for _ in 0..<count {
                let number =
                    try links.number(bytes, place, isWide ? 2 : 1) & (isWide ? 0x7FFF : 0x7F)
                place += isWide ? 2 : 1
                guard id == primary, number > 0, number <= all.count else { continue }
                let property = all[number - 1]
                if property.type == "ispe" {
                    size = (try property.number(bytes, 4), try property.number(bytes, 8))
                }
                if property.type == "irot" { quarters = try property.number(bytes, 0, 1) & 3 }
            }
        }
    }

    /// The bytes of an item.
    private static func item(_ wanted: Int, _ box: Box, in data: Box?, _ bytes: [UInt8])
        throws(CodecError) -> [UInt8]
    {
        let version = try box.number(bytes, 0, 1)
        let sizes = try box.number(bytes, 4, 2)
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        let isValid = [offsetSize, lengthSize, baseSize, indexSize].allSatisfy {
            [0, 4, 8].contains($0)
        }
        guard version <= 2, isValid else {
            throw box.fault("its version or field sizes are unknown")
        }
        let idSize = version < 2 ? 2 : 4
        var place = 6
        func next(_ size: Int) throws(CodecError) -> Int {
            defer { place += size }
            return size == 0 ? 0 : try box.number(bytes, place, size)
        }
        for _ in 0..<(try next(idSize)) {
            let id = try next(idSize)
            let method = version == 0 ? 0 : try next(2) & 15
            _ = try next(2)
            let base = try next(baseSize)
            var found: [UInt8] = []
            for _ in 0..<(try next(2)) {
                _ = try next(indexSize)
                let (offset, length) = (try next(offsetSize), try next(lengthSize))
                guard id == wanted else { continue }
                let field = method == 1 ? data?.body : method == 0 ? bytes.indices : nil
                guard let field else { throw box.fault("item \(id) lies where it cannot be read") }
                let (start, isOver) = base.addingReportingOverflow(offset)
                guard !isOver, start <= field.count else {
                    throw box.fault("item \(id) lies beyond the end of the file")
                }
                // A length of 0 reaches to the end.
                let count = length == 0 ? field.count - start : length
                guard count <= field.count - start, found.count + count <= bytes.count else {
                    throw box.fault("item \(id) reaches beyond the end of the file")
                }
                found += bytes[field.lowerBound + start..<field.lowerBound + start + count]
            }
            if id == wanted { return found }
        }
        throw box.fault("item \(wanted) has no place")
    }
}
