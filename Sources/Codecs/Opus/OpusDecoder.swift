import COpus
public import Media

/// Decodes packets of Opus one by one, and fills in for those that are missing.
///
/// Gives 48 kHz, channels in FFmpeg's order. Memory: some 50 kB a stream.
@safe public struct OpusDecoder: ~Copyable {
    /// What it gives.
    public let format: AudioFormat
    private let state: OpaquePointer
    /// Interleaved, as the library gives samples.
    private var scratch: [Float]

    /// The most samples that a packet holds: 120 ms.
    public static let longest = 5760
    /// The longest packet that is taken, in bytes; no encoder makes longer ones.
    public static let byteLimit = 65_536

    /// Opens a decoder.
    ///
    /// - Parameter header: the stream's, as RFC 7845 section 5.1 has it (`OpusHead`).
    /// - Throws: `CodecError` when the header is none, or memory runs out.
    public init(header: [UInt8]) throws(CodecError) {
        guard header.count >= 19, header.starts(with: "OpusHead".utf8),
            let layout = Layout(channels: Int(header[9]), Array(header[18...]))
        else {
            throw CodecError(
                call: "open",
                code: 0,
                text: "its header is none, or has an unknown order of channels",
                subject: "Opus decoder"
            )
        }
        var failure: Int32 = 0
        let made = unsafe opus_multistream_decoder_create(
            48_000,
            Int32(layout.mapping.count),
            Int32(layout.streams),
            Int32(layout.coupled),
            layout.mapping,
            &failure
        )
        guard let made = unsafe made else {
            throw CodecError(
                call: "opus_multistream_decoder_create",
                code: 0,
                text: unsafe String(cString: opus_strerror(failure)),
                subject: "Opus decoder"
            )
        }
        unsafe state = made
        format = AudioFormat(sampleRate: 48_000, channels: layout.mapping.count)
        scratch = Array(repeating: 0, count: Self.longest * layout.mapping.count)
    }

    deinit { unsafe opus_multistream_decoder_destroy(state) }

    /// Decodes a packet.
    ///
    /// - Parameter packet: at most `byteLimit` bytes.
    /// - Returns: its audio; nil where it cannot be decoded.
    public mutating func decode(_ packet: Span<UInt8>) -> AudioBlock? {
        if packet.isEmpty || packet.count > Self.byteLimit { return nil }
        let count = unsafe packet.withUnsafeBufferPointer { bytes in
            unsafe opus_multistream_decode_float(
                state,
                bytes.baseAddress,
                Int32(bytes.count),
                &scratch,
                Int32(Self.longest),
                0
            )
        }
        return count > 0 ? block(Int(count)) : nil
    }

    /// Makes up audio in the place of a packet that is missing, from what came before.
    ///
    /// It fades as more packets in a row are missing. The first one of a stream is silence.
    ///
    /// - Parameter frameCount: how many samples; 120 to 5760, a multiple of 120.
    /// - Returns: the audio.
    public mutating func conceal(_ frameCount: Int) -> AudioBlock {
        precondition(
            frameCount % 120 == 0 && (120...Self.longest).contains(frameCount),
            "What is made up is a multiple of 2.5 ms, and 120 ms at most."
        )
        let count = unsafe opus_multistream_decode_float(
            state,
            nil,
            0,
            &scratch,
            Int32(frameCount),
            0
        )
        return count == Int32(frameCount)
            ? block(frameCount) : .silence(format, frameCount: frameCount)
    }

    private func block(_ frameCount: Int) -> AudioBlock {
        let channels = format.channels
        var samples = Writable<Float>(uninitialized: frameCount * channels)
        samples.withMutableSpan { target in
            for channel in 0..<channels {
                for index in 0..<frameCount {
                    target[channel * frameCount + index] = scratch[index * channels + channel]
                }
            }
        }
        return AudioBlock(format: format, samples: samples)
    }

    /// Which channel is made of which stream.
    private struct Layout {
        var streams: Int
        var coupled: Int
        var mapping: [UInt8]

        /// Where our channels stand in the header's order: FL FR FC LFE RL RR SL SR in Vorbis's.
        private static let orders: [Int: [Int]] = [
            1: [0], 2: [0, 1], 6: [0, 2, 1, 5, 3, 4], 8: [0, 2, 1, 7, 5, 6, 3, 4],
        ]

        init?(channels: Int, _ rest: [UInt8]) {
            guard let order = Self.orders[channels], let family = rest.first else { return nil }
            if family == 0 {
                guard channels <= 2 else { return nil }
                (streams, coupled, mapping) = (1, channels - 1, channels == 2 ? [0, 1] : [0])
                return
            }
            guard family == 1, rest.count >= 3 + channels else { return nil }
            (streams, coupled) = (Int(rest[1]), Int(rest[2]))
            guard streams > 0, coupled <= streams, streams + coupled <= 255 else { return nil }
            mapping = order.map { rest[3 + $0] }
            guard mapping.allSatisfy({ Int($0) < streams + coupled || $0 == 255 }) else {
                return nil
            }
        }
    }
}
