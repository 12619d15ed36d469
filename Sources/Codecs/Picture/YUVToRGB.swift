import Media

/// Turns luma and chroma into RGB pictures of the same size.
///
/// Chroma between its samples is found linearly, with samples on the left of their two pixels and in the
/// middle of their two rows, as H.264 and HEVC have them by default. Values beyond black and white
/// are clipped. Exact to half a code before rounding.
struct YUVToRGB {
    private let source: VideoFormat
    private let target: VideoFormat
    private let black: Float
    private let gain: Float
    private let redOfRed: Float
    private let greenOfRed: Float
    private let greenOfBlue: Float
    private let blueOfBlue: Float
    private let neutral: Float
    private let top: Float

    /// Makes a converter; nil for what it cannot do.
    init?(from source: VideoFormat, to target: VideoFormat) {
        guard source.layout.isPlanar, target.layout.isRGB, target.color.range == .full,
            (source.width, source.height) == (target.width, target.height),
            let matrix = ColorMatrix(source.color.matrix)
        else { return nil }
        self.source = source
        self.target = target
        let codes = CodeRange(source.color.range, bits: source.layout.bits)
        let white = Double(1 << target.layout.bits) - 1
        let chroma = white / Double(codes.chroma)
        black = codes.black
        neutral = codes.neutral
        gain = Float(white / Double(codes.luma))
        redOfRed = Float(2 * (1 - matrix.red) * chroma)
        blueOfBlue = Float(2 * (1 - matrix.blue) * chroma)
        greenOfRed = Float(-2 * (1 - matrix.red) * matrix.red / matrix.green * chroma)
        greenOfBlue = Float(-2 * (1 - matrix.blue) * matrix.blue / matrix.green * chroma)
        top = Float(white)
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
                        UnsafeRawPointer(input),
                        UnsafeMutableRawPointer(output).assumingMemoryBound(to: Out.self),
                        bands.rows(part),
                        In.self
                    )
                }
            }
        }
        return VideoFrame(format: target, bytes: bytes)
    }

    private func convertBand<In: PictureSample, Out: PictureSample>(
        _ input: UnsafeRawPointer,
        _ output: UnsafeMutablePointer<Out>,
        _ rows: Range<Int>,
        _: In.Type
    ) {
        let width = source.width
        let channels = target.layout.samplesPerPixel
        let planes = source.planes
        func line(_ plane: Int, _ row: Int) -> UnsafePointer<In> {
            unsafe (input + planes[plane].offset + row * planes[plane].stride)
                .assumingMemoryBound(to: In.self)
        }
        var chroma = Writable<Float>(uninitialized: 3 * (width + 2))
        var colors = Writable<Out>(uninitialized: 3 * width)
        unsafe chroma.withUnsafeMutablePointer { chroma in
            unsafe colors.withUnsafeMutablePointer { colors in
                let (blues, reds) = unsafe (chroma, chroma + width + 2)
                let blended = unsafe chroma + 2 * (width + 2)
                for row in rows {
                    let near = chromaRows(row)
                    unsafe upsample(line(1, near.main), line(1, near.other), blended, blues)
                    unsafe upsample(line(2, near.main), line(2, near.other), blended, reds)
                    unsafe writeColors(line(0, row), blues, reds, colors)
                    unsafe PackedRows.join(
                        colors,
                        colors + width,
                        colors + 2 * width,
                        channels: channels,
                        count: width,
                        into: output + row * width * channels
                    )
                }
            }
        }
    }

    /// The chroma row that counts three quarters for a row of pixels, and the one for the rest.
    private func chromaRows(_ row: Int) -> (main: Int, other: Int) {
        guard source.layout.chromaShift.vertical == 1 else { return (row, row) }
        let main = row / 2
        let other = row % 2 == 0 ? main - 1 : main + 1
        return (main, max(0, min(other, source.planes[1].height - 1)))
    }

    /// A chroma value for each pixel of a row, less the code of no colour.
    @inline(__always) private func upsample<In: PictureSample>(
        _ main: UnsafePointer<In>,
        _ other: UnsafePointer<In>,
        _ blended: UnsafeMutablePointer<Float>,
        _ target: UnsafeMutablePointer<Float>
    ) {
        let width = source.width
        let isHalf = source.layout.chromaShift.horizontal == 1
        let count = isHalf ? (width + 1) / 2 : width
        let goal = unsafe isHalf ? blended : target
        let neutral = neutral
        for index in 0..<count {
            unsafe goal[index] = Float(main[index]) * 0.75 + Float(other[index]) * 0.25 - neutral
        }
        guard isHalf else { return }
        unsafe blended[count] = blended[count - 1]
        // An odd row ends with a pixel too many, for which there is room.
        for index in 0..<count {
            unsafe target[2 &* index] = blended[index]
            unsafe target[2 &* index &+ 1] = (blended[index] + blended[index &+ 1]) * 0.5
        }
    }

    @inline(__always) private func writeColors<In: PictureSample, Out: PictureSample>(
        _ luma: UnsafePointer<In>,
        _ blues: UnsafePointer<Float>,
        _ reds: UnsafePointer<Float>,
        _ colors: UnsafeMutablePointer<Out>
    ) {
        let width = source.width
        let (green, blue) = unsafe (colors + width, colors + 2 * width)
        let (gain, black, top) = (gain, black, top)
        let (redOfRed, greenOfRed) = (redOfRed, greenOfRed)
        let (greenOfBlue, blueOfBlue) = (greenOfBlue, blueOfBlue)
        for index in 0..<width {
            let value = unsafe (Float(luma[index]) - black) * gain
            unsafe colors[index] = rounded(value + reds[index] * redOfRed, top)
            unsafe green[index] = rounded(
                value + reds[index] * greenOfRed + blues[index] * greenOfBlue,
                top
            )
            unsafe blue[index] = rounded(value + blues[index] * blueOfBlue, top)
        }
    }
}
