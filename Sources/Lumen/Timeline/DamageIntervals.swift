import Media

/// Joins pictures that are missing or not exact to intervals.
struct DamageIntervals {
    private var open: CaptureReport.Interval?
    private var lastIndex: UInt32?
    private var lastNumber: Int64?
    private var lastEnd = MediaTime.zero

    /// Takes the next picture, in the order of decoding.
    ///
    /// - Parameters:
    ///   - picture: the picture.
    ///   - time: when it is shown.
    ///   - duration: how long.
    ///   - report: gets intervals that are over.
    mutating func take(
        _ picture: CapturedPicture,
        at time: MediaTime,
        duration: MediaTime,
        _ report: inout CaptureReport
    ) {
        let missing = missing(before: picture)
        if missing > 0 {
            report.missing += missing
            begin(picture, at: lastNumber == nil ? time : lastEnd)
            open?.missing += missing
            open?.cause =
                missing == 1 ? "a picture did not come" : "\(missing) pictures did not come"
        }
        let end = time.adding(duration)
        if picture.verdict.isLoss {
            begin(picture, at: time)
            open?.withheld += 1
            let last = open?.last ?? 0
            open?.last = max(last, picture.number)
            open?.end = end
        } else {
            close(anchor(picture), &report, at: time)
        }
        lastEnd = max(lastEnd, end)
        lastNumber = max(lastNumber ?? picture.number, picture.number)
        if let index = picture.stamp.index { lastIndex = index }
    }

    /// Ends what is open with the capture.
    mutating func finish(_ report: inout CaptureReport) { close(nil, &report, at: lastEnd) }

    private mutating func begin(_ picture: CapturedPicture, at time: MediaTime) {
        if open != nil { return }
        let first = min(picture.number, (lastNumber ?? picture.number - 1) + 1)
        open = CaptureReport.Interval(
            first: first,
            start: time,
            last: max(first, picture.number - 1),
            end: time,
            withheld: 0,
            missing: 0,
            cause: cause(picture),
            anchor: nil,
            offset: picture.stamp.offset
        )
    }

    private mutating func close(
        _ anchor: String?,
        _ report: inout CaptureReport,
        at time: MediaTime
    ) {
        guard var interval = open else { return }
        open = nil
        interval.anchor = anchor
        interval.end = max(interval.end, time)
        report.intervalCount += 1
        if report.intervals.count < CaptureReport.kept { report.intervals.append(interval) }
    }

    /// How many pictures did not come before this one, as far as that can be told.
    private func missing(before picture: CapturedPicture) -> Int64 {
        if let index = picture.stamp.index, let lastIndex {
            return max(0, Int64(Int32(bitPattern: index &- lastIndex)) - 1)
        }
        // With reordering a gap may still be filled.
        guard let lastNumber, picture.form?.reorderLimit == 0 else { return 0 }
        return max(0, picture.number - lastNumber - 1)
    }

    private func cause(_ picture: CapturedPicture) -> String {
        if let fault = picture.fault { return fault }
        return switch picture.verdict {
        case .noStart: "there is no random access point before it"
        default: "a picture that it refers to did not come"
        }
    }

    private func anchor(_ picture: CapturedPicture) -> String {
        picture.isRandomAccess
            ? "a random access point" : "a picture that refers to none that was lost"
    }
}
