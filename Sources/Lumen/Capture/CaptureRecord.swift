public import Media

/// What a capture holds of a unit or a packet beside its bytes, as far as it does.
public struct CaptureStamp: Sendable, Equatable {
    /// Where it lies in the file, in bytes.
    public var offset: Int64
    /// The host's flags.
    public var flags: UInt32?
    /// Its number, which wraps: of an access unit its frame index, of audio the sequence number.
    public var index: UInt32?
    /// When it was captured on the host's clock, in ns.
    public var time: UInt64?
    /// When it came, on the client's monotonic clock, in ns.
    public var received: UInt64?
    /// Whether all of it came.
    public var isComplete: Bool

    /// Says what is known.
    public init(
        offset: Int64 = 0,
        flags: UInt32? = nil,
        index: UInt32? = nil,
        time: UInt64? = nil,
        received: UInt64? = nil,
        isComplete: Bool = true
    ) {
        self.offset = offset
        self.flags = flags
        self.index = index
        self.time = time
        self.received = received
        self.isComplete = isComplete
    }

    /// What the host says of an access unit.
    enum Flag {
        /// Filler that measures the line, and no video.
        static let probe: UInt32 = 0x8
    }
}

/// One thing that a capture holds, as it lies in the file.
public enum CaptureRecord: Sendable {
    /// An access unit.
    case unit([UInt8], CaptureStamp)
    /// Some bytes of video, without borders.
    case video(ArraySlice<UInt8>)
    /// A packet of audio; empty where the host was silent.
    case audio([UInt8], CaptureStamp)
    /// What the streams are, from here on.
    case description(CaptureDescription)
    /// The mode that the host was asked for.
    case mode(width: UInt32, height: UInt32, rate: Rate?)
    /// The host's clock was set, by so many ns.
    case clockStep(Int64)
    /// Another capture begins, which was joined on.
    case session(UInt64)
    /// Something else, which takes no part.
    case other
    /// Bytes that could not be read, and why.
    case damage(String, offset: Int64)
}

/// What a capture tells of its streams.
public struct CaptureDescription: Sendable, Equatable {
    /// What is known of the pictures.
    public struct Video: Sendable, Equatable {
        /// `hevc`, `h264` or `av1`.
        public var codec: String
        /// How many pictures there are a second, where that is constant.
        public var rate: Rate?

        /// Says both.
        public init(codec: String, rate: Rate? = nil) {
            self.codec = codec
            self.rate = rate
        }
    }

    /// What is known of the audio.
    public struct Audio: Sendable, Equatable {
        /// 1, 2, 6 or 8: mono, stereo, FL FR FC LFE RL RR, FL FR FC LFE RL RR SL SR.
        public var channels: Int
        /// How many Opus streams a packet holds; nil: as the channels have it.
        public var streams: Int?
        /// How many of them are stereo.
        public var coupled: Int?

        /// Says all three.
        public init(channels: Int, streams: Int? = nil, coupled: Int? = nil) {
            self.channels = channels
            self.streams = streams
            self.coupled = coupled
        }
    }

    /// The pictures; nil where there are none.
    public var video: Video?
    /// The audio; nil where there is none.
    public var audio: Audio?

    /// Says both.
    public init(video: Video? = nil, audio: Audio? = nil) {
        self.video = video
        self.audio = audio
    }
}

/// What reads one kind of capture, record by record.
protocol CaptureFormat {
    /// The next record; nil at the end.
    mutating func next() throws -> CaptureRecord?
}

extension CaptureDescription.Audio {
    /// How many Opus streams a packet holds, and how many of them are stereo: as hosts have it unless told.
    public var streamCounts: (streams: Int, coupled: Int) {
        let usual =
            switch channels {
            case 6: (4, 2)
            case 8: (5, 3)
            case 2: (1, 1)
            default: (1, 0)
            }
        return (streams ?? usual.0, coupled ?? usual.1)
    }
}
