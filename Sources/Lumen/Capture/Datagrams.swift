import Codecs

/// A host's datagram of audio.
///
/// A tag, u32 sequence number, u64 host clock in ns, then Opus; 0xD2 has the length of the packet before it
/// and the packet that went before behind it, 0xCB comes from the client's microphone. All little-endian.
struct Datagram {
    static let audioTags: Set<UInt8> = [0xC9, 0xCB, 0xD2]
    static let headerLength = 13

    /// The packet, then, where the datagram carries one, that before it.
    let packets: [(bytes: [UInt8], index: UInt32, time: UInt64?)]
    /// Whether it is a microphone's.
    let isMono: Bool

    /// Reads a datagram; nil where it is not as long as it says, or carries no Opus.
    init?(_ bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex
        guard bytes.count >= Self.headerLength, let tag = bytes.first, Self.audioTags.contains(tag)
        else { return nil }
        isMono = tag == 0xCB
        let index: UInt32 = littleEndian(bytes[start + 1..<start + 5])
        let time: UInt64 = littleEndian(bytes[start + 5..<start + 13])
        let body = bytes[(start + 13)...]
        guard tag == 0xD2 else {
            packets = [(Array(body), index, time)]
            return
        }
        guard let split = Self.split(body) else { return nil }
        var packets = [(bytes: split.primary, index: index, time: UInt64?.some(time))]
        if let copy = split.copy { packets.append((copy, index &- 1, nil)) }
        self.packets = packets
    }

    /// Takes the body of a datagram with redundancy apart; nil where its length is beyond it.
    static func split(_ body: ArraySlice<UInt8>) -> (primary: [UInt8], copy: [UInt8]?)? {
        guard body.count >= 2 else { return nil }
        let length = Int(littleEndian(body.prefix(2)) as UInt16)
        let rest = body.dropFirst(2)
        guard length <= rest.count else { return nil }
        let copy = rest.dropFirst(length)
        return (Array(rest.prefix(length)), copy.isEmpty ? nil : Array(copy))
    }
}

/// Datagrams, each behind its length in two bytes.
struct DatagramFile: CaptureFormat {
    let bytes: CaptureBytes
    private var waiting: [CaptureRecord] = []
    private var channels: Int?

    init(bytes: CaptureBytes) { self.bytes = bytes }

    mutating func next() throws -> CaptureRecord? {
        if let record = waiting.popLast() { return record }
        guard try bytes.require(1) else { return nil }
        let offset = bytes.offset
        guard try bytes.require(2) else { return tail(offset) }
        let length = Int(bytes.number(at: 0, as: UInt16.self))
        guard try bytes.require(2 + length) else { return tail(offset) }
        bytes.skip(2)
        let datagram = bytes.take(length)
        guard let tag = datagram.first, Datagram.audioTags.contains(tag) else { return .other }
        guard let audio = Datagram(datagram[...]) else {
            return .damage("a datagram of \(length) bytes is not what its tag says", offset: offset)
        }
        // The copy of the packet before comes first, so that it can stand in for it.
        waiting = audio.packets.map { packet in
            .audio(
                packet.bytes,
                CaptureStamp(offset: offset, index: packet.index, time: packet.time)
            )
        }
        let count = audio.isMono ? 1 : 2
        if channels != count {
            channels = count
            waiting.append(.description(CaptureDescription(audio: .init(channels: count))))
        }
        return waiting.popLast()
    }

    private func tail(_ offset: Int64) -> CaptureRecord {
        .damage(
            "the last \(bytes.take(bytes.count).count) bytes are less than a datagram",
            offset: offset
        )
    }
}
