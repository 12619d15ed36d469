import Graph
import Media

/// The JSON of a log's description: a list of streams.
///
/// `{"clock": "unix", "streams": [{"stream": 0, "kind": "video", "codec": "hevc", "width": 1920,
/// "height": 1080, "rate": "60"}, {"stream": 1, "kind": "audio", "codec": "opus", "sampleRate": 48000,
/// "channels": 2}]}`; keys that are not known are passed over.
enum LogDescription {
    /// The number of the stream of pictures, and of that of audio.
    typealias Streams = (video: UInt8?, audio: UInt8?)

    /// Reads a description: the first stream of each kind; nil where it is no such JSON.
    static func read(_ bytes: [UInt8]) -> (CaptureDescription, Streams)? {
        let reading = JSONReader.read(bytes)
        guard reading.problems.isEmpty, case .array(let streams)? = reading.value?["streams"]?.value
        else { return nil }
        var result = CaptureDescription()
        var numbers: Streams = (nil, nil)
        for stream in streams {
            let number = UInt8(clamping: integer(stream["stream"]) ?? 0)
            switch text(stream["kind"]) {
            case "video" where result.video == nil:
                result.video = CaptureDescription.Video(
                    codec: text(stream["codec"]) ?? "hevc",
                    rate: text(stream["rate"]).flatMap { Rate(parsing: $0) }
                )
                numbers.video = number
            case "audio" where result.audio == nil:
                guard text(stream["codec"]) ?? "opus" == "opus" else { continue }
                let channels = integer(stream["channels"]) ?? 2
                guard [1, 2, 6, 8].contains(channels) else { return nil }
                result.audio = CaptureDescription.Audio(
                    channels: channels,
                    streams: integer(stream["opusStreams"]),
                    coupled: integer(stream["opusCoupled"])
                )
                numbers.audio = number
            default: continue
            }
        }
        return (result, numbers)
    }

    /// Writes a description; pictures become stream 0, audio stream 1.
    static func write(_ description: CaptureDescription, width: Int?, height: Int?) -> [UInt8] {
        var streams: [JSON.Value] = []
        if let video = description.video {
            streams.append(
                .record([
                    "stream": 0,
                    "kind": "video",
                    "codec": .string(video.codec),
                    "width": width.map { .integer($0) },
                    "height": height.map { .integer($0) },
                    "rate": video.rate.map { .string("\($0)") },
                ])
            )
        }
        if let audio = description.audio {
            streams.append(
                .record([
                    "stream": 1,
                    "kind": "audio",
                    "codec": "opus",
                    "sampleRate": 48000,
                    "channels": .integer(audio.channels),
                    "layout": .string(layouts[audio.channels] ?? "mono"),
                    "opusStreams": audio.streams.map { .integer($0) },
                    "opusCoupled": audio.coupled.map { .integer($0) },
                ])
            )
        }
        return Array(JSON.compact(.record(["clock": "unix", "streams": .list(streams)])).utf8)
    }

    /// The order of channels, by their number.
    private static let layouts = [
        1: "mono", 2: "FL FR", 6: "FL FR FC LFE RL RR", 8: "FL FR FC LFE RL RR SL SR",
    ]

    private static func text(_ json: JSON?) -> String? {
        switch json?.value {
        case .string(let text), .number(let text): text
        default: nil
        }
    }

    private static func integer(_ json: JSON?) -> Int? {
        guard case .number(let text)? = json?.value else { return nil }
        return Int(text)
    }
}
