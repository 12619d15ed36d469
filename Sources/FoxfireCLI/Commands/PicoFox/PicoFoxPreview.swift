import Codecs
import Graph
import Media
import PicoFox

extension Command {
    /// `foxfire picofox preview`: what is heard of a fox.
    static let picofoxPreview = Command(
        name: "picofox preview",
        summary: "Write what a receiver hears of a fox, as a WAV file.",
        operands: [
            Operand(
                name: "FILE",
                kind: .file,
                isRepeated: true,
                help: "The fox's audio files in their order, or its folder with settings and audio."
            )
        ],
        options: [
            .target, .firmware, .stage, .receiver, .settingsFile, .replace, .keep, .json,
        ],
        details: [
            "On the air: the firmware's steps of frequency, held from sample to sample; the receiver's "
                + "filter; de-emphasis; 300 to 3000 Hz. Audio, Morse ID and pause follow as the firmware has "
                + "them, once for each file."
        ],
        examples: [
            (
                line:
                    "foxfire picofox preview audio.wav -o heard.wav --firmware r3 --receiver narrow",
                purpose: "Hear it in a narrow handheld."
            )
        ],
        perform: { arguments in try FoxPreview(arguments).perform() }
    )
}

private struct FoxPreview {
    let arguments: Arguments
    let firmware: Firmware
    let output: String
    let files: [String]
    let settings: FirmwareSettings

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        firmware = try arguments.firmware()
        guard let output = arguments.text(.target) else {
            throw UsageError(text: "\"-o\" is missing: where to write", hint: "-o preview.wav")
        }
        self.output = output
        var settingsPath = arguments.text(.settingsFile)
        let first = arguments.operands[0]
        if arguments.operands.count == 1, Folder.kind(of: first) == .folder {
            let volume = FoxVolume(folder: first, firmware: firmware)
            files = volume.playedFiles
            if settingsPath == nil { settingsPath = "\(first)/settings.txt" }
            if files.isEmpty, firmware != .jf {
                throw Failure(
                    .failed,
                    Message(.error, "file", "\(first): there is no \(firmware.audioFileNames[0])")
                )
            }
        } else {
            files = arguments.operands
        }
        settings = try FoxSettings.read(settingsPath, firmware)
    }

    func perform() throws -> ExitCode {
        switch arguments.text(.stage) ?? "air" {
        case "edit":
            guard files.count == 1 else {
                throw UsageError(text: "the stage \"edit\" takes one file")
            }
            var graph = Arguments()
            graph.operands = ["fox-edit"]
            graph.settings = [("input", files[0]), ("output", output)]
                .map { Arguments.Setting(name: $0, value: $1) }
            graph.switches = arguments.switches.intersection([.replace, .keep])
            graph.values[.progress] = .text("none")
            return try RunJob(graph).perform()
        case "device":
            let samples = try files.flatMap { try played($0).samples }
            return try FoxWave.write(samples.count, at: firmware.sampleRate, to: output, arguments)
            {
                samples[$0]
            }
        default: return try writeAir()
        }
    }

    private func played(_ path: String) throws -> PlayedFile {
        let bytes = try InputText.read(path, limit: PlayedFile.byteLimit)
        let file = PlayedFile(bytes.span, firmware)
        if file.refusal != nil {
            StandardStreams.tell(
                [
                    Message(
                        .warning,
                        "refused",
                        "\(path) is not played: \"foxfire picofox inspect\" tells why"
                    )
                ],
                asJSON: arguments.has(.json)
            )
        }
        return file
    }

    private func writeAir() throws -> ExitCode {
        if !settings.transmits {
            throw Failure(
                .failed,
                Message(
                    .error,
                    "settings",
                    "the fox sends nothing with these settings",
                    hint: "\"foxfire picofox settings check\" tells why"
                )
            )
        }
        let width = arguments.text(.receiver).flatMap(Receiver.Width.init) ?? .wide
        let identification = MorseIdentification(settings).samples
        func silence(_ milliseconds: Int) -> [Int16] {
            Array(repeating: 0, count: milliseconds * firmware.sampleRate / 1000)
        }
        var heard: [Float] = []
        var before: [Int] = []
        for path in files.isEmpty ? [""] : files {
            let audio = path.isEmpty ? [] : try played(path).samples
            let cycle = FoxCycle(settings, audioSamples: audio.count, before: before)
            before.append(cycle.onMilliseconds)
            var receiver = Receiver(firmware, width)
            var sent: [Int16]
            if firmware == .jf {
                sent = identification + silence(cycle.gapMilliseconds)
            } else {
                sent = silence(cycle.leadMilliseconds) + audio
                sent += silence(cycle.gapMilliseconds) + identification
            }
            // A last moment, for what is still in the receiver's filter.
            sent += silence(10)
            heard += receiver.hear(sent)
            heard += Receiver.silence(milliseconds: cycle.offMilliseconds)
        }
        return try FoxWave.write(heard.count, at: Receiver.sampleRate, to: output, arguments) {
            Int16(min(max(heard[$0] * 32_767, -32_768), 32_767))
        }
    }
}
