import Lumen
import Media

extension Command {
    /// `foxfire lumen pack`: builds a capture log from separate files.
    static let lumenPack = Command(
        name: "lumen pack",
        summary: "Build a capture log from separate files of pictures and audio.",
        operands: [
            Operand(
                name: "FILE",
                kind: .file,
                isRepeated: true,
                help:
                    "A byte stream, Opus packets of 80 bytes or datagrams: one of pictures, one of audio."
            )
        ],
        options: [.target, .captureRate, .json, .replace, .keep],
        details: [
            "Units and packets are written as they came, with their times. Pictures without times begin with "
                + "the first packet of audio, and are counted by the frame rate. What came twice or too late is "
                + "left out, and what is lost stays lost: \"lumen probe\" tells."
        ],
        examples: [
            (
                line: "foxfire lumen pack capture.h265 sound.lmdg --fps 60 -o session.lumencap",
                purpose: "One file of both."
            )
        ],
        perform: { arguments in
            let rate = try arguments.captureRate()
            let output = try arguments.captureOutput()
            guard output.hasSuffix(".lumencap") else {
                throw UsageError(text: "a capture log's name ends in \".lumencap\": \(output)")
            }
            let paths = arguments.operands
            guard (1...2).contains(paths.count), !paths.contains("-") else {
                throw UsageError(text: "one or two files are packed, and none from standard input")
            }
            guard try arguments.mayWrite(output) else { return .done }
            // Once for what they are, once for what they hold.
            let reports = try paths.map { try CaptureReport(of: $0, rate) }
            let videos = reports.count { !$0.changes.isEmpty || $0.kind.holdsPictures }
            guard videos <= 1, reports.count(where: { $0.audio != nil }) <= 1 else {
                throw UsageError(text: "the files hold the same: one of pictures, one of audio")
            }
            let description = CaptureDescription(
                video: reports.lazy.compactMap(\.description.video).first,
                audio: reports.lazy.compactMap(\.description.audio).first
            )
            let stamp = reports.lazy.compactMap(\.audio?.firstStamp).first
            var sink = try CaptureSink(output, description, start: stamp ?? 0)
            var sources = try paths.map { try QueuedCapture($0, rate) }
            while let next = sources.indices.filter({ sources[$0].head != nil })
                .min(by: { sources[$0].precedes(sources[$1]) })
            {
                if let item = try sources[next].take() { try sink.write(item) }
            }
            try sink.finish()
            let losses = reports.contains { $0.hasLosses }
            return losses ? .damaged : .done
        }
    )
}

/// A capture whose next item can be looked at.
private struct QueuedCapture {
    private let reader: CaptureReader
    private(set) var head: CaptureItem?

    init(_ path: String, _ rate: Rate?) throws {
        reader = try CaptureReader(path: path, rate: rate)
        head = try reader.next()
    }

    /// Whether its next item comes first: by time, of equal times pictures before audio.
    func precedes(_ other: QueuedCapture) -> Bool {
        guard let head, let theirs = other.head else { return head != nil }
        if head.time != theirs.time { return head.time < theirs.time }
        if case .picture = head, case .audio = theirs { return true }
        return false
    }

    mutating func take() throws -> CaptureItem? {
        let item = head
        head = try reader.next()
        return item
    }
}
