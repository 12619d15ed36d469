import Codecs
import Graph
import Media
import PicoFox

extension Command {
    /// `foxfire picofox inspect`: what a fox plays of a file.
    static let picofoxInspect = Command(
        name: "picofox inspect",
        summary: "Tell what a fox plays of a file as it is, byte for byte.",
        operands: [
            Operand(name: "FILE", kind: .file, help: "A file as it would be copied to the fox.")
        ],
        options: [.firmware, .fix, .replace, .keep, .json],
        details: [
            "The firmware takes all behind the first 44 bytes for samples: other chunks are noise, another "
                + "rate is another speed. The command ends with 1 when the fox would not play just what is "
                + "meant.",
            "--fix takes the samples as they are where only chunks are wrong; else it makes the file anew "
                + "with the profile raw.",
        ],
        examples: [
            (
                line: "foxfire picofox inspect audio.wav --firmware r3",
                purpose: "Look before the hunt."
            )
        ],
        perform: { arguments in try FoxInspection(arguments).perform() }
    )
}

private struct FoxInspection {
    let arguments: Arguments
    let path: String
    let firmware: Firmware
    let bytes: [UInt8]
    let file: PlayedFile
    private let isFactory: Bool

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        path = arguments.operands[0]
        firmware = try arguments.firmware()
        let bytes = try InputText.read(path, limit: PlayedFile.byteLimit)
        self.bytes = bytes
        file = PlayedFile(bytes.span, firmware)
        var hash = SHA256()
        hash.update(bytes.span)
        isFactory = hash.hexDigest() == FactoryHeader.audioDigest
    }

    func perform() throws -> ExitCode {
        if let output = arguments.text(.fix) { return try fix(to: output) }
        let text = arguments.has(.json) ? JSON.pretty(json) : lines.joined(separator: "\n") + "\n"
        try StandardStreams.write(result: text)
        return file.isGood ? .done : .failed
    }

    private func seconds(_ samples: Int) -> String {
        fixed(Double(samples) / Double(firmware.sampleRate), digits: 4)
    }

    private var verdict: String {
        switch file.refusal {
        case .neverPlayed: "not played: \(firmware.rawValue) never plays a file"
        case .noWave where firmware == .kg:
            "refused: it is no WAV file; a carrier of 0.1 s, a second, and the Morse ID"
        case .noWave:
            "refused: it is no WAV file, and stays open: no audio and no Morse ID any more, only a bare "
                + "carrier, until the power is switched off"
        case .format:
            "refused: kg wants 8000 Hz, 1 channel, 16 bits in a plain header; a carrier of 0.1 s, a second, "
                + "and the Morse ID"
        case nil where file.samples.isEmpty: "nothing is played: it has no samples"
        case nil where file.isGood: "played as it is meant"
        case nil: "played, but not as it is meant"
        }
    }

    private var lines: [String] {
        var lines = ["\(path) on \(firmware.rawValue): \(verdict)"]
        if isFactory { lines.append("  it is the factory's audio") }
        if file.refusal != nil { return lines }
        lines.append("  \(file.samples.count) samples, \(seconds(file.samples.count)) s")
        for stretch in file.stretches {
            let range = "bytes \(stretch.bytes.lowerBound)-\(stretch.bytes.upperBound - 1)"
            let what =
                switch stretch.kind {
                case .audio: "audio"
                case .garbled: "audio, heard as noise: not in samples of 16 bits at even places"
                case .noise(let chunk) where chunk.isEmpty: "noise"
                case .noise(let chunk): "noise, the chunk \"\(chunk)\""
                }
            lines.append(
                "  \(range.padded(to: 24))\(stretch.sampleCount) samples, "
                    + "\(seconds(stretch.sampleCount)) s: \(what)"
            )
        }
        if let format = file.format, let speed = file.speed {
            let channels = format.channels == 1 ? "1 channel" : "\(format.channels) channels"
            let what = "\(format.sampleRate) Hz, \(channels), \(format.bits) bits"
            lines.append(
                abs(speed - 1) < 1e-9
                    ? "  speed right (\(what))"
                    : "  speed \(fixed(speed, digits: 3)) of what is right (\(what))"
            )
        } else {
            lines.append("  no format is told, so that the speed is unknown")
        }
        let most = firmware.fullScaleDeviation / 2
        let peak = file.peakDeviation
        lines.append(
            "  deviation ±\(fixed(peak / 1000, digits: 2)) kHz peak, "
                + "\(fixed(file.meanOffset, digits: 0)) Hz off the centre in the mean"
                + (firmware != .kg && peak > most + 20 ? ": too much for a channel of 25 kHz" : "")
        )
        if let last = file.samples.last, last != 0, firmware != .kg {
            let hertz = Double(last) / 32_767 * firmware.fullScaleDeviation
            lines.append(
                "  the last sample is not 0: the carrier rests \(fixed(hertz, digits: 0)) Hz off"
            )
        }
        if file.byteCount >= Firmware.counterLimit {
            lines.append("  longer than the firmware's counter: the pause after it is wrong")
        }
        return lines
    }

    private var json: JSON.Value {
        let stretches = file.stretches.map { stretch -> JSON.Value in
            let kind =
                switch stretch.kind {
                case .audio: "audio"
                case .garbled: "garbled"
                case .noise: "noise"
                }
            var chunk: JSON.Value?
            if case .noise(let name) = stretch.kind { chunk = .string(name) }
            return .record([
                "kind": .string(kind), "chunk": chunk, "start": .integer(stretch.bytes.lowerBound),
                "end": .integer(stretch.bytes.upperBound), "samples": .integer(stretch.sampleCount),
            ])
        }
        return .record([
            "foxfire": 1, "path": .string(path), "firmware": .string(firmware.rawValue),
            "good": .boolean(file.isGood), "verdict": .string(verdict),
            "samples": .integer(file.samples.count),
            "speed": file.speed.map { .number(fixed($0, digits: 6)) },
            "deviationHertz": .number(fixed(file.peakDeviation, digits: 1)),
            "factory": .boolean(isFactory), "stretches": .list(stretches),
        ])
    }

    /// Writes a good file: the same samples where only chunks are wrong.
    private func fix(to output: String) throws -> ExitCode {
        let layout = WAVLayout(bytes.span)
        let isPlain =
            layout.format.map {
                $0.channels == 1 && $0.bits == 16 && $0.sampleRate == firmware.sampleRate
                    && ($0.tag == 1 || $0.tag == 0xFFFE)
            } ?? false
        guard isPlain, let data = layout.data else {
            var graph = Arguments()
            graph.operands = ["fox-audio"]
            graph.settings = [
                ("input", path), ("output", output), ("profile", "raw"),
                ("firmware", firmware == .jf ? "r3" : firmware.rawValue),
            ].map { Arguments.Setting(name: $0, value: $1) }
            graph.switches = arguments.switches.intersection([.replace, .keep])
            graph.values[.progress] = .text("none")
            return try RunJob(graph).perform()
        }
        let isDevice = FactoryHeader.mended(bytes.span, fileLength: Int64(bytes.count)) != nil
        let end = isDevice ? bytes.count : data.contents.upperBound
        let samples = Array(bytes[data.contents.lowerBound..<end])
        return try FoxWave.write(
            samples.count / 2,
            at: firmware.sampleRate,
            to: output,
            arguments
        ) { place in
            Int16(truncatingIfNeeded: Int(samples[2 * place]) | Int(samples[2 * place + 1]) << 8)
        }
    }
}

/// WAV files that commands write.
enum FoxWave {
    /// Writes a mono file of 16 bits, beside and then in place.
    static func write(
        _ count: Int,
        at sampleRate: Int,
        to path: String,
        _ arguments: Arguments,
        _ sample: (Int) -> Int16
    ) throws -> ExitCode {
        guard try arguments.mayWrite(path) else { return .done }
        let file = try OutputFile(path: path)
        let format = AudioFormat(sampleRate: sampleRate, channels: 1)
        var writer = try WAVWriter(to: .file(file), format: format)
        for start in stride(from: 0, to: count, by: 65_536) {
            let part = (start..<min(start + 65_536, count)).map { Float(sample($0)) / 32_768 }
            try writer.write(AudioBlock(sampleRate: sampleRate, channels: [part]))
        }
        try writer.finish()
        try file.commit()
        return .done
    }
}
