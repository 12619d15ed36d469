import Media

/// Finds beats in frames of band energies, window by window.
///
/// A window reaches from 2 s before its place to 8 s after it. Its tempo is the period p of the highest
/// score: (R(p) + 0.7·R(2p) + 0.5·R(3p) + 0.5·R(4p)) / 2.7 − 1.5·max(0, R(p/2) − 0.7·R(p)), where R is
/// the autocorrelation of the onset strength, what is more than 4 s ahead counting less; times a
/// Gaussian around 115 bpm with a deviation of an octave, and 1.5 near the tempo of the window before.
/// Through the window leads the path that gathers most onset strength at distances near that period
/// (Daniel Ellis, "Beat tracking by dynamic programming", 2007); it begins at the last beat that is
/// decided. The beats of the first 2 s after the window's place are decided by it; the next window's
/// place is 2 s further. What shows no period has no beats.
///
/// Memory: the frames of one window. A window takes about 4 million operations.
struct BeatTracker {
    /// One decided beat.
    struct Mark: Equatable {
        /// When, in frames.
        var frame: Double
        /// Frames between beats there.
        var period: Double
        /// 0…1.
        var strength: Double
    }

    private static let rate = BandEnergies.rate
    private static let back = 2 * rate
    private static let ahead = 8 * rate
    private static let hop = 2 * rate
    /// A period below this correlation is none.
    private static let plainest = 0.15
    private static let tightness = 100.0
    /// How many frames later a rise is strongest than it begins.
    private static let lateness = 1.0

    private let tempi: [Double]
    private let prior: [Double]
    private var frames: [[Float]] = []
    /// The number of the first frame that is kept.
    private var first = 0
    private var place = 0
    private var lastFrame: Int?
    private var lastPeriod: Double?

    /// How many frames before its place a window may still decide.
    private static let overlap = 20
    /// All beats before this frame are decided: a beat may lie some frames before its window's.
    private(set) var decidedTo = 0

    /// Prepares for tempi in beats per minute.
    init(slowest: Double, fastest: Double) {
        let octaves = PortableMath.log2(fastest / slowest)
        let count = max(2, Int(octaves * 230))
        tempi = (0..<count).map {
            slowest * PortableMath.exp2(octaves * Double($0) / Double(count - 1))
        }
        prior = tempi.map { tempo in
            let distance = PortableMath.log2(tempo / 115)
            return PortableMath.exp(-distance * distance / 2)
        }
    }

    private var frameCount: Int { first + frames.count }

    mutating func append(_ energies: [Float]) { frames.append(energies) }

    /// Decides the next stretch; nil while it needs more frames, and after the end.
    mutating func next(isFinished: Bool) -> [Mark]? {
        // A window is the last one only when it is known that nothing comes after it.
        let isWhole = frameCount > place + Self.ahead
        guard isWhole || isFinished, place < frameCount else { return nil }
        let end = min(frameCount, place + Self.ahead)
        let begin =
            isWhole
            ? max(0, place - Self.back)
            : max(first, min(place - Self.back, end - Self.back - Self.ahead), 0)
        let limit = isWhole ? place + Self.hop : frameCount
        let onsets = OnsetStrength(frames[(begin - first)..<(end - first)])
        let marks = decide(onsets, from: begin, to: limit)
        decidedTo = max(0, limit - Self.overlap - 8)
        place = isWhole ? limit : frameCount
        // The last windows may begin earlier, to be as long as others.
        let kept = max(first, place - Self.back - Self.ahead)
        frames.removeFirst(kept - first)
        first = kept
        return marks
    }

    private mutating func decide(
        _ onsets: OnsetStrength,
        from begin: Int,
        to limit: Int
    ) -> [Mark] {
        guard onsets.deviation > 0, let period = period(onsets.smooth, from: begin) else {
            lastPeriod = nil
            return []
        }
        let path = path(onsets, period: period, from: begin)
        lastPeriod = period
        let loudest = onsets.smooth.max() ?? 1
        var marks: [Mark] = []
        for index in path {
            let frame = begin + index
            if frame >= limit { break }
            if let lastFrame, Double(frame) <= Double(lastFrame) + period / 2 { continue }
            // A little before its place, since the window before may have seen that beat after it.
            if frame < place - Self.overlap { continue }
            lastFrame = frame
            marks.append(
                Mark(
                    frame: Double(begin) + refined(index, onsets.sharp),
                    period: period,
                    strength: min(max(onsets.smooth[index] / loudest, 0), 1)
                )
            )
        }
        return marks
    }

    // MARK: Tempo

    /// The window's period in frames; nil where there is none.
    private func period(_ onsets: [Double], from begin: Int) -> Double? {
        let mean = onsets.reduce(0, +) / Double(onsets.count)
        // What is far ahead counts less, so that a new tempo is not heard before it comes.
        let centred = onsets.indices.map { index in
            let far = Double(begin + index - place - Self.ahead / 2) / Double(Self.ahead / 2)
            return (onsets[index] - mean) * (1 - 0.75 * min(max(far, 0), 1))
        }
        let longest = Int(60 / tempi[0] * Double(Self.rate) * 4.2) + 2
        let correlation = Self.autocorrelation(centred, lags: min(longest, onsets.count))
        func at(_ lag: Double) -> Double {
            let index = Int(lag)
            guard index + 1 < correlation.count else { return 0 }
            let part = lag - Double(index)
            return correlation[index] * (1 - part) + correlation[index + 1] * part
        }
        var best = (score: -Double.infinity, period: 0.0)
        for (index, tempo) in tempi.enumerated() {
            let period = 60 / tempo * Double(Self.rate)
            let beat = at(period)
            var score =
                (beat + 0.7 * at(2 * period) + 0.5 * at(3 * period) + 0.5 * at(4 * period)) / 2.7
            score -= 1.5 * max(0, at(period / 2) - 0.7 * beat)
            score *= prior[index]
            if let lastPeriod {
                let distance = PortableMath.log2(period / lastPeriod) / 0.04
                score *= 1 + 0.5 * PortableMath.exp(-distance * distance / 2)
            }
            if score > best.score { best = (score, period) }
        }
        // Several periods together tell one more exactly.
        var finest = (sum: -Double.infinity, period: best.period)
        for step in -40...40 {
            let period = best.period * (1 + 0.001 * Double(step))
            let sum = at(period) + at(2 * period) + at(3 * period) + at(4 * period)
            if sum > finest.sum { finest = (sum, period) }
        }
        return at(finest.period) > Self.plainest ? finest.period : nil
    }

    /// How alike values are to those so many frames later, each by the number of pairs; 1 at a lag of 0.
    private static func autocorrelation(_ values: [Double], lags: Int) -> [Double] {
        var result = (0..<lags).map { lag -> Double in
            var sum = 0.0
            for index in 0..<values.count - lag { sum += values[index] * values[index + lag] }
            return sum / Double(values.count - lag)
        }
        let power = result.first ?? 0
        guard power > 0 else { return Array(repeating: 0, count: lags) }
        for lag in result.indices { result[lag] /= power }
        return result
    }

    // MARK: Beats

    /// The frames of the best path through a window.
    private func path(_ onsets: OnsetStrength, period: Double, from begin: Int) -> [Int] {
        let count = onsets.smooth.count
        let (shortest, longest) = (Int((period / 2).rounded()), Int((period * 2).rounded()))
        let costs = (shortest...longest).map { lag -> Double in
            let ratio = PortableMath.log2(Double(lag) / period) * 0.6931471805599453
            return -Self.tightness * ratio * ratio
        }
        let anchor = lastFrame.map { $0 - begin }.flatMap { (0..<count).contains($0) ? $0 : nil }
        var scores = [Double](repeating: 0, count: count)
        var before = [Int](repeating: -1, count: count)
        for index in 0..<count {
            if let anchor, index <= anchor {
                scores[index] = index == anchor ? 1000 : -1e9
                continue
            }
            var best = (score: 0.0, place: -1)
            for (step, cost) in costs.enumerated() {
                let place = index - shortest - step
                if place < 0 { break }
                let score = scores[place] + cost
                if score > best.score { best = (score, place) }
            }
            scores[index] = onsets.smooth[index] / onsets.deviation + best.score
            before[index] = best.place
        }
        let tail = max(0, count - 1 - Int(period))
        var index = tail
        for place in tail..<count where scores[place] > scores[index] { index = place }
        var path: [Int] = []
        while index >= 0 {
            path.append(index)
            index = before[index]
        }
        return path.reversed()
    }

    /// Where the rise near a frame is strongest, between frames, less how late that is.
    private func refined(_ frame: Int, _ sharp: [Double]) -> Double {
        let range = max(0, frame - 5)...min(sharp.count - 1, frame + 5)
        var peak = frame
        for place in range where sharp[place] > sharp[peak] { peak = place }
        guard sharp[peak] > 0 else { return Double(frame) }
        var place = Double(peak)
        if peak > 0, peak + 1 < sharp.count {
            let (left, middle, right) = (sharp[peak - 1], sharp[peak], sharp[peak + 1])
            let bend = left - 2 * middle + right
            if bend < 0 { place += min(max((left - right) / (2 * bend), -0.5), 0.5) }
        }
        return max(0, place - Self.lateness)
    }
}
