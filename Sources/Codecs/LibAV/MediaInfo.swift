public import Media

/// What a media file holds, as its headers and first packets tell.
public struct MediaInfo: Sendable {
    /// The container's short name as FFmpeg has it, as in `mov,mp4,m4a,3gp,3g2,mj2` or `ogg`.
    public let container: String
    /// The container's name in words.
    public let containerTitle: String
    /// How long it lasts, where known.
    public let duration: MediaTime?
    /// Whether the duration is a guess from the bit rate.
    public let durationIsEstimated: Bool
    /// The file's length in bytes; nil for a stream.
    public let byteCount: Int64?
    /// Bits per second over all streams, where known.
    public let bitRate: Int64?
    /// Title, artist and the like.
    public let metadata: [String: String]
    /// All streams, as numbered in the file.
    public let streams: [StreamInfo]

    /// The audio stream a player would take.
    public let bestAudio: Int?
    /// The video stream a player would take; never a cover picture when there is a film.
    public let bestVideo: Int?

    /// The format of the audio stream a player would take.
    public var audioFormat: AudioFormat? {
        guard let bestAudio, case .audio(let format) = streams[bestAudio].content else {
            return nil
        }
        return format
    }

    /// The format and frame rate of the video stream a player would take.
    public var videoFormat: (format: VideoFormat, frameRate: Rate?)? {
        guard let bestVideo, case .video(let format, let rate) = streams[bestVideo].content else {
            return nil
        }
        return (format, rate)
    }
}

/// One stream of a media file.
public struct StreamInfo: Sendable {
    /// What a stream carries.
    public enum Content: Sendable, Hashable {
        /// Audio, as it will be decoded.
        case audio(AudioFormat)
        /// Video, as it will be decoded, and its frame rate where there is one.
        case video(VideoFormat, frameRate: Rate?)
        /// What we do not decode, and why: subtitles, data, a size beyond our limits.
        case other(String)
    }

    /// What it carries.
    public let content: Content
    /// The codec's short name as FFmpeg has it, as in `vorbis`; `unknown` when it has none.
    public let codec: String
    /// The codec's profile in words, as in `High 10`.
    public let profile: String?
    /// How samples are stored, as in `fltp` or `yuv420p10le`, before our conversion.
    public let sampleFormat: String?
    /// When it starts on the file's own clock, where known.
    public let startTime: MediaTime?
    /// How long it lasts, where known.
    public let duration: MediaTime?
    /// How many frames or packets the header claims; 0 when it does not.
    public let frameCount: Int64
    /// Bits per second, where known.
    public let bitRate: Int64?
    /// The language as ISO 639-2 has it, as in `deu`.
    public let language: String?
    /// The stream's own metadata.
    public let metadata: [String: String]
    /// Whether it is a cover picture rather than a film.
    public let isCoverPicture: Bool
    /// Whether a part of the colour is assumed because the file does not tell it.
    public let colorIsAssumed: Bool
    /// Width of a pixel divided by its height, when it is not 1.
    public let pixelAspect: Double?
    /// Degrees to turn the picture clockwise for display: 0, 90, 180 or 270.
    public let rotation: Int
}
