/// One box of a QuickTime or HEIF file that is held in memory.
///
/// Nothing is believed before it is checked: a box ends within the one around it, and a number that is read
/// lies within its box. Errors name the path of boxes and the offset in the file.
///
/// Source: ISO/IEC 14496-12:2022 clause 4.2; QuickTime File Format Specification, "Atoms".
package struct Box: Sendable {
    /// The most boxes side by side that are read.
    static let countLimit = 100_000

    /// Its four characters; those that are no ASCII letters as dots.
    package let type: String
    /// The types of the boxes around it and its own, as in `moov/trak/tkhd`.
    package let path: String
    /// Where it lies in the bytes, its header included.
    package let range: Range<Int>
    /// Where what it holds lies in the bytes.
    package let body: Range<Int>
    /// Where the bytes begin in the file.
    let origin: Int64

    /// Reads the boxes that lie side by side in a range.
    ///
    /// - Parameters:
    ///   - bytes: the file, or a part of it.
    ///   - range: where boxes lie; all of the bytes without it.
    ///   - origin: where the bytes begin in the file.
    ///   - path: the box around them.
    /// - Returns: the boxes in the order of the file.
    /// - Throws: `CodecError` with path and offset for a box that does not fit.
    package static func list(
        _ bytes: [UInt8],
        in range: Range<Int>? = nil,
        origin: Int64 = 0,
        path: String = ""
    ) throws(CodecError) -> [Box] {
        let range = range ?? bytes.indices
        var (place, boxes) = (range.lowerBound, [Box]())
        // QuickTime ends some lists with four zeros.
        while range.upperBound - place >= 8 {
            guard boxes.count < countLimit else {
                throw fault("more than \(countLimit) boxes lie side by side", path, origin, place)
            }
            let box = try Box(bytes, at: place, end: range.upperBound, origin: origin, path: path)
            boxes.append(box)
            place = box.range.upperBound
        }
        if bytes[place..<range.upperBound].contains(where: { $0 != 0 }) {
            let rest = range.upperBound - place
            throw fault("\(rest) bytes are left that are no box", path, origin, place)
        }
        return boxes
    }

    private init(_ bytes: [UInt8], at place: Int, end: Int, origin: Int64, path: String)
        throws(CodecError)
    {
        let type = Self.name(bytes[place + 4..<place + 8])
        let own = path.isEmpty ? type : "\(path)/\(type)"
        var length = Self.word(bytes, place)
        var header = 8
        if length == 1 {
            guard end - place >= 16 else {
                throw Self.fault("its length of 64 bits is cut off", own, origin, place)
            }
            let high = Self.word(bytes, place + 8)
            guard high < 1 << 30 else {
                throw Self.fault("its length is absurd", own, origin, place)
            }
            length = high << 32 | Self.word(bytes, place + 12)
            header = 16
        } else if length == 0 {
            length = end - place
        }
        guard length >= header else {
            throw Self.fault(
                "it says to have \(length) bytes, and its header has \(header)",
                own,
                origin,
                place
            )
        }
        guard length <= end - place else {
            throw Self.fault(
                "it says to have \(length) bytes, and \(end - place) are left",
                own,
                origin,
                place
            )
        }
        self.type = type
        self.path = own
        self.origin = origin
        range = place..<place + length
        body = place + header..<place + length
    }

    /// Four bytes as text.
    static func name(_ bytes: ArraySlice<UInt8>) -> String {
        String(bytes.map { (32...126).contains($0) ? Character(UnicodeScalar($0)) : "." })
    }

    private static func word(_ bytes: [UInt8], _ place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func fault(_ text: String, _ path: String, _ origin: Int64, _ place: Int)
        -> CodecError
    {
        CodecError(
            call: "read",
            code: 0,
            text: "\(text), at byte \(origin + Int64(place))",
            subject: path.isEmpty ? "box" : "box \(path)"
        )
    }

    /// Says what is wrong with this box.
    func fault(_ text: String, at place: Int? = nil) -> CodecError {
        Self.fault(text, path, origin, place ?? range.lowerBound)
    }

    /// The boxes within it.
    ///
    /// - Parameters:
    ///   - bytes: those that it was read from.
    ///   - skipped: how many bytes of other things stand before them.
    /// - Returns: the boxes in order.
    /// - Throws: `CodecError` for one that does not fit.
    package func children(_ bytes: [UInt8], after skipped: Int = 0) throws(CodecError) -> [Box] {
        guard skipped <= body.count else { throw fault("it ends within its first field") }
        return try Self.list(
            bytes,
            in: body.lowerBound + skipped..<body.upperBound,
            origin: origin,
            path: path
        )
    }

    /// The first box along a path of types within it; nil where there is none.
    package func first(_ types: String..., of bytes: [UInt8]) throws(CodecError) -> Box? {
        var here = self
        for type in types {
            var found: Box?
            for child in try here.children(bytes) where child.type == type {
                found = child
                break
            }
            guard let found else { return nil }
            here = found
        }
        return here
    }

    /// A number of `size` bytes, 1 to 8, at an offset in what it holds.
    ///
    /// - Throws: `CodecError` where the box ends before.
    package func number(_ bytes: [UInt8], _ offset: Int, _ size: Int = 4) throws(CodecError) -> Int
    {
        guard offset >= 0, offset <= body.count - size else {
            throw fault("it has \(body.count) bytes and needs \(offset + size)")
        }
        let start = body.lowerBound + offset
        let value = bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let result = Int(exactly: value) else {
            throw fault("a number of it is absurd", at: start)
        }
        return result
    }

    /// Four bytes of what it holds as text.
    package func name(_ bytes: [UInt8], _ offset: Int) throws(CodecError) -> String {
        _ = try number(bytes, offset)
        let start = body.lowerBound + offset
        return Self.name(bytes[start..<start + 4])
    }
}
