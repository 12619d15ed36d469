/// The header of WAV files that PicoFox devices write themselves.
///
/// It always says 300,000 bytes of samples, whatever follows: 288,000 in the factory's audio, less or more in
/// identifications. So where all 44 bytes are this pattern, the samples go to the end of the file.
public enum FactoryHeader {
    /// The 44 bytes: RIFF of 300,036; integers of 16 bits, one channel, 5000 Hz; data of 300,000.
    public static let bytes: [UInt8] = {
        func long(_ value: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        func word(_ value: UInt16) -> [UInt8] {
            [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
        }
        return Array("RIFF".utf8) + long(300_036) + Array("WAVEfmt ".utf8) + long(16) + word(1)
            + word(1) + long(5000) + long(10_000) + word(2) + word(16) + Array("data".utf8)
            + long(300_000)
    }()

    /// SHA-256 of the factory's `audio.wav` of 288,044 bytes.
    public static let audioDigest =
        "44f46e17392fb51710141210f813784b77b3344259c5be99dc44e3bee16858ed"

    /// The same header with the sizes that a file of `fileLength` bytes really has; nil where a file does
    /// not begin with the pattern, or says the truth.
    ///
    /// - Parameters:
    ///   - head: the first bytes of the file.
    ///   - fileLength: how long the file is.
    /// - Returns: 44 bytes in place of the first 44.
    public static func mended(_ head: Span<UInt8>, fileLength: Int64) -> [UInt8]? {
        guard head.count >= bytes.count, fileLength >= 44, fileLength < 1 << 31,
            bytes.indices.allSatisfy({ head[$0] == bytes[$0] })
        else { return nil }
        let data = UInt32(fileLength - 44) & ~1
        if data == 300_000 { return nil }
        var mended = bytes
        for index in 0..<4 {
            mended[4 + index] = UInt8(truncatingIfNeeded: (data + 36) >> UInt32(8 * index))
            mended[40 + index] = UInt8(truncatingIfNeeded: data >> UInt32(8 * index))
        }
        return mended
    }

    /// A file with its header mended, where it needs that; else the file as it is.
    ///
    /// - Parameter file: at its start.
    /// - Returns: what to read in its place.
    /// - Throws: what reading it throws.
    static func mending(_ file: FileSource) throws -> any ByteSource {
        guard let length = file.length, length >= 44 else { return file }
        var head = [UInt8](repeating: 0, count: bytes.count)
        var count = 0
        while count < head.count {
            var rest = [UInt8](repeating: 0, count: head.count - count)
            var span = rest.mutableSpan
            let read = try file.read(into: &span)
            if read == 0 { break }
            head.replaceSubrange(count..<count + read, with: rest[..<read])
            count += read
        }
        try file.seek(to: 0)
        guard let head = mended(head.span, fileLength: length) else { return file }
        return MendedSource(file, head: head)
    }
}

/// A source whose first bytes are others.
private final class MendedSource: ByteSource {
    private let base: any ByteSource
    private let head: [UInt8]
    private var position: Int64 = 0

    var name: String { base.name }
    var length: Int64? { base.length }

    init(_ base: any ByteSource, head: [UInt8]) {
        self.base = base
        self.head = head
    }

    func read(into bytes: inout MutableSpan<UInt8>) throws -> Int {
        let count = try base.read(into: &bytes)
        for index in 0..<count where position + Int64(index) < Int64(head.count) {
            bytes[index] = head[Int(position) + index]
        }
        position += Int64(count)
        return count
    }

    func seek(to offset: Int64) throws {
        try base.seek(to: offset)
        position = offset
    }
}
