import Codecs
import Lumen
import Media

extension EncodedFormat {
    /// Opus as captures have it: 48 kHz, nothing to skip at the start.
    ///
    /// The configuration is the header of RFC 7845, section 5.1: hosts order channels as FL FR FC LFE RL RR SL
    /// SR, the header as FL FC FR SL SR RL RR LFE.
    init?(opus audio: CaptureDescription.Audio) {
        let channels = audio.channels
        let order: [UInt8]
        switch channels {
        case 1, 2: order = []
        case 6: order = [0, 2, 1, 4, 5, 3]
        case 8: order = [0, 2, 1, 6, 7, 4, 5, 3]
        default: return nil
        }
        var header = Array("OpusHead".utf8) + [1, UInt8(channels), 0, 0]
        header += [0x80, 0xBB, 0, 0, 0, 0]
        if order.isEmpty {
            header.append(0)
        } else {
            let (streams, coupled) = audio.streamCounts
            header += [1, UInt8(clamping: streams), UInt8(clamping: coupled)] + order
        }
        self.init(
            codec: "opus",
            content: .audio(
                AudioFormat(sampleRate: 48_000, channels: channels),
                priming: 0,
                packetLength: 0
            ),
            configuration: header,
            isReceived: true
        )
    }
}

extension EncodedPacket {
    /// A packet of a capture; without bytes where it is missing or the host was silent.
    convenience init(_ packet: TimedPacket) {
        guard let format = EncodedFormat(opus: packet.audio) else {
            preconditionFailure("Captures have 1, 2, 6 or 8 channels.")
        }
        self.init(
            format: format,
            bytes: Writable(copying: packet.bytes ?? []),
            presentationTime: MediaTime(packet.position, 48_000)
        )
    }
}
