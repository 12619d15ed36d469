import Graph
import Media

/// Adds the noise that turns the errors of rounding to integers into an even hiss.
///
/// The sum of two even random numbers, ±1 step of `bits` (triangular, without noise shaping), so that
/// rounding to the nearest gives no distortion. Put it last before a writer of integers, and only once. The
/// noise depends on `seed`, the channel and the sample's place alone.
///
/// No latency. Deterministic on every machine.
struct AudioDither: Node {
    static let kind = "audio.dither"
    static let execution = Execution.stateless
    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let step: Float
    let seed: UInt64

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, changes: .accepts, "Audio at any rate.")
        out = c.output("audio", like: audio, "The same with noise at the last bit.")
        let bits = c.integer("bits", default: 16, in: 8...24, .none, "Of the integers that follow.")
        step = Float(sign: .plus, exponent: 1 - bits, significand: 1)
        seed = UInt64(
            c.integer("seed", default: 1, in: 0...Int(Int32.max), .none, "Same seed, same noise.")
        )
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(audio) {
            let block = packet.payload
            let first = UInt64(bitPattern: block.format.index(of: packet.time))
            let dithered = block.changed { samples in
                for channel in 0..<block.format.channels {
                    let start = channel * block.frameCount
                    for index in 0..<block.frameCount {
                        let bits = mixed(first &+ UInt64(index), UInt64(channel))
                        // Two numbers of 24 bits each, 0 up to 1.
                        let one = Float(bits >> 40) * 0x1p-24
                        let two = Float(bits >> 8 & 0xFF_FFFF) * 0x1p-24
                        samples[start + index] += (one - two) * step
                    }
                }
            }
            io.emit(dithered, like: packet, on: out)
        }
    }

    /// Random bits of a place: SplitMix64's mixing (Steele, Lea and Flood, 2014) of a counter.
    private func mixed(_ place: UInt64, _ channel: UInt64) -> UInt64 {
        var bits = place &* 64 &+ channel &+ seed &* 0xD134_2543_DE82_EF95
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
