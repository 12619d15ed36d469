import Graph
import Media

/// Makes one channel of many: the average of those that carry something.
///
/// A channel that is more than 40 dB below the loudest, over all of the sound up to ten seconds ahead, is
/// left out, and is faded in where it comes to life. So what was recorded on one side keeps its level.
/// Stereo whose sides are inverted to each other nearly vanishes in the average: that is told. `channel`
/// takes one channel instead. Mono passes as it is.
///
/// Latency: ten seconds. Memory: as much audio. Deterministic on every machine.
struct AudioDownmix: Node, ~Copyable {
    static let kind = "audio.downmix"
    static let execution = Execution.serial
    /// How far it looks ahead, in steps of 0.1 s.
    private static let stepsAhead = 100
    /// −40 dB as a ratio of powers.
    private static let deadPower = 1e-4

    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let channel: Int?

    private var stream: ContinuousAudio?
    private var outPosition: Int64?
    /// What waits, each a step long but the last.
    private var waiting: [AudioBlock] = []
    /// The step that is being filled, and how many samples a channel has of it.
    private var filling: Writable<Float>?
    private var filled = 0
    private var powers: [Double] = []
    /// The sum of the products of left and right.
    private var product = 0.0
    private var weights: [Float]?
    private var wasHeard: [Bool] = []

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, "Audio with any channels.")
        out = c.output("audio", "One channel.")
        channel = c.optionalInteger(
            "channel",
            in: 1...64,
            .none,
            "The only channel to take, counted from 1."
        )
    }

    func resolve(_ f: inout Formats) throws {
        guard let format = f[audio], let info = f.info(of: audio) else { return }
        if let channel, channel > format.channels {
            throw Problem(
                .range,
                "\"channel\" must be at most \(format.channels): the audio is \(format)",
                pointer: "/channel"
            )
        }
        let isPlain = format.channels == 1 || channel != nil
        f.set(
            out,
            AudioFormat(sampleRate: format.sampleRate, channels: 1),
            rate: isPlain ? info.rate : nil,
            duration: info.duration,
            delay: isPlain ? nil : MediaTime(Int64(Self.stepsAhead), 10),
            bytesPerPacket: isPlain
                ? info.bytesPerPacket.map { $0 / format.channels } : nil
        )
    }

    mutating func start(_ f: borrowing Formats) {
        stream = ContinuousAudio(audio, out)
        let channels = f[audio]?.channels ?? 1
        filling = nil
        filled = 0
        powers = Array(repeating: 0, count: channels)
        wasHeard = Array(repeating: false, count: channels)
        weights = nil
        product = 0
    }

    mutating func run(_ io: inout IO) {
        while let block = stream?.next(&io) {
            let format = block.format
            if format.channels == 1 {
                stream?.emit(block, &io)
            } else if let channel {
                let one = AudioBlock(
                    sampleRate: format.sampleRate,
                    channels: [block.channel(channel - 1)]
                )
                stream?.emit(one, &io)
            } else {
                take(block)
                while waiting.count > Self.stepsAhead { emitFirst(&io) }
            }
        }
    }

    mutating func finish(_ io: inout IO) {
        guard let format = stream?.format, format.channels > 1, channel == nil else { return }
        closeStep(format)
        while !waiting.isEmpty { emitFirst(&io) }
        tellDead(io.environment)
        tellInverted(io.environment)
    }

    private mutating func take(_ block: AudioBlock) {
        let (channels, step) = (block.format.channels, max(1, block.format.sampleRate / 10))
        var start = 0
        while start < block.frameCount {
            let count = min(step - filled, block.frameCount - start)
            var filling = self.filling.take() ?? Writable(uninitialized: step * channels)
            for channel in 0..<channels {
                filling.copy(
                    block.samples,
                    from: channel * block.frameCount + start,
                    count: count,
                    to: channel * step + filled
                )
            }
            self.filling = consume filling
            filled += count
            start += count
            if filled == step { closeStep(block.format) }
        }
    }

    private mutating func closeStep(_ format: AudioFormat) {
        guard let filling = self.filling.take() else { return }
        let block = AudioBlock(format: format, samples: filling).part(0..<filled)
        filled = 0
        block.samples.withSpan { samples in
            let channels = (0..<format.channels).map { $0 * block.frameCount }
            for channel in channels.indices {
                powers[channel] += Self.sum(
                    samples,
                    channels[channel],
                    channels[channel],
                    block.frameCount
                )
            }
            if channels.count == 2 {
                product += Self.sum(samples, channels[0], channels[1], block.frameCount)
            }
        }
        waiting.append(block)
    }

    /// The sum of the products of two stretches of samples.
    private static func sum(_ samples: Span<Float>, _ one: Int, _ two: Int, _ count: Int) -> Double
    {
        precondition(max(one, two) + count <= samples.count, "Channels are equally long.")
        var sums = SIMD8<Float>(repeating: 0)
        var sum = 0.0
        var index = 0
        unsafe samples.withUnsafeBytes { bytes in
            while index + 8 <= count {
                let (a, b) = (4 * (one + index), 4 * (two + index))
                sums +=
                    unsafe bytes.loadUnaligned(fromByteOffset: a, as: SIMD8<Float>.self)
                    * bytes.loadUnaligned(fromByteOffset: b, as: SIMD8<Float>.self)
                index += 8
            }
        }
        while index < count {
            sum += Double(samples[one + index] * samples[two + index])
            index += 1
        }
        for lane in 0..<8 { sum += Double(sums[lane]) }
        return sum.isFinite ? sum : 0
    }

    private mutating func emitFirst(_ io: inout IO) {
        let block = waiting.removeFirst()
        let wanted = wantedWeights()
        let before = weights ?? wanted
        weights = wanted
        var mixed = Writable<Float>(repeating: 0, count: block.frameCount)
        block.samples.withSpan { source in
            mixed.withMutableSpan { target in
                for channel in wanted.indices where before[channel] > 0 || wanted[channel] > 0 {
                    let start = channel * block.frameCount
                    let rise = (wanted[channel] - before[channel]) / Float(block.frameCount)
                    if rise == 0 {
                        let weight = wanted[channel]
                        for index in 0..<block.frameCount {
                            target[index] += source[start + index] * weight
                        }
                        continue
                    }
                    for index in 0..<block.frameCount {
                        let weight = before[channel] + rise * Float(index)
                        target[index] += source[start + index] * weight
                    }
                }
            }
        }
        let format = AudioFormat(sampleRate: block.format.sampleRate, channels: 1)
        stream?.emit(AudioBlock(format: format, samples: mixed), &io)
    }

    /// Equal parts for the channels that are alive.
    private mutating func wantedWeights() -> [Float] {
        let loudest = powers.max() ?? 0
        let isAlive = powers.map { loudest == 0 || $0 > loudest * Self.deadPower }
        for channel in isAlive.indices where isAlive[channel] && loudest > 0 {
            wasHeard[channel] = true
        }
        let part = 1 / Float(isAlive.count { $0 })
        return isAlive.map { $0 ? part : 0 }
    }

    private func tellDead(_ environment: NodeEnvironment) {
        guard wasHeard.contains(true) else { return }
        let dead = wasHeard.indices.filter { !wasHeard[$0] }.map { "\($0 + 1)" }
        if dead.isEmpty { return }
        let names = dead.joined(separator: ", ")
        let isOne = dead.count == 1
        environment.warn(
            "channel\(isOne ? "" : "s") \(names) of \(wasHeard.count) \(isOne ? "is" : "are") silent or "
                + "more than 40 dB below the loudest and left out"
        )
    }

    private func tellInverted(_ environment: NodeEnvironment) {
        guard powers.count == 2, wasHeard == [true, true] else { return }
        let likeness = product / (powers[0] * powers[1]).squareRoot()
        guard likeness < -0.8 else { return }
        environment.warn(
            "left and right are inverted to each other, so that little is left of their average: "
                + "give \"channel\": 1 to take the left one alone"
        )
    }
}
