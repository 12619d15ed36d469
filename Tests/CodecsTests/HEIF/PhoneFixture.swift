import CHEIF
import Media
import Testing

@testable import Codecs

/// Gives a HEIC what phones write: a tone-mapped view, which what describes the picture describes too, or a
/// picture that is turned.
enum PhoneFixture {
    private static let view = 100

    static func bytes(_ file: [UInt8]) throws -> [UInt8] {
        try rebuilt(file, addsItem: true) { part in
            let body = Array(file[part.body])
            switch part.type {
            case "iinf":
                var list = body
                list[5] += 1
                let info: [UInt8] =
                    [2, 0, 0, 0, 0, UInt8(view), 0, 0] + Array("tmap".utf8) + [0]
                return .box("iinf", list, .box("infe", info))
            case "iref":
                var list = Array(body.prefix(4))
                for box in try part.children(file, after: 4) {
                    var link = Array(file[box.body])
                    if box.type == "cdsc" {
                        link[3] += 1
                        link.put16(view)
                    }
                    list += .box(box.type, link)
                }
                // The view is made of the picture.
                return .box("iref", list, .box("dimg", [0, UInt8(view), 0, 1, 0, 1]))
            default: return nil
            }
        }
    }

    /// The file with its picture turned by a quarter clockwise, as phones write it: by the property `irot`, and
    /// by EXIF's orientation too.
    static func turned(_ file: [UInt8]) throws -> [UInt8] {
        var result = try rebuilt(file, addsItem: false) { part in
            guard part.type == "iprp" else { return nil }
            let list = try #require(try part.first("ipco", of: file))
            let links = try #require(try part.first("ipma", of: file))
            let number = UInt8(try list.children(file).count + 1)
            var table = Array(file[links.body])
            // The first entry is the picture's: behind its number stands how many properties it has.
            try #require(table[8] == 0 && table[9] == 1)
            let count = Int(table[10])
            table[10] += 1
            table.insert(0x80 | number, at: 11 + count)
            // Three quarters counterclockwise.
            return .box(
                "iprp",
                .box("ipco", Array(file[list.body]), .box("irot", [3])),
                .box("ipma", table)
            )
        }
        let upright: [UInt8] = [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 1]
        let place = try #require(result.firstRange(of: upright))
        result[place.upperBound - 1] = 6
        return result
    }

    private static func rebuilt(
        _ file: [UInt8],
        addsItem: Bool,
        _ edit: (Box) throws -> [UInt8]?
    ) throws -> [UInt8] {
        let meta = try #require(try Box.list(file).first { $0.type == "meta" })
        func changed(shift: Int) throws -> [UInt8] {
            var contents: [UInt8] = [0, 0, 0, 0]
            for part in try meta.children(file, after: 4) {
                if part.type == "iloc" {
                    contents += .box("iloc", try moved(part, file, by: shift, addsItem: addsItem))
                } else {
                    contents += try edit(part) ?? Array(file[part.range])
                }
            }
            return .box("meta", contents)
        }
        let grown = try changed(shift: 0).count - meta.range.count
        return try Array(file[..<meta.range.lowerBound]) + changed(shift: grown)
            + file[meta.range.upperBound...]
    }

    /// The table of places, with all of them moved.
    private static func moved(_ box: Box, _ file: [UInt8], by shift: Int, addsItem: Bool) throws
        -> [UInt8]
    {
        var body = Array(file[box.body])
        var first: [UInt8] = []
        let version = Int(body[0])
        let sizes = try box.number(file, 4, 2)
        try #require(version < 2 && sizes >> 12 == 4 && sizes >> 8 & 15 == 4)
        let base = sizes >> 4 & 15
        var place = 8
        for _ in 0..<(try box.number(file, 6, 2)) {
            let start = place
            defer { if first.isEmpty { first = Array(body[start..<place]) } }
            place += 2
            let method = version == 1 ? try box.number(file, place, 2) & 15 : 0
            place += (version == 1 ? 2 : 0) + 2 + base
            let count = try box.number(file, place, 2)
            place += 2
            for _ in 0..<count {
                if method == 0 { body.set32(try box.number(file, place, 4) + shift, at: place) }
                place += 8
            }
        }
        if !addsItem { return body }
        // What the view's own item holds is looked at by nobody.
        body[7] += 1
        return body + [0, UInt8(view)] + first.dropFirst(2)
    }

    /// Reads a file as it is.
    static func readPlainly(_ file: [UInt8]) -> Bool {
        let context = unsafe heif_context_alloc()
        defer { unsafe heif_context_free(context) }
        let result = unsafe file.withUnsafeBytes { bytes in
            unsafe heif_context_read_from_memory(context, bytes.baseAddress, bytes.count, nil)
        }
        return unsafe result.code == heif_error_Ok
    }
}
