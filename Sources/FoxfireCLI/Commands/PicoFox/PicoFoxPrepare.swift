import Codecs
import Graph
import Media
import PicoFox
import Sound

extension Command {
    /// `foxfire picofox prepare`: audio files for a fox.
    static let picofoxPrepare = Command(
        name: "picofox prepare",
        summary: "Make the audio that a fox plays well of any sound.",
        operands: [
            Operand(
                name: "INPUT",
                kind: .file,
                isRepeated: true,
                help: "An audio file, or a film whose sound is taken; \"-\" is standard input."
            )
        ],
        options: [
            .target, .firmware, .profile, .deviation, .start, .end, .fade, .settingsFile,
            .replace,
            .keep, .strictFox, .progress, .json,
        ],
        details: [
            "The graph is that of \"foxfire run fox-audio\". Speech is filtered to the channel's band, "
                + "compressed, brought to 11 dB under the peak and limited to the deviation; music gets less "
                + "of it; a tone is brought to the peak.",
            "With one input -o names the file; with several, a folder, where they get the names that the "
                + "firmware plays in order (kc: audio1.wav to audio11.wav, kg: audio.wav, audio1.wav and so on).",
        ],
        examples: [
            (
                line: "foxfire picofox prepare id.mp3 -o audio.wav --firmware r3",
                purpose: "Make a spoken message."
            ),
            (
                line:
                    "foxfire picofox prepare a.ogg -o a.wav --firmware kg --profile music --end 30",
                purpose: "Play the first thirty seconds of a song."
            ),
        ],
        perform: { arguments in try FoxPreparation(arguments).perform() }
    )
}

/// One `foxfire picofox prepare`.
private struct FoxPreparation {
    let arguments: Arguments
    let firmware: Firmware
    /// Each input with its output.
    let jobs: [(input: String, output: String)]

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        firmware = try arguments.firmware()
        let inputs = arguments.operands
        guard let output = arguments.text(.target) else {
            throw UsageError(text: "\"-o\" is missing: where to write", hint: "-o audio.wav")
        }
        let names = firmware == .jf ? Firmware.r3.audioFileNames : firmware.audioFileNames
        if inputs.count > names.count {
            throw UsageError(
                text: "\(firmware.rawValue) plays \(names.count) "
                    + "\(names.count == 1 ? "file" : "files"), not \(inputs.count)"
            )
        }
        if Folder.kind(of: output) == .folder {
            jobs = zip(inputs, names).map { ($0, "\(output)/\($1)") }
        } else if inputs.count == 1 {
            jobs = [(inputs[0], output)]
        } else {
            throw UsageError(text: "several inputs need a folder: there is no folder \(output)")
        }
    }

    func perform() throws -> ExitCode {
        try refuseSilentFox()
        if arguments.has(.strictFox) { try refuseLong() }
        var code = ExitCode.done
        var summaries: [FoxSummary] = []
        for job in jobs {
            let result = try RunJob(graphArguments(job)).perform()
            if result.value > code.value { code = result }
            if job.output != "-" {
                summaries.append(try FoxSummary(job.output, firmware, try settings()))
            }
        }
        StandardStreams.tell(summaries.flatMap(\.warnings), asJSON: arguments.has(.json))
        if firmware == .kc, jobs.count < 11 {
            StandardStreams.tell(
                [
                    Message(
                        .warning,
                        "files",
                        "kc fills files that are missing with its own clip: repeat yours in all of "
                            + "audio1.wav to audio11.wav"
                    )
                ],
                asJSON: arguments.has(.json)
            )
        }
        if arguments.has(.json) {
            let list = JSON.Value.list(summaries.map(\.json))
            try StandardStreams.write(result: JSON.pretty(["foxfire": 1, "files": list]))
        } else {
            try StandardStreams.write(result: summaries.map(\.text).joined(separator: "\n"))
        }
        return code
    }

    /// What the fox is set to, or the factory's settings with a callsign.
    private func settings() throws -> FirmwareSettings {
        try FoxSettings.read(arguments.text(.settingsFile), firmware)
    }

    private func refuseSilentFox() throws {
        guard firmware == .jf else { return }
        let text = "jf never plays an audio file: it sends its Morse identification alone"
        if !arguments.has(.replace) {
            throw Failure(
                .failed,
                Message(.error, "firmware", text, hint: "-y makes the file as for r3 all the same")
            )
        }
        StandardStreams.tell([Message(.warning, "firmware", text)], asJSON: arguments.has(.json))
    }

    /// Refuses inputs that are known to become too long, before anything is written.
    private func refuseLong() throws {
        for job in jobs where job.input != "-" && arguments.text(.end) == nil {
            guard let length = try? MediaInfo(probing: job.input).duration?.seconds else {
                continue
            }
            let bytes = length * Double(2 * firmware.sampleRate)
            if bytes >= Double(Firmware.counterLimit) {
                throw Failure(
                    .failed,
                    Message(
                        .error,
                        "length",
                        "\(job.input) is \(durationText(length)) long: the firmware's counter of milliseconds "
                            + "wraps at \(FoxSummary.limitText(firmware))",
                        hint: "cut it with --end"
                    )
                )
            }
        }
    }

    private func graphArguments(_ job: (input: String, output: String)) -> Arguments {
        var graph = Arguments()
        graph.operands = ["fox-audio"]
        let family = firmware == .jf ? "r3" : firmware.rawValue
        var values = [("input", job.input), ("output", job.output), ("firmware", family)]
        for option in [Option.profile, .deviation, .start, .end, .fade] {
            guard let text = arguments.text(option) else { continue }
            // The options are called like the graph's variables.
            values.append((String(option.name.dropFirst(2)), text))
        }
        graph.settings = values.map { Arguments.Setting(name: $0, value: $1) }
        graph.switches = arguments.switches.intersection([.replace, .keep])
        if arguments.has(.strictFox) { graph.switches.insert(.strict) }
        if arguments.has(.json) { graph.switches.insert(.errorsAsJSON) }
        graph.values[.progress] = arguments.values[.progress] ?? .text("none")
        return graph
    }
}

/// What became of a file that a fox is to play.
struct FoxSummary {
    let path: String
    let file: PlayedFile
    let cycle: FoxCycle
    private let settings: FirmwareSettings
    /// In dB of full scale; nil of silence.
    private let activeLevel: Double?

    /// Reads the file as the firmware does.
    init(_ path: String, _ firmware: Firmware, _ settings: FirmwareSettings) throws {
        self.path = path
        self.settings = settings
        let bytes = try InputText.read(path, limit: PlayedFile.byteLimit)
        file = PlayedFile(bytes.span, firmware == .jf ? .r3 : firmware)
        var meter = SpeechLevel(sampleRate: Double(firmware.sampleRate))
        let samples = file.samples.map { Float($0) / 32_768 }
        meter.measure(samples.span)
        activeLevel = meter.reading?.activeLevel
        cycle = FoxCycle(settings, audioSamples: file.samples.count)
    }

    private var seconds: Double {
        Double(file.samples.count) / Double(file.firmware.sampleRate)
    }

    private var peak: Int { file.samples.reduce(0) { max($0, Int($1.magnitude)) } }

    static func limitText(_ firmware: Firmware) -> String {
        durationText(Double(Firmware.counterLimit - 44) / 2 / Double(firmware.sampleRate))
    }

    var warnings: [Message] {
        var warnings: [Message] = []
        if file.byteCount >= Firmware.counterLimit {
            warnings.append(
                Message(
                    .warning,
                    "length",
                    "\(path) has \(file.byteCount) bytes: the firmware's counter of milliseconds wraps at "
                        + "\(Firmware.counterLimit), so that the pause after it is wrong",
                    hint: "cut it with --end"
                )
            )
        }
        if file.byteCount > FoxVolume.capacity {
            warnings.append(
                Message(
                    .warning,
                    "length",
                    "\(path) has \(file.byteCount) bytes; a fox has room for \(FoxVolume.capacity)"
                )
            )
        }
        return warnings
    }

    private var levelBelowPeak: Double? {
        guard let activeLevel, peak > 0 else { return nil }
        return PortableMath.decibels(ofRatio: Double(peak) / 32_768) - activeLevel
    }

    var text: String {
        let firmware = file.firmware
        var lines = ["\(path) for \(firmware.rawValue)"]
        func line(_ name: String, _ value: String) {
            lines.append("  " + name.padded(to: 12) + value)
        }
        line(
            "length",
            "\(fixed(seconds, digits: 3)) s, \(file.samples.count) samples at \(firmware.sampleRate) Hz"
        )
        line(
            "deviation",
            "±\(fixed(file.peakDeviation / 1000, digits: 2)) kHz peak (sample \(peak))"
        )
        if let levelBelowPeak {
            line("level", "\(fixed(levelBelowPeak, digits: 1)) dB under the peak while it sounds")
        }
        line("band", firmware == .kg ? "up to 3.0 kHz" : "up to 2.2 kHz")
        line("on air", cycleText)
        return lines.joined(separator: "\n") + "\n"
    }

    private var cycleText: String {
        func seconds(_ milliseconds: Int) -> String {
            fixed(Double(milliseconds) / 1000, digits: 1)
        }
        var parts = ["\(seconds(cycle.audioMilliseconds)) s audio"]
        parts.append(
            "\(seconds(cycle.identificationMilliseconds)) s ID of \(settings.callsignText)"
        )
        parts.append(
            cycle.offMilliseconds > 0 ? "\(seconds(cycle.offMilliseconds)) s pause" : "no pause"
        )
        return parts.joined(separator: ", ") + " (DUTY_CYCLE=\(settings.number(.dutyCycle)))"
    }

    var json: JSON.Value {
        .record([
            "path": .string(path), "bytes": .integer(file.byteCount),
            "samples": .integer(file.samples.count),
            "sampleRate": .integer(file.firmware.sampleRate),
            "peak": .integer(peak), "deviationHertz": .number(fixed(file.peakDeviation, digits: 1)),
            "levelBelowPeak": levelBelowPeak.map { .number(fixed($0, digits: 2)) },
            "onMilliseconds": .integer(cycle.onMilliseconds),
            "offMilliseconds": .integer(cycle.offMilliseconds),
        ])
    }
}

/// Settings that commands are given.
enum FoxSettings {
    /// Reads a file as a firmware does; without one, the factory's with the callsign N0CALL.
    static func read(_ path: String?, _ firmware: Firmware) throws -> FirmwareSettings {
        let bytes = try path.map { try InputText.read($0, limit: SettingsReading.byteLimit) }
        return SettingsReading(bytes ?? Array("CALLSIGN=N0CALL\n".utf8), firmware).settings
    }
}

extension String {
    /// Filled up with spaces.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
