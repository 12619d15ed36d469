import Codecs
import Foundation
import Media
import Testing

@Suite struct `RealFourierTransform against the definition` {
    @Test(arguments: [64, 128, 1024, 2048])
    func `every bin is the sum it is defined as`(size: Int) throws {
        let samples = noise(size, seed: UInt64(size))
        var transform = try RealFourierTransform(size: size)
        var bins = [Float](repeating: 0, count: 2 * transform.binCount)
        transform.run(samples, &bins)
        var worst = 0.0
        for bin in stride(from: 0, through: size / 2, by: size > 256 ? 37 : 1) {
            var (real, imaginary) = (0.0, 0.0)
            for (index, sample) in samples.enumerated() {
                let angle = -2 * Double.pi * Double(bin * index % size) / Double(size)
                real += Double(sample) * cosOf(angle)
                imaginary += Double(sample) * sinOf(angle)
            }
            worst = max(
                worst,
                abs(real - Double(bins[2 * bin])),
                abs(imaginary - Double(bins[2 * bin + 1]))
            )
        }
        #expect(worst < 2e-6 * Double(size).squareRoot() * 4)
    }

    @Test(arguments: (6...16).map { 1 << $0 })
    func `a sine of any size lies in its bin`(size: Int) throws {
        let bin = size / 8 + 1
        let samples = (0..<size).map {
            Float(cosOf(2 * .pi * Double(bin * $0 % size) / Double(size)))
        }
        var transform = try RealFourierTransform(size: size)
        var bins = [Float](repeating: 0, count: 2 * transform.binCount)
        // Twice, since a transform must leave nothing behind.
        for _ in 0..<2 {
            transform.run(samples, &bins)
            #expect(abs(bins[2 * bin] / Float(size) - 0.5) < 1e-5)
            let rest =
                (0...size / 2).filter { $0 != bin }
                .map { max(abs(bins[2 * $0]), abs(bins[2 * $0 + 1])) }.max() ?? 1
            #expect(rest / Float(size) < 1e-5)
        }
    }
}

extension RealFourierTransform {
    fileprivate mutating func run(_ samples: [Float], _ bins: inout [Float]) {
        var span = bins.mutableSpan
        transform(samples.span, into: &span)
    }
}

@Suite struct `SHA256 over bytes` {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func `known texts have their known hashes`(text: String, digest: String) {
        var hash = SHA256()
        let bytes = Array(text.utf8)
        hash.update(bytes.span)
        #expect(hash.hexDigest() == digest)
    }

    @Test func `pieces of any size are as the file, and as sha256sum has it`() throws {
        let scratch = try Scratch()
        let bytes = noise(70_000, seed: 4).map { UInt8(truncatingIfNeeded: $0.bitPattern) }
        try Data(bytes).write(to: scratch.file("a"))
        let judged = String(decoding: try tool("sha256sum", [scratch.file("a")]), as: UTF8.self)
            .prefix(64)
        #expect(try SHA256.ofFile(scratch.file("a")) == judged)
        var hash = SHA256()
        var rest = bytes[...]
        var size = 1
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            hash.update(piece.span)
            rest = rest.dropFirst(size)
            size = size * 3 % 5000 + 1
        }
        #expect(hash.hexDigest() == judged)
        #expect(throws: FileError.self) { try SHA256.ofFile(scratch.file("none")) }
    }
}

@Suite struct `Resampler changing rates` {
    static let pairs = [
        (44100, 48000), (48000, 44100), (48000, 12000), (8000, 48000), (96000, 44100),
        (44100, 44100),
    ]

    private func run(_ channels: [[Float]], _ from: Int, _ to: Int, size: Int) throws -> [[Float]] {
        var resampler = try Resampler(
            from: AudioFormat(sampleRate: from, channels: channels.count),
            to: AudioFormat(sampleRate: to, channels: channels.count)
        )
        var result = Array(repeating: [Float](), count: channels.count)
        func add(_ block: AudioBlock?) {
            guard let block else { return }
            for channel in result.indices { result[channel] += block.channel(channel) }
        }
        for (block, _) in blocks(channels, rate: from, size: size) {
            add(try resampler.process(block))
        }
        add(try resampler.finish())
        return result
    }

    @Test(arguments: pairs)
    func `blocks of any size give the same samples, exactly as many as there must be`(
        from: Int,
        to: Int
    ) throws {
        for count in [1, 10, 777, 20_001] {
            let channels = [noise(count, seed: 1), noise(count, seed: 2)]
            let whole = try run(channels, from, to, size: count)
            let wanted = Int((Double(count) * Double(to) / Double(from)).rounded())
            #expect(whole.map(\.count) == [wanted, wanted], "\(count)")
            for size in [1, 7, 64, 1024] where size < count && (size > 1 || count < 5000) {
                let cut = try run(channels, from, to, size: size)
                let isSame = cut == whole
                #expect(isSame, "\(count) in blocks of \(size)")
            }
        }
    }

    @Test(arguments: pairs)
    func `a sine stays where and what it is`(from: Int, to: Int) throws {
        let count = from
        let out = try run([sine(count, hertz: 997, rate: from)], from, to, size: 1000)[0]
        let wanted = sine(to, hertz: 997, rate: to)
        // The ends lack what would come before and after.
        let middle = to / 10..<to - to / 10
        let worst = middle.map { abs(out[$0] - wanted[$0]) }.max() ?? 1
        #expect(worst < 2e-6)
    }

    @Test func `what lies above the new half rate is gone`() throws {
        let out = try run([sine(48000, hertz: 9000, rate: 48000)], 48000, 12000, size: 4800)[0]
        #expect(out[1000..<11_000].map(abs).max() ?? 1 < 1e-5)
    }

    @Test func `nothing in, nothing out`() throws {
        var resampler = try Resampler(
            from: AudioFormat(sampleRate: 44100, channels: 2),
            to: AudioFormat(sampleRate: 48000, channels: 2)
        )
        #expect(try resampler.finish() == nil)
    }
}
