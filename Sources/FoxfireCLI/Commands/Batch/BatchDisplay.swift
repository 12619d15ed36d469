import Batch
import Graph
import Media

/// Shows on standard error how far a batch is.
final class BatchDisplay {
    private let style: ProgressDisplay.Style
    private let name: String
    private let asJSON: Bool
    private var isLineShown = false
    private var last = -1.0

    init(_ style: ProgressDisplay.Style, name: String, asJSON: Bool) {
        (self.style, self.name, self.asJSON) = (style, name, asJSON)
    }

    func tell(_ event: BatchEvent) {
        switch event {
        case .failed(let job, let reason):
            // The child's own words name the program already.
            let text = reason.hasPrefix("foxfire: ") ? String(reason.dropFirst(9)) : reason
            say(.error, "job-failed", "\(job.title) failed: \(text)")
        case .again(let job, let reason):
            say(.warning, "job-again", "\(job.title) will be tried again: \(reason)")
        case .damaged(let job):
            say(.damage, "job-damaged", "\(job.title) is done, but an input is damaged")
        case .tick(let counts): show(counts)
        }
    }

    /// Says that Slurm has taken an array.
    func tellSubmitted(job: Int, tasks: Int, _ text: String) {
        if style == .none { return }
        let line: JSON.Value = [
            "foxfire": 1, "event": "submitted", "job": .integer(job), "tasks": .integer(tasks),
        ]
        let isJSON = style == .json || asJSON
        StandardStreams.write(log: isJSON ? JSON.compact(line) + "\n" : "foxfire: \(text)\n")
    }

    /// Wipes the live line, so that what is told next stands in its place.
    func stop() {
        if isLineShown { StandardStreams.write(log: "\u{1B}[A\r\u{1B}[J") }
        isLineShown = false
    }

    private func say(_ severity: Message.Severity, _ code: String, _ text: String) {
        stop()
        StandardStreams.tell([Message(severity, code, text)], asJSON: asJSON)
    }

    private func show(_ counts: BatchCounts) {
        let interval: Double
        switch style {
        case .none: return
        case .live: interval = 0.2
        case .json: interval = 1
        case .plain: interval = 5
        }
        guard counts.elapsed - max(0, last) >= interval else { return }
        last = counts.elapsed
        if style == .json {
            StandardStreams.write(log: JSON.compact(json(counts)) + "\n")
            return
        }
        let text = Self.line(name, counts)
        if style == .live {
            stop()
            StandardStreams.write(log: "\(text.prefix(max(1, StandardStreams.columns - 1)))\n")
            isLineShown = true
        } else {
            StandardStreams.write(log: "foxfire: \(text)\n")
        }
    }

    /// `films.json  123 of 500 done, 2 failed, 2 running  41.3 jobs/min  9:12 left`.
    static func line(_ name: String, _ counts: BatchCounts) -> String {
        var parts = ["\(counts.done) of \(counts.total) done"]
        if counts.failed > 0 { parts.append("\(counts.failed) failed") }
        parts.append("\(counts.running) running")
        if counts.elsewhere > 0 { parts.append("\(counts.elsewhere) elsewhere") }
        var text = "\(name)  \(parts.joined(separator: ", "))"
        let ended = counts.done + counts.failed
        if ended > 0, counts.elapsed > 0 {
            text += "  \(fixed(Double(ended) / counts.elapsed * 60, digits: 1)) jobs/min"
        }
        if let left = timeLeft(counts) { text += "  \(durationText(left)) left" }
        return text
    }

    /// Seconds until all are done, at the speed so far; nil where nothing is yet.
    private static func timeLeft(_ counts: BatchCounts) -> Double? {
        let ended = counts.done + counts.failed
        return ended == 0 ? nil : counts.elapsed / Double(ended) * Double(counts.total - ended)
    }

    private func json(_ counts: BatchCounts) -> JSON.Value {
        .record([
            "foxfire": 1, "event": "batchProgress", "jobs": .integer(counts.total),
            "done": .integer(counts.done), "damaged": .integer(counts.damaged),
            "failed": .integer(counts.failed), "running": .integer(counts.running),
            "elsewhere": .integer(counts.elsewhere), "waiting": .integer(counts.waiting),
            "elapsedSeconds": .number(fixed(counts.elapsed, digits: 3)),
            "timeLeft": Self.timeLeft(counts).map { .number(fixed($0, digits: 3)) },
        ])
    }
}
