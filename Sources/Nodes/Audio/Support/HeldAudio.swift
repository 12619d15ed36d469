import Media

/// Audio that is kept until all of it has come: for what depends on the whole.
///
/// Up to `memoryLimit` bytes are kept in memory, the rest in a file without a name.
struct HeldAudio {
    static let memoryLimit = 64 << 20

    private enum Piece {
        case block(AudioBlock)
        case stored(at: Int64, format: AudioFormat, frameCount: Int)
    }

    private var pieces: [Piece] = []
    private var byteCount = 0
    private var file: ScratchFile?
    private let memoryLimit: Int
    /// How many samples a channel has.
    private(set) var frameCount: Int64 = 0

    init(memoryLimit: Int = Self.memoryLimit) { self.memoryLimit = memoryLimit }

    /// How many blocks there are.
    var count: Int { pieces.count }

    mutating func append(_ block: AudioBlock) throws(FileError) {
        frameCount += Int64(block.frameCount)
        if byteCount + block.byteCount <= memoryLimit {
            byteCount += block.byteCount
            pieces.append(.block(block))
            return
        }
        if file == nil { file = try ScratchFile() }
        guard let file else { preconditionFailure("The file is there.") }
        let place = try block.samples.withSpan { (samples) throws(FileError) in
            try file.append(samples)
        }
        pieces.append(.stored(at: place, format: block.format, frameCount: block.frameCount))
    }

    /// A block, as it was appended.
    func block(_ index: Int) throws(FileError) -> AudioBlock {
        switch pieces[index] {
        case .block(let block): return block
        case .stored(let place, let format, let frameCount):
            guard let file else { preconditionFailure("What is stored has a file.") }
            let samples = try file.read(at: place, count: frameCount * format.channels)
            return AudioBlock(format: format, samples: samples)
        }
    }
}
