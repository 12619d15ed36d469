public import Media

/// Makes a movie the moving half of a pair: the identifier at its top, and the track that marks the still.
///
/// No byte of sound or pictures changes. What was there of both before is replaced, so that doing it twice is
/// doing it once. Movies over 4 GiB are refused. Memory: the index, twice.
public enum PairedMovie {
    /// The new file, in order: stretches of the old one, new bytes, stretches of the old one, new bytes.
    package struct Plan {
        var before: [Range<Int64>]
        var index: [UInt8]
        var after: [Range<Int64>]
        var end: [UInt8]
    }

    /// Turns the movie that an output holds into half of a pair, in place; its index must be its end.
    ///
    /// - Parameters:
    ///   - output: the file, written and not closed.
    ///   - identifier: 36 characters of a UUID.
    ///   - still: when the still is; times beyond the movie's length are its end.
    /// - Throws: `CodecError` for a movie that cannot be read, `FileError` when writing fails.
    public static func mark(_ output: OutputFile, identifier: String, still: MediaTime) throws {
        let movie = try MovieFile(path: output.temporaryPath)
        let plan = try plan(movie, identifier: identifier, still: still)
        guard let kept = plan.before.first, plan.before.count == 1, kept.lowerBound == 0,
            plan.end.isEmpty
        else {
            throw CodecError(
                call: "mark",
                code: 0,
                text: "its index is not at its end",
                subject: output.path
            )
        }
        try output.seek(to: kept.upperBound)
        try output.write(plan.index.span)
    }

    /// Writes a movie anew as half of a pair.
    ///
    /// - Parameters:
    ///   - path: the movie.
    ///   - output: where to.
    ///   - identifier: 36 characters of a UUID.
    ///   - still: when the still is; times beyond the movie's length are its end.
    /// - Throws: `CodecError` for a movie that cannot be read, `FileError` when reading or writing fails.
    public static func rewrite(
        _ path: String,
        to output: OutputFile,
        identifier: String,
        still: MediaTime
    ) throws {
        let file = try FileBytes(path)
        let plan = try plan(MovieFile(path: path), identifier: identifier, still: still)
        try copy(plan.before, of: file, to: output)
        try output.write(plan.index.span)
        try copy(plan.after, of: file, to: output)
        try output.write(plan.end.span)
    }

    private static func copy(_ ranges: [Range<Int64>], of file: FileBytes, to output: OutputFile)
        throws
    {
        for range in ranges {
            for place in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
                let part = try file.read(place..<min(range.upperBound, place + 1 << 20))
                try output.write(part.span)
            }
        }
    }

    /// What the new file consists of.
    package static func plan(_ movie: MovieFile, identifier: String, still: MediaTime)
        throws -> Plan
    {
        let bytes = movie.index
        let tracks = try movie.tracks()
        guard let video = tracks.first(where: { $0.handler == "vide" }) else {
            throw movie.movie.fault("it has no video track")
        }
        guard let header = try movie.movie.first("mvhd", of: bytes) else {
            throw movie.movie.fault("it has no mvhd box")
        }
        let clock = try movie.clock()
        let (timescale, duration) = (clock.timescale, clock.duration)
        guard let scale = Int32(exactly: timescale), still.value >= 0 else {
            throw movie.movie.fault(
                "a still at \(still) cannot be told in counts of 1/\(timescale) s"
            )
        }
        let stillTime = min(Int(still.converted(to: scale).value), max(0, duration - 1))
        guard stillTime < UInt32.max else {
            throw movie.movie.fault("a still at \(still) is later than an edit can tell")
        }
        let old = tracks.filter(\.marksStill)
        var parts = movie.parts
        // A sample that was written as ours are goes with its track, where nothing but the index lies behind it:
        // else what does would move.
        if let last = parts.lastIndex(where: { $0.type != "moov" }), parts[last].type == "mdat",
            parts[last].range.count == 8 + StillTimeTrack.sample.count,
            old.contains(where: { Int64($0.firstChunk ?? -1) == parts[last].range.lowerBound + 8 })
        {
            parts.remove(at: last)
        }
        guard let place = parts.firstIndex(where: { $0.type == "moov" }) else {
            preconditionFailure("A movie that was read has an index.")
        }
        let isLast = place == parts.count - 1
        let nextID = old.isEmpty ? (tracks.map(\.id).max() ?? 0) + 1 : old[0].id
        let before = parts[..<place].reduce(Int64(0)) { $0 + Int64($1.range.count) }
        let after = parts[(place + 1)...].reduce(Int64(0)) { $0 + Int64($1.range.count) }

        let edit = IndexEdit(
            movie: movie,
            header: header,
            old: old.map(\.box.range),
            trackID: nextID,
            videoTrackID: video.id,
            timescale: timescale,
            stillTime: stillTime,
            identifier: identifier
        )
        let sample: [UInt8] = .box("mdat", StillTimeTrack.sample)
        let size = try edit.index(sampleOffset: 0, shift: 0).count
        let shift = isLast ? 0 : size - bytes.count
        let sampleOffset = isLast ? before + 8 : before + Int64(size) + after + 8
        guard sampleOffset < 1 << 32 else {
            throw movie.movie.fault("the movie is larger than 4 GiB, which no pair is")
        }
        let new = try edit.index(sampleOffset: Int(sampleOffset), shift: shift)
        return Plan(
            before: merged(parts[..<place]),
            index: isLast ? sample + new : new,
            after: merged(parts[(place + 1)...]),
            end: isLast ? [] : sample
        )
    }

    private static func merged(_ parts: ArraySlice<MovieFile.Part>) -> [Range<Int64>] {
        var ranges: [Range<Int64>] = []
        for part in parts {
            if let last = ranges.last, last.upperBound == part.range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<part.range.upperBound
            } else {
                ranges.append(part.range)
            }
        }
        return ranges
    }
}

/// Makes a movie's index anew, with what marks it as half of a pair.
private struct IndexEdit {
    let movie: MovieFile
    /// Its `mvhd`.
    let header: Box
    /// Where tracks lie that are left out.
    let old: [Range<Int>]
    let trackID: Int
    let videoTrackID: Int
    let timescale: Int
    let stillTime: Int
    let identifier: String

    /// The new `moov` box.
    ///
    /// - Parameters:
    ///   - sampleOffset: where the new track's sample lies in the file.
    ///   - shift: by how much media data behind the old index moves.
    /// - Returns: the box; its length does not depend on either.
    /// - Throws: `CodecError` for boxes that do not fit.
    func index(sampleOffset: Int, shift: Int) throws -> [UInt8] {
        let bytes = movie.index
        var contents: [UInt8] = []
        for child in try movie.movie.children(bytes) {
            if child.type == "meta" || child.type == "udta" && Self.isIdentifier(child, bytes) {
                continue
            }
            if old.contains(child.range) { continue }
            var part = Array(bytes[child.range])
            if child.range == header.range { part.set32(trackID + 1, at: part.count - 4) }
            if child.type == "trak" {
                let end = Int(movie.movie.origin) + bytes.count
                try Self.moveChunks(child, bytes, &part, from: end, by: shift)
            }
            contents += part
        }
        let track = StillTimeTrack(
            trackID: trackID,
            videoTrackID: videoTrackID,
            timescale: timescale,
            stillTime: stillTime,
            sampleOffset: sampleOffset
        )
        return .box("moov", contents, track.box, MovieIdentifier.box(identifier))
    }

    /// Whether user data is there for an identifier alone, as FFmpeg writes it.
    private static func isIdentifier(_ box: Box, _ bytes: [UInt8]) -> Bool {
        guard let parts = try? box.children(bytes), parts.count == 1, parts[0].type == "meta" else {
            return false
        }
        guard let found = try? MovieIdentifier.read(parts[0], bytes) else { return false }
        return !found.isEmpty
    }

    /// Adds to the places of chunks that lie behind the old index.
    private static func moveChunks(
        _ track: Box,
        _ bytes: [UInt8],
        _ part: inout [UInt8],
        from end: Int,
        by shift: Int
    ) throws {
        guard shift != 0, let table = try track.first("mdia", "minf", "stbl", of: bytes) else {
            return
        }
        for box in try table.children(bytes) where box.type == "stco" || box.type == "co64" {
            let size = box.type == "stco" ? 4 : 8
            for entry in 0..<(try box.number(bytes, 4)) {
                let place = 8 + entry * size
                let old = try box.number(bytes, place, size)
                guard old >= end else { continue }
                let target = box.body.lowerBound + place - track.range.lowerBound
                // Far above any file, so that adding cannot overflow.
                guard old < 1 << 48, size == 8 || old + shift < 1 << 32 else {
                    throw box.fault("a chunk lies, or would lie, beyond what its table can tell")
                }
                if size == 4 {
                    part.set32(old + shift, at: target)
                } else {
                    part.set64(old + shift, at: target)
                }
            }
        }
    }
}
