import Media

/// Turns RGB pictures into luma and chroma of the same size.
///
/// Chroma of 4:2:0 and 4:2:2 lies on the left of its two pixels, as H.264 and HEVC have it by default:
/// the filter across is 1 2 1, the one down is 1 1. Exact to half a code before rounding.
struct RGBToYUV {
    private let source: VideoFormat
    private let target: VideoFormat
    private let luma: Weights
    private let chromaBlue: Weights
    private let chromaRed: Weights
    private let top: Float

    /// What red, green and blue contribute, and what is added.
    private struct Weights {
        let red: Float
        let green: Float
        let blue: Float
        let offset: Float
    }

    /// Makes a converter; nil for what it cannot do.
    init?(from source: VideoFormat, to target: VideoFormat) {
        guard source.layout.isRGB, target.layout.isPlanar, source.color.range == .full,
            (source.width, source.height) == (target.width, target.height),
            let matrix = ColorMatrix(target.color.matrix)
        else { return nil }
        self.source = source
        self.target = target
        let codes = CodeRange(target.color.range, bits: target.layout.bits)
        let white = Double(1 << source.layout.bits) - 1
        let gain = Double(codes.luma) / white
        luma = Weights(
            red: Float(matrix.red * gain),
            green: Float(matrix.green * gain),
            blue: Float(matrix.blue * gain),
            offset: codes.black
        )
        let blueGain = Double(codes.chroma) / white / (2 * (1 - matrix.blue))
        chromaBlue = Weights(
            red: Float(-matrix.red * blueGain),
            green: Float(-matrix.green * blueGain),
            blue: Float((1 - matrix.blue) * blueGain),
            offset: codes.neutral
        )
        let redGain = Double(codes.chroma) / white / (2 * (1 - matrix.red))
        chromaRed = Weights(
            red: Float((1 - matrix.red) * redGain),
            green: Float(-matrix.green * redGain),
            blue: Float(-matrix.blue * redGain),
            offset: codes.neutral
        )
        top = codes.top
    }

    /// Converts a picture of the source format; bands of rows go to the executor.
    func convert(_ picture: VideoFrame, using executor: any Executor) -> VideoFrame {
        let wideIn = source.layout.bytesPerSample == 2
        let wideOut = target.layout.bytesPerSample == 2
        switch (wideIn, wideOut) {
        case (false, false): return convert(picture, executor, UInt8.self, UInt8.self)
        case (false, true): return convert(picture, executor, UInt8.self, UInt16.self)
        case (true, false): return convert(picture, executor, UInt16.self, UInt8.self)
        case (true, true): return convert(picture, executor, UInt16.self, UInt16.self)
        }
    }

    private func convert<In: PictureSample, Out: PictureSample>(
        _ picture: VideoFrame,
        _ executor: any Executor,
        _: In.Type,
        _: Out.Type
    ) -> VideoFrame {
        var bytes = Writable<UInt8>(uninitialized: target.byteCount)
        let bands = RowBands(target)
        unsafe picture.bytes.withUnsafePointer { input in
            unsafe bytes.withUnsafeMutablePointer { output in
                // Bands write disjoint rows, so the parts may go through one pointer at once.
                nonisolated(unsafe) let (input, output) = unsafe (input, output)
                executor.run(parts: bands.count) { part in
                    unsafe convertBand(
                        UnsafeRawPointer(input).assumingMemoryBound(to: In.self),
                        UnsafeMutableRawPointer(output),
                        bands.rows(part),
                        Out.self
                    )
                }
            }
        }
        return VideoFrame(format: target, bytes: bytes)
    }

    private func convertBand<In: PictureSample, Out: PictureSample>(
        _ input: UnsafePointer<In>,
        _ output: UnsafeMutableRawPointer,
        _ rows: Range<Int>,
        _: Out.Type
    ) {
        let width = source.width
        let channels = source.layout.samplesPerPixel
        let shift = target.layout.chromaShift
        let planes = target.planes
        var scratch = Writable<In>(uninitialized: 6 * width)
        var sums = Writable<Float>(uninitialized: 4 * width + 2)
        unsafe scratch.withUnsafeMutablePointer { scratch in
            unsafe sums.withUnsafeMutablePointer { sums in
                for row in stride(
                    from: rows.lowerBound,
                    to: rows.upperBound,
                    by: 1 << shift.vertical
                ) {
                    // The last row of an odd picture is its own neighbour.
                    let pair = [row, min(row + (1 << shift.vertical) - 1, source.height - 1)]
                    for (slot, line) in pair.enumerated() where slot == 0 || line != row {
                        let colors = unsafe scratch + slot * 3 * width
                        unsafe PackedRows.split(
                            input + line * width * channels,
                            channels: channels,
                            count: width,
                            into: colors,
                            colors + width,
                            colors + 2 * width
                        )
                        let plane = unsafe (output + planes[0].offset + line * planes[0].stride)
                            .assumingMemoryBound(to: Out.self)
                        unsafe writeLuma(colors, plane)
                    }
                    let second = unsafe pair[1] == row ? scratch : scratch + 3 * width
                    let count = unsafe gather(
                        scratch,
                        second,
                        sums,
                        isHalf: shift.horizontal == 1
                    )
                    for (index, weights) in [(1, chromaBlue), (2, chromaRed)] {
                        let plane = planes[index]
                        let offset = plane.offset + (row >> shift.vertical) * plane.stride
                        let target = unsafe (output + offset).assumingMemoryBound(to: Out.self)
                        unsafe writeChroma(
                            sums,
                            weights,
                            count,
                            scale: shift.horizontal == 1 ? 0.125 : 0.5,
                            target
                        )
                    }
                }
            }
        }
    }

    @inline(__always) private func writeLuma<In: PictureSample, Out: PictureSample>(
        _ colors: UnsafePointer<In>,
        _ target: UnsafeMutablePointer<Out>
    ) {
        let width = source.width
        let (green, blue) = unsafe (colors + width, colors + 2 * width)
        let weights = luma
        let top = top
        for index in 0..<width {
            let value =
                unsafe Float(colors[index]) * weights.red
                + Float(green[index]) * weights.green + Float(blue[index]) * weights.blue
                + weights.offset
            unsafe target[index] = rounded(value, top)
        }
    }

    /// Sums up the colours of one chroma row, from two rows of pixels.
    ///
    /// - Parameters:
    ///   - first: a row of red, one of green, one of blue.
    ///   - second: the same of the row below.
    ///   - sums: gets rows of red, green and blue, twice or, where `isHalf`, eight times too large.
    ///   - isHalf: whether a sample belongs to two pixels.
    /// - Returns: how many samples a row has.
    @inline(__always) private func gather<In: PictureSample>(
        _ first: UnsafePointer<In>,
        _ second: UnsafePointer<In>,
        _ sums: UnsafeMutablePointer<Float>,
        isHalf: Bool
    ) -> Int {
        let width = source.width
        let row = unsafe sums + 3 * width + 1
        let count = isHalf ? (width + 1) / 2 : width
        for color in 0..<3 {
            let (above, below) = unsafe (first + color * width, second + color * width)
            let target = unsafe sums + color * width
            let goal = unsafe isHalf ? row : target
            for index in 0..<width {
                unsafe goal[index] = Float(Int32(above[index]) &+ Int32(below[index]))
            }
            guard isHalf else { continue }
            unsafe row[-1] = row[0]
            unsafe row[width] = row[width - 1]
            for index in 0..<count {
                let place = 2 &* index
                unsafe target[index] = row[place &- 1] + 2 * row[place] + row[place &+ 1]
            }
        }
        return count
    }

    @inline(__always) private func writeChroma<Out: PictureSample>(
        _ colors: UnsafePointer<Float>,
        _ weights: Weights,
        _ count: Int,
        scale: Float,
        _ target: UnsafeMutablePointer<Out>
    ) {
        let (green, blue) = unsafe (colors + source.width, colors + 2 * source.width)
        // Powers of two scale without rounding.
        let (redWeight, greenWeight) = (weights.red * scale, weights.green * scale)
        let (blueWeight, offset, top) = (weights.blue * scale, weights.offset, top)
        for index in 0..<count {
            let value =
                unsafe colors[index] * redWeight + green[index] * greenWeight
                + blue[index] * blueWeight + offset
            unsafe target[index] = rounded(value, top)
        }
    }
}

/// The nearest code, within 0…`top`.
@inline(__always) func rounded<Out: PictureSample>(_ value: Float, _ top: Float) -> Out {
    let inside = max(0, min(value, top))
    return Out(truncatingIfNeeded: (inside + roundingShift).bitPattern)
}

/// Rows of a picture in bands that depend on its size alone, each of a whole number of chroma rows.
struct RowBands {
    private static let bandRows = 32
    private let height: Int

    init(_ format: VideoFormat) { height = format.height }

    var count: Int { (height + Self.bandRows - 1) / Self.bandRows }

    func rows(_ part: Int) -> Range<Int> {
        part * Self.bandRows..<min(height, (part + 1) * Self.bandRows)
    }
}
