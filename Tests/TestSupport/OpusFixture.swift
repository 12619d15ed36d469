import COpus

/// Encodes audio as hosts do: packets of 5 ms, low delay, a constant rate, channels mapped one to one.
@safe public final class OpusFixture {
    private let state: OpaquePointer
    private let channels: Int

    /// Opens libopus's encoder.
    ///
    /// - Parameter channels: 1, 2, 6 (4 streams, 2 of them stereo) or 8 (5 and 3).
    /// - Throws: `ToolFailure` when the library refuses.
    public init(channels: Int) throws {
        self.channels = channels
        let (streams, coupled) =
            channels > 2 ? (channels / 2 + 1, channels / 2 - 1) : (1, channels - 1)
        var failure: Int32 = 0
        let made = unsafe opus_multistream_encoder_create(
            48_000,
            Int32(channels),
            Int32(streams),
            Int32(coupled),
            (0..<channels).map { UInt8($0) },
            OPUS_APPLICATION_RESTRICTED_LOWDELAY,
            &failure
        )
        guard let made = unsafe made else {
            throw ToolFailure(description: "opus_multistream_encoder_create: \(failure)")
        }
        unsafe state = made
        // 80 bytes of stereo, 160 and 281 of surround.
        let rates: [Int: Int32] = [6: 256_000, 8: 450_000]
        unsafe foxfire_opus_set_constant_rate(made, rates[channels] ?? 64_000 * Int32(channels))
    }

    deinit { unsafe opus_multistream_encoder_destroy(state) }

    /// Encodes samples.
    ///
    /// - Parameters:
    ///   - count: packets of 240 samples.
    ///   - signal: gives a channel's sample.
    /// - Returns: the packets.
    public func packets(count: Int, _ signal: (_ channel: Int, _ sample: Int) -> Float) -> [[UInt8]]
    {
        (0..<count).map { packet in
            var samples: [Float] = []
            for sample in 0..<240 {
                for channel in 0..<channels {
                    samples.append(signal(channel, packet * 240 + sample))
                }
            }
            var bytes = [UInt8](repeating: 0, count: 4000)
            let length = unsafe opus_multistream_encode_float(state, samples, 240, &bytes, 4000)
            precondition(length > 0, "A packet could not be encoded: \(length).")
            return Array(bytes[..<Int(length)])
        }
    }
}
