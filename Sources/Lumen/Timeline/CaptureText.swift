import Media

extension CaptureReport.Interval {
    /// Which pictures are missing or not exact, why, and what ended that.
    public var text: String {
        let range = first >= last ? "picture \(first)" : "pictures \(first) to \(last)"
        var facts: [String] = []
        if withheld > 0 { facts.append("\(withheld) not exact") }
        if missing > 0 { facts.append("\(missing) missing") }
        let end = anchor.map { "good again with \($0)" } ?? "to the end of the capture"
        return "\(range): \(facts.joined(separator: ", ")): \(cause); \(end)"
    }
}

extension CaptureReport {
    /// Why no picture can be decoded.
    public var emptiness: String {
        let units = verdicts.values.reduce(0, +)
        if units == 0 { return "there is no access unit in it" }
        if self[.noPicture] == units { return "there are parameter sets in it, and no picture" }
        return "none of its \(units) access units can be decoded: there is no random access point"
    }

    /// What users should know that is no damage.
    public var notes: [String] {
        var notes: [String] = []
        if rateIsAssumed, let rate {
            notes.append(
                "its frame rate is not known and is taken as \(rate); say it with \"fps\""
            )
        }
        if junk > 0 { notes.append("\(junk) bytes before the first access unit were passed over") }
        let copies = self[.duplicate] + Int64(audio?.duplicates ?? 0)
        if copies > 0 { notes.append("\(copies) units or packets came twice") }
        let late = self[.straggler] + Int64(audio?.late ?? 0)
        if late > 0 { notes.append("\(late) units or packets came too late and were dropped") }
        if self[.skipped] > 0 {
            notes.append(
                "\(self[.skipped]) pictures before the first random access point were skipped"
            )
        }
        for step in clockSteps {
            notes.append(
                "at \(step.time) the host's clock was set by"
                    + " \(MediaTime(step.amount, 1_000_000_000).seconds) s; times go on evenly"
            )
        }
        let colors = Set(changes.flatMap(\.form.assumed)).sorted()
        if !colors.isEmpty {
            notes.append(
                "its pictures do not tell their \(colors.joined(separator: ", ")):"
                    + " taken as those of BT.709"
            )
        }
        return notes
    }
}
