import CLibAV
import Media

/// Finds out whether a file ended before it says it does.
struct FileTail {
    /// The end that the header claims, in seconds on the file's clock; nil when it claims none.
    private let claimed: Double?
    /// Whether streams that are not decoded are read too, since the claim is about all of them.
    let watchesAll: Bool
    /// The end of the last packet so far, in seconds on the file's clock.
    private var reached = -Double.infinity
    /// What the file's last bytes told before anything was decoded.
    private let ogg: Damage?

    /// Less than this missing is a header's rounding.
    private static let tolerance = 0.1

    init(_ info: MediaInfo, wanted: [Int], source: any ByteSource, position: Int64) throws {
        // Matroska claims one length for all streams; others say it of each.
        watchesAll = info.container.hasPrefix("matroska")
        if info.durationIsEstimated {
            claimed = nil
        } else if watchesAll {
            claimed = info.duration?.seconds
        } else {
            claimed = wanted.compactMap { index in
                let stream = info.streams[index]
                return stream.duration.map { $0.seconds + (stream.startTime?.seconds ?? 0) }
            }.max()
        }
        ogg = info.container == "ogg" ? try Self.checkOgg(source, position: position) : nil
    }

    /// Takes note of a packet that was read.
    mutating func note(_ packet: UnsafeMutablePointer<AVPacket>, _ stream: AVRational) {
        let raw = unsafe packet.pointee
        let stamp = unsafe raw.pts != foxfire_no_time ? raw.pts : raw.dts
        guard let time = Fraction(stamp, stream) else { return }
        let duration = unsafe Fraction(raw.duration, stream)?.seconds ?? 0
        reached = max(reached, time.seconds + max(0, duration))
    }

    /// What the end of the file tells, once it is reached; `position` is where the reader stands.
    func verdict(position: Int64?, at time: MediaTime?) -> Damage? {
        if let ogg { return ogg }
        guard let claimed, reached < claimed - Self.tolerance else { return nil }
        let missing = MediaTime(
            seconds: min(claimed - max(reached, 0), 1e9),
            scale: 1000
        )
        return Damage(
            kind: .truncated,
            time: time,
            bytePosition: position,
            text: "the file ends \(missing) before the end that its header tells"
        )
    }

    /// Looks at the last page of an Ogg file, which must be whole and be marked as the last.
    private static func checkOgg(_ source: any ByteSource, position: Int64) throws -> Damage? {
        guard let length = source.length else { return nil }
        // A page has at most 65,307 bytes.
        let count = Int(min(length, 65_307))
        let first = length - Int64(count)
        var bytes = [UInt8](repeating: 0, count: count)
        try source.seek(to: first)
        var filled = 0
        while filled < count {
            var all = bytes.mutableSpan
            var rest = all._mutatingExtracting(filled..<count)
            let got = try source.read(into: &rest)
            if got == 0 { break }
            filled += got
        }
        try source.seek(to: position)
        let mark = Array("OggS".utf8)
        guard filled >= 27 else { return nil }
        for at in stride(from: filled - 27, through: 0, by: -1)
        where bytes[at] == mark[0] && Array(bytes[at..<at + 4]) == mark {
            let segments = Int(bytes[at + 26])
            let table = at + 27
            let sizes = bytes[min(table, filled)..<min(table + segments, filled)]
            let end = table + segments + sizes.reduce(0) { $0 + Int($1) }
            if end > filled {
                return Damage(
                    kind: .truncated,
                    time: nil,
                    bytePosition: first + Int64(at),
                    text: "the file ends within an Ogg page"
                )
            }
            if bytes[at + 5] & 4 != 0 { return nil }
            return Damage(
                kind: .truncated,
                time: nil,
                bytePosition: first + Int64(at),
                text: "the last Ogg page is not marked as the end of the stream"
            )
        }
        return nil
    }
}
