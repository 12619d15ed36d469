import CLibAV
import Media

/// Turns a decoded frame's samples into floats, full scale ±1.
enum SampleFormats {
    /// Writes samples `range` of channel `channel` to `target`, which has as many.
    ///
    /// Integers of up to 24 bits stay exact. What is no number becomes silence.
    ///
    /// - Returns: how many samples were no numbers; nil where the format is unknown.
    static func convert(
        _ frame: borrowing FrameHandle,
        channel: Int,
        range: Range<Int>,
        to target: UnsafeMutablePointer<Float>
    ) -> Int? {
        let format = AVSampleFormat(unsafe frame.pointer.pointee.format)
        let channels = unsafe Int(frame.pointer.pointee.ch_layout.nb_channels)
        let isPlanar = av_sample_fmt_is_planar(format) != 0
        guard let base = unsafe frame.plane(isPlanar ? channel : 0) else { return nil }
        let step = isPlanar ? 1 : channels
        let offset = isPlanar ? 0 : channel

        var strange = 0
        func finite(_ sample: Float) -> Float {
            if sample.isFinite { return sample }
            strange += 1
            return 0
        }
        func run<T>(_: T.Type, _ scaled: (T) -> Float) {
            let source = unsafe UnsafeRawPointer(base).assumingMemoryBound(to: T.self)
            var at = range.lowerBound * step + offset
            for index in 0..<range.count {
                unsafe target[index] = scaled(source[at])
                at += step
            }
        }
        switch format {
        case AV_SAMPLE_FMT_FLTP:
            strange = unsafe copyFinite(base + 4 * range.lowerBound, range.count, to: target)
        case AV_SAMPLE_FMT_FLT: run(Float.self, finite)
        case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P: run(Int16.self) { Float($0) * 0x1p-15 }
        case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P: run(Int32.self) { Float($0) * 0x1p-31 }
        case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP: run(Double.self) { finite(Float($0)) }
        case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P: run(UInt8.self) { (Float($0) - 128) * 0x1p-7 }
        case AV_SAMPLE_FMT_S64, AV_SAMPLE_FMT_S64P: run(Int64.self) { Float($0) * 0x1p-63 }
        default: return nil
        }
        return strange
    }

    /// Copies floats, and puts 0 where no number is; eight at a time.
    ///
    /// - Returns: how many were no numbers.
    private static func copyFinite(
        _ source: UnsafePointer<UInt8>,
        _ count: Int,
        to target: UnsafeMutablePointer<Float>
    ) -> Int {
        typealias Lanes = SIMD8<Int32>
        let source = unsafe UnsafeRawPointer(source)
        let result = UnsafeMutableRawPointer(target)
        var all = Lanes(repeating: -1)
        var index = 0
        while index + 8 <= count {
            let bits = unsafe source.loadUnaligned(fromByteOffset: 4 * index, as: Lanes.self)
            // All ones where the exponent is not the highest one.
            let mask = ((bits & 0x7FFF_FFFF) &- 0x7F80_0000) &>> 31
            all &= mask
            unsafe result.storeBytes(of: bits & mask, toByteOffset: 4 * index, as: Lanes.self)
            index += 8
        }
        while index < count {
            let sample = unsafe source.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
            unsafe target[index] = sample.isFinite ? sample : 0
            all[0] &= sample.isFinite ? -1 : 0
            index += 1
        }
        if all == Lanes(repeating: -1) { return 0 }
        return (0..<count).count { index in
            unsafe !source.loadUnaligned(fromByteOffset: 4 * index, as: Float.self).isFinite
        }
    }
}
