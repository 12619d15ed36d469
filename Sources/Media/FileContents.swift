import Glibc

/// Whole files in memory.
package enum FileContents {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: of a file, or of anything that can be read to an end.
    ///   - limit: more bytes than this are not read, so that a device cannot fill the memory.
    /// - Returns: its bytes; one more than `limit` where the file is longer.
    /// - Throws: `FileError` when there is none, it is a folder, or it may not be read.
    package static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw FileError(path: path, call: "open", code: errno) }
        defer { close(descriptor) }
        return try read(descriptor, name: path, limit: limit)
    }

    /// Reads what is open already.
    ///
    /// - Parameters:
    ///   - descriptor: where it is open; stays so.
    ///   - name: what errors call it.
    ///   - limit: as above.
    /// - Returns: the bytes from where it stands on.
    /// - Throws: `FileError` when it cannot be read.
    package static func read(_ descriptor: Int32, name: String, limit: Int) throws(FileError)
        -> [UInt8]
    {
        var bytes: [UInt8] = []
        var status = stat()
        var piece = 1 << 20
        if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            let expected = min(max(0, Int(status.st_size)), limit + 1)
            bytes.reserveCapacity(expected)
            // Files of /proc say 0 and hold more.
            piece = min(piece, max(4096, expected + 1))
        }
        var buffer = [UInt8](repeating: 0, count: piece)
        while bytes.count <= limit {
            let count = unsafe buffer.withUnsafeMutableBytes { target in
                unsafe Glibc.read(descriptor, target.baseAddress, target.count)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError(path: name, call: "read", code: errno)
            }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
        }
        return Array(bytes.prefix(limit + 1))
    }

    /// Writes all of some bytes to what is open, however few it takes at a time.
    ///
    /// - Parameters:
    ///   - bytes: what to write.
    ///   - descriptor: where to; its position moves.
    /// - Returns: 0, or the system's error number.
    package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> Int32 {
        unsafe bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                done += count
            }
            return 0
        }
    }
}
