import CLibAV

/// Turns floats, full scale ±1, into a codec's samples: rounded to the nearest, and clipped.
struct SampleWriter {
    let libraryFormat: AVSampleFormat
    private let kind: Kind

    private enum Kind { case planarFloat, float, int16, int24 }

    init(_ settings: AudioEncoder.Settings) {
        switch (settings.codec, settings.depth) {
        case (.aac, _): (libraryFormat, kind) = (AV_SAMPLE_FMT_FLTP, .planarFloat)
        case (.opus, _), (_, .float32): (libraryFormat, kind) = (AV_SAMPLE_FMT_FLT, .float)
        case (_, .int16): (libraryFormat, kind) = (AV_SAMPLE_FMT_S16, .int16)
        case (_, .int24): (libraryFormat, kind) = (AV_SAMPLE_FMT_S32, .int24)
        }
    }

    /// Writes samples `range` of one channel to the library's frame, which has room for them.
    func write(
        _ samples: [Float],
        _ range: Range<Int>,
        channel: Int,
        of channels: Int,
        to frame: borrowing FrameHandle
    ) {
        guard let plane = unsafe frame.plane(kind == .planarFloat ? channel : 0) else { return }
        func run<T>(_: T.Type, _ scaled: (Float) -> T) {
            let target = unsafe UnsafeMutableRawPointer(plane).assumingMemoryBound(to: T.self)
            let step = kind == .planarFloat ? 1 : channels
            var at = kind == .planarFloat ? 0 : channel
            for index in range {
                unsafe target[at] = scaled(samples[index])
                at += step
            }
        }
        switch kind {
        case .planarFloat, .float: run(Float.self) { $0.isFinite ? $0 : 0 }
        case .int16: run(Int16.self) { Int16(Self.scaled($0, 0x1p15)) }
        // The library wants 24 bits in the upper part of 32.
        case .int24: run(Int32.self) { Int32(Self.scaled($0, 0x1p23)) << 8 }
        }
    }

    /// `sample` in units of 1/`scale`; what is no number is silence.
    private static func scaled(_ sample: Float, _ scale: Float) -> Float {
        guard sample.isFinite else { return 0 }
        return min(max((sample * scale).rounded(.toNearestOrEven), -scale), scale - 1)
    }
}
