import CLibAV
import Media

/// One audio stream being decoded: its decoder, its timeline, and what waits to be taken.
///
/// A class, so that a reader can hold one or none and still ask it.
final class AudioTrack {
    let index: Int
    let clock: StreamClock
    private var decoder: Decoder
    private var timeline: AudioTimeline
    private var format: AudioFormat
    private let end: MediaTime?
    /// The time on the file's clock that is the timeline's 0.
    private let origin: Fraction
    /// Samples of priming that the container tells of.
    private let padding: Int
    private var hasBegun = false
    private var waiting: [Piece] = []
    /// How many samples were no numbers, over all channels, and where the first of them came.
    private(set) var strange: (count: Int, first: MediaTime)?
    /// Whether the file stores floats, which may be beyond full scale.
    private let storesFloats: Bool
    /// The largest magnitude where the file stores floats; else 0.
    private(set) var peak: Float = 0

    /// What waits: silence may be an hour, so that it is made only when it is taken.
    private enum Piece {
        case silence(Int64, AudioFormat, at: Int64)
        case block(AudioBlock, at: Int64)
    }

    /// A gap is handed out in blocks no longer than this.
    private static let silenceBlock: Int64 = 16384

    init(
        index: Int,
        decoder: consuming Decoder,
        clock: StreamClock,
        format: AudioFormat,
        padding: Int,
        storesFloats: Bool,
        origin: Fraction,
        end: MediaTime?
    ) {
        self.index = index
        self.clock = clock
        self.decoder = decoder
        self.format = format
        self.padding = padding
        self.storesFloats = storesFloats
        self.origin = origin
        self.end = end
        timeline = Self.timeline(from: nil, format, clock, end)
    }

    private static func timeline(
        from next: Int64?,
        _ format: AudioFormat,
        _ clock: StreamClock,
        _ end: MediaTime?
    ) -> AudioTimeline {
        let rate = Int32(format.sampleRate)
        // A tick and a half of the stream's clock, since a block's time and the first block's are
        // both rounded; and a sample for codecs that count otherwise.
        let tick = Int64((clock.tickSeconds * 1.5 * Double(rate)).rounded(.up))
        return AudioTimeline(
            from: next,
            end: end?.converted(to: rate).value,
            tolerance: tick + 1,
            longestGap: Int64(ClockRepair.longest) * Int64(rate)
        )
    }

    /// Whether all of the timeline is decoded.
    var isDone: Bool { timeline.isFull }

    /// Where the stream has got to on the timeline.
    var position: MediaTime { format.time(of: timeline.next) }

    /// Gives the decoder a packet, or with nil the end.
    func send(_ packet: UnsafeMutablePointer<AVPacket>?) throws -> DecodeFault? {
        try unsafe decoder.send(packet)
    }

    /// Takes note of what the decoder's frame holds.
    private func place() throws {
        let raw = unsafe decoder.frame.pointer
        let count = unsafe Int(raw.pointee.nb_samples)
        let rate = unsafe Int(raw.pointee.sample_rate)
        let channels = unsafe Int(raw.pointee.ch_layout.nb_channels)
        guard count > 0, rate > 0, (1...64).contains(channels) else { return }
        let found = AudioFormat(sampleRate: rate, channels: channels)
        if found != format {
            let here = position.converted(to: Int32(rate))
            timeline = Self.timeline(from: here.value, found, clock, end)
            format = found
        }
        let before = timeline.next
        let heard = unsafe clock.heard(of: raw, count: count, rate: rate)
        let stamp = unsafe clock.start(of: raw, count: count, rate: rate)
        let placement = timeline.place(at: told(stamp, rate, step: count), count: heard)
        if placement.silence > 0 {
            waiting.append(.silence(placement.silence, format, at: before))
        }
        if placement.used.isEmpty { return }
        let (block, strangers) = try Self.block(decoder.frame, format, placement.used)
        if strangers > 0 {
            let first = strange?.first ?? format.time(of: before + placement.silence)
            strange = ((strange?.count ?? 0) + strangers, first)
        }
        if storesFloats { peak = max(peak, block.peak) }
        waiting.append(.block(block, at: before + placement.silence))
    }

    /// Where a frame says it lies, in samples on the timeline.
    private func told(_ stamp: Int64, _ rate: Int, step: Int) -> Int64? {
        let isFirst = !hasBegun
        hasBegun = true
        // The clock of an Ogg file's first link runs wrong for links of another rate.
        if clock.countsSamples, rate != Int(clock.base.den) { return nil }
        if clock.isMadeUp, !isFirst { return nil }
        guard let time = Fraction(stamp, clock.base) else { return nil }
        let rounded = (time - origin).counts(of: Int32(rate))
        if !isFirst { return rounded }
        let fileStart = (Fraction.zero - origin).counts(of: Int32(rate))
        return clock.exact(rounded, rate: rate, from: fileStart - Int64(padding), step: step)
    }

    private static func block(
        _ frame: borrowing FrameHandle,
        _ format: AudioFormat,
        _ range: Range<Int>
    ) throws -> (AudioBlock, strange: Int) {
        var strange = 0
        var samples = Writable<Float>(uninitialized: range.count * format.channels)
        for channel in 0..<format.channels {
            let count = unsafe samples.withUnsafeMutablePointer { pointer in
                unsafe SampleFormats.convert(
                    frame,
                    channel: channel,
                    range: range,
                    to: pointer + channel * range.count
                )
            }
            guard let count else {
                throw CodecError(
                    call: "avcodec_receive_frame",
                    code: 0,
                    text: "unknown sample format",
                    subject: "audio"
                )
            }
            strange += count
        }
        return (AudioBlock(format: format, samples: samples), strange)
    }

    /// Decodes on to the next block; nil when the decoder needs another packet.
    ///
    /// - Parameter tell: gets what could not be decoded on the way.
    /// - Returns: the block and its time.
    /// - Throws: `CodecError` when memory ran out.
    func take(_ tell: (DecodeFault) -> Void) throws -> (AudioBlock, MediaTime)? {
        while waiting.isEmpty, !isDone {
            switch try decoder.receive() {
            case .nothing: return nil
            case .fault(let fault): tell(fault)
            case .frame(let fault):
                if let fault { tell(fault) }
                try place()
            }
        }
        guard let piece = waiting.first else { return nil }
        switch piece {
        case .block(let block, let position):
            waiting.removeFirst()
            return (block, block.format.time(of: position))
        case .silence(let count, let format, let position):
            let now = min(count, Self.silenceBlock)
            if count > now {
                waiting[0] = .silence(count - now, format, at: position + now)
            } else {
                waiting.removeFirst()
            }
            let samples = Writable<Float>(repeating: 0, count: Int(now) * format.channels)
            return (AudioBlock(format: format, samples: samples), format.time(of: position))
        }
    }

    /// Forgets what the decoder holds, after a seek.
    func reset() { decoder.reset() }
}

/// The clock that a stream's timestamps count in.
struct StreamClock {
    let base: AVRational
    /// Whether a packet's duration, where it is shorter than what it decodes to, ends what is heard.
    var durationsTrim = false
    /// Whether a packet's end is sure and its start is not: an Ogg page tells where its last packet
    /// ends, and libavformat counts back from there with a length that for Vorbis' first packet of a
    /// page is a guess.
    var endsTell = false
    /// Whether it counts samples of a rate that may change without it.
    var countsSamples = false
    /// Whether the file has no clock, so that only the first time counts.
    var isMadeUp = false
    var tickSeconds: Double { Double(base.num) / Double(base.den) }

    /// The first block's place, which this clock rounds, where whole blocks from the first sample tell
    /// it exactly.
    ///
    /// - Parameters:
    ///   - position: the rounded place.
    ///   - rate: samples per second.
    ///   - first: where the stream's first sample lies, priming included.
    ///   - step: samples of a block.
    /// - Returns: the place.
    func exact(_ position: Int64, rate: Int, from first: Int64, step: Int) -> Int64 {
        let tick = Int64((tickSeconds * Double(rate)).rounded(.up))
        if tick <= 1 { return position }
        let blocks = Double(position - first) / Double(step)
        let nearest = first + Int64(blocks.rounded()) * Int64(step)
        return abs(position - nearest) <= tick ? nearest : position
    }

    /// When a decoded frame starts, in ticks.
    func start(of frame: UnsafeMutablePointer<AVFrame>, count: Int, rate: Int) -> Int64 {
        let stamp = unsafe frame.pointee.best_effort_timestamp
        let duration = unsafe foxfire_frame_duration(frame)
        guard endsTell, stamp != foxfire_no_time, base.num == 1, Int(base.den) == rate,
            (1...Int64(Int32.max)).contains(duration)
        else { return stamp }
        return stamp.addingReportingOverflow(duration - Int64(count)).partialValue
    }

    /// How many of a decoded frame's samples are to be heard.
    func heard(of frame: UnsafeMutablePointer<AVFrame>, count: Int, rate: Int) -> Int {
        let duration = unsafe foxfire_frame_duration(frame)
        guard durationsTrim, base.num == 1, Int(base.den) == rate, duration > 0 else {
            return count
        }
        return min(count, Int(clamping: duration))
    }
}
