import CLibAV
import Media

/// Finds out whether a file ended before it says it does.
struct FileTail {
    /// The end that the header claims, in seconds on the file's clock; nil when it claims none.
    private let claimed: Double?
    /// Whether streams that are not decoded are read too, since the claim is about all of them.
    let watchesAll: Bool
    /// Whether the verdict needs to know how much a stream of unknown length still had.
    var needsLength: Bool { riffLength != nil }
    /// The end of the last packet so far, in seconds on the file's clock.
    private var reached = -Double.infinity
    /// What the file's last bytes told before anything was decoded.
    private let ogg: Damage?

    /// Seconds that may be missing because the header rounds.
    private let tolerance: Double
    /// The length that a RIFF header claims for the whole file, or its samples need.
    private let riffLength: Int64?

    init(
        _ info: MediaInfo,
        wanted: [Int],
        source: any ByteSource,
        head: [UInt8],
        position: Int64
    ) throws {
        riffLength = Self.riffLength(head)
        let isExact = ["mov", "matroska", "flac", "wav"].contains { info.container.hasPrefix($0) }
        // An MP3 file counts its frames, of which the shortest lasts 12 ms.
        tolerance = info.container == "mp3" ? 0.01 : isExact ? 0.03 : 0.5
        // Matroska claims one length for all streams; others say it of each.
        watchesAll = info.container.hasPrefix("matroska")
        if info.durationIsEstimated {
            claimed = nil
        } else if watchesAll {
            claimed = info.duration?.seconds
        } else {
            // An MP3 file's length counts from its first packet, which the priming it starts after is in.
            let countsPriming = info.container == "mp3"
            claimed = wanted.compactMap { index in
                let stream = info.streams[index]
                let start = countsPriming ? 0 : stream.startTime?.seconds ?? 0
                return stream.duration.map { $0.seconds + start }
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

    /// What the end of the file tells, once it is reached.
    ///
    /// - Parameters:
    ///   - position: where the reader stands in the file.
    ///   - length: the file's length, or of a stream how much there was.
    ///   - time: where it stands on the timeline.
    /// - Returns: what is missing, if something is.
    func verdict(position: Int64?, length: Int64?, at time: MediaTime?) -> Damage? {
        if let ogg { return ogg }
        if let riffLength, let length, length < riffLength {
            return Damage(
                kind: .truncated,
                time: time,
                bytePosition: length,
                text:
                    "the file ends \(riffLength - length) bytes before the end that its header tells"
            )
        }
        guard let claimed, reached < claimed - tolerance else { return nil }
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

    /// The file's length by a RIFF or RF64 header, or by the end of its samples, where they tell one.
    private static func riffLength(_ head: [UInt8]) -> Int64? {
        func number(_ at: Int, _ count: Int) -> UInt64 {
            (0..<count).reduce(0) { $0 | UInt64(head[at + $1]) << (8 * $1) }
        }
        guard head.count >= 28 else { return nil }
        let name = String(decoding: head[0..<4], as: UTF8.self)
        if name == "RF64" { return Int64(clamping: min(number(20, 8), 1 << 60)) + 8 }
        guard name == "RIFF" else { return nil }
        // Writers that cannot go back leave one of these in place of a length.
        func told(_ size: UInt64) -> Int64? {
            size != 0 && size < 0xFFFF_F000 ? Int64(size) + 8 : nil
        }
        let whole = told(number(4, 4))
        var place = 12
        while place + 8 <= head.count {
            let size = number(place + 4, 4)
            if head[place..<place + 4].elementsEqual("data".utf8) {
                return [whole, told(size).map { Int64(place) + $0 }].compactMap { $0 }.max()
            }
            place += 8 + Int(size) + Int(size & 1)
        }
        return whole
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
