import Codecs
import Graph
import Media

/// Finds the beats of a sound, and its tempo.
///
/// Each packet is a beat: its time is the beat's, its duration leads to the next one. The onset strength
/// of eight bands, low ones counting most, is looked at in windows of 10 s that move on by 2 s: the
/// period that correlates best with itself is the tempo, and beats lie where onsets are strongest at
/// about that distance, so a tempo may change. Where there is no period, in silence or in a drone, there
/// are no beats. How loud the sound is does not matter; the count of beats goes on over a stretch
/// without any.
///
/// Latency: 8 s and a beat; so what reads beats waits that long for a track. Memory: 12 s of onsets,
/// 0.2 MB. When the sample rate changes, what came before is ended. Deterministic on one kind of CPU.
struct AnalyzeBeats: Node, ~Copyable {
    static let kind = "analyze.beats"
    static let execution = Execution.serial

    let audio: Input<AudioBlock>
    let out: Output<Beat>
    let slowest: Double
    let fastest: Double
    private var energies: BandEnergies?
    private var tracker: BeatTracker
    private var format: AudioFormat?
    /// Where the first sample lies, and where the next one should, in samples.
    private var origin: Int64 = 0
    private var position: Int64 = 0
    /// The last beat, whose duration follows from the next one.
    private var held: BeatTracker.Mark?
    private var number = 0

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, "Audio at any rate; channels are averaged.")
        out = c.output("beats", "A packet for each beat.")
        let slowest = c.number(
            "slowest",
            default: 60,
            in: 30...300,
            .none,
            "The slowest tempo that is looked for, in beats per minute."
        )
        let fastest = c.number(
            "fastest",
            default: 200,
            in: 30...300,
            .none,
            "The fastest; of two tempi that fit, one twice the other, the one nearer to 115 is taken."
        )
        c.require(fastest >= slowest * 1.05, "fastest", "must be at least 1.05 times \"slowest\"")
        self.slowest = slowest
        self.fastest = max(fastest, slowest * 1.05)
        tracker = BeatTracker(slowest: self.slowest, fastest: self.fastest)
    }

    func resolve(_ f: inout Formats) {
        f.set(
            out,
            BeatFormat(),
            duration: f.duration(of: audio),
            delay: MediaTime(8, 1),
            bytesPerPacket: 64
        )
    }

    mutating func start(_ f: borrowing Formats) throws {
        tracker = BeatTracker(slowest: slowest, fastest: fastest)
        format = nil
        held = nil
        energies = try f[audio].map { try BandEnergies(sampleRate: $0.sampleRate) }
    }

    mutating func run(_ io: inout IO) throws {
        while let packet = io.take(audio) {
            let block = packet.payload
            let index = block.format.index(of: packet.time)
            if format == nil {
                format = block.format
                energies = try BandEnergies(sampleRate: block.format.sampleRate)
                origin = index
                position = index
            }
            // Where there is no audio there is silence.
            while position < index {
                let count = min(index - position, 48_000)
                hear(Array(repeating: 0, count: Int(count)), &io)
            }
            let heard = Int(min(max(position - index, 0), Int64(block.frameCount)))
            hear(Self.mono(block, from: heard), &io)
        }
    }

    mutating func finish(_ io: inout IO) {
        track(&io, isFinished: true)
        if let mark = held {
            let end = Double(position - origin)
            let length = min(
                mark.period * Double(sampleRate) / Double(BandEnergies.rate),
                end - sample(mark)
            )
            emit(mark, length: max(length, 0), &io)
            held = nil
        }
    }

    private static func mono(_ block: AudioBlock, from first: Int) -> [Float] {
        let (channels, length) = (block.format.channels, block.frameCount)
        let share = 1 / Float(channels)
        return block.samples.withSpan { source in
            (first..<length).map { index in
                var sum: Float = 0
                for channel in 0..<channels { sum += source[channel * length + index] }
                return sum * share
            }
        }
    }

    private mutating func hear(_ samples: [Float], _ io: inout IO) {
        position += Int64(samples.count)
        energies?.append(samples)
        track(&io, isFinished: false)
    }

    private mutating func track(_ io: inout IO, isFinished: Bool) {
        while let frame = energies?.next(isFinished: isFinished) { tracker.append(frame) }
        while let marks = tracker.next(isFinished: isFinished) {
            for mark in marks {
                if let held { emit(held, length: sample(mark) - sample(held), &io) }
                held = mark
            }
            // After a beat that none follows nothing must wait.
            if let mark = held, Double(tracker.decidedTo) > mark.frame + 2.5 * mark.period {
                emit(
                    mark,
                    length: mark.period * Double(sampleRate) / Double(BandEnergies.rate),
                    &io
                )
                held = nil
            }
            if held == nil {
                let frame = Double(tracker.decidedTo)
                io.advance(out, to: time(frame * Double(sampleRate) / Double(BandEnergies.rate)))
            }
        }
    }

    private var sampleRate: Int { format?.sampleRate ?? 48_000 }

    /// Where a beat lies, in samples from the first one on.
    private func sample(_ mark: BeatTracker.Mark) -> Double {
        (mark.frame * Double(sampleRate) / Double(BandEnergies.rate)).rounded()
    }

    private func time(_ sample: Double) -> MediaTime {
        MediaTime(origin + Int64(sample), Int32(sampleRate))
    }

    private mutating func emit(_ mark: BeatTracker.Mark, length: Double, _ io: inout IO) {
        let beat = Beat(
            number: number,
            tempo: 60 * Double(BandEnergies.rate) / mark.period,
            strength: Float(mark.strength)
        )
        number += 1
        let duration = MediaTime(Int64(length.rounded()), Int32(sampleRate))
        io.emit(beat, at: time(sample(mark)), duration: duration, on: out)
    }
}
