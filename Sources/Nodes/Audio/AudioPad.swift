import Graph
import Media

/// Puts silence before and after audio.
///
/// What comes in is moved by `before`. No latency. Deterministic.
struct AudioPad: Node {
    static let kind = "audio.pad"
    static let execution = Execution.serial
    /// Samples of silence made at once.
    private static let piece: Int64 = 4096

    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let before: TimeValue
    let after: TimeValue
    private var format: AudioFormat?
    /// Samples of silence that are out, before and after.
    private var led: Int64 = 0
    private var trailed: Int64 = 0
    private var pending: Packet<AudioBlock>?
    /// Where the last sample ends on the output.
    private var end: Int64 = 0

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, "Audio at any rate.")
        out = c.output("audio", "The same with silence around it.")
        before = c.time("before", default: .time(.zero), "How much silence comes first.")
        after = c.time("after", default: .time(.zero), "How much silence comes last.")
    }

    private func count(_ time: TimeValue, _ format: AudioFormat) -> Int64 {
        format.index(of: time.resolved(sampleRate: format.sampleRate))
    }

    func resolve(_ f: inout Formats) {
        guard let format = f[audio] else { return }
        let length = f.duration(of: audio).map {
            format.time(
                of: count(before, format) + count(after, format)
                    + $0.converted(to: Int32(format.sampleRate), rounding: .up).value
            )
        }
        f.set(out, format, duration: length)
    }

    mutating func start(_ f: borrowing Formats) {
        format = f[audio]
    }

    mutating func run(_ io: inout IO) {
        while let packet = pending ?? io.take(audio) {
            pending = nil
            let block = packet.payload
            let lead = count(before, block.format)
            if led < lead {
                pending = packet
                led += emitSilence(block.format, at: led, atMost: lead - led, &io)
                io.more()
                return
            }
            let start = block.format.index(of: packet.time) + lead
            end = start + Int64(block.frameCount)
            io.emit(
                block,
                at: block.format.time(of: start),
                duration: block.duration,
                flags: packet.flags,
                on: out
            )
        }
    }

    mutating func finish(_ io: inout IO) {
        guard let format else { return }
        let tail = count(after, format)
        // Of nothing, what comes before and after is still there.
        let lead = count(before, format)
        if led < lead {
            led += emitSilence(format, at: led, atMost: lead - led, &io)
            end = led
            io.more()
        } else if trailed < tail {
            trailed += emitSilence(
                format,
                at: end + trailed,
                atMost: tail - trailed,
                &io
            )
            io.more()
        }
    }

    /// Emits at most a piece of silence; returns how many samples it has.
    private func emitSilence(
        _ format: AudioFormat,
        at position: Int64,
        atMost count: Int64,
        _ io: inout IO
    ) -> Int64 {
        let block = AudioBlock.silence(format, frameCount: Int(min(count, Self.piece)))
        io.emit(block, at: format.time(of: position), duration: block.duration, on: out)
        return Int64(block.frameCount)
    }
}
