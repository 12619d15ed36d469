import Graph
import Media
import Sound

/// Keeps every sample at or below a ceiling without distorting: it turns the level down before a peak comes.
///
/// The gain that a peak needs holds `lookAhead` to both sides of it and moves over a Hann window as long
/// again; all channels are turned down alike. What is below the ceiling passes as it is. Put it last: any
/// filter after it lets peaks rise again. Silence stands in gaps.
///
/// Latency: twice `lookAhead`. Deterministic on every machine.
struct AudioLimit: Node {
    static let kind = "audio.limit"
    static let execution = Execution.serial
    /// The longest look-ahead, in samples.
    static let reachLimit = 1 << 16

    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let ceiling: Float
    let lookAhead: TimeValue
    private var stream: ContinuousAudio?
    private var limiter: Limiter?

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, "Audio at any rate.")
        out = c.output("audio", like: audio, "The same with its peaks turned down.")
        ceiling = c.decibels(
            "ceiling",
            default: -1,
            in: -60...0,
            "The highest peak that comes out; 0 dB is full scale."
        )
        lookAhead = c.time(
            "lookAhead",
            default: .time(MediaTime(5, 1000)),
            "How long before and after a peak the level is turned down."
        )
    }

    private func reach(_ format: AudioFormat) throws -> Int {
        let count = format.index(of: lookAhead.resolved(sampleRate: format.sampleRate))
        guard count <= Int64(Self.reachLimit) else {
            throw Problem(
                .range,
                "\"lookAhead\" must be at most \(Self.reachLimit) samples of \(format)",
                pointer: "/lookAhead"
            )
        }
        return max(1, Int(count))
    }

    func resolve(_ f: inout Formats) throws {
        if let format = f[audio] { f.set(out, like: audio, delay: 2 * (try reach(format))) }
    }

    mutating func start(_ f: borrowing Formats) throws {
        guard let format = f[audio] else { return }
        let limiter = Limiter(
            ceiling: ceiling,
            reach: try reach(format),
            channels: format.channels
        )
        stream = ContinuousAudio(audio, out, delay: limiter.delay)
        self.limiter = limiter
    }

    mutating func run(_ io: inout IO) {
        while let block = stream?.next(&io) {
            let changed = limited(block)
            stream?.emit(changed, &io)
        }
    }

    mutating func finish(_ io: inout IO) {
        guard let tail = stream?.tail else { return }
        let changed = limited(tail)
        stream?.emit(changed, &io)
    }

    private mutating func limited(_ block: AudioBlock) -> AudioBlock {
        var limited = Writable<Float>(uninitialized: block.samples.count)
        block.samples.withSpan { source in
            limited.withMutableSpan { limiter?.process(source, into: &$0) }
        }
        return AudioBlock(format: block.format, samples: limited)
    }
}
