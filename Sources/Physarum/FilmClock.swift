public import Media

/// Says which steps of the simulation each frame of a film shows, exactly and without drift.
///
/// Step k happens at k / stepsPerSecond and reads the parameters of that time; warm-up steps come
/// before step 0 and read those of time 0. The frame at time t shows the trail after step
/// ⌊t·stepsPerSecond⌋ blended with the trail after the next one, so that motion is even at any frame
/// rate.
public struct FilmClock: Sendable, Hashable {
    /// Frames per second.
    public let frameRate: Rate
    /// Steps per second of the film.
    public let stepsPerSecond: Rate

    /// What one frame shows.
    public struct Moment: Sendable, Hashable {
        /// The step whose trail is shown.
        public let step: Int64
        /// How much of the trail after step + 1 is mixed in, 0 ≤ blend < 1.
        public let blend: Float

        /// The last step that must have been made for the frame.
        public var lastStep: Int64 { blend > 0 ? step + 1 : step }
    }

    /// Makes the clock of a film.
    public init(frameRate: Rate, stepsPerSecond: Rate = Rate(60)) {
        self.frameRate = frameRate
        self.stepsPerSecond = stepsPerSecond
    }

    /// What frame `index`, counted from 0, shows.
    public func moment(ofFrame index: Int64) -> Moment {
        precondition(index >= 0, "Frames are counted from 0.")
        // index × frame interval × steps per second, as a fraction.
        let numerator =
            Int128(index) * Int128(frameRate.denominator) * Int128(stepsPerSecond.numerator)
        let denominator = Int128(frameRate.numerator) * Int128(stepsPerSecond.denominator)
        let (step, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        // The fraction may round up to 1; the frame then shows the next step alone.
        let blend = Float(Double(rest) / Double(denominator))
        if blend >= 1 { return Moment(step: Int64(clamping: step) + 1, blend: 0) }
        return Moment(step: Int64(clamping: step), blend: blend)
    }

    /// When step `index` happens: the time whose parameters it reads.
    public func time(ofStep index: Int64) -> MediaTime { stepsPerSecond.time(of: index) }

    /// When frame `index` is shown.
    public func time(ofFrame index: Int64) -> MediaTime { frameRate.time(of: index) }

    /// How many frames a film of this length has: those with n / frameRate < length.
    public func frameCount(length: MediaTime) -> Int64 { frameRate.count(before: length) }
}
