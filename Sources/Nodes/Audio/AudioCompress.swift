import Graph
import Media
import Sound

/// Makes what is loud less loud, so that what is soft can be made louder.
///
/// Above `threshold` the level rises by one dB for `ratio` dB of the input; the curve bends over `knee` dB.
/// The reduction follows the peak of all channels, which are turned down alike. There is no make-up gain
/// (audio.gain, audio.level). A ratio of 1 changes nothing. Silence stands in gaps.
///
/// No latency. Deterministic on every machine.
struct AudioCompress: Node {
    static let kind = "audio.compress"
    static let execution = Execution.serial
    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let threshold: Double
    let ratio: Double
    let knee: Double
    let attack: TimeValue
    let release: TimeValue
    private var stream: ContinuousAudio?
    private var compressor: Compressor?

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, "Audio at any rate.")
        out = c.output("audio", like: audio, "The same with a smaller range of levels.")
        threshold = c.number(
            "threshold",
            default: -24,
            in: -100...0,
            .decibels,
            "The peak level above which it works; 0 dB is full scale."
        )
        ratio = c.number(
            "ratio",
            default: 2,
            in: 1...100,
            .none,
            "How many dB more at the input make one more at the output."
        )
        knee = c.number(
            "knee",
            default: 6,
            in: 0...40,
            .decibels,
            "Over how many dB around the threshold the curve bends."
        )
        attack = c.time(
            "attack",
            default: .time(MediaTime(5, 1000)),
            "The time constant when the level rises."
        )
        release = c.time(
            "release",
            default: .time(MediaTime(150, 1000)),
            "The time constant when it falls."
        )
    }

    mutating func start(_ f: borrowing Formats) {
        guard let format = f[audio] else { return }
        compressor = Compressor(
            threshold: threshold,
            ratio: ratio,
            knee: knee,
            attack: attack.resolved(sampleRate: format.sampleRate).seconds,
            release: release.resolved(sampleRate: format.sampleRate).seconds,
            sampleRate: Double(format.sampleRate)
        )
        stream = ContinuousAudio(audio, out)
    }

    mutating func run(_ io: inout IO) {
        while let block = stream?.next(&io) {
            let channels = block.format.channels
            let compressed = block.changed { compressor?.process(&$0, channels: channels) }
            stream?.emit(compressed, &io)
        }
    }
}
