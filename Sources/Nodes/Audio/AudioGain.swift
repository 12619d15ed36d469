import Graph
import Media

/// Multiplies audio by a constant.
///
/// No latency. Deterministic. Samples may go beyond full scale; nothing is clipped here.
struct AudioGain: Node {
    static let kind = "audio.gain"
    static let execution = Execution.stateless
    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let gain: Float

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, changes: .accepts, "Audio at any rate.")
        out = c.output("audio", like: audio, "The same, louder or softer.")
        gain = c.decibels("gain", default: 0, in: -120...60, "How much louder.")
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(audio) {
            io.emit(packet.payload.scaled(by: gain), like: packet, on: out)
        }
    }
}
