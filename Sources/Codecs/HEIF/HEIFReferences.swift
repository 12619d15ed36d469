/// Makes files that phones write since 2024 readable for libheif before 1.18, without moving a byte of pictures.
///
/// Those files hold a tone-mapped view of the picture (an item of type `tmap`), and let metadata and auxiliary
/// pictures belong to that view too, which older libraries refuse. The view is taken out of the list of
/// references, and a `free` box takes the place of what was taken out. Source: ISO/IEC 14496-12, section 8.11.12
/// (`iref`), ISO/IEC 23008-12 (`tmap`).
package enum HEIFReferences {
    /// The file without references from and to tone-mapped views.
    ///
    /// - Parameter bytes: the whole file.
    /// - Returns: as many bytes; the same ones where there is nothing to take out.
    /// - Throws: `CodecError` for boxes that do not fit.
    package static func withoutToneMaps(_ bytes: [UInt8]) throws(CodecError) -> [UInt8] {
        guard let meta = try Box.list(bytes).first(where: { $0.type == "meta" }) else {
            return bytes
        }
        let parts = try meta.children(bytes, after: 4)
        guard let references = parts.first(where: { $0.type == "iref" }),
            let infos = parts.first(where: { $0.type == "iinf" })
        else { return bytes }
        let views = try toneMaps(infos, bytes)
        if views.isEmpty { return bytes }
        let version = try references.number(bytes, 0, 1)
        let size = version == 0 ? 2 : 4
        var kept = Array(bytes[references.body].prefix(4))
        for box in try references.children(bytes, after: 4) {
            let count = try box.number(bytes, size, 2)
            var targets: [Int] = []
            for index in 0..<count {
                targets.append(try box.number(bytes, size + 2 + index * size, size))
            }
            if views.contains(try box.number(bytes, 0, size)) { continue }
            let left = targets.filter { !views.contains($0) }
            if left.count == targets.count {
                kept += bytes[box.range]
                continue
            }
            if left.isEmpty { continue }
            var contents = Array(bytes[box.body].prefix(size))
            contents.put16(left.count)
            for target in left {
                if size == 2 { contents.put16(target) } else { contents.put32(target) }
            }
            kept += .box(box.type, contents)
        }
        let new: [UInt8] = .box("iref", kept)
        let freed = references.range.count - new.count
        // What a view needs, its own reference, is longer than a box's head.
        guard freed >= 8 else { return bytes }
        var result = bytes
        var space: [UInt8] = []
        space.putZeros(freed - 8)
        result.replaceSubrange(references.range, with: new + .box("free", space))
        return result
    }

    /// The numbers of items that are tone-mapped views.
    private static func toneMaps(_ infos: Box, _ bytes: [UInt8]) throws(CodecError) -> Set<Int> {
        var found: Set<Int> = []
        let isShort = try infos.number(bytes, 0, 1) == 0
        for info in try infos.children(bytes, after: isShort ? 6 : 8) where info.type == "infe" {
            let version = try info.number(bytes, 0, 1)
            guard version >= 2 else { continue }
            let wide = version == 2 ? 2 : 4
            if try info.name(bytes, 6 + wide) == "tmap" {
                found.insert(try info.number(bytes, 4, wide))
            }
        }
        return found
    }
}
