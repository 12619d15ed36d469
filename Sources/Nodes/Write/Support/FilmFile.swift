import Codecs
import Graph
import Media

/// One film that is being written: its container, its tracks, and what must be found when it is read back.
struct FilmFile: ~Copyable {
    private let container: Container
    /// What is written; nil for standard output.
    private let file: OutputFile?
    private var muxer: Muxer
    private var expected: [WrittenStream]
    /// What is taken off all times, so that the film begins at 0.
    private let shift: MediaTime
    private var damaged: [(start: MediaTime, end: MediaTime)] = []

    /// Opens a film.
    ///
    /// - Parameters:
    ///   - file: where to; nil is standard output.
    ///   - container: which kind.
    ///   - tracks: what packets will come.
    ///   - shift: what is taken off all times.
    ///   - indexFirst: whether it can be played while it loads.
    ///   - metadata: what is stored of how it was made.
    /// - Throws: what the muxer throws.
    init(
        _ file: OutputFile?,
        _ container: Container,
        tracks: [EncodedFormat],
        shift: MediaTime,
        indexFirst: Bool,
        metadata: [String: String]
    ) throws {
        var metadata = metadata
        if let epoch = tracks.lazy.compactMap(\.epoch).first {
            let start = epoch &+ shift.converted(to: 1_000_000_000).value
            metadata["captureStartNanoseconds"] = "\(start)"
        }
        muxer = try Muxer(
            container,
            to: file.map { .file($0) } ?? .standardOutput,
            streams: tracks,
            metadata: metadata,
            indexFirst: indexFirst
        )
        expected = tracks.map { WrittenStream($0) }
        self.container = container
        self.file = file
        self.shift = shift
    }

    /// Writes one packet; one of Opus without bytes becomes one that players fill in themselves.
    mutating func write(_ packet: Packet<EncodedPacket>, track: Int) throws {
        let payload = packet.payload
        let isMissing = payload.format.codec == "opus" && payload.bytes.count == 0
        let unit = EncodedUnit(
            packet: isMissing ? payload.concealed : payload,
            decodingTime: packet.time,
            duration: packet.duration,
            isKey: packet.flags.contains(.key)
        )
        try write(unit, track: track)
    }

    /// Writes one packet as it is.
    mutating func write(_ unit: EncodedUnit, track: Int) throws {
        try muxer.write(unit, stream: track, earlierBy: shift)
        expected[track].note(unit, earlierBy: shift)
    }

    /// Takes note of damage, for the chapters.
    mutating func noteDamage(at time: MediaTime, for duration: MediaTime) {
        let start = time.adding(MediaTime(-shift.value, shift.scale))
        let end = start.adding(duration)
        if let last = damaged.last, start <= last.end {
            damaged[damaged.count - 1].end = max(last.end, end)
        } else if damaged.count < 1000 {
            damaged.append((start, end))
        }
    }

    /// Ends the film and reads it back.
    ///
    /// - Throws: `FilmError` where it is not what was written.
    consuming func finish(_ verification: OutputVerification) throws {
        for (number, damage) in damaged.enumerated() {
            try muxer.addChapter("Damage \(number + 1)", from: damage.start, to: damage.end)
        }
        let (expected, file, container) = (expected, file, container)
        try muxer.finish()
        if expected.allSatisfy({ $0.packetCount == 0 }) {
            throw FilmError(
                "no packet came in, so that \(file?.path ?? "it") would be empty"
            )
        }
        guard let file else { return }
        let areReceived = expected.allSatisfy(\.format.isReceived)
        let depth: FilmCheck.Depth =
            verification == .full ? .full : areReceived ? .packets : .fast
        let found = try FilmCheck(path: file.temporaryPath, depth: depth)
        try WrittenStream.compare(expected, with: found, in: container)
    }
}

extension EncodedPacket {
    /// In the place of a packet of Opus that is missing: one without sound, which decoders fill in.
    ///
    /// Each stream's packet is only its first byte, as of 5 ms; of several all but the last tell their length
    /// (RFC 6716, appendix B).
    fileprivate var concealed: EncodedPacket {
        let header = format.configuration
        let isMultiple = header.count > 20 && header[18] != 0
        let (streams, coupled) = isMultiple ? (Int(header[19]), Int(header[20])) : (1, 0)
        let isStereo = header.count > 9 && header[9] == 2
        var bytes: [UInt8] = []
        for stream in 0..<streams {
            bytes.append(stream < coupled || !isMultiple && isStereo ? 0xEC : 0xE8)
            if stream < streams - 1 { bytes.append(0) }
        }
        return EncodedPacket(
            format: format,
            bytes: Writable(copying: bytes),
            presentationTime: presentationTime
        )
    }
}
