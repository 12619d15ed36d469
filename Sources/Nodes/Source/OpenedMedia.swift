import Codecs
import Media

/// What `source.media` reads from, opened when formats are resolved and read when the node runs.
final class OpenedMedia {
    /// A file, or the built-in track.
    enum Reader: ~Copyable {
        case file(MediaReader)
        case demo(DemoReader)
    }

    /// What was found.
    struct Contents {
        var audio: (format: AudioFormat, duration: MediaTime?)?
        var video: (format: VideoFormat, rate: Rate?, duration: MediaTime?)?
    }

    private var file: MediaReader?
    private var demo: DemoReader?

    /// Opens it unless it is open already.
    func prepare(_ open: () throws -> Reader) throws {
        guard file == nil, demo == nil else { return }
        switch try open() {
        case .file(let reader): file = consume reader
        case .demo(let reader): demo = reader
        }
    }

    /// What it holds; opens it unless it is open already.
    func contents(_ open: () throws -> Reader) throws -> Contents {
        try prepare(open)
        guard let info = file?.info else {
            let length = DemoTrack.format.time(of: Int64(DemoTrack.frameCount))
            return Contents(audio: (DemoTrack.format, length))
        }
        func duration(_ stream: Int?) -> MediaTime? {
            stream.flatMap { info.streams[$0].duration } ?? info.duration
        }
        return Contents(
            audio: info.audioFormat.map { ($0, duration(info.bestAudio)) },
            video: info.videoFormat.map { ($0.format, $0.frameRate, duration(info.bestVideo)) }
        )
    }

    /// The next block or picture; nil at the end.
    func next() throws -> Decoded? {
        if let decoded = try file?.next() { return decoded }
        return demo?.next()
    }

    /// What was wrong with it so far.
    var damage: DamageReport { file?.damage ?? DamageReport() }
}

/// Plays a part of the built-in track.
struct DemoReader {
    private var track = DemoTrack()
    private let range: Range<Int64>

    /// Begins at sample `start`; ends before sample `end`, or where the track does.
    init(from start: Int64, to end: Int64?) {
        let count = Int64(DemoTrack.frameCount)
        let first = min(max(start, 0), count)
        range = first..<max(first, min(end ?? count, count))
    }

    /// The next block; nil at the end.
    mutating func next() -> Decoded? {
        while Int64(track.position) < range.upperBound {
            let position = Int64(track.position)
            guard let block = track.next() else { return nil }
            let part = range.clamped(to: position..<position + Int64(block.frameCount))
            if part.isEmpty { continue }
            let kept = block.part(
                Int(part.lowerBound - position)..<Int(part.upperBound - position)
            )
            return .audio(
                kept,
                time: DemoTrack.format.time(of: part.lowerBound - range.lowerBound)
            )
        }
        return nil
    }
}
