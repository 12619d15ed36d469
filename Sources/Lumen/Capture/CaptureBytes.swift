import Codecs

/// The bytes of a capture, read ahead as far as somebody looks.
final class CaptureBytes {
    /// How much is read at once.
    private static let piece = 1 << 20

    private let source: any ByteSource
    private var buffer: [UInt8] = []
    private var head = 0
    private var hasEnded = false
    /// Where the next byte lies in the file.
    private(set) var offset: Int64 = 0

    init(_ source: any ByteSource) { self.source = source }

    var name: String { source.name }
    var length: Int64? { source.length }

    /// How many bytes can be looked at now.
    var count: Int { buffer.count - head }

    /// Reads ahead until `count` bytes can be looked at; false where there are fewer.
    func require(_ count: Int) throws -> Bool {
        while self.count < count, !hasEnded {
            if head > 0 {
                buffer.removeFirst(head)
                head = 0
            }
            try readPiece()
        }
        return self.count >= count
    }

    private func readPiece() throws {
        var failure: (any Error)?
        let size = source.length.map { Int(min(Int64(Self.piece), max(1, $0))) } ?? Self.piece
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: size) { memory, count in
            var span = unsafe MutableSpan(_unsafeElements: memory)
            do { count = try source.read(into: &span) } catch { failure = error }
        }
        if let failure { throw failure }
        if piece.isEmpty { hasEnded = true }
        if buffer.isEmpty { buffer = piece } else { buffer += piece }
    }

    /// The byte `index` after the next one; it must have been required.
    subscript(index: Int) -> UInt8 { buffer[head + index] }

    /// The next bytes, which stay; they must have been required.
    func peek(_ range: Range<Int>) -> ArraySlice<UInt8> {
        buffer[head + range.lowerBound..<head + range.upperBound]
    }

    /// A little-endian number in the next bytes, which must have been required.
    func number<T: FixedWidthInteger>(at index: Int, as _: T.Type) -> T {
        littleEndian(peek(index..<index + MemoryLayout<T>.size))
    }

    /// Goes on over bytes that were required.
    func skip(_ count: Int) {
        head += count
        offset += Int64(count)
    }

    /// The next bytes, which must have been required.
    func take(_ count: Int) -> [UInt8] {
        let bytes = Array(peek(0..<count))
        skip(count)
        return bytes
    }

    /// All that was read and not taken, or the next piece; nil at the end.
    func takePiece() throws -> ArraySlice<UInt8>? {
        guard try require(1) else { return nil }
        let piece = buffer[head...]
        offset += Int64(piece.count)
        (buffer, head) = ([], 0)
        return piece
    }

    /// Goes on over as many bytes, however many; fewer at the end.
    ///
    /// - Returns: how many there were.
    func skipAny(_ count: Int64) throws -> Int64 {
        var left = count
        while left > 0, try require(1) {
            let step = min(left, Int64(self.count))
            skip(Int(step))
            left -= step
        }
        return count - left
    }
}

/// The number that bytes make, the lowest first.
func littleEndian<T: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>) -> T {
    bytes.reversed().reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) }
}

extension [UInt8] {
    /// Appends a number, the lowest byte first.
    mutating func append<T: FixedWidthInteger>(littleEndian number: T) {
        for shift in stride(from: 0, to: T.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> T(shift)))
        }
    }
}
