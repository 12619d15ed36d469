import Codecs
import Lumen
import Media

/// A file that units and packets of a capture are written to as they are: a log, or a byte stream.
struct CaptureSink {
    private let file: OutputFile
    private let isLog: Bool
    private var hasBegun = false
    private let description: CaptureDescription
    private let start: UInt64

    /// Makes the file beside its name; `.lumencap` is a log, anything else a byte stream.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - description: what the streams are.
    ///   - start: what pictures and audio without stamps are counted from, on the host's clock, in ns.
    /// - Throws: `FileError` when the file cannot be made.
    init(_ path: String, _ description: CaptureDescription, start: UInt64) throws {
        file = try OutputFile(path: path)
        isLog = path.hasSuffix(".lumencap")
        self.description = description
        self.start = start
    }

    /// Writes a picture or a packet; a packet that is missing is not there, and a byte stream has no audio.
    mutating func write(_ item: CaptureItem) throws {
        switch item {
        case .picture(let picture): try write(picture)
        case .audio(let packet) where isLog: try write(packet)
        case .audio: break
        }
    }

    private mutating func write(_ picture: TimedPicture) throws {
        let unit = picture.picture
        guard isLog else { return try file.write(unit.bytes.span) }
        try begin(unit.bytes, unit.form)
        var stamp = unit.stamp
        if stamp.time == nil { stamp.time = hosts(picture.time) }
        if stamp.index == nil { stamp.index = UInt32(truncatingIfNeeded: unit.number) }
        if stamp.flags == nil { stamp.flags = unit.isRandomAccess ? 5 : 1 }
        try file.write(CaptureLog.record(unit: unit.bytes[...], stamp).span)
    }

    private mutating func write(_ packet: TimedPacket) throws {
        guard let bytes = packet.bytes else { return }
        try begin(bytes, nil)
        var stamp = packet.stamp
        if stamp.time == nil { stamp.time = hosts(MediaTime(packet.position, 48_000)) }
        try file.write(CaptureLog.record(packet: bytes[...], stamp).span)
    }

    private func hosts(_ time: MediaTime) -> UInt64 {
        start &+ UInt64(bitPattern: time.converted(to: 1_000_000_000).value)
    }

    /// The same inputs give the same log, so the session's number is made of them.
    private mutating func begin(_ bytes: [UInt8], _ form: PictureForm?) throws {
        if !hasBegun {
            hasBegun = true
            let session = UInt64(CRC32C.check(bytes[...])) << 32 | UInt64(bytes.count)
            try file.write(CaptureLog.fileHeader(session: session).span)
            try file.write(
                CaptureLog.record(
                    description,
                    width: form?.format.width,
                    height: form?.format.height
                ).span
            )
        }
    }

    /// Ends the file and gives it its name.
    func finish() throws {
        if isLog { try file.write(CaptureLog.endRecord.span) }
        try file.commit()
    }
}

extension CaptureReport {
    /// Reads a capture to its end, and tells all that it gives.
    init(of path: String, _ rate: Rate?, _ note: (CaptureItem) -> Void = { _ in }) throws {
        let reader = try CaptureReader(path: path, rate: rate)
        while let item = try reader.next() { note(item) }
        self = reader.report
    }

    /// What its streams are, as a log tells it.
    var description: CaptureDescription {
        CaptureDescription(
            video: changes.first.map { .init(codec: $0.form.codec, rate: rate) },
            audio: audio.map { .init(channels: $0.channels) }
        )
    }
}
