import Codecs
import Foundation
import Media

/// A picture as numbers that looks are compared by.
struct LookPicture {
    let width: Int
    let height: Int
    /// Red, green and blue of every pixel, 0…255.
    let colors: [SIMD3<Float>]
    let luminance: [Float]

    init(_ frame: VideoFrame) {
        let colors = frame.bytes.withSpan { bytes in
            stride(from: 0, to: bytes.count, by: 3).map { start -> SIMD3<Float> in
                SIMD3(Float(bytes[start]), Float(bytes[start + 1]), Float(bytes[start + 2]))
            }
        }
        self.init(frame.format.width, frame.format.height, colors)
    }

    private init(_ width: Int, _ height: Int, _ colors: [SIMD3<Float>]) {
        self.width = width
        self.height = height
        self.colors = colors
        luminance = colors.map { ($0 * SIMD3(0.2126, 0.7152, 0.0722)).sum() }
    }

    /// The mean luminance, 0…1.
    var brightness: Double { Double(luminance.reduce(0, +)) / Double(luminance.count) / 255 }

    /// The part of the pixels whose luminance passes.
    func part(where test: (Float) -> Bool) -> Double {
        Double(luminance.count(where: test)) / Double(luminance.count)
    }

    /// The mean difference of luminance.
    func difference(from other: LookPicture) -> Double {
        let sum = zip(luminance, other.luminance).reduce(Float(0)) { $0 + abs($1.0 - $1.1) }
        return Double(sum) / Double(luminance.count)
    }

    /// The same picture, each pixel the mean of a square of `factor`² pixels.
    func reduced(by factor: Int) -> LookPicture {
        let (columns, rows) = (width / factor, height / factor)
        var sums = [SIMD3<Float>](repeating: .zero, count: columns * rows)
        for row in 0..<rows * factor {
            for column in 0..<columns * factor {
                sums[row / factor * columns + column / factor] += colors[row * width + column]
            }
        }
        let share = 1 / Float(factor * factor)
        return LookPicture(columns, rows, sums.map { $0 * share })
    }

    // MARK: What it looks like

    /// Which colours there are, and how coarse the texture is.
    struct Descriptor {
        /// The parts of 4 × 4 × 4 cubes of colours.
        let histogram: [Double]
        /// The parts of bands of half an octave, from one wave in the picture's height on.
        let spectrum: [Double]

        /// How much two differ: the mean of how much of each distribution lies elsewhere.
        ///
        /// - Parameter other: what it is compared with.
        /// - Returns: 0 for what is alike, 1 for what has nothing in common.
        func distance(to other: Descriptor) -> Double {
            func elsewhere(_ first: [Double], _ second: [Double]) -> Double {
                zip(first, second).reduce(0) { $0 + abs($1.0 - $1.1) } / 2
            }
            return
                (elsewhere(histogram, other.histogram) + elsewhere(spectrum, other.spectrum)) / 2
        }
    }

    func descriptor() throws -> Descriptor {
        var histogram = [Double](repeating: 0, count: 64)
        for color in colors {
            let place = color / 64
            histogram[Int(place.x) * 16 + Int(place.y) * 4 + Int(place.z)] += 1
        }
        return Descriptor(
            histogram: histogram.map { $0 / Double(colors.count) },
            spectrum: try radialSpectrum()
        )
    }

    /// Power of luminance over spatial frequency, all directions together, in parts of the whole.
    ///
    /// Of the largest square in the middle whose side is a power of two, faded out to its edges.
    private func radialSpectrum() throws -> [Double] {
        var side = 64
        while side * 2 <= min(width, height) { side *= 2 }
        let fade = (0..<side).map { place in
            Float(0.5 - 0.5 * cos(2 * .pi * (Double(place) + 0.5) / Double(side)))
        }
        let mean = luminance.reduce(0, +) / Float(luminance.count)
        let start = (height - side) / 2 * width + (width - side) / 2
        var transform = try RealFourierTransform(size: side)
        func waves(_ line: [Float]) -> [Float] {
            var bins = [Float](repeating: 0, count: 2 * transform.binCount)
            var target = bins.mutableSpan
            transform.transform(line.span, into: &target)
            return bins
        }
        let rows = (0..<side).map { row in
            waves(
                (0..<side).map { column in
                    (luminance[start + row * width + column] - mean) * fade[row] * fade[column]
                }
            )
        }
        var bands = [Double](repeating: 0, count: Self.bandCount)
        for across in 0..<transform.binCount {
            // The transform of complex numbers is that of their real and of their imaginary parts.
            let real = waves(rows.map { $0[2 * across] })
            let imaginary = waves(rows.map { $0[2 * across + 1] })
            for down in 0..<transform.binCount {
                let first = SIMD2(real[2 * down], real[2 * down + 1])
                let second = SIMD2(-imaginary[2 * down + 1], imaginary[2 * down])
                let radius = (Double(across * across + down * down)).squareRoot()
                // Waves in the picture's height.
                let frequency = radius * Double(height) / Double(side)
                if radius < 1 { continue }
                let band = Int(2 * log2(frequency))
                guard bands.indices.contains(band) else { continue }
                let (sum, difference) = (first + second, first - second)
                bands[band] += Double((sum * sum).sum() + (difference * difference).sum())
            }
        }
        let sum = bands.reduce(0, +)
        return bands.map { $0 / max(sum, 1e-9) }
    }

    /// Up to 128 waves in the picture's height.
    private static let bandCount = 14
}
