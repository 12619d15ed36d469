import Glibc

/// A checkpoint's file, read in order.
final class CheckpointReader {
    let checkpoint: Checkpoint
    private let path: String
    private let descriptor: Int32
    private var hash = CheckpointHash()
    private var offset = 0

    /// Opens a file and reads its header.
    init(path: String) throws(CheckpointError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            throw CheckpointError(path: path, reason: unsafe String(cString: strerror(errno)))
        }
        do throws(CheckpointError) {
            var header = [UInt8](repeating: 0, count: Checkpoint.headerSize)
            var hash = CheckpointHash()
            var fault: CheckpointError?
            unsafe header.withUnsafeMutableBytes { bytes in
                do throws(CheckpointError) {
                    try unsafe Self.read(descriptor, into: bytes, at: 0, path)
                } catch {
                    fault = error
                }
                unsafe hash.add(UnsafeRawBufferPointer(bytes))
            }
            if let fault { throw fault }
            do throws(CheckpointFault) {
                checkpoint = try Checkpoint(header: header)
            } catch {
                throw CheckpointError(path: path, reason: error.text)
            }
            // Before any memory is taken for what the file only claims to hold.
            var status = stat()
            if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                Int(status.st_size) != checkpoint.fileSize
            {
                throw CheckpointError(
                    path: path,
                    reason: "it has \(status.st_size) bytes, and should have "
                        + "\(checkpoint.fileSize): it is damaged"
                )
            }
            self.hash = hash
        } catch {
            close(descriptor)
            throw error
        }
        offset = Checkpoint.headerSize
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Reads the next bytes.
    func read(into bytes: UnsafeMutableRawBufferPointer) throws(CheckpointError) {
        try unsafe Self.read(descriptor, into: bytes, at: offset, path)
        unsafe hash.add(UnsafeRawBufferPointer(bytes))
        offset += bytes.count
    }

    /// Reads the hash at the end and compares it with that of all that was read.
    func finish() throws(CheckpointError) {
        let expected = hash.value
        var word: UInt64 = 0
        try unsafe withUnsafeMutableBytes(of: &word) { (bytes) throws(CheckpointError) in
            try unsafe Self.read(descriptor, into: bytes, at: offset, path)
        }
        if UInt64(littleEndian: word) != expected { throw damaged("its hash is another") }
    }

    /// That what was read just now cannot be.
    func damaged(_ text: String) -> CheckpointError {
        CheckpointError(path: path, reason: "before byte \(offset): \(text): it is damaged")
    }

    private static func read(
        _ descriptor: Int32,
        into bytes: UnsafeMutableRawBufferPointer,
        at offset: Int,
        _ path: String
    ) throws(CheckpointError) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe Glibc.read(descriptor, rest.baseAddress, min(rest.count, 1 << 30))
            if count < 0 {
                if errno == EINTR { continue }
                throw CheckpointError(path: path, reason: unsafe String(cString: strerror(errno)))
            }
            if count == 0 {
                throw CheckpointError(
                    path: path,
                    reason: "it ends at byte \(offset + done): it is damaged"
                )
            }
            done += count
        }
    }
}
