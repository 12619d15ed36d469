import Glibc

/// A file without a name for what does not fit into memory; it is gone when its owner is.
///
/// Lies in TMPDIR, else in /tmp. A killed program leaves nothing behind.
package final class ScratchFile: Sendable {
    private let descriptor: Int32
    private let folder: String
    private let end = Locked<Int64>(0)

    /// Makes an empty file.
    ///
    /// - Throws: `FileError` when the folder cannot be written.
    package init() throws(FileError) {
        let named = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
        folder = named.isEmpty ? "/tmp" : named
        var template = Array("\(folder)/foxfire-XXXXXX".utf8CString)
        descriptor = unsafe mkstemp(&template)
        if descriptor < 0 { throw FileError(path: folder, call: "mkstemp", code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unsafe unlink(template)
    }

    deinit { close(descriptor) }

    /// Appends numbers.
    ///
    /// - Returns: where they lie, in bytes from the start.
    /// - Throws: `FileError`, as when the disk is full.
    package func append(_ numbers: Span<Float>) throws(FileError) -> Int64 {
        try end.withLock { (end) throws(FileError) in
            let start = end
            let code = unsafe numbers.withUnsafeBytes { buffer in
                var done = 0
                while done < buffer.count {
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                    let place = off_t(start) + off_t(done)
                    let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, place)
                    if count < 0, errno == EINTR { continue }
                    if count <= 0 { return count == 0 ? ENOSPC : errno }
                    done += count
                }
                return 0
            }
            if code != 0 { throw FileError(path: folder, call: "write", code: code) }
            end += Int64(numbers.count * MemoryLayout<Float>.size)
            return start
        }
    }

    /// Reads numbers back.
    ///
    /// - Parameters:
    ///   - place: what `append` returned.
    ///   - count: how many were appended there.
    /// - Returns: the numbers.
    /// - Throws: `FileError`.
    package func read(at place: Int64, count: Int) throws(FileError) -> Writable<Float> {
        var numbers = Writable<Float>(uninitialized: count)
        let code: Int32 = unsafe numbers.withUnsafeMutablePointer { pointer in
            let bytes = UnsafeMutableRawPointer(pointer)
            let size = count * MemoryLayout<Float>.size
            var done = 0
            while done < size {
                let target = unsafe bytes + done
                let place = off_t(place) + off_t(done)
                let count = unsafe pread(descriptor, target, size - done, place)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return count == 0 ? EIO : errno }
                done += count
            }
            return 0
        }
        if code != 0 { throw FileError(path: folder, call: "read", code: code) }
        return numbers
    }
}
