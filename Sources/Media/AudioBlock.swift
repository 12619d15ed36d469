/// What a stream of audio is: its sample rate and its channels.
public struct AudioFormat: StreamFormat {
    /// Samples per second and channel.
    public let sampleRate: Int
    /// How many channels: 1…64, in the order that FFmpeg gives the default layout of that many.
    public let channels: Int

    /// Makes a format; both parts must be positive.
    public init(sampleRate: Int, channels: Int) {
        precondition(sampleRate > 0 && sampleRate <= Int(Int32.max), "A sample rate is positive.")
        precondition((1...64).contains(channels), "Audio has 1 to 64 channels.")
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// Rate and channels in words.
    public var description: String {
        "\(sampleRate) Hz \(channels == 1 ? "mono" : channels == 2 ? "stereo" : "\(channels) channels")"
    }

    /// The time of sample `index`, where sample 0 is at 0.
    public func time(of index: Int64) -> MediaTime { MediaTime(index, Int32(sampleRate)) }

    /// The index of the sample nearest to `time`, where sample 0 is at 0.
    ///
    /// Times beyond any real timeline are cut to ±2^60, so that positions can be added.
    public func index(of time: MediaTime) -> Int64 {
        let index = time.converted(to: Int32(sampleRate)).value
        return min(max(index, -(1 << 60)), 1 << 60)
    }
}

/// A stretch of audio: 32-bit float samples, full scale ±1, channel after channel.
public final class AudioBlock: Payload {
    /// Sample rate and channels.
    public let format: AudioFormat
    /// Samples per channel.
    public let frameCount: Int
    /// `format.channels` runs of `frameCount` samples.
    public let samples: Lease<Float>

    /// The memory of the samples.
    public var byteCount: Int { samples.byteCount }

    /// The block's length on the timeline.
    public var duration: MediaTime { format.time(of: Int64(frameCount)) }

    /// Makes a block of what was written.
    ///
    /// - Parameters:
    ///   - format: sample rate and channels.
    ///   - samples: channel after channel; its count must be a multiple of the channels.
    public init(format: AudioFormat, samples: consuming Writable<Float>) {
        precondition(
            samples.count % format.channels == 0,
            "Channels must have equally many samples."
        )
        self.format = format
        frameCount = samples.count / format.channels
        self.samples = samples.frozen()
    }

    /// Makes a block of arrays, one per channel and all of one length: for tests and short signals.
    public convenience init(sampleRate: Int, channels: [[Float]]) {
        let format = AudioFormat(sampleRate: sampleRate, channels: channels.count)
        self.init(format: format, samples: Writable(copying: channels.flatMap { $0 }))
    }

    /// Runs `body` with the samples of one channel.
    public func withChannel<Result, Failure: Error>(
        _ channel: Int,
        _ body: (Span<Float>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(
            (0..<format.channels).contains(channel),
            "There is no channel \(channel)."
        )
        return try samples.withSpan { (all) throws(Failure) in
            try body(all.extracting(channel * frameCount..<(channel + 1) * frameCount))
        }
    }

    /// The samples of one channel as an array.
    public func channel(_ channel: Int) -> [Float] {
        withChannel(channel) { span in
            var copy = [Float](repeating: 0, count: span.count)
            for index in copy.indices { copy[index] = span[index] }
            return copy
        }
    }
}

extension AudioBlock {
    /// A block of the same length with every sample multiplied by `factor`.
    public func scaled(by factor: Float) -> AudioBlock {
        var scaled = Writable<Float>(uninitialized: samples.count)
        samples.withSpan { source in
            scaled.withMutableSpan { target in
                for index in 0..<source.count { target[index] = source[index] * factor }
            }
        }
        return AudioBlock(format: format, samples: scaled)
    }
}

extension AudioBlock {
    /// The samples `range` of every channel as a block of their own; O(range).
    ///
    /// - Parameter range: samples of a channel, within `0..<frameCount`.
    /// - Returns: a new block, or this one when the range is all of it.
    public func part(_ range: Range<Int>) -> AudioBlock {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= frameCount,
            "A part lies within its block."
        )
        if range.count == frameCount { return self }
        var part = Writable<Float>(uninitialized: range.count * format.channels)
        for channel in 0..<format.channels {
            part.copy(
                samples,
                from: channel * frameCount + range.lowerBound,
                count: range.count,
                to: channel * range.count
            )
        }
        return AudioBlock(format: format, samples: part)
    }
}

extension AudioBlock {
    /// A block of the same format and length whose samples are a copy that `body` changed.
    ///
    /// - Parameter body: gets the samples, channel after channel.
    /// - Returns: the changed block.
    public func changed(_ body: (inout MutableSpan<Float>) -> Void) -> AudioBlock {
        var copy = Writable<Float>(uninitialized: samples.count)
        copy.copy(samples, from: 0, count: samples.count, to: 0)
        copy.withMutableSpan { body(&$0) }
        return AudioBlock(format: format, samples: copy)
    }

    /// The largest magnitude of all channels; what is no number does not count.
    public var peak: Float {
        samples.withSpan { samples in
            var peak: Float = 0
            for index in samples.indices where samples[index].isFinite {
                peak = max(peak, samples[index].magnitude)
            }
            return peak
        }
    }

    /// Silence.
    ///
    /// - Parameters:
    ///   - format: sample rate and channels.
    ///   - frameCount: samples a channel.
    /// - Returns: zeros.
    public static func silence(_ format: AudioFormat, frameCount: Int) -> AudioBlock {
        AudioBlock(
            format: format,
            samples: Writable(repeating: 0, count: frameCount * format.channels)
        )
    }
}
