import Graph
import Lumen
import Media

extension Command {
    /// `foxfire lumen probe`: what a capture holds, and what it lacks.
    static let lumenProbe = Command(
        name: "lumen probe",
        summary: "Tell what a capture holds, and every loss in it.",
        operands: [
            Operand(name: "FILE", kind: .file, help: "A capture, or \"-\" for standard input.")
        ],
        options: [.captureRate, .json, .output, .replace, .keep],
        details: [
            "Nothing is decoded: whether pictures are exact follows from what they refer to, and from the "
                + "checks of a capture log. What cannot be seen in a bare byte stream: cuts and flipped bits "
                + "inside a unit, and a loss of exactly as many pictures as the stream counts before it "
                + "begins anew. The command ends with 4 when something is lost or damaged."
        ],
        examples: [
            (line: "foxfire lumen probe capture.lumencap", purpose: "What was lost, and when?")
        ],
        perform: { arguments in
            let path = arguments.operands.first ?? "-"
            let rate = try arguments.captureRate()
            let report = try CaptureReport(of: path, rate)
            let text =
                arguments.has(.json)
                ? JSON.pretty(report.json(of: path))
                : report.lines(path).joined(separator: "\n") + "\n"
            let code = try arguments.deliver(text)
            return code == .done && report.hasLosses ? .damaged : code
        }
    )
}

extension Arguments {
    /// The rate that `--fps` gives; nil without one.
    func captureRate() throws -> Rate? {
        guard let text = text(.captureRate) else { return nil }
        guard let rate = Rate(parsing: text), rate >= Rate(1), rate <= Rate(1000) else {
            throw UsageError(
                text: "\"--fps\" must be a rate from 1 to 1000, not \"\(text)\"",
                hint: "as in 60 or 30000/1001"
            )
        }
        return rate
    }
}

extension CaptureReport {
    fileprivate func lines(_ path: String) -> [String] {
        var lines = ["\(path == "-" ? "standard input" : path): \(kindText)"]
        let units = verdicts.values.reduce(0, +)
        if self[.admitted] + withheld > 0 {
            lines.append(
                "  pictures: \(units) access units, \(self[.admitted]) exact, \(withheld) not exact, "
                    + "\(missing) missing; \(randomAccessPoints) random access points"
            )
        } else if audio == nil || kind.holdsPictures {
            lines.append("  pictures: none: \(emptiness)")
        }
        for change in changes {
            lines.append(
                "    from \(change.time) (picture \(change.number)): \(change.form.codec) "
                    + "\(change.form.format)"
            )
        }
        if let start, let end, units > 0 {
            let rate = rate.map { ", \($0) a second\(rateIsAssumed ? " assumed" : "")" } ?? ""
            lines.append("    \(start) to \(end)\(rate)")
        }
        if let audio { lines += audioLines(audio) }
        if let offset = audioOffset {
            lines.append("  audio begins \(fixed(offset, digits: 4)) s after the pictures")
        }
        if let jitter {
            lines.append(
                "  jitter: \(fixed(Double(jitter.median) / 1e6, digits: 1)) ms in the median, "
                    + "\(fixed(Double(jitter.high) / 1e6, digits: 1)) ms at 99 %, beyond the quickest"
            )
        }
        for interval in intervals { lines.append("  loss at \(interval.start): \(interval.text)") }
        if intervalCount > intervals.count {
            lines.append("  and \(intervalCount - intervals.count) losses more")
        }
        for fault in faults { lines.append("  damage at byte \(fault.offset): \(fault.text)") }
        if faultCount > faults.count {
            lines.append("  and \(faultCount - faults.count) places of damage more")
        }
        for note in notes { lines.append("  note: \(note)") }
        if !hasLosses { lines.append("  nothing is lost, as far as can be seen") }
        if kind.holdsPictures, !hasIndex {
            lines.append(
                "  not looked for: cuts and flipped bits inside a unit, and losses of exactly as many "
                    + "pictures as the stream counts"
            )
        }
        return lines
    }

    private func audioLines(_ audio: Audio) -> [String] {
        var text =
            "  audio: Opus, \(AudioFormat(sampleRate: 48_000, channels: audio.channels)), "
            + "\(audio.packets) packets, \(audio.lost) missing in \(audio.gaps) gaps"
        if audio.restarts > 0 { text += ", numbered anew \(audio.restarts) times" }
        guard let start = audio.start, let end = audio.end else { return [text] }
        return [text, "    \(start) to \(end)"]
    }
}
