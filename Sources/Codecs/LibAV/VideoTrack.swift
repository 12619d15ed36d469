import CLibAV
import Media

/// One video stream being decoded: its decoder, its conversion, and what waits to be taken.
///
/// A class, so that a reader can hold one or none and still ask it.
final class VideoTrack {
    let index: Int
    let clock: StreamClock
    private var decoder: Decoder
    private var output: FrameOutput
    private var layout = FrameLayout()

    init(
        index: Int,
        decoder: consuming Decoder,
        clock: StreamClock,
        rate: Rate?,
        origin: Fraction,
        end: MediaTime?
    ) {
        self.index = index
        self.clock = clock
        self.decoder = decoder
        output = FrameOutput(clock: clock, rate: rate, origin: origin, end: end)
    }

    /// Whether all of the timeline is decoded.
    var isDone: Bool { output.isFull }

    /// How many frames came with a time that did not fit after the one before.
    var misplaced: Int { output.misplaced }

    /// Where the stream has got to on the timeline.
    var position: MediaTime { output.next }

    /// Gives the decoder a packet, or with nil the end.
    func send(_ packet: UnsafeMutablePointer<AVPacket>?) throws -> DecodeFault? {
        try unsafe decoder.send(packet)
    }

    /// Decodes on to the next frame; nil when the decoder needs another packet.
    ///
    /// - Parameter tell: gets what could not be decoded on the way.
    /// - Returns: the frame and its time.
    /// - Throws: `CodecError` when memory ran out.
    func take(_ tell: (DecodeFault) -> Void) throws -> (VideoFrame, MediaTime, MediaTime)? {
        while !isDone {
            switch try decoder.receive() {
            case .nothing: return nil
            case .fault(let fault): tell(fault)
            case .frame(let fault):
                if let fault { tell(fault) }
                guard let (time, duration) = output.place(decoder.frame) else { continue }
                return (try layout.picture(decoder.frame), time, duration)
            }
        }
        return nil
    }

    /// Forgets what the decoder holds, after a seek.
    func reset() { decoder.reset() }
}

/// Times decoded frames and gives them our layouts.
struct FrameOutput: ~Copyable {
    private let clock: StreamClock
    private let rate: Rate?
    private let origin: Fraction
    private let end: MediaTime?
    private var last: MediaTime?
    private(set) var isFull = false
    private(set) var misplaced = 0
    private(set) var next = MediaTime.zero

    init(clock: StreamClock, rate: Rate?, origin: Fraction, end: MediaTime?) {
        self.clock = clock
        self.origin = origin
        self.rate = rate
        self.end = end
    }

    /// When a frame is shown and how long; nil when it lies outside the timeline.
    mutating func place(_ frame: borrowing FrameHandle) -> (
        MediaTime, MediaTime
    )? {
        let stamp = Fraction(unsafe frame.pointer.pointee.best_effort_timestamp, clock.base)
        let counted = unsafe Fraction(foxfire_frame_duration(frame.pointer), clock.base)
        var duration = counted.map(\.time) ?? .zero
        if duration.value <= 0 { duration = rate?.interval ?? .zero }
        if let rate, clock.isTick(duration, near: rate.interval) { duration = rate.interval }
        let told = stamp.map { ($0 - origin).time }
        // Presentation times are not watched as decoding times are: an absurd one counts as none.
        let isSane = told.map { abs($0.seconds - next.seconds) < 1e9 } ?? false
        var time = told.map { isSane ? snapped($0) : next } ?? next
        if let last, time <= last {
            misplaced += 1
            time = next
        }
        // A frame that begins before the timeline does not belong to it.
        if time < .zero { return nil }
        if let end, time >= end {
            isFull = true
            return nil
        }
        last = time
        next = (Fraction(time) + Fraction(duration)).time
        return (time, duration)
    }

    /// The frame rate's own time when a rounded clock meant that: exact at 30000/1001.
    private func snapped(_ time: MediaTime) -> MediaTime {
        guard let rate else { return time }
        let number = time.converted(to: rate.numerator).value
        let (index, rest) = number.quotientAndRemainder(dividingBy: Int64(rate.denominator))
        let half = Int64(rate.denominator) / 2
        let nearest = rest > half ? index + 1 : rest < -half ? index - 1 : index
        let exact = rate.time(of: nearest)
        return clock.isTick(time, near: exact) ? exact : time
    }
}

extension StreamClock {
    /// Whether two times are the same but for this clock's rounding.
    func isTick(_ time: MediaTime, near other: MediaTime) -> Bool {
        abs(time.seconds - other.seconds) <= tickSeconds
    }
}
