import Codecs
import Media

/// Reads a capture log record by record, and finds its way again behind damage.
///
/// A length is believed only when its header's check is right; else the next header that has a right one is
/// looked for. Memory: one payload.
struct LogReader: CaptureFormat {
    let bytes: CaptureBytes
    private var streams: (video: UInt8?, audio: UInt8?)
    private var waiting: [CaptureRecord] = []
    /// Where the last record that was whole ends.
    private(set) var end: Int64 = 0
    /// The last description, as it is written.
    private(set) var description: [UInt8] = []

    init(bytes: CaptureBytes) { self.bytes = bytes }

    mutating func next() throws -> CaptureRecord? {
        if let record = waiting.popLast() { return record }
        guard try bytes.require(1) else { return nil }
        let offset = bytes.offset
        if let session = try takeFileHeader() { return session }
        guard try bytes.require(CaptureLog.headerLength),
            let header = CaptureLog.header(bytes.peek(0..<CaptureLog.headerLength))
        else { return try resume(from: offset) }
        return try take(header, offset)
    }

    private mutating func takeFileHeader() throws -> CaptureRecord? {
        let length = CaptureLog.fileHeaderLength
        guard try bytes.require(length),
            let (major, session) = CaptureLog.session(bytes.peek(0..<length))
        else { return nil }
        guard major == CaptureLog.version.major else {
            throw CodecError(
                call: "read",
                code: 0,
                text: "it is of version \(major), and \(CaptureLog.version.major) is read",
                subject: bytes.name
            )
        }
        bytes.skip(length)
        end = bytes.offset
        streams = (nil, nil)
        return .session(session)
    }

    /// Looks for the next place where reading can go on.
    private mutating func resume(from offset: Int64) throws -> CaptureRecord {
        repeat { bytes.skip(1) } while try bytes.require(1) && !isStart(at: 0)
        let lost = bytes.offset - offset
        return .damage("\(lost) bytes are no record", offset: offset)
    }

    /// Whether a record or a file begins there, by its check.
    private func isStart(at index: Int) throws -> Bool {
        let first = try bytes.require(index + 4) ? bytes[index] : 0
        if first == CaptureLog.recordMagic[0], try bytes.require(index + CaptureLog.headerLength) {
            return CaptureLog.header(bytes.peek(index..<index + CaptureLog.headerLength)) != nil
        }
        if first == CaptureLog.magic[0], try bytes.require(index + CaptureLog.fileHeaderLength) {
            return CaptureLog.session(bytes.peek(index..<index + CaptureLog.fileHeaderLength))
                != nil
        }
        return false
    }

    private mutating func take(_ header: CaptureLog.Header, _ offset: Int64) throws -> CaptureRecord
    {
        let length = CaptureLog.headerLength + header.length
        let isWhole = try bytes.require(length)
        var present = min(length, bytes.count)
        let payload = bytes.peek(CaptureLog.headerLength..<present)
        if isWhole, CRC32C.check(payload) == header.payloadCheck {
            bytes.skip(CaptureLog.headerLength)
            let payload = bytes.take(header.length)
            let padding = header.paddedLength - header.length
            if try bytes.require(padding) {
                bytes.skip(padding)
                end = bytes.offset
            } else {
                bytes.skip(bytes.count)
            }
            return record(header, payload, offset, isWhole: true)
        }
        // What was torn off may have another record behind it.
        var padding = header.paddedLength - header.length
        for index in CaptureLog.headerLength..<present where try isStart(at: index) {
            (present, padding) = (index, 0)
            break
        }
        bytes.skip(CaptureLog.headerLength)
        let rest = bytes.take(present - CaptureLog.headerLength)
        while padding > 0, try bytes.require(1), bytes[0] == 0 {
            bytes.skip(1)
            padding -= 1
        }
        return record(header, rest, offset, isWhole: false)
    }

    private mutating func record(
        _ header: CaptureLog.Header,
        _ payload: [UInt8],
        _ offset: Int64,
        isWhole: Bool
    ) -> CaptureRecord {
        let stamp = CaptureStamp(
            offset: offset,
            flags: header.flags & ~(CaptureLog.Flag.partial | CaptureLog.Flag.redundancy),
            index: header.index,
            time: header.time,
            received: header.received == 0 ? nil : header.received,
            isComplete: isWhole && header.flags & CaptureLog.Flag.partial == 0
        )
        switch CaptureLog.Kind(rawValue: header.kind) {
        case .video:
            if streams.video == nil { streams.video = header.stream }
            return header.stream == streams.video ? .unit(payload, stamp) : .other
        case .audio:
            if streams.audio == nil { streams.audio = header.stream }
            if header.stream != streams.audio { return .other }
            guard isWhole else {
                return .damage("a packet of audio has a wrong checksum", offset: offset)
            }
            return audio(header, payload, stamp, offset)
        case _ where !isWhole:
            return .damage("a record of type \(header.kind) has a wrong checksum", offset: offset)
        case .description:
            guard let (description, streams) = LogDescription.read(payload) else {
                return .damage("a description cannot be read", offset: offset)
            }
            self.description = payload
            self.streams = streams
            return .description(description)
        case .mode where payload.count >= 16:
            func number(_ place: Int) -> UInt32 { littleEndian(payload[place..<place + 4]) }
            let (numerator, denominator) = (number(8), number(12))
            let isRate =
                (1...UInt32(Int32.max)).contains(numerator)
                && (1...UInt32(Int32.max)).contains(denominator)
            return .mode(
                width: number(0),
                height: number(4),
                rate: isRate ? Rate(Int32(numerator), Int32(denominator)) : nil
            )
        case .clockStep where payload.count >= 8:
            return .clockStep(littleEndian(payload[0..<8]))
        default: return .other
        }
    }

    private mutating func audio(
        _ header: CaptureLog.Header,
        _ payload: [UInt8],
        _ stamp: CaptureStamp,
        _ offset: Int64
    ) -> CaptureRecord {
        guard header.flags & CaptureLog.Flag.redundancy != 0 else { return .audio(payload, stamp) }
        guard let (primary, copy) = Datagram.split(payload[...]) else {
            return .damage("a packet of audio is shorter than it says", offset: offset)
        }
        guard let copy else { return .audio(primary, stamp) }
        waiting = [.audio(primary, stamp)]
        return .audio(
            copy,
            CaptureStamp(offset: offset, index: header.index &- 1, received: stamp.received)
        )
    }
}
