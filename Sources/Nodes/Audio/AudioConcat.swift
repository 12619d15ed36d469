import Graph
import Media

/// Plays one audio after the other.
///
/// Each begins where the one before ends, in the order of the graph file; all are brought to the format of
/// the first. Silence at the start of one is kept.
///
/// Memory: what comes of the later inputs while the first is read, 16 MB of it in memory and the rest in a
/// file without a name. Deterministic.
struct AudioConcat: Node {
    static let kind = "audio.concat"
    static let execution = Execution.serial

    /// One input's audio, from its time 0 on.
    private struct Part {
        var held = HeldAudio(memoryLimit: 16 << 20)
        var times: [MediaTime] = []
        var next = 0
    }

    let audio: Inputs<AudioBlock>
    let out: Output<AudioBlock>
    private var parts: [Part] = []
    /// The part that goes out, where it begins, and where it ends so far.
    private var current = 0
    private var origin: Int64 = 0
    private var end: Int64 = 0

    init(_ c: inout Contract) {
        audio = c.inputs("audio", .inOrder, "The pieces, in their order.")
        out = c.output("audio", "All of them.")
    }

    func resolve(_ f: inout Formats) {
        guard let format = f[audio[0]] else { return }
        var length: Int64? = 0
        for index in 0..<audio.count {
            f.request(audio[index], format)
            let part = f.duration(of: audio[index])?
                .converted(to: Int32(format.sampleRate), rounding: .up).value
            length = part.flatMap { part in length.map { $0 + part } }
        }
        f.set(out, format, duration: length.map { format.time(of: $0) })
    }

    mutating func start(_ f: borrowing Formats) {
        if parts.isEmpty { parts = (0..<audio.count).map { _ in Part() } }
    }

    mutating func run(_ io: inout IO) throws {
        var hasTaken = true
        while hasTaken {
            hasTaken = false
            for index in 0..<audio.count {
                guard let packet = io.take(audio[index]) else { continue }
                hasTaken = true
                // The first goes out as it comes.
                if index == 0 {
                    emit(packet.payload, at: packet.time, &io)
                } else {
                    try parts[index].held.append(packet.payload)
                    parts[index].times.append(packet.time)
                }
            }
        }
    }

    mutating func finish(_ io: inout IO) throws {
        while current < parts.count, parts[current].next == parts[current].times.count {
            current += 1
            origin = end
        }
        guard current < parts.count else { return }
        let next = parts[current].next
        parts[current].next += 1
        let block = try parts[current].held.block(next)
        emit(block, at: parts[current].times[next], &io)
        io.more()
    }

    private mutating func emit(_ block: AudioBlock, at time: MediaTime, _ io: inout IO) {
        let start = origin + block.format.index(of: time)
        end = max(end, start + Int64(block.frameCount))
        io.emit(block, at: block.format.time(of: start), duration: block.duration, on: out)
    }
}
