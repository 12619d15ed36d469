import Glibc
import Media

/// The boxes of a movie file, with its index in memory.
///
/// Memory: the index, at most 64 MiB. Media data is not read.
package struct MovieFile: Sendable {
    /// The largest index that is read, in bytes.
    static let indexLimit = 64 << 20

    /// A box at the top.
    package struct Part: Sendable {
        /// Its four characters.
        package var type: String
        /// Where it lies in the file.
        package var range: Range<Int64>
    }

    /// The file.
    package let path: String
    /// All boxes at the top, in order.
    package let parts: [Part]
    /// What `moov` holds, its header included.
    package let index: [UInt8]
    /// `moov`.
    package let movie: Box
    /// The brands of `ftyp`, the main one first; empty where there is none, as in files read from a camera.
    package let brands: [String]

    /// Reads a movie's boxes.
    ///
    /// - Parameter path: the file.
    /// - Throws: `FileError` when it cannot be read, `CodecError` for boxes that do not fit.
    package init(path: String) throws { try self.init(FileBytes(path)) }

    /// Reads the boxes of a movie that is in memory.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - name: what errors call it.
    /// - Throws: `CodecError` for boxes that do not fit.
    package init(_ bytes: [UInt8], name: String) throws {
        try self.init(FileBytes(bytes, name: name))
    }

    /// Reads the boxes of a movie that lies at the end of a file; places stay those of the file.
    init(_ file: FileBytes, from start: Int64 = 0) throws {
        let path = file.path
        var parts: [Part] = []
        var place = start
        while place < file.count {
            let head = try file.read(place..<min(file.count, place + 16))
            guard parts.count < 10_000 else {
                throw Self.fault(path, "more than 10,000 boxes lie side by side at its top")
            }
            guard head.count >= 8 else {
                throw Self.fault(path, "\(head.count) bytes at byte \(place) are no box")
            }
            let type = Box.name(head[4..<8])
            if place == start, !Self.beginnings.contains(type) {
                throw Self.fault(path, "it is no QuickTime or MP4 file")
            }
            var length = head[..<4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
            if length == 1, head.count == 16 {
                let wide = head[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                length = Int64(clamping: wide)
            }
            if length == 0 { length = file.count - place }
            guard length >= 8, length <= file.count - place else {
                throw Self.fault(
                    path,
                    "box \(type) at byte \(place) says to have \(length) bytes, and \(file.count - place) are left"
                )
            }
            parts.append(Part(type: type, range: place..<place + length))
            place += length
        }
        guard let movie = parts.first(where: { $0.type == "moov" }) else {
            throw Self.fault(
                path,
                "it has no moov box: it is no QuickTime or MP4 file, or was cut off"
            )
        }
        guard movie.range.count <= Self.indexLimit else {
            throw Self.fault(
                path,
                "its moov box has \(movie.range.count) bytes; at most \(Self.indexLimit) are read"
            )
        }
        index = try file.read(movie.range)
        // Its head was read above, so that there is one box.
        self.movie = try Box.list(index, origin: movie.range.lowerBound)[0]
        if let type = parts.first(where: { $0.type == "ftyp" }), type.range.count <= 4096 {
            let bytes = Array(try file.read(type.range).dropFirst(8))
            let names = stride(from: 0, to: bytes.count / 4 * 4, by: 4).map {
                Box.name(bytes[$0..<$0 + 4])
            }
            // Between the main brand and the others stands a version.
            brands = names.enumerated().filter { $0.offset != 1 }.map(\.element)
        } else {
            brands = []
        }
        self.path = path
        self.parts = parts
    }

    /// What such files begin with; files read from a camera have no `ftyp`.
    private static let beginnings: Set = [
        "ftyp", "moov", "mdat", "wide", "free", "skip", "pnot", "styp",
    ]

    private static func fault(_ path: String, _ text: String) -> CodecError {
        CodecError(call: "read", code: 0, text: text, subject: path)
    }

    /// The tracks.
    package func tracks() throws(CodecError) -> [MovieTrack] {
        var tracks: [MovieTrack] = []
        for box in try movie.children(index) where box.type == "trak" {
            tracks.append(try MovieTrack(box, index))
        }
        return tracks
    }

    /// Counts a second of the movie's own clock, and its length in them.
    package func clock() throws(CodecError) -> (timescale: Int, duration: Int) {
        guard let header = try movie.first("mvhd", of: index) else {
            throw movie.fault("it has no mvhd box")
        }
        let isLong = try header.number(index, 0, 1) == 1
        let scale = try header.number(index, isLong ? 20 : 12)
        guard scale > 0 else { throw header.fault("its time scale is 0") }
        return (scale, try header.number(index, isLong ? 24 : 16, isLong ? 8 : 4))
    }

    /// The identifier at the movie's top, and one that stands in `udta` alone.
    package func identifiers() throws(CodecError) -> (top: String?, inUserData: String?) {
        var found: (top: String?, inUserData: String?) = (nil, nil)
        for box in try movie.children(index) {
            if box.type == "meta" { found.top = try MovieIdentifier.read(box, index) ?? found.top }
            if box.type == "udta", let meta = try box.first("meta", of: index) {
                found.inUserData = try MovieIdentifier.read(meta, index)
            }
        }
        return found
    }
}

/// A file that is read at places, or bytes in memory in its place.
final class FileBytes: Sendable {
    let path: String
    let count: Int64
    private let descriptor: Int32
    private let memory: [UInt8]

    init(_ bytes: [UInt8], name: String) {
        path = name
        count = Int64(bytes.count)
        descriptor = -1
        memory = bytes
    }

    init(_ path: String) throws(FileError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw FileError(path: path, call: "open", code: errno) }
        var status = stat()
        let code = unsafe fstat(descriptor, &status) == 0 ? 0 : errno
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let isFile = status.st_mode & S_IFMT == S_IFREG
        guard code == 0, isFile else {
            close(descriptor)
            throw FileError(
                path: path,
                call: "open",
                code: code != 0 ? code : isFolder ? EISDIR : ENODEV
            )
        }
        self.path = path
        self.descriptor = descriptor
        memory = []
        count = Int64(status.st_size)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The bytes of a range, which must lie in the file.
    func read(_ range: Range<Int64>) throws(FileError) -> [UInt8] {
        if descriptor < 0 { return Array(memory[Int(range.lowerBound)..<Int(range.upperBound)]) }
        var (bytes, done) = ([UInt8](repeating: 0, count: range.count), 0)
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes { target in
                unsafe pread(
                    descriptor,
                    target.baseAddress.map { unsafe $0 + done },
                    target.count - done,
                    off_t(range.lowerBound) + off_t(done)
                )
            }
            if count < 0, errno == EINTR { continue }
            // A file that shrinks while it is read ends early.
            if count <= 0 {
                throw FileError(path: path, call: "pread", code: count < 0 ? errno : EIO)
            }
            done += count
        }
        return bytes
    }
}
