import Graph

/// The JSON Schemas of what the command line writes.
enum Schemas {
    private static let text: JSON.Value = ["type": "string"]
    private static let flag: JSON.Value = ["type": "boolean"]
    private static let count: JSON.Value = ["type": "integer", "minimum": 0]
    private static let seconds: JSON.Value = ["type": "number", "minimum": 0]
    private static let texts: JSON.Value = ["type": "array", "items": text]
    private static let tags: JSON.Value = ["type": "object", "additionalProperties": text]

    /// What `run --report` writes.
    static var report: JSON.Value {
        let output = object(
            [
                ("path", text), ("bytes", count),
                ("sha256", ["type": "string", "pattern": "^[0-9a-f]{64}$"]),
            ],
            optional: ["sha256"]
        )
        let node = object([
            ("name", text), ("kind", text), ("inserted", flag), ("busySeconds", seconds),
            ("waitingForInputSeconds", seconds), ("waitingForRoomSeconds", seconds),
            ("activations", count), ("packetsIn", count), ("packetsOut", count),
            ("unmatched", count), ("warnings", texts), ("damages", texts), ("damageCount", count),
        ])
        let edge = object([
            ("from", text), ("to", text), ("capacity", count), ("packets", count),
            ("peakPackets", count), ("peakBytes", count), ("reliefs", count),
        ])
        let worker = object([
            ("name", text), ("activations", count), ("busySeconds", seconds), ("parts", count),
        ])
        return document(
            "A report of foxfire run",
            [
                ("version", text), ("graph", text), ("elapsedSeconds", seconds),
                ("peakMemoryBytes", count), ("peakEdgeBytes", count), ("outputs", list(output)),
                ("nodes", list(node)), ("edges", list(edge)), ("workers", list(worker)),
            ]
        )
    }

    /// What `probe --json` writes.
    static var probe: JSON.Value {
        let stream = object(
            [
                ("index", count), ("type", ["enum": ["audio", "video", "other"]]),
                ("sampleRate", count), ("channels", count), ("width", count), ("height", count),
                ("frameRate", text), ("layout", text), ("matrix", text), ("range", text),
                ("primaries", text), ("transfer", text), ("colorIsAssumed", flag),
                ("isCoverPicture", flag), ("rotation", ["enum": [0, 90, 180, 270]]),
                ("pixelAspect", ["type": "number"]), ("what", text), ("codec", text),
                ("profile", text), ("sampleFormat", text), ("startSeconds", ["type": "number"]),
                ("durationSeconds", seconds), ("frameCount", count), ("bitRate", count),
                ("language", text), ("metadata", tags),
            ],
            required: ["index", "type", "codec", "metadata"]
        )
        return document(
            "What foxfire probe tells of a media file",
            [
                ("file", text), ("container", text), ("containerTitle", text),
                ("durationSeconds", seconds), ("durationIsEstimated", flag), ("bytes", count),
                ("bitRate", count), ("metadata", tags), ("bestAudio", count), ("bestVideo", count),
                ("streams", list(stream)),
            ],
            optional: ["durationSeconds", "bytes", "bitRate", "bestAudio", "bestVideo"]
        )
    }

    /// One line of what `--json` tells on standard error.
    static var error: JSON.Value {
        let severities = Message.Severity.allCases.map { JSON.Value.string($0.rawValue) }
        return document(
            "An error, a damage or a warning of foxfire",
            [
                ("severity", ["enum": .list(severities)]), ("code", text), ("file", text),
                ("line", ["type": "integer", "minimum": 1]),
                ("column", ["type": "integer", "minimum": 1]), ("node", text), ("pointer", text),
                ("text", text), ("hint", text),
            ],
            optional: ["file", "line", "column", "node", "pointer", "hint"]
        )
    }

    private static func list(_ items: JSON.Value) -> JSON.Value {
        ["type": "array", "items": items]
    }

    private static func document(
        _ title: String,
        _ properties: [(String, JSON.Value)],
        optional: Set<String> = []
    ) -> JSON.Value {
        let whole = object([("foxfire", ["const": 1])] + properties, optional: optional)
        guard case .object(let members) = whole else { return whole }
        return .members(
            [
                ("$schema", "https://json-schema.org/draft/2020-12/schema"),
                ("title", .string(title)),
            ] + members.map { ($0.key, $0.value.value) }
        )
    }

    /// An object of these members and no others; all are required but the optional ones.
    private static func object(
        _ properties: [(String, JSON.Value)],
        optional: Set<String> = []
    ) -> JSON.Value {
        object(properties, required: properties.map(\.0).filter { !optional.contains($0) })
    }

    private static func object(
        _ properties: [(String, JSON.Value)],
        required: [String]
    ) -> JSON.Value {
        [
            "type": "object", "required": .list(required.map { .string($0) }),
            "additionalProperties": false, "properties": .members(properties),
        ]
    }
}
