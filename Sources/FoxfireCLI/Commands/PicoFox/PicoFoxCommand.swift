import PicoFox

extension Command {
    /// `foxfire picofox`: audio and settings for a PicoFox.
    static let picofox = Command.group(
        "picofox",
        summary: "Make and check what a PicoFox, a fox-hunt transmitter, plays.",
        details: [
            "The device says the same of itself whatever firmware runs on it, so --firmware names the "
                + "family: r2 and r3 are AI6YM's (r3s counts as r3), kc is KC9MNE's with eleven files, kg is "
                + "KG6MDW's Pacificon firmware, jf is JF9SOM's for orienteering. All that is known of them "
                + "was read from their sources; nothing was measured on hardware."
        ],
        actions: [
            .picofoxPrepare, .picofoxInspect, .picofoxPreview, .picofoxSettings, .picofoxDevice,
        ]
    )
}

extension Option {
    static let firmware = Option(
        "--firmware",
        value: .words(["r2", "r3", "r3s", "kc", "kg", "jf"]),
        purpose: "The fox's firmware family."
    )
    static let profile = Option(
        "--profile",
        value: .words(["speech", "music", "tone", "raw"]),
        purpose: "What the sound is; speech, unless given. raw only changes rate, band and level."
    )
    static let deviation = Option(
        "--deviation",
        value: .words(Deviation.allCases.map(\.rawValue)),
        purpose: "Peak deviation, in Hz: 5k, unless given, or 2.5k for narrow channels."
    )
    static let start = Option(
        "--start",
        value: .text("TIME"),
        purpose: "Where in each input to start, as in 1:30 or 2.5s."
    )
    static let end = Option(
        "--end",
        value: .text("TIME"),
        purpose: "Where to end; with the input, unless given."
    )
    static let fade = Option(
        "--fade",
        value: .text("TIME"),
        purpose: "How long the fades at both ends are; 10ms, unless given."
    )
    static let strictFox = Option(
        "--strict",
        purpose: "Refuse what is damaged, and what is too long for the firmware's counter."
    )
    static let fix = Option("--fix", value: .file("FILE"), purpose: "Write a good file to FILE.")
    static let stage = Option(
        "--stage",
        value: .words(["edit", "device", "air"]),
        purpose:
            "What to hear: edit is the sound at 48 kHz, device the samples that the fox plays, air, unless "
            + "given, a turn on the air as a receiver hears it."
    )
    static let receiver = Option(
        "--receiver",
        value: .words(Receiver.Width.allCases.map(\.rawValue)),
        purpose: "How wide the receiver hears: wide, unless given, or narrow."
    )
    static let settingsFile = Option(
        "--settings",
        value: .file("FILE"),
        purpose: "The settings.txt that goes with it."
    )
    static let to = Option(
        "--to",
        value: .words(["r2", "r3", "r3s", "kc", "kg", "jf"]),
        purpose: "The firmware family that is to read the settings."
    )
    static let audioFile = Option(
        "--audio",
        value: .text("FILE"),
        purpose: "The audio to save, of several separated by commas in their order."
    )
    static let force = Option(
        "--force",
        purpose: "Save although the device was changed since it was opened."
    )
}

extension Arguments {
    /// The family that `--firmware` names.
    ///
    /// - Throws: `UsageError` without one.
    func firmware(_ option: Option = .firmware) throws -> Firmware {
        guard let firmware = text(option).flatMap(Firmware.init(name:)) else {
            throw UsageError(
                text: "\"\(option.name)\" is missing: the firmware family of the fox",
                hint: "r2, r3, kc, kg or jf"
            )
        }
        return firmware
    }
}
