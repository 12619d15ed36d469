extension Command {
    /// `foxfire lumen`: recorded streams.
    static let lumen = Command.group(
        "lumen",
        summary: "Look into recorded lumen streams, and cut and pack them.",
        details: [
            "A capture is a byte stream of HEVC (.h265), with or without an index beside it (.h265.idx), "
                + "Opus packets of 80 bytes in a row, datagrams behind their lengths (.lmdg), or a capture "
                + "log (.lumencap). The graphs lumen-frames, lumen-film, lumen-sound and lumen-remux make "
                + "pictures, films and sound of them."
        ],
        actions: [.lumenProbe]
    )
}

extension Option {
    static let captureRate = Option(
        "--fps",
        value: .text("RATE"),
        purpose:
            "Pictures a second, where the capture has no times; else what the stream tells, or 60."
    )
}
