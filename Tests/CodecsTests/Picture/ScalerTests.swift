import Codecs
import Dispatch
import Foundation
import Media
import Testing

@Suite struct `Scaler between RGB and luma-chroma` {
    static let sizes = [(33, 17), (1, 1), (2, 3), (18, 34)]
    static let packed = [PixelLayout.rgb24, .rgba32, .rgb48, .rgba64]
    static let planar = [
        PixelLayout.yuv420p, .yuv422p, .yuv444p, .yuv420p10, .yuv422p10, .yuv444p10,
    ]
    static let matrices: [ColorInfo.Matrix] = [.bt709, .bt601, .bt2020]

    /// Samples of a random, but smooth enough, picture: random codes would hide errors of the filters.
    private static func random(_ format: VideoFormat, seed: UInt64) -> VideoFrame {
        var random = SeededGenerator(seed: seed)
        var bytes = (0..<format.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
        if format.layout.bits10 {
            for index in stride(from: 1, to: bytes.count, by: 2) { bytes[index] &= 3 }
        }
        return VideoFrame(format: format, bytes: Writable(copying: bytes))
    }

    @Test(arguments: packed, planar)
    func `RGB becomes what the formulas say, within half a code`(from: PixelLayout, to: PixelLayout)
        throws
    {
        for (width, height) in Self.sizes {
            for matrix in Self.matrices {
                for range in [ColorInfo.Range.limited, .full] {
                    let source = VideoFormat(
                        width: width,
                        height: height,
                        layout: from,
                        color: .rgb709
                    )
                    let color = ColorInfo(
                        matrix: matrix,
                        range: range,
                        primaries: .bt709,
                        transfer: .bt709
                    )
                    let target = VideoFormat(width: width, height: height, layout: to, color: color)
                    let picture = Self.random(source, seed: UInt64(width * 7 + height))
                    var scaler = try Scaler(from: source, to: target)
                    let made = Samples(try scaler.convert(picture))
                    let worst = Reference.toYUV(Samples(picture), target).distance(to: made)
                    #expect(worst <= 0.502, "\(width)x\(height) \(matrix) \(range)")
                }
            }
        }
    }

    @Test(arguments: planar, packed)
    func `luma and chroma become what the formulas say`(from: PixelLayout, to: PixelLayout) throws {
        for (width, height) in Self.sizes {
            for matrix in Self.matrices {
                let color = ColorInfo(
                    matrix: matrix,
                    range: .limited,
                    primaries: .bt709,
                    transfer: .bt709
                )
                let source = VideoFormat(width: width, height: height, layout: from, color: color)
                let target = VideoFormat(width: width, height: height, layout: to, color: .rgb709)
                let picture = Self.random(source, seed: UInt64(width * 7 + height))
                var scaler = try Scaler(from: source, to: target)
                let made = Samples(try scaler.convert(picture))
                let worst = Reference.toRGB(Samples(picture), target).distance(to: made)
                #expect(
                    worst <= (to.bytesPerSample == 2 ? 0.52 : 0.502),
                    "\(width)x\(height) \(matrix)"
                )
            }
        }
    }

    @Test func `threads change nothing`() throws {
        let source = VideoFormat(width: 99, height: 131, layout: .rgb24, color: .rgb709)
        let target = VideoFormat(width: 99, height: 131, layout: .yuv420p10, color: .video709)
        let picture = Self.random(source, seed: 5)
        var scaler = try Scaler(from: source, to: target)
        let alone = Samples(try scaler.convert(picture))
        let together = Samples(try scaler.convert(picture, using: Threads()))
        #expect(alone.distance(to: together) == 0)
    }

    private struct Threads: Executor {
        func run(parts: Int, _ body: @Sendable (Int) -> Void) {
            DispatchQueue.concurrentPerform(iterations: parts, execute: body)
        }
    }

    @Test func `swscale's ways are as ffmpeg's own`() throws {
        let scratch = try Scratch()
        let source = VideoFormat(width: 64, height: 48, layout: .rgb24, color: .rgb709)
        let target = VideoFormat(width: 32, height: 24, layout: .rgb24, color: .rgb709)
        let picture = Self.random(source, seed: 8)
        var scaler = try Scaler(from: source, to: target, filter: .bicubic)
        let made = Samples(try scaler.convert(picture))
        try Data(Samples(picture).bytes).write(to: scratch.file("in.raw"))
        let judged = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "64x48", "-i",
                scratch.file("in.raw"), "-vf",
                "scale=32:24:flags=bicubic+accurate_rnd+bitexact+full_chroma_int+full_chroma_inp",
                "-f", "rawvideo", "-",
            ]
        )
        let wanted = Samples(VideoFrame(format: target, bytes: Writable(copying: [UInt8](judged))))
        #expect(made.distance(to: wanted) <= 1)
    }

    @Test(arguments: [
        (PixelLayout.yuv420p, PixelLayout.yuv420p10), (.gray8, .rgb24), (.yuv444p, .yuv420p),
        (.rgb48, .rgb24),
    ])
    func `other pairs of layouts convert`(from: PixelLayout, to: PixelLayout) throws {
        func color(_ layout: PixelLayout) -> ColorInfo {
            layout.isPlanar
                ? .video709
                : layout == .gray8
                    ? ColorInfo(matrix: .bt709, range: .full, primaries: .bt709, transfer: .bt709)
                    : .rgb709
        }
        let source = VideoFormat(width: 36, height: 20, layout: from, color: color(from))
        let target = VideoFormat(width: 36, height: 20, layout: to, color: color(to))
        // A flat picture of a middle code has one answer whatever the filter.
        var bytes = [UInt8](repeating: 100, count: source.byteCount)
        if from.isPlanar {
            let luma = source.planes[0]
            for index in luma.stride * luma.height..<bytes.count { bytes[index] = 128 }
        }
        var scaler = try Scaler(from: source, to: target)
        let made = Samples(
            try scaler.convert(VideoFrame(format: source, bytes: Writable(copying: bytes)))
        )
        let expected: Double = to == .yuv420p10 ? 400 : 100
        #expect(abs(made.values[0] - expected) <= 1)
    }
}

extension PixelLayout {
    fileprivate var bits10: Bool { [.yuv420p10, .yuv422p10, .yuv444p10].contains(self) }
    fileprivate var bits: Int { bits10 ? 10 : bytesPerSample * 8 }
}

/// A frame's samples as numbers, plane after plane.
private struct Samples {
    let format: VideoFormat
    var values: [Double]
    var bytes: [UInt8] = []

    init(_ frame: VideoFrame) {
        format = frame.format
        bytes = frame.bytes.withSpan { span in span.indices.map { span[$0] } }
        if format.layout.bytesPerSample == 1 {
            values = bytes.map(Double.init)
        } else {
            let all = bytes
            values = stride(from: 0, to: all.count, by: 2).map {
                Double(Int(all[$0]) | Int(all[$0 + 1]) << 8)
            }
        }
    }

    init(_ format: VideoFormat, _ values: [Double]) {
        self.format = format
        self.values = values
    }

    func distance(to other: Samples) -> Double {
        if values.count != other.values.count { return .infinity }
        return zip(values, other.values).map { abs($0 - $1) }.max() ?? 0
    }

    func plane(_ index: Int) -> (start: Int, width: Int, height: Int) {
        let plane = format.planes[index]
        let size = format.layout.bytesPerSample
        return (plane.offset / size, plane.stride / size, plane.height)
    }
}

/// The conversions in doubles, as H.273 and the siting of chroma define them.
private enum Reference {
    private static func weights(_ matrix: ColorInfo.Matrix) -> (red: Double, blue: Double) {
        switch matrix {
        case .bt709, .rgb: (0.2126, 0.0722)
        case .bt470bg, .bt601: (0.299, 0.114)
        case .bt2020: (0.2627, 0.0593)
        }
    }

    static func toYUV(_ picture: Samples, _ target: VideoFormat) -> Samples {
        let (width, height) = (target.width, target.height)
        let channels = picture.format.layout.samplesPerPixel
        let white = Double(1 << picture.format.layout.bits) - 1
        let unit = Double(1 << (target.layout.bits - 8))
        let isFull = target.color.range == .full
        let top = Double(1 << target.layout.bits) - 1
        let (kr, kb) = weights(target.color.matrix)
        func color(_ x: Int, _ y: Int) -> (Double, Double, Double) {
            let at = (min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)) * channels
            return (
                picture.values[at] / white, picture.values[at + 1] / white,
                picture.values[at + 2] / white
            )
        }
        func luma(_ c: (Double, Double, Double)) -> Double {
            kr * c.0 + (1 - kr - kb) * c.1 + kb * c.2
        }
        var values: [Double] = []
        for y in 0..<height {
            for x in 0..<width {
                let value = luma(color(x, y))
                values.append(isFull ? value * top : (16 + 219 * value) * unit)
            }
        }
        let shift = target.layout.chromaShift
        for plane in 1...2 {
            for row in 0..<target.planes[1].height {
                for column in 0..<target.planes[1].stride / target.layout.bytesPerSample {
                    var sum = 0.0
                    for dy in 0..<(1 << shift.vertical) {
                        for (dx, weight) in shift.horizontal == 1
                            ? [(-1, 0.25), (0, 0.5), (1, 0.25)] : [(0, 1.0)]
                        {
                            let c = color(
                                (column << shift.horizontal) + dx,
                                (row << shift.vertical) + dy
                            )
                            let difference =
                                plane == 1
                                ? (c.2 - luma(c)) / (2 * (1 - kb))
                                : (c.0 - luma(c)) / (2 * (1 - kr))
                            sum += weight * difference / Double(1 << shift.vertical)
                        }
                    }
                    let value = isFull ? sum * top + 128 * unit : (128 + 224 * sum) * unit
                    values.append(min(max(value, 0), top))
                }
            }
        }
        return Samples(target, values)
    }

    static func toRGB(_ picture: Samples, _ target: VideoFormat) -> Samples {
        let source = picture.format
        let unit = Double(1 << (source.layout.bits - 8))
        let white = Double(1 << target.layout.bits) - 1
        let (kr, kb) = weights(source.color.matrix)
        let shift = source.layout.chromaShift
        func chroma(_ index: Int, _ x: Int, _ y: Int) -> Double {
            let plane = picture.plane(index)
            func at(_ x: Int, _ y: Int) -> Double {
                let place =
                    min(max(y, 0), plane.height - 1) * plane.width + min(max(x, 0), plane.width - 1)
                return (picture.values[plane.start + place] / unit - 128) / 224
            }
            func across(_ y: Int) -> Double {
                if shift.horizontal == 0 { return at(x, y) }
                return x % 2 == 0 ? at(x / 2, y) : (at(x / 2, y) + at(x / 2 + 1, y)) / 2
            }
            if shift.vertical == 0 { return across(y) }
            return 0.75 * across(y / 2) + 0.25 * across(y % 2 == 0 ? y / 2 - 1 : y / 2 + 1)
        }
        var values: [Double] = []
        for y in 0..<target.height {
            for x in 0..<target.width {
                let luma = (picture.values[y * target.width + x] / unit - 16) / 219
                let (cb, cr) = (chroma(1, x, y), chroma(2, x, y))
                let red = luma + 2 * (1 - kr) * cr
                let blue = luma + 2 * (1 - kb) * cb
                let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
                values += [red, green, blue].map { min(max($0, 0), 1) * white }
                if target.layout.samplesPerPixel == 4 { values.append(white) }
            }
        }
        return Samples(target, values)
    }
}
