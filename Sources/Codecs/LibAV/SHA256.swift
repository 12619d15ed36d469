import CLibAV
import Media

/// Computes SHA-256 over bytes that come in pieces (FIPS 180-4).
@safe public struct SHA256: ~Copyable {
    private let state: UnsafeMutablePointer<UInt8>

    /// Starts over no bytes.
    public init() {
        guard let memory = unsafe av_sha_alloc() else {
            fatalError("Out of memory: a hash's state could not be had.")
        }
        unsafe state = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: UInt8.self)
        unsafe av_sha_init(memory, 256)
    }

    deinit { unsafe av_free(state) }

    /// Adds bytes.
    public mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe av_sha_update(OpaquePointer(state), buffer.baseAddress, buffer.count)
        }
    }

    /// Ends, and gives the hash as 64 hexadecimal digits.
    public consuming func hexDigest() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe av_sha_final(OpaquePointer(state), &digest)
        let digits = Array("0123456789abcdef")
        return String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// The hash of a file.
    ///
    /// - Throws: `FileError` when it cannot be read.
    public static func ofFile(_ path: String) throws -> String {
        let source = try FileSource(path: path)
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            var target = buffer.mutableSpan
            let count = try source.read(into: &target)
            if count == 0 { return hash.hexDigest() }
            hash.update(buffer.span.extracting(0..<count))
        }
    }
}
