import Graph
import Media

/// Takes one picture out of a film: the one shown at a time, or the one of a number.
///
/// Of `at` it is the last picture that has begun by then; a time beyond the end gives the last picture of all,
/// which is told. It keeps its time. Nothing is read beyond it.
///
/// No latency beyond the picture that follows. Memory: one picture. Deterministic.
struct VideoPick: Node, ~Copyable {
    static let kind = "video.pick"
    static let execution = Execution.serial

    let video: Input<VideoFrame>
    let out: Output<VideoFrame>
    let at: MediaTime?
    let index: Int?
    private var candidate: Candidate?
    private var isDone = false

    private struct Candidate {
        let picture: VideoFrame
        let time: MediaTime
        let duration: MediaTime
    }

    init(_ c: inout Contract) {
        video = c.input("video", .inOrder, "Pictures.")
        out = c.output("video", "The one picture.")
        let at = c.optionalTime("at", "The time at which it is shown.")
        let index = c.optionalInteger(
            "index",
            in: 0...1_000_000_000,
            .none,
            "Its number, counted from 0."
        )
        c.require(at == nil || index == nil, "index", "cannot stand beside \"at\"")
        // Pictures have no samples, in which times can be counted.
        self.at = at.map { $0.resolved(sampleRate: 48_000) }
        self.index = index
    }

    func resolve(_ f: inout Formats) {
        guard let format = f[video] else { return }
        f.set(out, format, bytesPerPacket: format.byteCount)
    }

    mutating func run(_ io: inout IO) throws {
        while !isDone, let packet = io.take(video) {
            let here = Candidate(
                picture: packet.payload,
                time: packet.time,
                duration: packet.duration
            )
            if let at {
                // One that begins later ends the search; before the first there is none but the first.
                if packet.time > at {
                    give(candidate ?? here, &io)
                } else {
                    candidate = here
                    if packet.duration > .zero, packet.time.adding(packet.duration) > at {
                        give(here, &io)
                    }
                }
            } else if packet.index == Int64(index ?? 0) {
                give(here, &io)
            } else {
                candidate = here
            }
        }
    }

    private mutating func give(_ found: Candidate, _ io: inout IO) {
        io.emit(found.picture, at: found.time, duration: found.duration, flags: .key, on: out)
        isDone = true
        candidate = nil
        io.enough(video)
    }

    mutating func finish(_ io: inout IO) throws {
        guard !isDone, let candidate else { return }
        let asked = at.map { "\($0)" } ?? "number \(index ?? 0)"
        let end = candidate.time.adding(candidate.duration)
        if at.map({ $0 >= end }) ?? true {
            io.environment.warn(
                "there is no picture at \(asked): the last one, at \(candidate.time), is taken"
            )
        }
        give(candidate, &io)
    }
}
