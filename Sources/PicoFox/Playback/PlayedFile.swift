/// What a fox plays of a file as it is.
///
/// The firmware looks at fixed places of the first 44 bytes only, and takes all that follows for samples of
/// 16 bits at its own rate: other chunks are noise, other rates another speed. O(bytes).
public struct PlayedFile: Sendable, Equatable {
    /// Why it is not played.
    public enum Refusal: Sendable, Equatable {
        /// The family never plays files.
        case neverPlayed
        /// It is no RIFF file of WAVE, or shorter than a header.
        case noWave
        /// The format at its fixed place is not the one that `kg` wants.
        case format
    }

    /// A stretch of what is played.
    public struct Stretch: Sendable, Equatable {
        /// What it is heard as.
        public enum Kind: Sendable, Equatable {
            /// As what it is.
            case audio
            /// A chunk that is no audio, by its name.
            case noise(chunk: String)
            /// The audio, which is heard as noise: it is not in samples of 16 bits at even places.
            case garbled
        }

        /// What it is heard as.
        public let kind: Kind
        /// Its bytes in the file.
        public let bytes: Range<Int>
        /// How many samples.
        public var sampleCount: Int { bytes.count / 2 }
    }

    /// Whose reader.
    public let firmware: Firmware
    /// Nil where it is played.
    public let refusal: Refusal?
    /// What is played, in its order; together every sample.
    public let stretches: [Stretch]
    /// The samples as they go to the modulator.
    public let samples: [Int16]
    /// How much faster than it should be; 1 is right, and nil where nothing says how fast it should be.
    public let speed: Double?
    /// What the file says that it is.
    public let format: WAVLayout.Format?
    /// How long the file is.
    public let byteCount: Int

    /// The length of the header that is passed over.
    public static let headerLength = 44
    /// A longer file fits on no device.
    public static let byteLimit = 64 << 20

    /// Reads a file as a firmware does.
    ///
    /// - Parameters:
    ///   - bytes: all of it.
    ///   - firmware: whose reader.
    public init(_ bytes: Span<UInt8>, _ firmware: Firmware) {
        self.firmware = firmware
        byteCount = bytes.count
        let layout = WAVLayout(bytes)
        format = layout.format
        refusal = Self.refusal(of: bytes, firmware)
        guard refusal == nil else {
            (stretches, samples, speed) = ([], [], nil)
            return
        }
        samples = (0..<(bytes.count - Self.headerLength) / 2).map {
            Int16(truncatingIfNeeded: WAVLayout.word(bytes, Self.headerLength + 2 * $0))
        }
        stretches = Self.stretches(layout, bytes.count)
        speed = layout.format.flatMap { format in
            let bytesPerSecond = format.sampleRate * format.channels * (format.bits / 8)
            return bytesPerSecond > 0
                ? 2 * Double(firmware.sampleRate) / Double(bytesPerSecond) : nil
        }
    }

    private static func refusal(of bytes: Span<UInt8>, _ firmware: Firmware) -> Refusal? {
        guard firmware.playsFiles else { return .neverPlayed }
        guard bytes.count >= headerLength, WAVLayout.isWave(bytes) else { return .noWave }
        guard firmware == .kg else { return nil }
        let isRight =
            WAVLayout.matches(bytes, 12, "fmt ") && WAVLayout.word(bytes, 20) == 1
            && WAVLayout.word(bytes, 22) == 1 && WAVLayout.long(bytes, 24) == 8000
            && WAVLayout.word(bytes, 34) == 16
        return isRight ? nil : .format
    }

    /// Divides what is played by the chunks, at whole samples.
    private static func stretches(_ layout: WAVLayout, _ count: Int) -> [Stretch] {
        let end = headerLength + (count - headerLength) / 2 * 2
        let audio = layout.data?.contents ?? 0..<0
        let isOdd = (audio.lowerBound - headerLength) % 2 != 0
        let format = layout.format
        let isPlain = format.map { ($0.tag == 1 || $0.tag == 0xFFFE) && $0.bits == 16 } ?? true
        var stretches: [Stretch] = []
        var place = headerLength
        while place < end {
            let kind: Stretch.Kind
            var stop: Int
            if audio.contains(place) {
                kind = isPlain && !isOdd ? .audio : .garbled
                stop = audio.upperBound
            } else {
                let chunk = layout.chunks.last { $0.bytes.lowerBound <= place }
                kind = .noise(
                    chunk: place < headerLength + 1 && chunk == nil ? "" : chunk?.name ?? ""
                )
                stop = layout.chunks.first { $0.bytes.lowerBound > place }?.bytes.lowerBound ?? end
                if let data = layout.data, data.bytes.contains(place) {
                    // The samples' chunk has a head of its own.
                    stop = data.contents.isEmpty ? stop : data.contents.lowerBound
                }
            }
            // A sample with a byte of each counts as what its first byte is.
            stop = min(end, stop + (stop - place) % 2)
            stop = max(stop, place + 2)
            stretches.append(Stretch(kind: kind, bytes: place..<stop))
            place = stop
        }
        return stretches
    }

    /// The largest deviation, in Hz.
    public var peakDeviation: Double {
        let peak = samples.reduce(0) { max($0, Int($1.magnitude)) }
        return Double(peak) / 32_767 * firmware.fullScaleDeviation
    }

    /// How far the carrier is off its centre in the mean, in Hz.
    public var meanOffset: Double {
        if samples.isEmpty { return 0 }
        let sum = samples.reduce(0) { $0 + Int($1) }
        return Double(sum) / Double(samples.count) / 32_767 * firmware.fullScaleDeviation
    }

    /// Whether the device plays just what is meant.
    public var isGood: Bool {
        refusal == nil && stretches.allSatisfy { $0.kind == .audio } && !samples.isEmpty
            && speed.map { abs($0 - 1) < 1e-9 } ?? false && byteCount < Firmware.counterLimit
    }
}
