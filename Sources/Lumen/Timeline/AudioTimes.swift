import Media

/// A packet of audio before the start of the timeline is known.
struct UntimedPacket {
    var bytes: [UInt8]?
    /// In samples at 48 kHz from the first packet.
    var position: Int64
    var sampleCount: Int
    var audio: CaptureDescription.Audio
    var stamp: CaptureStamp
    /// When the packet was stamped, on the risen clock, in ns.
    var stamped: Int64?
    var isBroken: Bool
}

/// Gives packets of audio their places, by counting samples.
///
/// Packets follow each other without a gap, since hosts number them through silence and loss. A microphone's
/// do not while it is muted: there a stamp far ahead leaves a gap.
struct AudioTimes {
    private let audio: CaptureDescription.Audio
    /// Nothing begins before this on the timeline, in samples: what came before ended there.
    private let floor: Int64
    private var position: Int64 = 0
    private var length = 240
    private var start: Int64?
    private var isFirst = true

    /// So far ahead is a pause, and no late packet; in ns.
    private static let pause: Int64 = 250_000_000

    init(_ audio: CaptureDescription.Audio, after floor: Int64) {
        self.audio = audio
        self.floor = floor
    }

    mutating func take(
        _ packet: AudioSequence.Placed,
        _ clock: inout CaptureClock
    ) -> UntimedPacket {
        let stamped = packet.stamp.time.map {
            clock.time(of: $0, .audio, received: packet.stamp.received)
        }
        if isFirst { start = stamped }
        isFirst = false
        if audio.channels == 1, let start, let stamped {
            let due = start + Self.nanoseconds(position)
            if stamped - due > Self.pause { position += Self.samples(stamped - due) }
        }
        var bytes = packet.bytes
        var isBroken = false
        if let whole = bytes, !whole.isEmpty {
            let count = OpusPacket.sampleCount(whole[...])
            // A host's packets hold 5 ms; only a microphone's may differ.
            if let count, audio.channels == 1 || count == 240 {
                length = count
            } else {
                bytes = nil
                isBroken = true
            }
        }
        defer { position += Int64(length) }
        return UntimedPacket(
            bytes: bytes,
            position: position,
            sampleCount: length,
            audio: audio,
            stamp: packet.stamp,
            stamped: stamped,
            isBroken: isBroken
        )
    }

    /// Where the first packet lies on the timeline, in samples.
    ///
    /// - Parameters:
    ///   - origin: the start of the timeline on the risen clock, in ns.
    ///   - joinedAt: where on the timeline the capture begins, in ns.
    /// - Returns: the place; no packet lies before the start, or before the end of what came before.
    func startPosition(origin: Int64, joinedAt: Int64) -> Int64 {
        max(floor, Self.samples((start ?? origin) - origin + joinedAt))
    }

    private static func nanoseconds(_ samples: Int64) -> Int64 {
        MediaTime(samples, 48_000).converted(to: 1_000_000_000).value
    }

    private static func samples(_ nanoseconds: Int64) -> Int64 {
        MediaTime(nanoseconds, 1_000_000_000).converted(to: 48_000).value
    }
}
