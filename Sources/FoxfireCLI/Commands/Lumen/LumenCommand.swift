import Graph
import Media

extension Command {
    /// `foxfire lumen`: recorded streams.
    static let lumen = Command.group(
        "lumen",
        summary: "Look into recorded lumen streams, and cut and pack them.",
        details: [
            "A capture is a byte stream of HEVC or H.264 (.h265, .h264), with or without an index beside it (.h265.idx), "
                + "Opus packets of 80 bytes in a row, datagrams behind their lengths (.lmdg), or a capture "
                + "log (.lumencap). The graphs lumen-frames, lumen-film, lumen-sound and lumen-remux make "
                + "pictures, films and sound of them."
        ],
        actions: [.lumenProbe, .lumenCut, .lumenPack]
    )
}

extension Option {
    static let captureRate = Option(
        "--fps",
        value: .text("RATE"),
        purpose:
            "Pictures a second, where the capture has no times; else what the stream tells, or 60."
    )
    static let cutStart = Option(
        "--start",
        value: .text("TIME"),
        purpose: "Where the part begins, as in 1:30 or 2.5s; at the beginning, unless given."
    )
    static let cutEnd = Option(
        "--end",
        value: .text("TIME"),
        purpose: "Where it ends; with the capture, unless given."
    )
}

extension Arguments {
    /// The file that `-o` names.
    ///
    /// - Throws: `UsageError` without one.
    func captureOutput() throws -> String {
        guard let output = text(.target), output != "-" else {
            throw UsageError(text: "\"-o\" is missing: the file to write")
        }
        return output
    }

    /// The time that an option gives; nil without one.
    func captureTime(_ option: Option) throws -> MediaTime? {
        guard let text = text(option) else { return nil }
        guard let time = TimeValue(parsing: text) else {
            throw UsageError(
                text: "\"\(option.name)\" must be a time, not \"\(text)\"",
                hint: "as in 1.5, 90s, 1:30.5 or 250ms"
            )
        }
        return time.resolved(sampleRate: 48_000)
    }
}
