import Graph
import Media

/// Audio for nodes with a memory: one sample after the other without gaps, and output that lies where
/// its input did.
///
/// Silence stands in gaps, and what lies before the position reached is left out.
struct ContinuousAudio {
    /// Samples of silence made at once, so that a long gap takes no memory.
    private static let piece = 4096

    private let input: Input<AudioBlock>
    private let output: Output<AudioBlock>
    /// Samples at the start of what comes out that are only the delay.
    private var skipped: Int
    /// The delay in samples.
    private let delay: Int
    /// Where the next sample to come in belongs, and the next to go out.
    private var position: Int64?
    private var outPosition: Int64 = 0
    private var pending: Packet<AudioBlock>?
    private var hasGivenSilence = false
    private(set) var format: AudioFormat?
    /// Where the first sample that came in lies; nil before it.
    private(set) var start: Int64?

    /// Joins a node's input to its output of the same format.
    ///
    /// - Parameters:
    ///   - input: what is read.
    ///   - output: where `emit` writes.
    ///   - delay: how many samples later what is emitted comes than what was taken.
    init(_ input: Input<AudioBlock>, _ output: Output<AudioBlock>, delay: Int = 0) {
        self.input = input
        self.output = output
        self.delay = delay
        skipped = delay
    }

    /// The next stretch; nil when there is none now.
    mutating func next(_ io: inout IO) -> AudioBlock? {
        if hasGivenSilence {
            // A long gap does not hold the engine up.
            hasGivenSilence = false
            io.more()
            return nil
        }
        while true {
            guard let packet = pending ?? io.take(input) else { return nil }
            pending = nil
            let block = packet.payload
            let start = block.format.index(of: packet.time)
            if format == nil { format = block.format }
            let place = position ?? start
            if position == nil {
                outPosition = start
                self.start = start
            }
            if start > place {
                pending = packet
                hasGivenSilence = true
                let count = Int(min(start - place, Int64(Self.piece)))
                position = place + Int64(count)
                return .silence(block.format, frameCount: count)
            }
            // What lies before the position has been heard.
            let heard = Int(min(place - start, Int64(block.frameCount)))
            position = place + Int64(block.frameCount - heard)
            if heard < block.frameCount { return block.part(heard..<block.frameCount) }
        }
    }

    /// Silence as long as the delay, after the last sample: what comes out of it is the rest.
    var tail: AudioBlock? {
        guard let format, delay > 0 else { return nil }
        return .silence(format, frameCount: delay)
    }

    /// Emits what became of a stretch, or of the tail: as many samples.
    mutating func emit(_ block: AudioBlock, _ io: inout IO) {
        let late = min(skipped, block.frameCount)
        skipped -= late
        guard late < block.frameCount else { return }
        let part = block.part(late..<block.frameCount)
        io.emit(
            part,
            at: part.format.time(of: outPosition),
            duration: part.duration,
            on: output
        )
        outPosition += Int64(part.frameCount)
    }
}

extension Formats {
    /// Says that an output is its input at the same rate and length, some samples late inside.
    mutating func set(_ output: Output<AudioBlock>, like input: Input<AudioBlock>, delay: Int) {
        guard let format = self[input], let info = info(of: input) else { return }
        set(
            output,
            format,
            rate: info.rate,
            duration: info.duration,
            delay: format.time(of: Int64(delay)),
            bytesPerPacket: info.bytesPerPacket
        )
    }
}
