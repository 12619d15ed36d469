/// The capture log: append-only, each record with its checks, so that a crash costs its last record at most.
///
/// A file header of 24 bytes, then records of a 48-byte header and a payload, padded with zeros to 8 bytes;
/// all little-endian. [docs/lumencap.md](docs/lumencap.md) is the format's page.
public enum CaptureLog {
    /// How a log begins.
    static let magic: [UInt8] = [0x89, 0x4C, 0x43, 0x41, 0x0D, 0x0A, 0x1A, 0x0A]
    /// How a record begins.
    static let recordMagic: [UInt8] = Array("LMCR".utf8)
    static let version: (major: UInt16, minor: UInt16) = (1, 0)
    static let fileHeaderLength = 24
    static let headerLength = 48
    /// The longest payload, in bytes.
    public static let payloadLimit = 64 << 20

    /// What a record holds; numbers that are not here are passed over.
    public enum Kind: UInt8, Sendable {
        /// JSON: what the streams are, from here on.
        case description = 0
        /// An access unit.
        case video = 1
        /// A packet of audio.
        case audio = 2
        /// Mastering display and content light levels, as in the body of a datagram 0xCE.
        case hdr = 3
        /// u32 width, height, and the frame rate's numerator and denominator.
        case mode = 4
        /// i64 ns by which the host's clock was set.
        case clockStep = 5
        /// The capture ended as it should.
        case end = 255
    }

    enum Flag {
        /// The payload is the body of a datagram with redundancy.
        static let redundancy: UInt32 = 1 << 31
        /// Not all of the unit came.
        static let partial: UInt32 = 1 << 30
    }

    /// A record's header.
    struct Header: Equatable {
        var kind: UInt8
        var stream: UInt8 = 0
        var flags: UInt32 = 0
        var index: UInt32 = 0
        var time: UInt64 = 0
        var received: UInt64 = 0
        var length = 0
        var payloadCheck: UInt32 = 0

        /// The payload with its padding.
        var paddedLength: Int { (length + 7) & ~7 }
    }

    /// The bytes that a log begins with.
    ///
    /// - Parameter session: tells captures apart: any number, best a random one.
    /// - Returns: 24 bytes.
    public static func fileHeader(session: UInt64) -> [UInt8] {
        var bytes = magic
        bytes.append(littleEndian: version.major)
        bytes.append(littleEndian: version.minor)
        bytes.append(littleEndian: session)
        bytes.append(littleEndian: CRC32C.check(bytes[...]))
        return bytes
    }

    /// The bytes of a record, padding included.
    static func bytes(_ header: Header, _ payload: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerLength + payload.count + 8)
        bytes += recordMagic
        bytes += [header.kind, header.stream, 0, 0]
        bytes.append(littleEndian: header.flags)
        bytes.append(littleEndian: header.index)
        bytes.append(littleEndian: header.time)
        bytes.append(littleEndian: header.received)
        bytes.append(littleEndian: UInt32(payload.count))
        bytes.append(littleEndian: CRC32C.check(payload))
        bytes.append(littleEndian: UInt32(0))
        bytes.append(littleEndian: CRC32C.check(bytes[...]))
        bytes += payload
        while bytes.count % 8 != 0 { bytes.append(0) }
        return bytes
    }

    /// Reads a record's header; nil where it is none, or damaged.
    static func header(_ bytes: ArraySlice<UInt8>) -> Header? {
        let start = bytes.startIndex
        guard bytes.count == headerLength, bytes.starts(with: recordMagic),
            littleEndian(bytes.suffix(4)) == CRC32C.check(bytes.dropLast(4))
        else { return nil }
        func number<T: FixedWidthInteger>(_ place: Int) -> T {
            littleEndian(bytes[start + place..<start + place + MemoryLayout<T>.size])
        }
        let length: UInt32 = number(32)
        guard Int(length) <= payloadLimit else { return nil }
        return Header(
            kind: bytes[start + 4],
            stream: bytes[start + 5],
            flags: number(8),
            index: number(12),
            time: number(16),
            received: number(24),
            length: Int(length),
            payloadCheck: number(36)
        )
    }

    /// Reads a file's header and gives its session; nil where it is none, or damaged.
    static func session(_ bytes: ArraySlice<UInt8>) -> (major: UInt16, session: UInt64)? {
        let start = bytes.startIndex
        guard bytes.count == fileHeaderLength, bytes.starts(with: magic),
            littleEndian(bytes.suffix(4)) == CRC32C.check(bytes.dropLast(4))
        else { return nil }
        return (
            littleEndian(bytes[start + 8..<start + 10]),
            littleEndian(bytes[start + 12..<start + 20])
        )
    }
}
