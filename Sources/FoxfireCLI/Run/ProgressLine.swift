import Graph
import Media

/// How far one output has come, and how fast: what is shown of it.
struct ProgressLine {
    let label: String
    /// How much is done, 0…1; nil where the end is not known.
    let fraction: Double?
    /// Seconds of the output that are made.
    let seconds: Double
    /// Seconds the output will last.
    let duration: Double?
    let packets: Int64
    /// Whether a packet is a picture, so that their number means something to people.
    let arePictures: Bool
    /// Seconds since the run began.
    let elapsed: Double

    /// Says all of it.
    ///
    /// - Parameters:
    ///   - label: what the output is called.
    ///   - time: how much of it is made.
    ///   - duration: how long it will be.
    ///   - packets: pictures or blocks of it.
    ///   - arePictures: whether they are pictures.
    ///   - elapsed: seconds since the run began.
    init(
        label: String,
        time: MediaTime,
        duration: MediaTime?,
        packets: Int64,
        arePictures: Bool,
        elapsed: Double
    ) {
        self.label = label
        let seconds = max(0, time.seconds)
        self.seconds = seconds
        self.duration = duration.map(\.seconds)
        fraction = duration.map { $0.value > 0 ? min(1, seconds / $0.seconds) : 1 }
        self.packets = packets
        self.arePictures = arePictures
        self.elapsed = elapsed
    }

    init(_ progress: Progress, arePictures: Bool, elapsed: Double) {
        self.init(
            label: progress.path?.path ?? progress.node,
            time: progress.time,
            duration: progress.duration,
            packets: progress.packets,
            arePictures: arePictures,
            elapsed: elapsed
        )
    }

    /// Pictures or blocks a second of work.
    var rate: Double { elapsed > 0 ? Double(packets) / elapsed : 0 }

    /// Seconds of output a second of work.
    var speed: Double { elapsed > 0 ? seconds / elapsed : 0 }

    /// Seconds until it is done, at the speed so far; nil where that is not known.
    var timeLeft: Double? {
        guard let duration, speed > 0 else { return nil }
        return max(0, duration - seconds) / speed
    }

    /// `film.mp4  42 %  118.2 frames/s  1.97 × real time  0:34 left`, as much of it as fits.
    func text(columns: Int = .max) -> String {
        var parts: [String] = []
        if let fraction {
            parts.append("\(padded(String(Int(fraction * 100)), to: 3)) %")
        } else {
            parts.append(durationText(seconds))
        }
        if packets > 0 {
            if arePictures { parts.append("\(fixed(rate, digits: 1)) frames/s") }
            parts.append("\(fixed(speed, digits: 2)) × real time")
        }
        if let timeLeft, packets > 0 { parts.append("\(durationText(timeLeft)) left") }
        let rest = parts.joined(separator: "  ")
        // A long path gives way before a number does: its end tells most.
        let room = max(8, columns - rest.count - 3)
        let name = label.count > room ? "…" + label.suffix(room - 1) : label
        return String("\(name)  \(rest)".prefix(max(1, columns - 1)))
    }

    func json(node: String, path: String?) -> JSON.Value {
        .record([
            "foxfire": 1, "event": "progress", "node": .string(node),
            "path": path.map { .string($0) }, "seconds": number(seconds),
            "duration": duration.map(number), "fraction": fraction.map(number),
            "packets": .integer(packets), "elapsed": number(elapsed),
            "timeLeft": timeLeft.map(number),
        ])
    }

    private func number(_ value: Double) -> JSON.Value { .number(fixed(value, digits: 3)) }
}
