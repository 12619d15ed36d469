import Graph
import Media

/// Passes audio on later, slower, or both: for tests of the engine.
///
/// With `hold` a packet goes out when that many newer ones have come, the last ones at the end of the
/// input. With `work` every packet keeps the processor busy for that long. Times and samples stay as
/// they are. Memory: the packets held.
struct TestDelay: Node {
    static let kind = "test.delay"
    static let execution = Execution.serial
    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let hold: Int
    let work: MediaTime
    private var held: [Packet<AudioBlock>] = []

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, changes: .accepts, "Audio at any rate.")
        out = c.output("audio", like: audio, "The same.")
        hold = c.integer("hold", default: 0, in: 0...10_000, .none, "How many packets it keeps.")
        work = c.time(
            "work",
            default: .time(.zero),
            "How long every packet keeps a processor busy."
        )
        .resolved(sampleRate: 48_000)
        c.require(work <= MediaTime(10, 1), "work", "must be at most 10 seconds")
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(audio) {
            spin()
            held.append(packet)
            if held.count > hold { emitFirst(&io) }
        }
    }

    mutating func finish(_ io: inout IO) {
        guard !held.isEmpty else { return }
        emitFirst(&io)
        io.more()
    }

    private mutating func emitFirst(_ io: inout IO) {
        let packet = held.removeFirst()
        io.emit(packet.payload, like: packet, on: out)
    }

    /// Keeps the processor busy for the time of `work`.
    private func spin() {
        let nanoseconds = work.converted(to: 1_000_000_000).value
        if nanoseconds == 0 { return }
        let end = ContinuousClock.now.advanced(by: .nanoseconds(nanoseconds))
        while ContinuousClock.now < end {}
    }
}
