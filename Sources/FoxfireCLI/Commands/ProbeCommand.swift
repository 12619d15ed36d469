import Codecs
import Graph
import Media

extension Command {
    /// `foxfire probe`: what a media file holds.
    static let probe = Command(
        name: "probe",
        summary: "Tell what a media file holds.",
        operands: [
            Operand(name: "FILE", kind: .file, help: "A media file, or \"-\" for standard input.")
        ],
        options: [.json, .output, .replace, .keep],
        perform: { arguments in
            let path = arguments.operands.first ?? "-"
            let info = try MediaInfo(probing: path)
            let text = arguments.has(.json) ? JSON.pretty(json(info, path)) : list(info, path)
            return try arguments.deliver(text)
        }
    )

    // MARK: Text

    private static func list(_ info: MediaInfo, _ path: String) -> String {
        var facts = [info.containerTitle]
        if let duration = info.duration {
            facts.append("\(info.durationIsEstimated ? "about " : "")\(duration)")
        }
        if let bytes = info.byteCount { facts.append(byteText(bytes)) }
        if let rate = info.bitRate { facts.append("\(rate / 1000) kbit/s") }
        var text = "\(path == "-" ? "standard input" : path): \(facts.joined(separator: ", "))\n"
        text += tags(info.metadata, indent: "  ")
        for (index, stream) in info.streams.enumerated() {
            text += "  \(index): \(line(stream))\n" + tags(stream.metadata, indent: "     ")
        }
        return text
    }

    private static func line(_ stream: Codecs.StreamInfo) -> String {
        var facts: [String] = []
        switch stream.content {
        case .audio(let format): facts = ["audio", stream.codec, "\(format)"]
        case .video(let format, let rate):
            facts = [
                stream.isCoverPicture ? "cover picture" : "video", stream.codec,
                "\(format.width)x\(format.height)",
            ]
            if let rate { facts.append("\(rate) frames/s") }
            facts.append("\(format.color)\(stream.colorIsAssumed ? " (in part assumed)" : "")")
        case .other(let what): facts = [what, stream.codec]
        }
        if let format = stream.sampleFormat { facts.append(format) }
        if let profile = stream.profile { facts.append(profile) }
        if let start = stream.startTime, start != .zero { facts.append("starts at \(start)") }
        if let duration = stream.duration { facts.append("\(duration)") }
        if let rate = stream.bitRate { facts.append("\(rate / 1000) kbit/s") }
        if stream.rotation != 0 { facts.append("turned by \(stream.rotation)°") }
        if let aspect = stream.pixelAspect {
            facts.append("pixel aspect \(fixed(aspect, digits: 4))")
        }
        return facts.joined(separator: ", ")
    }

    private static func tags(_ metadata: [String: String], indent: String) -> String {
        metadata.sorted { $0.key < $1.key }.map { key, value in
            "\(indent)\(printable(key)): \(printable(value))\n"
        }.joined()
    }

    // MARK: JSON

    private static func json(_ info: MediaInfo, _ path: String) -> JSON.Value {
        .record([
            "foxfire": 1,
            "file": .string(path),
            "container": .string(info.container),
            "containerTitle": .string(info.containerTitle),
            "durationSeconds": info.duration.map { .real($0.seconds) },
            "durationIsEstimated": .boolean(info.durationIsEstimated),
            "bytes": info.byteCount.map { .integer($0) },
            "bitRate": info.bitRate.map { .integer($0) },
            "metadata": tags(info.metadata),
            "bestAudio": info.bestAudio.map { .integer($0) },
            "bestVideo": info.bestVideo.map { .integer($0) },
            "streams": .list(info.streams.enumerated().map { json($1, index: $0) }),
        ])
    }

    private static func json(_ stream: Codecs.StreamInfo, index: Int) -> JSON.Value {
        var members: [(String, JSON.Value?)] = [("index", .integer(index))]
        switch stream.content {
        case .audio(let format):
            members += [
                ("type", "audio"), ("sampleRate", .integer(format.sampleRate)),
                ("channels", .integer(format.channels)),
            ]
        case .video(let format, let rate):
            members += [
                ("type", "video"), ("width", .integer(format.width)),
                ("height", .integer(format.height)),
                ("frameRate", rate.map { .string("\($0)") }),
                ("layout", .string(format.layout.rawValue)),
                ("matrix", "\(format.color.matrix)"), ("range", "\(format.color.range)"),
                ("primaries", "\(format.color.primaries)"),
                ("transfer", "\(format.color.transfer)"),
                ("colorIsAssumed", .boolean(stream.colorIsAssumed)),
                ("isCoverPicture", .boolean(stream.isCoverPicture)),
                ("rotation", .integer(stream.rotation)),
                ("pixelAspect", stream.pixelAspect.map { .real($0) }),
            ]
        case .other(let what): members += [("type", "other"), ("what", .string(what))]
        }
        members += [
            ("codec", .string(stream.codec)),
            ("profile", stream.profile.map { .string($0) }),
            ("sampleFormat", stream.sampleFormat.map { .string($0) }),
            ("startSeconds", stream.startTime.map { .real($0.seconds) }),
            ("durationSeconds", stream.duration.map { .real($0.seconds) }),
            ("frameCount", stream.frameCount > 0 ? .integer(stream.frameCount) : nil),
            ("bitRate", stream.bitRate.map { .integer($0) }),
            ("language", stream.language.map { .string($0) }),
            ("metadata", tags(stream.metadata)),
        ]
        return .members(members.compactMap { name, value in value.map { (name, $0) } })
    }

    private static func tags(_ metadata: [String: String]) -> JSON.Value {
        .members(metadata.sorted { $0.key < $1.key }.map { ($0, .string($1)) })
    }
}
