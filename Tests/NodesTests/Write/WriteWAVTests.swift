import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct WriteWAVTests {
    /// Writes blocks and returns the file, and what was told.
    private func written(
        _ parameters: [String: JSON.Value] = [:],
        _ blocks: [(AudioBlock, MediaTime)],
        in folder: TemporaryFolder
    ) throws -> (bytes: Data, warnings: [String]) {
        let environment = NodeEnvironment()
        let runner = try NodeRunner(
            WriteWAV.self,
            parameters.merging(["path": .string(folder.file("a.wav"))]) { $1 },
            inputs: [("audio", StreamInfo(format: blocks[0].0.format))],
            environment: environment
        )
        for (block, time) in blocks { runner.feed("audio", block, at: time) }
        runner.endAll()
        try runner.run()
        #expect(folder.names.filter { !$0.hasPrefix(".") }.isEmpty)
        try environment.outputs.commit()
        return (try folder.bytes("a.wav"), runner.notices.warnings)
    }

    private func noise(_ channels: Int, count: Double = 0.1) -> AudioBlock {
        AudioBlock(
            sampleRate: 48_000,
            channels: (0..<channels).map { channel in
                Signals.noise(amplitude: 0.9, seconds: count, seed: UInt64(channel + 1))
            }
        )
    }

    /// What another program reads, interleaved.
    private func read(_ folder: TemporaryFolder) throws -> [Float] {
        let data = try Tools.ffmpeg(
            "-i",
            folder.file("a.wav"),
            "-f",
            "f32le",
            "-c:a",
            "pcm_f32le",
            "-"
        )
        return unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    }

    @Test(arguments: [("nearest", [1, -1, 2, -2]), ("toward-zero", [0, 0, 1, -1])])
    func `samples are rounded as it is said`(rounding: String, expected: [Int16]) throws {
        let folder = try TemporaryFolder()
        let steps: [Float] = [0.75, -0.75, 1.75, -1.75]
        let block = AudioBlock(8000, steps.map { $0 / 32_768 })
        let (bytes, _) = try written(
            ["rounding": .string(rounding)],
            [(block, .zero)],
            in: folder
        )
        let samples = stride(from: 44, to: bytes.count, by: 2).map {
            Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
        }
        #expect(samples == expected)
    }

    @Test(
        arguments: [
            ("pcm16", 1, 0.5 / 32_768), ("pcm16", 2, 0.5 / 32_768), ("pcm16", 6, 0.5 / 32_768),
            ("pcm24", 2, 0.5 / 8_388_608), ("pcm24", 3, 0.5 / 8_388_608), ("float32", 2, 0),
            ("float32", 8, 0),
        ] as [(String, Int, Float)]
    )
    func `another program reads the same samples`(
        sampleFormat: String,
        channels: Int,
        error: Float
    ) throws {
        let folder = try TemporaryFolder()
        let block = noise(channels)
        let file = try written(
            ["sampleFormat": .string(sampleFormat)],
            [(block, .zero)],
            in: folder
        )
        let samples = try read(folder)
        #expect(samples.count == block.frameCount * channels)
        let wanted = (0..<channels).map { block.channel($0) }
        let worst =
            samples.indices.map { index in
                abs(samples[index] - wanted[index % channels][index / channels])
            }.max() ?? 1
        #expect(worst <= error * 1.001)
        #expect(file.warnings.isEmpty)
        let probe = try Tools.ffprobe(folder.file("a.wav"), "stream=channels,sample_rate")
        #expect(probe.first?["channels"] == "\(channels)")
    }

    @Test func `sixteen bits have the plain header of 44 bytes`() throws {
        let folder = try TemporaryFolder()
        let bytes = try written([:], [(noise(2, count: 0.01), .zero)], in: folder).bytes
        let data = 480 * 4
        var header = Array("RIFF".utf8)
        func long(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
        header += long(36 + data) + Array("WAVEfmt ".utf8) + long(16) + [1, 0, 2, 0]
        header += long(48_000) + long(192_000) + [4, 0, 16, 0] + Array("data".utf8) + long(data)
        #expect(Array(bytes.prefix(44)) == header)
        #expect(bytes.count == 44 + data)
    }

    @Test func `samples beyond full scale are clipped and told, full scale is not`() throws {
        let folder = try TemporaryFolder()
        let loud = AudioBlock(sampleRate: 8000, channels: [[1, -1, 1.5, -2, .nan, .infinity, 0.5]])
        let file = try written([:], [(loud, .zero)], in: folder)
        let samples = file.bytes.dropFirst(44)
        let values = stride(from: 0, to: samples.count, by: 2).map { index in
            Int16(truncatingIfNeeded: Int(samples[44 + index]) | Int(samples[45 + index]) << 8)
        }
        #expect(values == [32_767, -32_768, 32_767, -32_768, 0, 32_767, 16_384])
        #expect(file.warnings.count == 1 && file.warnings[0].hasPrefix("3 samples"))
    }

    @Test func `audio that starts late or has a gap gets silence there`() throws {
        let folder = try TemporaryFolder()
        let block = AudioBlock(sampleRate: 8000, channels: [[0.5, 0.5]])
        _ = try written(
            [:],
            [(block, MediaTime(3, 8000)), (block, MediaTime(7, 8000))],
            in: folder
        )
        #expect(try read(folder) == [0, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.5])
    }

    @Test func `three bytes and an odd length are padded`() throws {
        let folder = try TemporaryFolder()
        let one = AudioBlock(sampleRate: 8000, channels: [[0.25]])
        let bytes = try written(
            ["sampleFormat": .string("pcm24")],
            [(one, .zero)],
            in: folder
        ).bytes
        #expect(bytes.count == 48)
        #expect(try read(folder) == [0.25])
    }

    @Test func `more than a WAV file holds is refused before`() throws {
        let folder = try TemporaryFolder()
        let info = StreamInfo(
            format: AudioFormat(sampleRate: 48_000, channels: 2),
            duration: MediaTime(23_000, 1)
        )
        #expect(throws: Problem.self) {
            try NodeRunner(
                WriteWAV.self,
                ["path": .string(folder.file("a.wav"))],
                inputs: [("audio", info)]
            )
        }
        #expect(folder.names.isEmpty)
    }

    @Test func `a change of format in the middle is an error`() throws {
        let folder = try TemporaryFolder()
        let other = AudioBlock(sampleRate: 44_100, channels: [[0]])
        #expect(throws: NodeFailure.self) {
            try written([:], [(noise(1), .zero), (other, MediaTime(1, 1))], in: folder)
        }
    }
}
