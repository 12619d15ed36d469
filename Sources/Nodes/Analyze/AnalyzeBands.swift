import Codecs
import Graph
import Media
import Physarum

/// Reads how loud bass, mid and high are, and how strongly each was just hit, at a constant rate.
///
/// Reading k is at exactly k / `rate`, from 0 on, as long as there is audio; the last one's duration is
/// cut to the audio's end. Where there is no audio there is silence. Channels are averaged. A reading
/// is a Fourier transform of `window` samples under Hann's window around the sample nearest to its
/// time, or with `"align": "causal"` before it. Magnitudes are scaled so that a full-scale sine
/// reads 1. A band has the bins ⌊low / binHz⌋…⌈high / binHz⌉; above half the sample rate it reads 0.
///
/// Level: the magnitudes in dB, clamped to -80…-10 and mapped to 0…1, averaged over the band's bins,
/// then over time with the time constant `smoothing`, from 0 on.
///
/// Transient, by spectral flux, with hop = 1 / `rate`:
///
/// - flux = Σ max(0, magnitude − previous magnitude) over the band's bins
/// - baseline (from 0) += (1 − e^(−hop / 1.5 s)) · (flux − baseline)
/// - deviation = max(0, flux − baseline)
/// - envelope = the deviation where that is larger, else e^(−hop / 0.25 s) · envelope
/// - peak (from 0.02) = max(envelope, e^(−hop / 3 s) · peak)
/// - transient = envelope / max(peak, 0.02), clamped to 0…1; the first reading has none
///
/// Latency: half a window and a hop, or with causal alignment a hop. Memory: O(window). When the
/// sample rate changes the analysis starts anew, and the readings' times go on. Deterministic on one
/// kind of CPU, however the audio is cut up.
struct AnalyzeBands: Node, ~Copyable {
    static let kind = "analyze.bands"
    static let execution = Execution.serial
    /// Readings and pieces of audio in one run.
    private static let burst = 32
    /// Samples appended at once.
    private static let piece = 4096

    let audio: Input<AudioBlock>
    let bands: Output<AudioBands>
    let rate: Rate
    let window: Int?
    let alignment: BandAnalyzer.Alignment
    let smoothing: TimeValue
    let ranges: BandRanges

    private var analyzer: BandAnalyzer?
    /// A block that was taken but is not analysed whole, and which of its samples are left.
    private var pending: Packet<AudioBlock>?
    private var left = 0..<0

    init(_ c: inout Contract) {
        audio = c.input(
            "audio",
            .inOrder,
            changes: .accepts,
            "Audio at any rate; channels are averaged."
        )
        bands = c.output("bands", "One reading per tick of `rate`.")
        rate = c.rate(
            "rate",
            default: Rate(240),
            in: Rate(1)...Rate(1000),
            .hertz,
            "Readings a second; far above a film's frame rate, or hits fall between them."
        )
        window = c.optionalInteger(
            "window",
            in: 64...65_536,
            .samples,
            "Length of the transform, a power of two; by default 2048 at 44.1 and 48 kHz, and in "
                + "proportion at other rates."
        )
        c.require((window ?? 64).nonzeroBitCount == 1, "window", "must be a power of two")
        alignment = c.choice(
            "align",
            default: BandAnalyzer.Alignment.centred,
            "Whether the window lies around a reading's time or before it."
        )
        smoothing = c.time(
            "smoothing",
            default: .time(MediaTime(1, 10)),
            "Time constant of the levels; 0: none."
        )
        ranges = Self.ranges(&c)
    }

    private static func ranges(_ c: inout Contract) -> BandRanges {
        let edges = c.optionalList("ranges", "The bands' edges, where they are not the usual ones.")
        {
            element -> (band: AudioReactive.Source, low: Double, high: Double) in
            let band: AudioReactive.Source = element.choice(
                "band",
                "The band: bass is 20…250 Hz, mid 250…4000 Hz, high 4000…16000 Hz."
            )
            let low = element.number("low", in: 0...200_000, .hertz, "Its lower edge.")
            let high = element.number("high", in: 0...200_000, .hertz, "Its upper edge.")
            element.require(low < high, "high", "must be above \"low\"")
            return (band, low, high)
        }
        var ranges = BandRanges()
        for edge in edges ?? [] where edge.low < edge.high {
            ranges[edge.band] = edge.low...edge.high
        }
        let bands = (edges ?? []).map(\.band)
        c.require(Set(bands).count == bands.count, "ranges", "must name each band once")
        return ranges
    }

    /// The window at a sample rate: as given, or the power of two nearest in ratio to 2048 / 48 kHz.
    private func window(at sampleRate: Int) -> Int {
        if let window { return window }
        var size = 64
        // The next size is nearer once sampleRate · 2048 / 48000 is above size · √2.
        let wanted = Int128(sampleRate) * 2048
        while size < 65_536, wanted * wanted > 2 * Int128(size * 48_000) * Int128(size * 48_000) {
            size *= 2
        }
        return size
    }

    private func settings(at sampleRate: Int) -> BandAnalyzer.Settings {
        BandAnalyzer.Settings(
            rate: rate,
            window: window(at: sampleRate),
            alignment: alignment,
            smoothing: smoothing.resolved(sampleRate: sampleRate).seconds,
            ranges: ranges
        )
    }

    func resolve(_ f: inout Formats) throws {
        var delay: MediaTime?
        if let format = f[audio] {
            let length = window(at: format.sampleRate)
            // hop > window / 4
            if 4 * Int128(format.sampleRate) * Int128(rate.denominator)
                > Int128(length) * Int128(rate.numerator)
            {
                f.environment.warn(
                    "at \(rate) Hz readings lie more than a quarter of the window (\(length) samples "
                        + "at \(format.sampleRate) Hz) apart, so that hits between them are missed; "
                        + "raise \"rate\" or \"window\""
                )
            }
            delay =
                alignment == .centred ? format.time(of: Int64(length / 2)) : rate.interval
        }
        f.set(
            bands,
            AudioBandsFormat(rate: rate),
            rate: rate,
            duration: f.duration(of: audio),
            delay: delay,
            bytesPerPacket: MemoryLayout<BandValues>.size * 2
        )
    }

    mutating func start(_ f: borrowing Formats) throws {
        // What can fail fails before anything runs.
        if let rate = f[audio]?.sampleRate {
            analyzer = try BandAnalyzer(sampleRate: rate, settings: settings(at: rate))
        }
    }

    mutating func run(_ io: inout IO) throws {
        for _ in 0..<Self.burst {
            if emitNext(&io) { continue }
            if pending == nil {
                guard let packet = io.take(audio) else { return }
                pending = packet
                left = 0..<packet.payload.frameCount
            }
            try advance()
        }
        io.more()
    }

    mutating func finish(_ io: inout IO) {
        analyzer?.finish(isCut: true)
        for _ in 0..<Self.burst { if !emitNext(&io) { return } }
        io.more()
    }

    private mutating func emitNext(_ io: inout IO) -> Bool {
        guard let reading = analyzer?.next() else { return false }
        let payload = AudioBands(
            format: AudioBandsFormat(rate: rate),
            level: reading.level,
            transient: reading.transient
        )
        io.emit(payload, at: reading.time, duration: reading.duration, on: bands)
        return true
    }

    /// Brings the analysis one step nearer to the end of the pending block.
    private mutating func advance() throws {
        guard let packet = pending, !left.isEmpty else {
            pending = nil
            return
        }
        let block = packet.payload
        let position = block.format.index(of: packet.time) + Int64(left.lowerBound)
        guard analyzer?.sampleRate == block.format.sampleRate, let end = analyzer?.end else {
            try changeRate(to: block.format.sampleRate, at: position)
            return
        }
        if position > end {
            // Where there is no audio there is silence.
            analyzer?.appendSilence(Int(min(position - end, Int64(Self.piece))))
            return
        }
        // What lies before the end so far has been heard.
        left.removeFirst(Int(min(end - position, Int64(left.count))))
        let part = left.prefix(Self.piece)
        analyzer?.append(block, part)
        left.removeFirst(part.count)
    }

    /// Ends the analysis at the old sample rate, or once its readings are out, begins the new one.
    private mutating func changeRate(to sampleRate: Int, at position: Int64) throws {
        if analyzer?.isFinished == false {
            analyzer?.finish(isCut: false)
            return
        }
        let index = analyzer?.index
        let centre = BandAnalyzer.centre(of: index ?? 0, rate: rate, sampleRate: sampleRate)
        analyzer = try BandAnalyzer(
            sampleRate: sampleRate,
            settings: settings(at: sampleRate),
            from: index ?? 0,
            at: index == nil ? 0 : min(centre, position)
        )
    }
}
