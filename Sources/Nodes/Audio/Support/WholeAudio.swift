import Graph
import Media

/// Audio that waits until all of it has come, and goes on multiplied by what follows from the whole.
struct WholeAudio {
    private var stream: ContinuousAudio
    private(set) var held = HeldAudio()
    /// The largest magnitude so far.
    private(set) var peak: Float = 0
    private var gain: Float?
    private var next = 0

    /// Joins a node's input to its output of the same format.
    init(_ input: Input<AudioBlock>, _ output: Output<AudioBlock>) {
        stream = ContinuousAudio(input, output)
    }

    /// What came; nil before the first block.
    var format: AudioFormat? { stream.format }

    /// Holds the next stretch and returns it; nil when there is none now.
    mutating func take(_ io: inout IO) throws -> AudioBlock? {
        guard let block = stream.next(&io) else { return nil }
        peak = max(peak, block.peak)
        try held.append(block)
        return block
    }

    /// Emits the next stretch; the first time `found` says the gain, a ratio.
    mutating func emitNext(_ io: inout IO, found: () throws -> Float) throws {
        guard next < held.count else { return }
        let gain = try self.gain ?? found()
        self.gain = gain
        let block = try held.block(next).scaled(by: gain)
        next += 1
        stream.emit(block, &io)
        io.more()
    }
}

extension Formats {
    /// Says that an output is its input, late by all of it.
    mutating func set(_ output: Output<AudioBlock>, asWholeOf input: Input<AudioBlock>) {
        guard let format = self[input] else { return }
        set(
            output,
            format,
            duration: duration(of: input),
            delay: duration(of: input),
            bytesPerPacket: info(of: input)?.bytesPerPacket
        )
    }
}
