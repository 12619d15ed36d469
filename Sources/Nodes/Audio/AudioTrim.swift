import Graph
import Media

/// Keeps a stretch of the audio; what is kept begins at 0.
///
/// Cuts at the samples nearest to `start` and `end`, without a fade (audio.fade makes one). Once the
/// end is reached, what feeds only this node stops. No latency; a block that is kept whole is not
/// copied. Deterministic.
struct AudioTrim: Node {
    static let kind = "audio.trim"
    static let execution = Execution.serial
    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let start: TimeValue
    let end: TimeValue?
    let length: TimeValue?
    /// The samples that are kept, by their positions on the input's timeline.
    private var kept: Range<Int64> = 0..<0

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, "Audio at any rate.")
        out = c.output("audio", "The stretch, from time 0 on.")
        start = c.time("start", default: .time(.zero), "Where the stretch begins.")
        end = c.optionalTime("end", "Where it ends; without `end` and `duration`: with the input.")
        length = c.optionalTime("duration", "How long it is, in the place of `end`.")
        c.require(
            end == nil || length == nil,
            "duration",
            "cannot be given together with \"end\""
        )
        if let end, case .time(let last) = end, case .time(let first) = start {
            c.require(first < last, "end", "must be after \"start\", which is \(first)")
        }
    }

    func resolve(_ f: inout Formats) throws {
        guard let format = f[audio] else { return }
        let kept = try range(in: format)
        var duration: MediaTime?
        if let whole = f.duration(of: audio) {
            let available = whole.converted(to: Int32(format.sampleRate), rounding: .up).value
            if available <= kept.lowerBound {
                f.environment.warn(
                    "the input is \(whole) long and ends before \"start\", so nothing is kept"
                )
            }
            let last = max(kept.lowerBound, min(available, kept.upperBound))
            duration = format.time(of: last - kept.lowerBound)
        }
        let info = f.info(of: audio)
        f.set(
            out,
            format,
            rate: info?.rate,
            duration: duration,
            bytesPerPacket: info?.bytesPerPacket
        )
    }

    mutating func start(_ f: borrowing Formats) throws {
        if let format = f[audio] { kept = try range(in: format) }
    }

    /// The samples to keep of a stream of `format`.
    private func range(in format: AudioFormat) throws -> Range<Int64> {
        func index(_ value: TimeValue) -> Int64 {
            format.index(of: value.resolved(sampleRate: format.sampleRate))
        }
        let first = index(start)
        if let length { return first..<first + index(length) }
        guard let end else { return first..<Int64.max }
        guard first < index(end) else {
            throw Problem(
                .range,
                "\"end\" must be at least one sample of \(format) after \"start\""
            )
        }
        return first..<index(end)
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(audio) {
            let block = packet.payload
            let position = block.format.index(of: packet.time)
            let blockEnd = position + Int64(block.frameCount)
            let wanted = kept.clamped(to: position..<blockEnd)
            if !wanted.isEmpty {
                let part = block.part(
                    Int(wanted.lowerBound - position)..<Int(wanted.upperBound - position)
                )
                io.emit(
                    part,
                    at: block.format.time(of: wanted.lowerBound - kept.lowerBound),
                    duration: part.duration,
                    flags: packet.flags,
                    on: out
                )
            }
            if blockEnd >= kept.upperBound {
                io.enough(audio)
                return
            }
        }
    }
}
