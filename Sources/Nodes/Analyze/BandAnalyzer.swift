import Codecs
import Media
import Physarum

/// Measures how loud each band of a mono signal is and how strongly it was just hit, at a fixed rate.
///
/// Reading k is at exactly k / rate; its transform is taken around the sample nearest to that time, so
/// that the readings do not depend on how the signal was cut up. Samples that are not there are
/// silence. The formulas stand with `AnalyzeBands`. O(window · log window) a reading; no allocation
/// but the buffer's growth to a window and the largest piece appended.
struct BandAnalyzer: ~Copyable {
    /// Where a reading's window lies.
    enum Alignment: String, CaseIterable, Sendable {
        /// Around the reading's time.
        case centred
        /// Before it, as a live analyser has to.
        case causal
    }

    /// What is measured, and how.
    struct Settings: Sendable {
        /// Readings a second.
        var rate = Rate(240)
        /// Samples in a transform: a power of two in 64…65536.
        var window = 2048
        var alignment = Alignment.centred
        /// The time constant of the levels' average, in seconds; 0: none.
        var smoothing = 0.1
        var ranges = BandRanges()
    }

    /// One reading and its place.
    struct Reading {
        var time: MediaTime
        var duration: MediaTime
        var level: BandValues
        var transient: BandValues
    }

    let settings: Settings
    let sampleRate: Int
    /// The number of the next reading.
    private(set) var index: Int64
    /// Where the signal ends so far, in samples from time 0.
    private(set) var end: Int64
    /// Whether all of the signal is there.
    private(set) var isFinished = false
    /// Whether the last reading is cut to the signal's end.
    private var isCut = false

    /// The samples from `historyStart` to `end`, and beyond it silence.
    private var history: [Float]
    private var historyStart: Int64
    private var spectrum: Spectrum
    private var meters: [BandMeter]

    /// Prepares the analysis of a signal.
    ///
    /// - Parameters:
    ///   - sampleRate: samples a second.
    ///   - settings: what is measured.
    ///   - index: the number of the first reading.
    ///   - start: the position of the first sample, at most that of the first reading.
    /// - Throws: `CodecError` when memory runs out.
    init(
        sampleRate: Int,
        settings: Settings,
        from index: Int64 = 0,
        at start: Int64 = 0
    ) throws {
        self.sampleRate = sampleRate
        self.settings = settings
        self.index = index
        end = start
        historyStart = start - Int64(settings.window)
        history = Array(repeating: 0, count: settings.window)
        spectrum = try Spectrum(window: settings.window)
        meters = AudioReactive.Source.allCases.map { band in
            let hop = 1 / settings.rate.perSecond
            let range = settings.ranges.bins(
                of: band,
                window: settings.window,
                sampleRate: sampleRate
            )
            return BandMeter(bins: range, hop: hop, smoothing: settings.smoothing)
        }
    }

    /// The sample nearest to the time of reading `index`; halves go up.
    static func centre(of index: Int64, rate: Rate, sampleRate: Int) -> Int64 {
        let doubled = 2 * Int128(index) * Int128(rate.denominator) * Int128(sampleRate)
        let numerator = Int128(rate.numerator)
        return Int64(clamping: (doubled + numerator) / (2 * numerator))
    }

    // MARK: The signal

    /// Appends the samples `range` of a block, its channels averaged.
    mutating func append(_ block: AudioBlock, _ range: Range<Int>) {
        precondition(!isFinished, "A finished analysis takes no audio.")
        dropPast()
        let first = history.count
        let channels = block.format.channels
        let length = block.frameCount
        history.append(contentsOf: repeatElement(0, count: range.count))
        var target = history.mutableSpan
        block.samples.withSpan { source in
            for channel in 0..<channels {
                let offset = channel * length + range.lowerBound
                for index in 0..<range.count { target[first + index] += source[offset + index] }
            }
            if channels == 1 { return }
            let share = 1 / Float(channels)
            for index in 0..<range.count { target[first + index] *= share }
        }
        end += Int64(range.count)
    }

    /// Appends silence.
    mutating func appendSilence(_ count: Int) {
        precondition(!isFinished, "A finished analysis takes no audio.")
        dropPast()
        history.append(contentsOf: repeatElement(0, count: count))
        end += Int64(count)
    }

    /// Ends the signal.
    ///
    /// - Parameter isCut: whether the last reading's duration is cut to the signal's end.
    mutating func finish(isCut: Bool) {
        if isFinished { return }
        isFinished = true
        self.isCut = isCut
        history.append(contentsOf: repeatElement(0, count: settings.window))
    }

    /// Forgets what no reading will look at again, when that is most of what is kept.
    private mutating func dropPast() {
        let past = min(windowStart - historyStart, Int64(history.count))
        guard past * 2 > history.count else { return }
        history.removeFirst(Int(past))
        historyStart += past
    }

    // MARK: Readings

    private var windowStart: Int64 {
        let centre = Self.centre(of: index, rate: settings.rate, sampleRate: sampleRate)
        let length = Int64(settings.window)
        return settings.alignment == .centred ? centre - length / 2 : centre - length
    }

    /// Whether the time of reading `index` is before the signal's end so far, or with `orAt` at it.
    private func isBeforeEnd(_ index: Int64, orAt: Bool) -> Bool {
        let time = Int128(index) * Int128(settings.rate.denominator) * Int128(sampleRate)
        let limit = Int128(end) * Int128(settings.rate.numerator)
        return orAt ? time <= limit : time < limit
    }

    /// The next reading; nil when it needs more of the signal, or when there is none.
    mutating func next() -> Reading? {
        let start = windowStart
        if isFinished {
            guard isBeforeEnd(index, orAt: false) else { return nil }
        } else {
            // Unless the next reading's time is reached, this one may be the last, and cut.
            guard start + Int64(settings.window) <= end, isBeforeEnd(index + 1, orAt: true) else {
                return nil
            }
        }
        spectrum.measure(history, from: Int(start - historyStart))
        var level = BandValues.zero
        var transient = BandValues.zero
        for (position, band) in AudioReactive.Source.allCases.enumerated() {
            meters[position].follow(spectrum)
            level[band] = meters[position].level
            transient[band] = meters[position].transient
        }
        let limit = isCut ? MediaTime(end, Int32(sampleRate)) : nil
        let (time, duration) = settings.rate.span(of: index, endingAt: limit)
        index += 1
        return Reading(time: time, duration: duration, level: level, transient: transient)
    }
}

/// Which frequencies belong to each band.
struct BandRanges: Sendable, Hashable {
    /// Lower and upper edge in Hz, in the order of the bands.
    private var edges: [ClosedRange<Double>] = [20...250, 250...4000, 4000...16_000]

    subscript(band: AudioReactive.Source) -> ClosedRange<Double> {
        get { edges[AudioReactive.Source.allCases.firstIndex(of: band) ?? 0] }
        set { edges[AudioReactive.Source.allCases.firstIndex(of: band) ?? 0] = newValue }
    }

    /// The bins ⌊low / binHz⌋…⌈high / binHz⌉ as far as there are any; none above half the sample rate.
    func bins(of band: AudioReactive.Source, window: Int, sampleRate: Int) -> Range<Int> {
        let range = self[band]
        let bins = window / 2 + 1
        if range.lowerBound * 2 >= Double(sampleRate) { return bins..<bins }
        let perHertz = Double(window) / Double(sampleRate)
        let first = Int((range.lowerBound * perHertz).rounded(.down))
        let last = Int((range.upperBound * perHertz).rounded(.up))
        return first..<min(bins, last + 1)
    }
}
