/// Finds jumps in a file's own clock and says by how much later times must be moved.
///
/// All streams share one clock, so that what one stream's jump moves, all others follow. Pure, so
/// that it is tested without files.
struct ClockRepair {
    /// A step back of more than this is a clock that started again.
    static let backward = 0.25
    /// A step ahead of more than this is a jump where steps are not to be believed.
    static let forward = 10.0
    /// No gap is longer than this, whatever a header says: a day.
    static let longest = 86_400.0

    /// Seconds by which times must be moved.
    private(set) var shift = 0.0
    private var expected: [Int: Double] = [:]
    private let start: Double
    /// Beyond this a step ahead is a jump: the end the file claims; nil when nothing is claimed.
    private let plausibleEnd: Double?

    /// Makes a repair that has seen nothing.
    ///
    /// - Parameters:
    ///   - start: the second of the file's clock that counts as 0.
    ///   - plausibleEnd: the last second of the file's clock that its header allows for.
    init(start: Double = 0, plausibleEnd: Double?) {
        self.start = start
        self.plausibleEnd = plausibleEnd
    }

    /// Takes note of a packet.
    ///
    /// - Parameters:
    ///   - stream: whose packet it is.
    ///   - time: its decoding time in seconds, as the file has it.
    ///   - duration: seconds it lasts.
    /// - Returns: the seconds by which the clock jumped, when it did.
    mutating func note(stream: Int, time: Double, duration: Double) -> Double? {
        var jumped: Double?
        let step = time + shift - (expected[stream] ?? start)
        let isFirst = expected[stream] == nil
        let isImplausible = plausibleEnd.map { time + shift > $0 + 1 } ?? true
        let isJump = step < -Self.backward || step > Self.forward && isImplausible
        if step > Self.longest || isJump && !isFirst {
            shift -= step
            jumped = step
        }
        expected[stream] = time + shift + max(0, duration)
        return jumped
    }
}
