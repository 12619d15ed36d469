import Codecs
import Media

/// What went into one track of a film, to be compared with what is read back.
struct WrittenStream {
    let format: EncodedFormat
    private(set) var packetCount = 0
    /// Packets that end at or before 0: they prime the decoder and are not heard.
    private var primingCount = 0
    private var start: MediaTime?
    private var end: MediaTime?
    /// How long the packet lasts that ends last.
    private var lastLength = MediaTime.zero

    init(_ format: EncodedFormat) { self.format = format }

    /// Takes note of a packet.
    ///
    /// - Parameters:
    ///   - unit: the packet.
    ///   - shift: what was taken off its times.
    mutating func note(_ unit: EncodedUnit, earlierBy shift: MediaTime = .zero) {
        packetCount += 1
        var shown = unit.packet.presentationTime
        if shift != .zero { shown = shown.adding(MediaTime(-shift.value, shift.scale)) }
        let end = shown.adding(unit.duration)
        if end <= .zero {
            primingCount += 1
        } else {
            let heard = max(shown, .zero)
            start = min(start ?? heard, heard)
        }
        if self.end.map({ end > $0 }) ?? true {
            self.end = end
            lastLength = unit.duration
        }
    }

    /// Refuses a film that is not what was written.
    ///
    /// - Throws: `FilmError` with both numbers.
    static func compare(
        _ written: [WrittenStream],
        with film: FilmCheck,
        in container: Container
    ) throws(FilmError) {
        let filled = written.filter { $0.start != nil }
        guard filled.count == film.streams.count else {
            throw FilmError(
                "it holds \(film.streams.count) tracks, and \(filled.count) were written"
            )
        }
        for (number, (stream, found)) in zip(filled, film.streams).enumerated() {
            try stream.compare(with: found, in: container, number)
        }
    }

    private func compare(
        with found: FilmCheck.Stream,
        in container: Container,
        _ number: Int
    ) throws(FilmError) {
        let track = "track \(number) (\(format.codec))"
        // Whether what primes the decoder counts as a packet depends on the container, and PCM is
        // read in other pieces than it was written.
        let counts = packetCount - primingCount...packetCount
        if !counts.contains(found.packetCount), !format.codec.hasPrefix("pcm_") {
            throw FilmError(
                "\(track) holds \(found.packetCount) packets, and \(packetCount) were written"
            )
        }
        // Matroska counts in milliseconds.
        let tolerance = container == .mkv ? 0.0021 : 0.0005
        if let start, abs(found.start.seconds - start.seconds) > tolerance {
            throw FilmError("\(track) begins at \(found.start), and should at \(start)")
        }
        // libavformat's reader of mp4 forgets a track's late start when it cuts the last packet, and Matroska
        // does not store how long the last picture stands.
        var slack = 0.0
        switch format.content {
        case .audio where container == .mp4 || container == .mov:
            slack = min(start?.seconds ?? 0, lastLength.seconds)
        case .video(_, frameRate: nil) where container == .mkv: slack = lastLength.seconds
        default: break
        }
        if let end, abs(found.end.seconds - end.seconds) > tolerance + slack {
            throw FilmError("\(track) ends at \(found.end), and should at \(end)")
        }
    }
}

/// A film that was written is not what it should be.
struct FilmError: Error, Hashable, CustomStringConvertible {
    let text: String

    init(_ text: String) { self.text = text }

    var description: String { "the film is not as it should be: \(text)" }
}
