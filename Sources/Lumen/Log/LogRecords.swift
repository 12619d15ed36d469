public import Media

/// The records of a log, as bytes.
extension CaptureLog {
    /// Says what the streams are from here on; pictures are stream 0, audio stream 1.
    ///
    /// - Parameters:
    ///   - description: the streams.
    ///   - width: of the pictures, where known.
    ///   - height: of the pictures, where known.
    /// - Returns: the record.
    public static func record(
        _ description: CaptureDescription,
        width: Int? = nil,
        height: Int? = nil
    ) -> [UInt8] {
        bytes(.description, LogDescription.write(description, width: width, height: height)[...])
    }

    /// An access unit.
    ///
    /// - Parameters:
    ///   - unit: its bytes, as the decoder would get them; at most `payloadLimit`.
    ///   - stamp: what is known of it; its offset does not count.
    /// - Returns: the record.
    public static func record(unit: ArraySlice<UInt8>, _ stamp: CaptureStamp) -> [UInt8] {
        bytes(.video, unit, stamp)
    }

    /// A packet of audio.
    ///
    /// - Parameters:
    ///   - packet: Opus; empty where the host was silent.
    ///   - stamp: what is known of it; its offset does not count.
    ///   - hasRedundancy: whether it is the body of a datagram 0xD2, with the packet before behind it.
    /// - Returns: the record.
    public static func record(
        packet: ArraySlice<UInt8>,
        _ stamp: CaptureStamp,
        hasRedundancy: Bool = false
    ) -> [UInt8] {
        bytes(.audio, packet, stamp, stream: 1, flags: hasRedundancy ? Flag.redundancy : 0)
    }

    /// Mastering display and light levels as they came in a datagram 0xCE, without its tag.
    public static func record(hdr body: ArraySlice<UInt8>) -> [UInt8] { bytes(.hdr, body) }

    /// The mode that the host was asked for.
    public static func record(mode width: UInt32, _ height: UInt32, _ rate: Rate) -> [UInt8] {
        var body: [UInt8] = []
        for number in [width, height, UInt32(rate.numerator), UInt32(rate.denominator)] {
            body.append(littleEndian: number)
        }
        return bytes(.mode, body[...])
    }

    /// Tells that the host's clock was set, by so many ns.
    public static func record(clockStep: Int64) -> [UInt8] {
        var body: [UInt8] = []
        body.append(littleEndian: clockStep)
        return bytes(.clockStep, body[...])
    }

    /// Tells that the capture ended as it should.
    public static var endRecord: [UInt8] { bytes(.end, []) }

    private static func bytes(
        _ kind: Kind,
        _ payload: ArraySlice<UInt8>,
        _ stamp: CaptureStamp = CaptureStamp(),
        stream: UInt8 = 0,
        flags: UInt32 = 0
    ) -> [UInt8] {
        precondition(payload.count <= payloadLimit, "A payload has at most 64 MiB.")
        let header = Header(
            kind: kind.rawValue,
            stream: stream,
            flags: (stamp.flags ?? 0) | flags | (stamp.isComplete ? 0 : Flag.partial),
            index: stamp.index ?? 0,
            time: stamp.time ?? 0,
            received: stamp.received ?? 0
        )
        return bytes(header, payload)
    }
}
