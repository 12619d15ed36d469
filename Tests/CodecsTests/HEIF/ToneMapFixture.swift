import CHEIF
import Media
import Testing

@testable import Codecs

/// Gives a HEIC a tone-mapped view, as phones write it since 2024: what describes the picture describes the view
/// too.
enum ToneMapFixture {
    private static let view = 100

    static func bytes(_ file: [UInt8]) throws -> [UInt8] {
        let meta = try #require(try Box.list(file).first { $0.type == "meta" })
        let grown = try changed(meta, file, shift: 0).count - meta.range.count
        return Array(file[..<meta.range.lowerBound]) + (try changed(meta, file, shift: grown))
            + file[meta.range.upperBound...]
    }

    private static func changed(_ meta: Box, _ file: [UInt8], shift: Int) throws -> [UInt8] {
        var contents: [UInt8] = [0, 0, 0, 0]
        for part in try meta.children(file, after: 4) {
            let body = Array(file[part.body])
            switch part.type {
            case "iinf":
                var list = body
                list[5] += 1
                let info: [UInt8] =
                    [2, 0, 0, 0, 0, UInt8(view), 0, 0] + Array("tmap".utf8) + [0]
                contents += .box("iinf", list, .box("infe", info))
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
                contents += .box("iref", list, .box("dimg", [0, UInt8(view), 0, 1, 0, 1]))
            case "iloc": contents += .box("iloc", try moved(part, file, by: shift))
            default: contents += file[part.range]
            }
        }
        return .box("meta", contents)
    }

    /// The table of places, with all of them moved.
    private static func moved(_ box: Box, _ file: [UInt8], by shift: Int) throws -> [UInt8] {
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
