import Graph
import Media
import Sound

/// Takes away what lies below or above a frequency.
///
/// `butterworth` is maximally flat and falls by 6 dB an octave for each order. `linear-phase` delays all
/// frequencies alike, reaches `attenuation` within `transition`, and lies where its input does. Both leave
/// −3.01 dB at `frequency`. Silence stands in gaps.
///
/// Latency: none, or half the coefficients of the linear-phase filter. Deterministic on every machine.
struct AudioFilter: Node {
    static let kind = "audio.filter"
    static let execution = Execution.serial

    enum Method: String, CaseIterable {
        case butterworth
        case linearPhase = "linear-phase"
    }

    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let band: FilterBand
    let frequency: Double
    let method: Method
    let order: Int
    let transition: Double
    let attenuation: Double

    private var stream: ContinuousAudio?
    private var recursive: [Biquads] = []
    private var linear: [LinearPhaseFilter] = []

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, "Audio at any rate.")
        out = c.output("audio", like: audio, "What passes.")
        band = c.choice("pass", "What passes: what lies below `frequency`, or above it.")
        frequency = c.number(
            "frequency",
            in: 1...384_000,
            .hertz,
            "The corner, where 3 dB are gone; below half the sample rate."
        )
        method = c.choice(
            "method",
            default: Method.butterworth,
            "How: recursive, or with every frequency delayed alike."
        )
        order = c.integer(
            "order",
            default: 2,
            in: 1...12,
            .none,
            "Of a Butterworth filter: 6 dB an octave each."
        )
        transition = c.number(
            "transition",
            default: 200,
            in: 1...100_000,
            .hertz,
            "Of a linear-phase filter: how far beyond the corner `attenuation` is reached."
        )
        attenuation = c.number(
            "attenuation",
            default: 80,
            in: 20...120,
            .decibels,
            "Of a linear-phase filter: how far down it goes."
        )
    }

    private func filter(_ format: AudioFormat) throws -> LinearPhaseFilter {
        let filter = LinearPhaseFilter(
            band,
            frequency: frequency,
            transition: transition,
            attenuation: attenuation,
            sampleRate: Double(format.sampleRate)
        )
        if let filter { return filter }
        throw Problem(
            .range,
            "\"transition\" is too narrow for audio of \(format): it would take more than "
                + "\(LinearPhaseFilter.tapLimit) coefficients",
            pointer: "/transition",
            hint: "make it wider, or the audio's sample rate lower"
        )
    }

    func resolve(_ f: inout Formats) throws {
        guard let format = f[audio] else { return }
        guard frequency * 2 < Double(format.sampleRate) else {
            throw Problem(
                .range,
                "\"frequency\" must be below half the sample rate of \(format)",
                pointer: "/frequency"
            )
        }
        let delay = method == .linearPhase ? try filter(format).delay : 0
        f.set(out, like: audio, delay: delay)
    }

    mutating func start(_ f: borrowing Formats) throws {
        guard let format = f[audio] else { return }
        switch method {
        case .butterworth:
            let filter = Biquads.butterworth(
                band,
                frequency: frequency,
                order: order,
                sampleRate: Double(format.sampleRate)
            )
            recursive = Array(repeating: filter, count: format.channels)
            stream = ContinuousAudio(audio, out)
        case .linearPhase:
            let filter = try filter(format)
            linear = Array(repeating: filter, count: format.channels)
            stream = ContinuousAudio(audio, out, delay: filter.delay)
        }
    }

    mutating func run(_ io: inout IO) {
        while let block = stream?.next(&io) {
            let changed = filtered(block)
            stream?.emit(changed, &io)
        }
    }

    mutating func finish(_ io: inout IO) {
        guard let tail = stream?.tail else { return }
        let changed = filtered(tail)
        stream?.emit(changed, &io)
    }

    private mutating func filtered(_ block: AudioBlock) -> AudioBlock {
        let count = block.frameCount
        guard method == .linearPhase else {
            return block.changed { samples in
                for channel in recursive.indices {
                    recursive[channel].process(
                        &samples,
                        in: channel * count..<(channel + 1) * count
                    )
                }
            }
        }
        var filtered = Writable<Float>(uninitialized: block.samples.count)
        block.samples.withSpan { source in
            filtered.withMutableSpan { target in
                for channel in linear.indices {
                    let range = channel * count..<(channel + 1) * count
                    linear[channel]
                        .process(source.extracting(range), into: &target, at: channel * count)
                }
            }
        }
        return AudioBlock(format: block.format, samples: filtered)
    }
}
