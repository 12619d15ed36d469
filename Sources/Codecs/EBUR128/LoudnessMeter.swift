import CEBUR128
public import Media

/// Measures how loud audio is to the ear, over all of it, as broadcasters do: in LUFS.
///
/// Source: ITU-R BS.1770-4 and EBU R 128, by libebur128. Memory grows by a few bytes a second.
@safe public final class LoudnessMeter {
    /// What it takes.
    public let format: AudioFormat
    private let state: UnsafeMutablePointer<ebur128_state>

    /// Makes a meter at rest.
    ///
    /// - Parameter format: of the audio; channels in FFmpeg's default order.
    /// - Throws: `CodecError` when the library cannot measure it.
    public init(format: AudioFormat) throws(CodecError) {
        let state = unsafe ebur128_init(
            UInt32(format.channels),
            UInt(format.sampleRate),
            Int32(EBUR128_MODE_I.rawValue)
        )
        guard let state = unsafe state else {
            throw CodecError(
                call: "ebur128_init",
                code: 0,
                text: "the loudness of \(format) cannot be measured",
                subject: "loudness meter"
            )
        }
        self.format = format
        unsafe self.state = state
        if format.channels == 1 {
            // Mono is heard from two loudspeakers, but measured as it is.
            _ = unsafe ebur128_set_channel(state, 0, Int32(EBUR128_CENTER.rawValue))
        }
    }

    deinit {
        var owned: UnsafeMutablePointer<ebur128_state>? = unsafe state
        unsafe ebur128_destroy(&owned)
    }

    /// Takes a block, which must have the meter's format.
    ///
    /// - Throws: `CodecError` when memory runs out.
    public func measure(_ block: AudioBlock) throws(CodecError) {
        precondition(block.format == format, "A meter takes one format.")
        let (count, channels) = (block.frameCount, format.channels)
        var interleaved = [Float](repeating: 0, count: count * channels)
        block.samples.withSpan { samples in
            for channel in 0..<channels {
                for index in 0..<count {
                    let sample = samples[channel * count + index]
                    if sample.isFinite { interleaved[index * channels + channel] = sample }
                }
            }
        }
        let code = unsafe interleaved.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map {
                unsafe ebur128_add_frames_float(state, $0, count)
            } ?? 0
        }
        if code != 0 {
            throw CodecError(
                call: "ebur128_add_frames_float",
                code: code,
                text: "out of memory",
                subject: "loudness meter"
            )
        }
    }

    /// The integrated loudness in LUFS; nil of silence, and of less than 400 ms.
    public var loudness: Double? {
        var value = 0.0
        let code = unsafe ebur128_loudness_global(state, &value)
        return code == 0 && value.isFinite ? value : nil
    }
}
