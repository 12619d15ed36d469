import Graph
import Media

/// Gives pictures at a constant rate: at each n/rate the last one that had come by then.
///
/// Pictures that come more often are left out, and where none comes the last one stands. The first picture
/// begins the output: nothing comes before it. Without `rate` all pictures pass as they are.
///
/// Latency: one picture. Memory: one picture. Deterministic.
struct VideoRate: Node, ~Copyable {
    static let kind = "video.rate"
    static let execution = Execution.serial
    /// Pictures that are repeated in one run.
    private static let burst = 64

    let video: Input<VideoFrame>
    let out: Output<VideoFrame>
    let rate: Rate?
    private var held: Packet<VideoFrame>?
    private var waiting: Packet<VideoFrame>?
    private var index: Int64 = 0

    init(_ c: inout Contract) {
        video = c.input("video", .inOrder, changes: .accepts, "Pictures at any times.")
        out = c.output("video", "Pictures at a constant rate.")
        rate = c.optionalRate("rate", in: Rate(1)...Rate(1000), .perSecond, "Pictures a second.")
    }

    func resolve(_ f: inout Formats) {
        guard let format = f[video] else { return }
        f.set(
            out,
            format,
            rate: rate ?? f.rate(of: video),
            duration: f.duration(of: video),
            bytesPerPacket: format.byteCount
        )
    }

    mutating func run(_ io: inout IO) {
        guard let rate else {
            while let packet = io.take(video) { io.pass(packet, on: out) }
            return
        }
        var count = 0
        while let next = waiting ?? io.take(video) {
            waiting = nil
            if held == nil { index = rate.count(before: next.time) }
            guard emit(upTo: next.time, &io, &count) else {
                // A long gap does not hold the engine up.
                waiting = next
                io.more()
                return
            }
            held = next
        }
    }

    /// Emits the held picture for every n/rate before a time; false where there are too many for one run.
    private mutating func emit(upTo end: MediaTime, _ io: inout IO, _ count: inout Int) -> Bool {
        guard let held, let rate else { return true }
        while rate.time(of: index) < end {
            if count >= Self.burst { return false }
            io.emit(
                held.payload,
                at: rate.time(of: index),
                duration: rate.interval,
                flags: held.flags,
                on: out
            )
            index += 1
            count += 1
        }
        return true
    }

    mutating func finish(_ io: inout IO) {
        guard let held else { return }
        var count = 0
        if !emit(upTo: held.time.adding(held.duration), &io, &count) { io.more() }
    }
}
