import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct SourceDemoTests {
    /// The whole track, rendered once.
    private static let packets = Result {
        let runner = try NodeRunner(SourceDemo.self)
        try runner.run()
        return runner.output("audio", as: AudioBlock.self)
    }

    @Test func `the track is whole and its blocks follow each other`() throws {
        let packets = try Self.packets.get()
        var position: Int64 = 0
        for packet in packets {
            #expect(packet.time == MediaTime(position, 48_000))
            #expect(packet.duration == packet.payload.duration)
            #expect(packet.payload.format == AudioFormat(sampleRate: 48_000, channels: 2))
            position += Int64(packet.payload.frameCount)
        }
        #expect(position == 28 * 48_000)
        let info = try NodeRunner(SourceDemo.self).outputInfo("audio")
        #expect(info?.duration == MediaTime(28, 1))
    }

    @Test func `it is the same on every machine`() throws {
        // FNV-1a over the samples' bits: a changed value means a changed track.
        var hash: UInt64 = 14_695_981_039_346_656_037
        for packet in try Self.packets.get() {
            packet.payload.withChannel(0) { left in
                packet.payload.withChannel(1) { right in
                    for index in 0..<left.count {
                        for sample in [left[index], right[index]] {
                            hash = (hash ^ UInt64(sample.bitPattern)) &* 1_099_511_628_211
                        }
                    }
                }
            }
        }
        #expect(String(hash, radix: 16) == "36d90a1dae755419")
    }

    @Test func `it is as loud as music is, and does not clip`() throws {
        let packets = try Self.packets.get()
        let path = NSTemporaryDirectory() + "demo-\(UUID().uuidString).f32"
        defer { try? FileManager.default.removeItem(atPath: path) }
        var data = Data(capacity: 28 * 48_000 * 8)
        for packet in packets {
            let (left, right) = (packet.payload.channel(0), packet.payload.channel(1))
            for (one, two) in zip(left, right) {
                unsafe withUnsafeBytes(of: (one, two)) { unsafe data.append(contentsOf: $0) }
            }
        }
        try data.write(to: URL(fileURLWithPath: path))
        let judge = Process()
        judge.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
        judge.arguments = [
            "-hide_banner", "-nostats", "-f", "f32le", "-ar", "48000", "-ac", "2", "-i", path,
            "-af", "ebur128=peak=sample", "-f", "null", "-",
        ]
        let pipe = Pipe()
        judge.standardError = pipe
        try judge.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        judge.waitUntilExit()
        func last(_ name: String) -> Double? {
            text.components(separatedBy: name).last?
                .split(separator: " ", omittingEmptySubsequences: true).first.flatMap { Double($0) }
        }
        let loudness = try #require(last("I: "))
        let peak = try #require(last("Peak: "))
        #expect(abs(loudness + 14) < 1)
        #expect(peak <= -1)
    }

    @Test func `it moves: every beat of the groove hits the bass`() throws {
        let runner = try NodeRunner(
            AnalyzeBands.self,
            inputs: [("audio", StreamInfo(format: DemoTrack.format))]
        )
        for packet in try Self.packets.get() where packet.time.seconds < 12 {
            runner.feed("audio", packet.payload, at: packet.time)
        }
        runner.endAll()
        try runner.run()
        let found = runner.output("bands", as: AudioBands.self).map(\.payload.transient.bass)
        for beat in 8..<24 {
            let near = found[beat * 120 - 6..<beat * 120 + 12]
            #expect((near.max() ?? 0) > 0.6, "beat \(beat)")
        }
        #expect(found[960..<2880].contains { $0 < 0.25 })
    }

    @Test func `a stretch of it can be read as a file`() throws {
        let runner = try NodeRunner(
            SourceMedia.self,
            [
                "path": .string("builtin:demo"), "start": .number("0.5"),
                "end": .string("25001 samples"),
            ],
            readOutputs: ["audio"]
        )
        try runner.run()
        #expect(runner.isDone)
        let found = runner.output("audio", as: AudioBlock.self)
        #expect(found.first?.time == .zero)
        let expected = try Self.left(24_000..<25_001)
        #expect(found.flatMap { $0.payload.channel(0) } == expected)
        #expect(runner.outputInfo("audio")?.duration == MediaTime(1001, 48_000))
    }

    @Test func `nothing else is built in`() {
        #expect(throws: Problem.self) {
            try NodeRunner(SourceMedia.self, ["path": .string("builtin:demos")])
        }
    }

    private static func left(_ range: Range<Int>) throws -> [Float] {
        var track = DemoTrack()
        var samples: [Float] = []
        while samples.count < range.upperBound, let block = track.next() {
            samples += block.channel(0)
        }
        return Array(samples[range])
    }
}
