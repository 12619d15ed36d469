import Graph
import Media
import Sound

/// Raises high frequencies by 6 dB an octave between two corners, as FM transmitters for speech do.
///
/// Receivers of voice radio take as much away, so that speech through both sounds as it was, with less
/// noise. The gain is (1 + jf/lower) / (1 + jf/upper), 0 dB at `unity`; `lower` above `upper` makes the fall of a
/// receiver. Within 0.5 dB of the formula at any sample rate. Silence stands in gaps.
///
/// No latency. Deterministic on every machine.
struct AudioPreemphasis: Node {
    static let kind = "audio.preemphasis"
    static let execution = Execution.serial
    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let lower: Double
    let upper: Double
    let unity: Double
    private var stream: ContinuousAudio?
    private var filters: [Biquads] = []

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, "Audio at any rate.")
        out = c.output("audio", like: audio, "The same, brighter.")
        lower = c.number("lower", default: 300, in: 1...100_000, .hertz, "Where the rise starts.")
        upper = c.number("upper", default: 2200, in: 1...100_000, .hertz, "Where the rise ends.")
        unity = c.number(
            "unity",
            default: 1000,
            in: 1...100_000,
            .hertz,
            "Where the level stays as it is."
        )
    }

    func resolve(_ f: inout Formats) throws {
        guard let format = f[audio] else { return }
        for (name, value) in [("lower", lower), ("upper", upper), ("unity", unity)]
        where value * 2 >= Double(format.sampleRate) {
            throw Problem(
                .range,
                "\"\(name)\" must be below half the sample rate of \(format)",
                pointer: "/\(name)"
            )
        }
        f.set(out, like: audio, delay: 0)
    }

    mutating func start(_ f: borrowing Formats) {
        guard let format = f[audio] else { return }
        let filter = Biquads.emphasis(
            from: lower,
            to: upper,
            unity: unity,
            sampleRate: Double(format.sampleRate)
        )
        filters = Array(repeating: filter, count: format.channels)
        stream = ContinuousAudio(audio, out)
    }

    mutating func run(_ io: inout IO) {
        while let block = stream?.next(&io) {
            let count = block.frameCount
            let raised = block.changed { samples in
                for channel in filters.indices {
                    filters[channel].process(&samples, in: channel * count..<(channel + 1) * count)
                }
            }
            stream?.emit(raised, &io)
        }
    }
}
