import Lumen
import Media

extension Command {
    /// `foxfire lumen cut`: a part of a capture, as it was sent.
    static let lumenCut = Command(
        name: "lumen cut",
        summary: "Take a part of a capture, without encoding it anew.",
        operands: [Operand(name: "FILE", kind: .file, help: "A capture.")],
        options: [.cutStart, .cutEnd, .target, .captureRate, .json, .replace, .keep],
        details: [
            "Pictures can only be taken from a random access point on: the part begins with the last one at or "
                + "before --start, and with the audio from there on. -o names a capture log (.lumencap), which "
                + "keeps times, or a byte stream, which keeps pictures alone."
        ],
        examples: [
            (
                line: "foxfire lumen cut session.lumencap --start 1:30 --end 2:00 -o part.lumencap",
                purpose: "Half a minute."
            )
        ],
        perform: { arguments in
            let rate = try arguments.captureRate()
            let output = try arguments.captureOutput()
            let start = try arguments.captureTime(.cutStart) ?? .zero
            let end = try arguments.captureTime(.cutEnd)
            if let end, end <= start {
                throw UsageError(text: "\"--end\" must be after \"--start\"")
            }
            let path = arguments.operands[0]
            if path == "-" {
                throw UsageError(text: "a capture is cut from a file: it is read twice")
            }
            guard try arguments.mayWrite(output) else { return .done }
            var point: MediaTime?
            let report = try CaptureReport(of: path, rate) { item in
                guard case .picture(let timed) = item, timed.picture.isRandomAccess,
                    timed.picture.verdict == .admitted, timed.time <= start || point == nil
                else { return }
                point = timed.time
            }
            let length = max(report.end ?? .zero, report.audio?.end ?? .zero)
            guard start < length else {
                let text = "there is nothing at \(start): the capture ends at \(length)"
                throw Failure(.failed, Message(.error, "range", text))
            }
            let isLog = output.hasSuffix(".lumencap")
            guard isLog || !report.changes.isEmpty else {
                throw Failure(
                    .failed,
                    [Message(.error, "format", "there are no pictures: write a \".lumencap\"")]
                )
            }
            let first = report.changes.isEmpty ? start : point ?? start
            if let end, end <= first {
                throw Failure(
                    .failed,
                    [
                        Message(
                            .error,
                            "range",
                            "there is no random access point before \(end): the first is at \(first)"
                        )
                    ]
                )
            }
            let stamp = report.origin ?? 0
            var sink = try CaptureSink(output, report.description, start: stamp)
            let reader = try CaptureReader(path: path, rate: rate)
            while let item = try reader.next() {
                if item.time < first || end.map({ item.time >= $0 }) ?? false { continue }
                try sink.write(item)
            }
            try sink.finish()
            let last = min(end ?? length, length)
            StandardStreams.write(log: "foxfire: wrote \(output), from \(first) to \(last)\n")
            return .done
        }
    )
}
