import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

/// Behaviours 22 to 25 and 27 of the facts: WAV files as they should not be, through the graph fox-audio.
@Suite struct OddWAVTests {
    private static func long(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func chunk(_ name: String, _ contents: [UInt8], size: Int? = nil) -> [UInt8] {
        Array(name.utf8) + long(size ?? contents.count) + contents
            + (contents.count % 2 == 1 ? [0] : [])
    }

    private static func format(
        tag: Int = 1,
        channels: Int = 1,
        rate: Int = 8000,
        bits: Int = 16,
        extra: [UInt8] = []
    ) -> [UInt8] {
        let frame = channels * bits / 8
        return chunk(
            "fmt ",
            long(tag)[..<2] + long(channels)[..<2] + long(rate) + long(rate * frame)
                + long(frame)[..<2] + long(bits)[..<2] + extra
        )
    }

    private static func wave(_ chunks: [UInt8]..., size: Int? = nil) -> [UInt8] {
        let body = Array("WAVE".utf8) + chunks.flatMap { $0 }
        return Array("RIFF".utf8) + long(size ?? body.count) + body
    }

    /// A second of sound of 16 bits at 8 kHz.
    private static let sound = (0..<16_000).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
    private static let plain = format()

    /// How many samples come out at 5 kHz; nil where the file is refused, which must be with a reason.
    private func count(_ bytes: [UInt8]) throws -> Int? {
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("in.wav")))
        let values = [
            "input": folder.file("in.wav"), "output": folder.file("a.wav"), "profile": "raw",
        ]
        do {
            try GraphRun.run(FoxAudioTests.graph, values: values)
        } catch let refused as GraphRun.Refused {
            #expect(refused.description.contains("in.wav: "))
            return nil
        }
        return (try folder.bytes("a.wav").count - 44) / 2
    }

    @Test(arguments: [0, 36, 5, 1000, 0xFFFF_FFFF])
    func `22 the size of RIFF does not matter`(size: Int) throws {
        #expect(
            try count(Self.wave(Self.plain, Self.chunk("data", Self.sound), size: size)) == 5000
        )
    }

    @Test(arguments: [(0, 5000), (0xFFFF_FFFF, 5000), (99_999_999, 5000), (8000, 2500)])
    func `22 a size of data that is open or too long goes to the end`(size: Int, expected: Int)
        throws
    {
        let found = try count(Self.wave(Self.plain, Self.chunk("data", Self.sound, size: size)))
        #expect(found == expected)
    }

    @Test func `22 an odd byte at the end is dropped`() throws {
        let odd = Array(Self.sound.dropLast())
        #expect(try count(Self.wave(Self.plain, Self.chunk("data", odd))) == 4999)
        #expect(try count(Self.wave(Self.plain, Self.chunk("data", odd)).dropLast()) == 4999)
    }

    @Test(arguments: ["LIST", "id3 ", "PAD ", "JUNK", "FLLR", "cue ", "smpl"])
    func `23 other chunks are passed over`(name: String) throws {
        let other = Self.chunk(name, Array(Self.sound[..<33]))
        let data = Self.chunk("data", Self.sound)
        #expect(try count(Self.wave(Self.plain, other, data)) == 5000)
        #expect(try count(Self.wave(Self.plain, data, other)) == 5000)
    }

    @Test(arguments: [0, 2, 4, 24, 34])
    func `23 the format may be longer`(extra: Int) throws {
        let format = Self.format(extra: [UInt8](repeating: 0, count: extra))
        #expect(try count(Self.wave(format, Self.chunk("data", Self.sound))) == 5000)
    }

    @Test(arguments: [
        (1, 8, 10_000), (1, 32, 2500), (3, 32, 2500), (3, 64, 1250), (6, 8, 10_000), (7, 8, 10_000),
    ])
    func `24 other kinds of samples are read`(tag: Int, bits: Int, expected: Int) throws {
        let format = Self.format(tag: tag, bits: bits, extra: [0, 0])
        #expect(try count(Self.wave(format, Self.chunk("data", Self.sound))) == expected)
    }

    @Test func `25 what is no sound is refused with a reason`() throws {
        let data = Self.chunk("data", Self.sound)
        let whole = Self.wave(Self.plain, data)
        for length in [0, 1, 43] { #expect(try count(Array(whole[..<length])) == nil) }
        #expect(try count(Array("hello, this is text\n".utf8)) == nil)
        #expect(try count(Self.wave(data)) == nil)
        #expect(try count(Self.wave(Self.format(channels: 0), data)) == nil)
        #expect(try count(Self.wave(Self.format(rate: 0), data)) == nil)
        #expect(try count(Self.wave(Self.format(bits: 0), data)) == nil)
        #expect(try count(Self.wave(Self.format(channels: 65_535), data)) == nil)
        let huge = Self.chunk("junk", Self.sound, size: 0xFFFF_FFF0)
        #expect(try count(Self.wave(Self.plain, huge)) == nil)
    }

    /// A second of floats at 8 kHz: a sine whose samples at `places` are replaced.
    private static func floats(peak: Double, bits: Int, _ places: [Int: Float] = [:]) -> [UInt8] {
        let samples = Signals.sine(500, amplitude: peak, sampleRate: 8000, seconds: 1)
        let data = samples.enumerated().flatMap { index, sample -> [UInt8] in
            let value = places[index] ?? sample
            let pattern =
                bits == 32 ? UInt64(value.bitPattern) : Double(value).bitPattern
            return (0..<bits / 8).map { UInt8(truncatingIfNeeded: pattern >> (8 * $0)) }
        }
        return wave(format(tag: 3, bits: bits, extra: [0, 0]), chunk("data", data))
    }

    @Test(arguments: [32, 64])
    func `27 what is no number is told as damage, and what is beyond full scale is told`(bits: Int)
        throws
    {
        let folder = try TemporaryFolder()
        func made(_ bytes: [UInt8]) throws -> (notices: Notices, samples: [Int16]) {
            try Data(bytes).write(to: URL(fileURLWithPath: folder.file("in.wav")))
            let report = try GraphRun.run(
                FoxAudioTests.graph,
                values: [
                    "input": folder.file("in.wav"), "output": folder.file("a.wav"),
                    "profile": "raw",
                ]
            )
            let words = try folder.bytes("a.wav").dropFirst(44)
            let samples = stride(from: words.startIndex, to: words.endIndex, by: 2).map {
                Int16(bitPattern: UInt16(words[$0]) | UInt16(words[$0 + 1]) << 8)
            }
            return (try #require(report.nodes.first { $0.name == "sound" }).notices, samples)
        }
        let good = try made(Self.floats(peak: 0.5, bits: bits))
        #expect(good.notices.damageCount == 0 && good.notices.warnings.isEmpty)
        // Away from the ends, where the sine is cut off.
        #expect(good.samples[1000..<4000].allSatisfy { abs(Int($0)) <= 8193 })

        let strange = try made(
            Self.floats(
                peak: 0.5,
                bits: bits,
                [4000: .nan, 4001: .infinity, 7999: -.infinity]
            )
        )
        #expect(strange.notices.damageCount == 1)
        let text = strange.notices.damages.first ?? ""
        #expect(
            text.hasPrefix("at 0:00.") && text.contains("3 samples from here on are no numbers")
        )
        #expect(strange.samples.count == 5000)

        let loud = try made(Self.floats(peak: 2, bits: bits))
        #expect(
            loud.notices.warnings == [
                "its floats go up to 6.0 dB beyond full scale: what stores integers clips them"
            ]
        )
        #expect(loud.samples.allSatisfy { abs(Int($0)) <= 16_383 })
    }
}
