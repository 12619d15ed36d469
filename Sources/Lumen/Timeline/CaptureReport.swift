public import Media

/// What was found in a capture, as far as it was read.
public struct CaptureReport: Sendable {
    /// How many entries a list keeps; counts go on.
    public static let kept = 1000

    /// Pictures that are missing or not exact, from one that is to the next.
    public struct Interval: Sendable {
        /// The number of the first, in the order of showing.
        public var first: Int64
        /// When it is.
        public var start: MediaTime
        /// The number of the last.
        public var last: Int64
        /// When it ends.
        public var end: MediaTime
        /// How many came, but are not exact.
        public var withheld: Int
        /// How many did not come, as far as can be told.
        public var missing: Int64
        /// Why.
        public var cause: String
        /// What made pictures exact again; nil at the end of the capture.
        public var anchor: String?
        /// Where the first lies in the file, in bytes.
        public var offset: Int64
    }

    /// A size, with its colours, and from when on.
    public struct Change: Sendable {
        /// The first picture of it.
        public var number: Int64
        /// When that is.
        public var time: MediaTime
        /// What pictures are from there on.
        public var form: PictureForm
    }

    /// Damage of the file itself.
    public struct Fault: Sendable {
        /// What is wrong.
        public var text: String
        /// Where, in bytes.
        public var offset: Int64
    }

    /// What is known of the audio.
    public struct Audio: Sendable {
        /// 1, 2, 6 or 8.
        public var channels = 2
        /// Packets in their place, those that are missing too.
        public var packets: Int64 = 0
        /// Of them, those that did not come.
        public var lost: Int64 = 0
        /// Gaps, of any length.
        public var gaps = 0
        /// Packets that came twice.
        public var duplicates = 0
        /// Packets that came later than they were waited for.
        public var late = 0
        /// Packets without a sample count that can be: not Opus.
        public var broken: Int64 = 0
        /// How often the count began anew.
        public var restarts = 0
        /// When the first packet was stamped, in ns of the host's clock.
        public var firstStamp: UInt64?
        /// From the start of the film to the first packet.
        public var start: MediaTime?
        /// The end of the last packet.
        public var end: MediaTime?
    }

    /// How the capture lies in its file.
    public internal(set) var kind: CaptureKind
    /// Whether an index was read beside it.
    public internal(set) var hasIndex = false
    /// Access units by what became of them.
    public internal(set) var verdicts: [PictureVerdict: Int64] = [:]
    /// Pictures that did not come, as far as can be told.
    public internal(set) var missing: Int64 = 0
    /// What pictures are, and where that changes.
    public internal(set) var changes: [Change] = []
    /// Stretches of pictures that are missing or not exact.
    public internal(set) var intervals: [Interval] = []
    /// How many there are, those beyond the kept ones too.
    public internal(set) var intervalCount = 0
    /// Damage of the file itself.
    public internal(set) var faults: [Fault] = []
    /// How much there is, beyond what is kept too.
    public internal(set) var faultCount = 0
    /// Bytes before the first access unit.
    public internal(set) var junk: Int64 = 0
    /// Random access points that were admitted.
    public internal(set) var randomAccessPoints: Int64 = 0
    /// The frame rate that times were made with; nil where pictures bring times.
    public internal(set) var rate: Rate?
    /// Whether that rate is a guess.
    public internal(set) var rateIsAssumed = false
    /// When the first picture was stamped, in ns of the host's clock.
    public internal(set) var firstStamp: UInt64?
    /// From the start of the film to the first picture that is exact.
    public internal(set) var start: MediaTime?
    /// The end of the last picture.
    public internal(set) var end: MediaTime?
    /// What is known of the audio; nil where there is none.
    public internal(set) var audio: Audio?
    /// Steps of the host's clock that were smoothed: where, and by how many ns.
    public internal(set) var clockSteps: [(time: MediaTime, amount: Int64)] = []
    /// How long pictures took beyond the quickest, in ns: the median, and of every hundred the last but one.
    public internal(set) var jitter: (median: Int64, high: Int64)?
    /// The start of the timeline on the host's clock, in ns; nil where nothing has stamps.
    public internal(set) var origin: UInt64?
    /// Captures that were joined in the file.
    public internal(set) var sessions = 0

    init(kind: CaptureKind) { self.kind = kind }

    /// Access units of one verdict.
    public subscript(verdict: PictureVerdict) -> Int64 { verdicts[verdict] ?? 0 }

    /// Pictures that came and are not exact.
    public var withheld: Int64 { self[.refersToLoss] + self[.damaged] + self[.noStart] }

    mutating func note(_ text: String, offset: Int64) {
        faultCount += 1
        if faults.count < Self.kept { faults.append(Fault(text: text, offset: offset)) }
    }
}
