import Codecs

/// Video without borders: the whole file is one byte stream.
struct BareVideo: CaptureFormat {
    let bytes: CaptureBytes

    mutating func next() throws -> CaptureRecord? { try bytes.takePiece().map { .video($0) } }
}

/// Opus packets of 80 bytes in a row: what 128 kbit/s at a constant rate gives for 5 ms.
struct BareOpus: CaptureFormat {
    static let packetLength = 80
    /// How such a packet begins: CELT, full band, 5 ms, stereo, one frame.
    static let kind: UInt8 = 0xEC

    let bytes: CaptureBytes
    private var index: UInt32 = 0
    private var hasDescribed = false

    init(bytes: CaptureBytes) { self.bytes = bytes }

    mutating func next() throws -> CaptureRecord? {
        if !hasDescribed {
            hasDescribed = true
            return .description(CaptureDescription(audio: .init(channels: 2)))
        }
        let offset = bytes.offset
        guard try bytes.require(Self.packetLength) else {
            if bytes.count == 0 { return nil }
            let rest = bytes.take(bytes.count)
            return .damage("the last \(rest.count) bytes are less than a packet", offset: offset)
        }
        defer { index &+= 1 }
        return .audio(
            bytes.take(Self.packetLength),
            CaptureStamp(offset: offset, index: index)
        )
    }
}
