import Graph
import Media

/// Fades audio in at its start and out at its end.
///
/// The first sample of a fade-in and the last of a fade-out are 0. Where the two overlap their gains
/// multiply.
///
/// Latency: the length of the fade-out, which is held back because an end is seen only when it has
/// come. Where the input's length is known beforehand nothing is held back before its last second and
/// the fade; the fade then still ends where the audio does, since files are often a little longer or
/// shorter than they say. Memory: what is held back. Deterministic on every machine.
struct AudioFade: Node {
    static let kind = "audio.fade"
    static let execution = Execution.serial

    /// How the gain goes from 0 to 1.
    enum Curve: String, CaseIterable {
        /// In proportion to the time.
        case linear
        /// (1 − cos πx) / 2: slow at both ends.
        case raisedCosine = "raised-cosine"

        /// The gain at `position` of a fade `length` long; 1 beyond its end, 0 before its start.
        func gain(_ position: Int64, of length: Int64) -> Double {
            if position >= length { return 1 }
            if position <= 0 { return 0 }
            let x = Double(position) / Double(length)
            switch self {
            case .linear: return x
            case .raisedCosine: return 0.5 - 0.5 * PortableMath.cosine(phase: UInt64(x * 0x1p63))
            }
        }
    }

    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let fadeIn: TimeValue
    let fadeOut: TimeValue
    let curve: Curve
    /// Where the first sample lies.
    private var origin: MediaTime?
    /// Where the input will end, if that is known beforehand.
    private var knownEnd: MediaTime?
    /// Where what went out without a fade-out ends.
    private var freedEnd: MediaTime?
    /// Where the last sample so far ends.
    private var latestEnd = MediaTime.zero
    private var latestFormat: AudioFormat?
    private var held: [Packet<AudioBlock>] = []
    /// How many of `held` are gone already.
    private var released = 0

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, changes: .accepts, "Audio at any rate.")
        out = c.output("audio", like: audio, "The same with its ends faded.")
        fadeIn = c.time("in", default: .time(.zero), "How long the fade at the start is.")
        fadeOut = c.time("out", default: .time(.zero), "How long the fade at the end is.")
        curve = c.choice("curve", default: Curve.linear, "How the gain moves between 0 and 1.")
    }

    func resolve(_ f: inout Formats) throws {
        guard let info = f.info(of: audio), let format = f[audio] else { return }
        let fade = fadeOut.resolved(sampleRate: format.sampleRate)
        f.set(
            out,
            format,
            rate: info.rate,
            duration: info.duration,
            delay: fade > .zero ? fade : nil,
            bytesPerPacket: info.bytesPerPacket
        )
    }

    mutating func start(_ f: borrowing Formats) throws { knownEnd = f.duration(of: audio) }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(audio) {
            let format = packet.payload.format
            if origin == nil { origin = packet.time }
            latestEnd = format.time(of: end(of: packet))
            latestFormat = format
            if count(fadeOut, format) == 0 {
                emit(packet, end: nil, &io)
                continue
            }
            held.append(packet)
            while released < held.count, isFree(held[released]) {
                let first = held[released]
                freedEnd = first.payload.format.time(of: end(of: first))
                emit(first, end: nil, &io)
                release()
            }
        }
    }

    /// Whether a packet surely ends before the fade-out begins.
    private func isFree(_ packet: Packet<AudioBlock>) -> Bool {
        let format = packet.payload.format
        let fade = count(fadeOut, format)
        let end = end(of: packet)
        if end <= format.index(of: latestEnd) - fade { return true }
        guard let knownEnd else { return false }
        return end <= format.index(of: knownEnd) - fade - Int64(format.sampleRate)
    }

    mutating func finish(_ io: inout IO) {
        guard released < held.count else {
            if knownEnd != nil { tellCut(io.environment) }
            return
        }
        emit(held[released], end: latestEnd, &io)
        release()
        io.more()
    }

    /// Tells when audio went out that the fade-out should have had.
    private func tellCut(_ environment: NodeEnvironment) {
        guard let freedEnd, let knownEnd, let format = latestFormat,
            format.index(of: freedEnd) > format.index(of: latestEnd) - count(fadeOut, format)
        else { return }
        environment.warn(
            "the input ends at \(latestEnd), long before its stated length of \(knownEnd), so the "
                + "fade-out is cut"
        )
    }

    private mutating func release() {
        released += 1
        // Now and then, so that the cost of moving the rest stays small.
        if released * 2 >= held.count {
            held.removeFirst(released)
            released = 0
        }
    }

    private func end(of packet: Packet<AudioBlock>) -> Int64 {
        packet.payload.format.index(of: packet.time) + Int64(packet.payload.frameCount)
    }

    private func count(_ time: TimeValue, _ format: AudioFormat) -> Int64 {
        format.index(of: time.resolved(sampleRate: format.sampleRate))
    }

    /// Emits a packet with the gains of the fades it lies in; without an `end` there is no fade-out.
    private func emit(_ packet: Packet<AudioBlock>, end: MediaTime?, _ io: inout IO) {
        let block = packet.payload
        let format = block.format
        let position = format.index(of: packet.time)
        let blockEnd = position + Int64(block.frameCount)
        let first = origin.map { format.index(of: $0) } ?? position
        let last = end.map { $0.converted(to: Int32(format.sampleRate), rounding: .up).value }
        let (inCount, outCount) = (count(fadeIn, format), count(fadeOut, format))
        let isInFadeIn = position < first + inCount
        let isInFadeOut = last.map { blockEnd > $0 - outCount && outCount > 0 } ?? false
        guard isInFadeIn || isInFadeOut else {
            io.emit(block, like: packet, on: out)
            return
        }
        var faded = Writable<Float>(uninitialized: block.samples.count)
        block.samples.withSpan { source in
            faded.withMutableSpan { target in
                for frame in 0..<block.frameCount {
                    let index = position + Int64(frame)
                    var gain = isInFadeIn ? curve.gain(index - first, of: inCount) : 1
                    if isInFadeOut, let last {
                        gain *= curve.gain(last - 1 - index, of: outCount)
                    }
                    for channel in 0..<format.channels {
                        let at = channel * block.frameCount + frame
                        target[at] = Float(Double(source[at]) * gain)
                    }
                }
            }
        }
        io.emit(AudioBlock(format: format, samples: faded), like: packet, on: out)
    }
}
