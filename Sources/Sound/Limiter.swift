import Media

/// Keeps peaks at or below a ceiling by turning the level down early, and for all channels alike.
///
/// The gain that each sample needs is held for `reach` samples to both sides (a running minimum), then
/// smoothed by a Hann window as long; so the gain is low enough at every sample and moves slowly. No
/// sample comes out above the ceiling. Delay: 2 · `reach` samples. O(log reach) a sample where nothing is
/// limited, O(reach) where it is. The same bits on every machine.
public struct Limiter: Sendable {
    /// The largest magnitude that comes out, of full scale.
    public let ceiling: Float
    /// Samples to either side.
    public let reach: Int
    /// How much later everything comes out, in samples.
    public var delay: Int { 2 * reach }
    /// The lowest gain so far.
    public private(set) var lowestGain: Float = 1
    /// How many samples were turned down so far.
    public private(set) var reducedCount: Int64 = 0

    private let window: [Float]
    /// The last `2 · reach` gains needed and minima of them, and samples of each channel.
    private var needed: [Float]
    private var minima: [Float]
    private var lines: [[Float]]

    /// Makes a limiter at rest.
    ///
    /// - Parameters:
    ///   - ceiling: above 0.
    ///   - reach: samples to either side; at least 1.
    ///   - channels: how many.
    public init(ceiling: Float, reach: Int, channels: Int) {
        precondition(ceiling > 0 && reach >= 1, "A limiter has a ceiling, and looks ahead.")
        self.ceiling = ceiling
        self.reach = reach
        let raw = (1...2 * reach + 1).map { index in
            let turns = Double(index) / Double(2 * reach + 2)
            return 0.5 - 0.5 * PortableMath.cosine(phase: PortableMath.phase(turns: turns))
        }
        let sum = raw.reduce(0, +)
        window = raw.map { Float($0 / sum) }
        needed = Array(repeating: 1, count: 2 * reach)
        minima = Array(repeating: 1, count: 2 * reach)
        lines = Array(repeating: Array(repeating: 0, count: 2 * reach), count: channels)
    }

    /// Limits samples, channel after channel, which follow those of the call before.
    ///
    /// - Parameters:
    ///   - input: `channels` runs of equally many samples; what is no number counts as silence.
    ///   - output: gets as many, `delay` samples later.
    public mutating func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
        let count = input.count / lines.count
        precondition(
            count * lines.count == input.count && output.count == input.count,
            "Channels have equally many samples, and as many come out."
        )
        for channel in lines.indices {
            lines[channel].reserveCapacity(2 * reach + count)
            let first = lines[channel].count
            lines[channel].append(contentsOf: repeatElement(0, count: count))
            for index in 0..<count {
                lines[channel][first + index] = input[channel * count + index]
            }
        }
        appendNeeded(count)
        appendMinima(count)
        let gains = isIdle ? [] : smoothed(count)
        for channel in lines.indices {
            let start = channel * count
            let samples = lines[channel]
            if gains.isEmpty {
                for index in 0..<count { output[start + index] = samples[index] }
            } else {
                for index in 0..<count {
                    let sample = samples[index] * gains[index]
                    output[start + index] = min(max(sample, -ceiling), ceiling)
                }
            }
        }
        for gain in gains where gain < 1 {
            reducedCount += 1
            lowestGain = min(lowestGain, gain)
        }
        needed.removeFirst(count)
        minima.removeFirst(count)
        for channel in lines.indices { lines[channel].removeFirst(count) }
    }

    /// Whether no sample of this call or around it is above the ceiling.
    private var isIdle: Bool { minima.allSatisfy { $0 == 1 } }

    /// Appends the gain that each new sample needs; what is no number becomes silence.
    private mutating func appendNeeded(_ count: Int) {
        let first = 2 * reach
        needed.append(contentsOf: repeatElement(1, count: count))
        for channel in lines.indices {
            for index in first..<first + count {
                let magnitude = lines[channel][index].magnitude
                // Also false of what is no number.
                if magnitude <= ceiling { continue }
                if magnitude <= .greatestFiniteMagnitude {
                    needed[index] = min(needed[index], ceiling / magnitude)
                } else {
                    lines[channel][index] = 0
                }
            }
        }
    }

    /// Appends the minima over 2 · reach + 1 gains, by blocks (van Herk, 1992): three comparisons each.
    private mutating func appendMinima(_ count: Int) {
        let length = 2 * reach + 1
        if needed.allSatisfy({ $0 == 1 }) {
            minima.append(contentsOf: repeatElement(1, count: count))
            return
        }
        // Of each place, the least from its block's start to it, and from it to its block's end.
        var fromStart = needed
        var toEnd = needed
        for start in stride(from: 0, to: needed.count, by: length) {
            let end = min(start + length, needed.count)
            for index in start + 1..<max(end, start + 1) {
                fromStart[index] = min(fromStart[index - 1], needed[index])
            }
            for index in (start..<end - 1).reversed() {
                toEnd[index] = min(toEnd[index + 1], needed[index])
            }
        }
        for index in 0..<count { minima.append(min(toEnd[index], fromStart[index + length - 1])) }
    }

    /// The gains of the next samples: minima times window.
    private func smoothed(_ count: Int) -> [Float] {
        var gains = [Float](repeating: 1, count: count)
        let (minima, window) = (minima.span, window.span)
        // Where no minimum is below 1 neither is the gain.
        var below = 0
        for place in 0..<window.count - 1 where minima[place] != 1 { below += 1 }
        var index = 0
        while index < count {
            if minima[index + window.count - 1] != 1 { below += 1 }
            if below > 0 {
                // Eight at once, of which the sums run over the window in its order each.
                let lanes = min(8, count - index)
                var sums = SIMD8<Float>(repeating: 0)
                if lanes == 8 {
                    unsafe minima.withUnsafeBytes { minima in
                        for place in 0..<window.count {
                            let offset = 4 * (index + place)
                            let part = unsafe minima.loadUnaligned(
                                fromByteOffset: offset,
                                as: SIMD8<Float>.self
                            )
                            sums += part * window[place]
                        }
                    }
                } else {
                    for place in 0..<window.count {
                        for lane in 0..<lanes {
                            sums[lane] += minima[index + place + lane] * window[place]
                        }
                    }
                }
                for lane in 0..<lanes {
                    if lane > 0, minima[index + lane + window.count - 1] != 1 { below += 1 }
                    if below > 0 { gains[index + lane] = min(sums[lane], 1) }
                    if minima[index + lane] != 1 { below -= 1 }
                }
                index += lanes
            } else {
                index += 1
            }
        }
        return gains
    }
}
