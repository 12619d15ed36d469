public import Graph
import Media

extension CaptureReport {
    /// Whether anything is lost or damaged.
    public var hasLosses: Bool {
        intervalCount > 0 || faultCount > 0 || (audio?.lost ?? 0) > 0
    }

    /// What lies in the file, in words.
    public var kindText: String {
        switch kind {
        case .video(let codec): "byte stream of \(codec)" + (hasIndex ? " with an index" : "")
        case .opus: "Opus packets of 80 bytes"
        case .datagrams: "datagrams"
        case .log: "capture log" + (sessions > 1 ? " of \(sessions) sessions" : "")
        }
    }

    /// How long after the first exact picture the audio begins, in seconds; where both are known.
    public var audioOffset: Double? {
        guard let picture = start, let sound = audio?.start, firstStamp != nil else { return nil }
        return sound.seconds - picture.seconds
    }

    /// All of it as JSON, as `foxfire lumen probe --json` prints it.
    ///
    /// - Parameter path: what the capture is called.
    /// - Returns: an object.
    public func json(of path: String) -> JSON.Value {
        .record([
            "foxfire": 1,
            "file": .string(path),
            "kind": .string(kindText),
            "sessions": .integer(sessions),
            "startNanoseconds": origin.map { .integer($0) },
            "pictures": picturesJSON,
            "audio": audio.map(json),
            "audioOffsetSeconds": audioOffset.map { .real($0) },
            "jitterSeconds": jitter.map {
                .record([
                    "median": .real(Double($0.median) / 1e9), "high": .real(Double($0.high) / 1e9),
                ])
            },
            "clockSteps": .list(
                clockSteps.map {
                    .record([
                        "seconds": .real($0.time.seconds), "amountNanoseconds": .integer($0.amount),
                    ])
                }
            ),
            "lossCount": .integer(intervalCount),
            "losses": .list(
                intervals.map { interval in
                    .record([
                        "first": .integer(interval.first), "last": .integer(interval.last),
                        "startSeconds": .real(interval.start.seconds),
                        "endSeconds": .real(interval.end.seconds),
                        "withheld": .integer(interval.withheld),
                        "missing": .integer(interval.missing), "cause": .string(interval.cause),
                        "anchor": interval.anchor.map { .string($0) },
                        "byte": .integer(interval.offset),
                    ])
                }
            ),
            "damageCount": .integer(faultCount),
            "damage": .list(
                faults.map {
                    .record(["byte": .integer($0.offset), "text": .string($0.text)])
                }
            ),
            "notes": .list(notes.map { .string($0) }),
        ])
    }

    private var picturesJSON: JSON.Value {
        .record([
            "units": .integer(verdicts.values.reduce(0, +)),
            "verdicts": .members(
                PictureVerdict.allCases.filter { self[$0] > 0 }
                    .map { ($0.rawValue, .integer(self[$0])) }
            ),
            "missing": .integer(missing),
            "randomAccessPoints": .integer(randomAccessPoints),
            "junkBytes": .integer(junk),
            "frameRate": rate.map { .string("\($0)") },
            "frameRateIsAssumed": .boolean(rateIsAssumed),
            "startSeconds": start.map { .real($0.seconds) },
            "endSeconds": end.map { .real($0.seconds) },
            "firstStampNanoseconds": firstStamp.map { .integer($0) },
            "formats": .list(
                changes.map { change in
                    let format = change.form.format
                    return .record([
                        "picture": .integer(change.number), "seconds": .real(change.time.seconds),
                        "codec": .string(change.form.codec), "width": .integer(format.width),
                        "height": .integer(format.height),
                        "layout": .string(format.layout.rawValue),
                        "matrix": .string("\(format.color.matrix)"),
                        "range": .string("\(format.color.range)"),
                        "primaries": .string("\(format.color.primaries)"),
                        "transfer": .string("\(format.color.transfer)"),
                        "assumed": .list(change.form.assumed.map { .string($0) }),
                    ])
                }
            ),
        ])
    }

    private func json(_ audio: Audio) -> JSON.Value {
        .record([
            "channels": .integer(audio.channels), "packets": .integer(audio.packets),
            "lost": .integer(audio.lost), "gaps": .integer(audio.gaps),
            "duplicates": .integer(audio.duplicates), "late": .integer(audio.late),
            "broken": .integer(audio.broken), "restarts": .integer(audio.restarts),
            "startSeconds": audio.start.map { .real($0.seconds) },
            "endSeconds": audio.end.map { .real($0.seconds) },
            "firstStampNanoseconds": audio.firstStamp.map { .integer($0) },
        ])
    }
}
