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
            unsafe input.withUnsafeBufferPointer { input in
                let part = unsafe input[channel * count..<(channel + 1) * count]
                unsafe lines[channel].append(contentsOf: part)
            }
        }
        appendNeeded(count)
        appendMinima(count)
        let gains = isIdle ? [] : smoothed(count)
        let ceiling = ceiling
        for channel in lines.indices {
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe lines[channel].withUnsafeBufferPointer { samples in
                    let target = unsafe UnsafeMutableBufferPointer(
                        rebasing: output[channel * count..<(channel + 1) * count]
                    )
                    if gains.isEmpty {
                        for index in 0..<count { unsafe target[index] = samples[index] }
                    } else {
                        unsafe gains.withUnsafeBufferPointer { gains in
                            for index in 0..<count {
                                let sample = unsafe samples[index] * gains[index]
                                unsafe target[index] = min(max(sample, -ceiling), ceiling)
                            }
                        }
                    }
                }
            }
        }
        for gain in gains {
            reducedCount += gain < 1 ? 1 : 0
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
            // Taken out while it is changed, so that nothing is copied.
            var line: [Float] = []
            swap(&line, &lines[channel])
            for index in first..<first + count {
                let magnitude = line[index].magnitude
                // Also false of what is no number.
                if magnitude <= ceiling { continue }
                if magnitude <= .greatestFiniteMagnitude {
                    needed[index] = min(needed[index], ceiling / magnitude)
                } else {
                    line[index] = 0
                }
            }
            swap(&line, &lines[channel])
        }
    }

    /// Appends the minima over 2 · reach + 1 gains, each of two overlapping ones over a power of two.
    private mutating func appendMinima(_ count: Int) {
        let length = 2 * reach + 1
        if needed.allSatisfy({ $0 == 1 }) {
            minima.append(contentsOf: repeatElement(1, count: count))
            return
        }
        // Of each place, the least of `width` gains from it on; those near the end are not looked at.
        var least = needed
        var width = 1
        while 2 * width <= length {
            Self.lower(&least, least.count - width, by: width)
            width *= 2
        }
        Self.lower(&least, count, by: length - width)
        minima.append(contentsOf: least[..<count])
    }

    /// Replaces the first numbers by those that stand `distance` after them where these are less.
    private static func lower(_ numbers: inout [Float], _ count: Int, by distance: Int) {
        precondition(count + distance <= numbers.count, "What is compared is there.")
        typealias Lanes = SIMD8<Float>
        unsafe numbers.withUnsafeMutableBytes { bytes in
            var index = 0
            while index + 8 <= count {
                let near = unsafe bytes.loadUnaligned(fromByteOffset: 4 * index, as: Lanes.self)
                let far = unsafe bytes.loadUnaligned(
                    fromByteOffset: 4 * (index + distance),
                    as: Lanes.self
                )
                let less = near.replacing(with: far, where: far .< near)
                unsafe bytes.storeBytes(of: less, toByteOffset: 4 * index, as: Lanes.self)
                index += 8
            }
        }
        for index in count / 8 * 8..<max(count, 0) {
            numbers[index] = min(numbers[index], numbers[index + distance])
        }
    }

    /// The gains of the next samples: minima times window.
    private func smoothed(_ count: Int) -> [Float] {
        // Four vectors of eight at once: one alone would wait for its own sum.
        typealias Lanes = SIMD8<Float>
        let step = 4 * Lanes.scalarCount
        var gains = [Float](repeating: 1, count: count)
        var padded = minima
        padded.append(contentsOf: repeatElement(1, count: step))
        let (minima, window) = (padded.span, window.span)
        // How many minima in the window are below 1: where none is, neither is the gain.
        var below = 0
        for place in 0..<window.count - 1 where minima[place] != 1 { below += 1 }
        for index in stride(from: 0, to: count, by: step) {
            let lanes = min(step, count - index)
            let isIdle =
                below == 0
                && (0..<lanes).allSatisfy { minima[index + window.count - 1 + $0] == 1 }
            if isIdle { continue }
            var (a, b) = (Lanes(repeating: 0), Lanes(repeating: 0))
            var (c, d) = (a, b)
            unsafe minima.withUnsafeBytes { minima in
                for place in 0..<window.count {
                    let (offset, factor) = (4 * (index + place), window[place])
                    a +=
                        unsafe minima.loadUnaligned(fromByteOffset: offset, as: Lanes.self) * factor
                    b +=
                        unsafe minima.loadUnaligned(fromByteOffset: offset + 32, as: Lanes.self)
                        * factor
                    c +=
                        unsafe minima.loadUnaligned(fromByteOffset: offset + 64, as: Lanes.self)
                        * factor
                    d +=
                        unsafe minima.loadUnaligned(fromByteOffset: offset + 96, as: Lanes.self)
                        * factor
                }
            }
            let sums = [a, b, c, d]
            for lane in 0..<lanes {
                if minima[index + lane + window.count - 1] != 1 { below += 1 }
                if below > 0 { gains[index + lane] = min(sums[lane >> 3][lane & 7], 1) }
                if minima[index + lane] != 1 { below -= 1 }
            }
        }
        return gains
    }
}
