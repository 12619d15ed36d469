import Codecs
import Glibc
import Media

/// The SHA-256 of files, kept by what tells that a file is still the same.
///
/// A hash lies in a file of its own, named by device, inode, size and both times, so that many processes share them
/// without a lock.
struct ContentHash: Sendable {
    /// A file whose content is known.
    struct Known: Sendable, Hashable {
        let stamp: FileStamp
        /// 64 hexadecimal digits.
        let sha256: String
    }

    private let folder: String

    /// Keeps hashes in a folder, which is made when the first one is.
    init(_ folder: String) { self.folder = folder }

    /// The hash of a file.
    ///
    /// - Parameter path: of a regular file.
    /// - Returns: the hash and what the file was then; nil where it is none that can be read again.
    /// - Throws: `FileError` when it cannot be read.
    func known(_ path: String) throws -> Known? {
        for _ in 0..<3 {
            guard let stamp = FileStamp(path) else {
                throw FileError(path: path, call: "stat", code: errno)
            }
            guard stamp.isRegular else { return nil }
            let place = place(of: stamp)
            if let sha256 = kept(at: place) { return Known(stamp: stamp, sha256: sha256) }
            let hash = try SHA256.ofFile(path)
            // What was written to meanwhile is read again.
            guard FileStamp(path) == stamp else { continue }
            keep(hash, at: place, stamp)
            return Known(stamp: stamp, sha256: hash)
        }
        throw FileError(path: path, call: "read", code: EBUSY)
    }

    /// The hash in a file; nil where it was not written to its end.
    private func kept(at place: String) -> String? {
        let text = (try? FileContents.read(place, limit: 64)).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard let text, text.utf8.count == 64, text.allSatisfy(\.isHexDigit) else { return nil }
        return text
    }

    private func place(of stamp: FileStamp) -> String {
        var hash = SHA256()
        hash.update(Array(stamp.text.utf8).span)
        let name = hash.hexDigest()
        return "\(folder)/\(name.prefix(2))/\(name.dropFirst(2).prefix(30))"
    }

    private func keep(_ hash: String, at place: String, _ stamp: FileStamp) {
        // The clock of a file system may stand for some time: what was written just now may be written again
        // without another time.
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let seconds = Int64(now.tv_sec) - max(stamp.modified, stamp.changed) / 1_000_000_000
        guard seconds > 2 else { return }
        // That it cannot be kept costs time and nothing else.
        try? Folder.create(Folder.parent(of: place))
        let file = unsafe open(place, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        if file < 0 { return }
        // All who write it write the same, and half of it is not believed.
        _ = FileContents.write(Array(hash.utf8).span, to: file)
        close(file)
    }
}
