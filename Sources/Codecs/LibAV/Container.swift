/// A kind of file that holds encoded streams.
public enum Container: String, Sendable, CaseIterable {
    case mp4, mov, mkv, wav, flac, ogg

    /// The container that a file name's ending means; nil for an unknown one.
    public init?(path: String) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "mp4", "m4a", "m4v": self = .mp4
        case "mov", "qt": self = .mov
        case "mkv", "mka": self = .mkv
        case "wav": self = .wav
        case "flac": self = .flac
        case "opus", "ogg", "oga": self = .ogg
        default: return nil
        }
    }

    /// FFmpeg's name for its writer.
    var libraryName: String {
        switch self {
        case .mp4: "mp4"
        case .mov: "mov"
        case .mkv: "matroska"
        case .wav: "wav"
        case .flac: "flac"
        case .ogg: "ogg"
        }
    }

    /// Whether it can be written where one cannot go back.
    public var canStream: Bool { self == .mkv || self == .wav }

    /// Why a codec cannot go into this container; nil when it can.
    ///
    /// - Parameter codec: the codec's name as `EncodedFormat` has it.
    /// - Returns: the reason, and what to take instead.
    public func refusal(of codec: String) -> String? {
        let isPCM = codec.hasPrefix("pcm_")
        switch (self, codec) {
        case (.mkv, _): return nil
        case (.wav, _):
            return isPCM ? nil : "wav holds PCM alone here: take pcm, or mkv for \(codec)"
        case (.flac, _):
            return codec == "flac" ? nil : "a .flac file holds FLAC alone, not \(codec)"
        case (.ogg, _): return codec == "opus" ? nil : "Ogg holds Opus alone here, not \(codec)"
        case (.mp4, _) where isPCM: return "mp4 holds no PCM: take aac, or mov or mkv for PCM"
        case (.mp4, "flac"): return "FFmpeg writes no FLAC into mp4: take aac, or mkv for FLAC"
        case (.mov, "flac"): return "mov holds no FLAC: take pcm or aac, or mkv for FLAC"
        case (.mov, "opus"): return "mov holds no Opus: take aac, or mp4 or mkv for Opus"
        default: return nil
        }
    }
}
