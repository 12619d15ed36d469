/// What a pair's check reads of a track.
package struct MovieTrack: Sendable {
    /// Its number.
    package let id: Int
    /// The kind of its media: `vide`, `soun`, `meta`.
    package let handler: String
    /// The kind of its samples, as `hvc1`; nil where it says none, as after a copy that lost it.
    package let sampleType: String?
    /// Width and height of its samples as they are stored; 0 of other media.
    package let size: (width: Int, height: Int)
    /// Whether it is shown turned by a quarter.
    package let isTurned: Bool
    /// Whether its samples mark the moment of a still.
    package let marksStill: Bool
    /// The length of the empty edit before it, in counts of the movie.
    package let emptyEdit: Int
    /// Where its first chunk lies in the file; nil where there is none.
    package let firstChunk: Int?
    /// Its box.
    package let box: Box

    init(_ box: Box, _ bytes: [UInt8]) throws(CodecError) {
        guard let header = try box.first("tkhd", of: bytes) else {
            throw box.fault("it has no tkhd box")
        }
        let isLong = try header.number(bytes, 0, 1) == 1
        id = try header.number(bytes, isLong ? 20 : 12)
        // The matrix's first number is 0 where rows become columns.
        isTurned = try header.number(bytes, isLong ? 52 : 40) == 0
        handler = try box.first("mdia", "hdlr", of: bytes)?.name(bytes, 8) ?? "none"
        self.box = box
        var empty = 0
        if let edits = try box.first("edts", "elst", of: bytes), try edits.number(bytes, 4) > 0 {
            let isLong = try edits.number(bytes, 0, 1) == 1
            let size = isLong ? 8 : 4
            let start = try edits.number(bytes, 8 + size) & 0xFFFF_FFFF
            if start == 0xFFFF_FFFF { empty = try edits.number(bytes, 8, size) }
        }
        emptyEdit = empty
        var (type, sides, marks) = (String?.none, (width: 0, height: 0), false)
        if let table = try box.first("mdia", "minf", "stbl", of: bytes) {
            if let kinds = try table.first("stsd", of: bytes), kinds.body.count >= 16 {
                let entry = try kinds.children(bytes, after: 8).first
                type = entry?.type
                if let entry, handler == "vide" {
                    sides = (try entry.number(bytes, 24, 2), try entry.number(bytes, 26, 2))
                }
                if let entry, entry.type == "mebx" {
                    marks = bytes[entry.range].contains(StillTimeTrack.key)
                }
            }
            if let chunks = try table.first("stco", of: bytes), try chunks.number(bytes, 4) > 0 {
                firstChunk = try chunks.number(bytes, 8)
            } else {
                firstChunk = nil
            }
        } else {
            firstChunk = nil
        }
        (sampleType, size, marksStill) = (type, sides, marks)
    }
}

extension ArraySlice<UInt8> {
    /// Whether a text stands in it.
    fileprivate func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard count >= wanted.count else { return false }
        return (startIndex...endIndex - wanted.count).contains {
            self[$0..<$0 + wanted.count].elementsEqual(wanted)
        }
    }
}
