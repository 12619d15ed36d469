import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

/// Beats of drum loops that are made here.
@Suite struct AnalyzeBeatsTests {
    /// Where in a bar of four beats each drum is hit.
    struct Pattern: Sendable, CustomTestStringConvertible {
        let name: String
        let kick: [Double]
        let snare: [Double]
        let hat: [Double]
        var testDescription: String { name }
    }

    static let eighths = (0..<8).map { Double($0) / 2 }
    static let rock = Pattern(name: "rock", kick: [0, 2], snare: [1, 3], hat: eighths)
    static let patterns = [
        rock,
        Pattern(name: "house", kick: [0, 1, 2, 3], snare: [], hat: [0.5, 1.5, 2.5, 3.5]),
        Pattern(name: "syncopated", kick: [0, 1.5, 2], snare: [1, 3], hat: eighths),
        Pattern(
            name: "sixteenths",
            kick: [0, 2, 2.75],
            snare: [1, 3],
            hat: (0..<16).map { Double($0) / 4 }
        ),
        Pattern(
            name: "swing",
            kick: [0, 2],
            snare: [1, 3],
            hat: (0..<4).flatMap { [Double($0), Double($0) + 2.0 / 3] }
        ),
        Pattern(name: "sparse", kick: [0, 1, 2, 3], snare: [], hat: []),
    ]

    /// The samples of one hit.
    private static func drum(_ name: String, _ sampleRate: Int, _ generator: inout SeededGenerator)
        -> [Float]
    {
        let rate = Double(sampleRate)
        func noise() -> Double { Double.random(in: -1...1, using: &generator) }
        switch name {
        case "kick":
            var turns = 0.0
            return (0..<sampleRate / 6).map { index in
                let time = Double(index) / rate
                turns += (55 + 90 * PortableMath.exp(-time / 0.02)) / rate
                let wave = PortableMath.sine(phase: UInt64((turns - turns.rounded(.down)) * 0x1p64))
                return Float(0.6 * wave * PortableMath.exp(-time / 0.06))
            }
        case "snare":
            return (0..<sampleRate / 7).map { index in
                let time = Double(index) / rate
                let turns = time * 190
                let wave = PortableMath.sine(phase: UInt64((turns - turns.rounded(.down)) * 0x1p64))
                return Float((0.25 * wave + 0.35 * noise()) * PortableMath.exp(-time / 0.04))
            }
        default:
            var last = 0.0
            return (0..<sampleRate / 20).map { index in
                let value = noise()
                defer { last = value }
                let fall = PortableMath.exp(-Double(index) / rate / 0.012)
                return Float(0.15 * (value - last) * fall)
            }
        }
    }

    /// Drums at a tempo, and the times of the beats.
    static func loop(
        _ pattern: Pattern,
        _ tempo: Double,
        seconds: Double,
        sampleRate: Int = 44_100,
        from start: Double = 0,
        noise: Double = 0
    ) -> (samples: [Float], beats: [Double]) {
        var generator = SeededGenerator(seed: UInt64(tempo * 10))
        var samples = [Float](repeating: 0, count: Int(seconds * Double(sampleRate)))
        let period = 60 / tempo
        var beats: [Double] = []
        while start + Double(beats.count) * period < seconds {
            beats.append(start + Double(beats.count) * period)
        }
        let kick = drum("kick", sampleRate, &generator)
        for bar in stride(from: 0, to: beats.count, by: 4) {
            for (name, places) in [
                ("kick", pattern.kick), ("snare", pattern.snare), ("hat", pattern.hat),
            ] {
                for place in places {
                    let time = start + (Double(bar) + place) * period
                    let first = Int((time * Double(sampleRate)).rounded())
                    let hit = name == "kick" ? kick : drum(name, sampleRate, &generator)
                    let gain = Float.random(in: 0.85...1.15, using: &generator)
                    for (offset, value) in hit.enumerated() where first + offset < samples.count {
                        samples[first + offset] += gain * value
                    }
                }
            }
        }
        if noise > 0 {
            for index in samples.indices {
                samples[index] += Float(Double.random(in: -noise...noise, using: &generator))
            }
        }
        return (samples, beats)
    }

    /// The beats that the node finds.
    static func beats(_ samples: [Float], sampleRate: Int = 44_100) throws -> [Packet<Beat>] {
        let format = AudioFormat(sampleRate: sampleRate, channels: 1)
        let runner = try NodeRunner(
            AnalyzeBeats.self,
            inputs: [("audio", StreamInfo(format: format))]
        )
        var first = 0
        while first < samples.count {
            let part = Array(samples[first..<min(first + 4096, samples.count)])
            let block = AudioBlock(sampleRate: sampleRate, channels: [part])
            runner.feed("audio", block, at: format.time(of: Int64(first)), duration: block.duration)
            first += part.count
        }
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        return runner.output("beats", as: Beat.self)
    }

    /// Twice the hits in parts of both lists; a hit lies within 40 ms of a beat that no other hit has.
    static func score(_ found: [Double], _ expected: [Double]) -> Double {
        var (hits, next) = (0, 0)
        for time in found {
            while next < expected.count, expected[next] < time - 0.04 { next += 1 }
            if next < expected.count, abs(expected[next] - time) <= 0.04 {
                hits += 1
                next += 1
            }
        }
        return 2 * Double(hits) / Double(found.count + expected.count)
    }

    private static func expect(
        _ samples: [Float],
        _ beats: [Double],
        _ tempo: Double,
        sampleRate: Int = 44_100
    ) throws {
        let found = try Self.beats(samples, sampleRate: sampleRate)
        let score = score(found.map(\.time.seconds), beats)
        #expect(score >= 0.95, "F-measure \(score)")
        let tempi = found.map(\.payload.tempo).sorted()
        let median = try #require(tempi.isEmpty ? nil : tempi[tempi.count / 2])
        #expect(abs(median / tempo - 1) < 0.02, "\(median) bpm")
        #expect(found.map(\.payload.number) == Array(0..<found.count))
        for (beat, next) in zip(found, found.dropFirst()) {
            #expect(beat.time.adding(beat.duration) == next.time)
        }
    }

    @Test(arguments: patterns, [70.0, 80, 103, 140, 160, 180])
    func `beats and tempo of drums are found`(pattern: Pattern, tempo: Double) throws {
        let (samples, beats) = Self.loop(pattern, tempo, seconds: 11)
        try Self.expect(samples, beats, tempo)
    }

    @Test(arguments: [96.0, 150])
    func `gain, sample rate, noise and where it begins change nothing`(tempo: Double) throws {
        let (samples, beats) = Self.loop(Self.rock, tempo, seconds: 11)
        let plain = try Self.beats(samples)
        // A second run in the same process, then 30 dB down.
        #expect(try Self.beats(samples).map(\.time) == plain.map(\.time))
        let quiet = try Self.beats(samples.map { $0 * 0.0316 })
        #expect(quiet.map(\.time) == plain.map(\.time))
        #expect(abs((plain.first?.time.seconds ?? 1) - 0) < 0.02)
        #expect(Self.score(plain.map(\.time.seconds), beats) == 1)
        let fine = Self.loop(
            Self.rock,
            tempo,
            seconds: 11,
            sampleRate: 48_000,
            from: 0.31,
            noise: 0.02
        )
        try Self.expect(fine.samples, fine.beats, tempo, sampleRate: 48_000)
    }

    @Test(arguments: [patterns[0], patterns[2], patterns[3]])
    func `drums below 1 kHz are enough`(pattern: Pattern) throws {
        let (samples, beats) = Self.loop(pattern, 150, seconds: 11)
        // Two passes of a Hann-weighted mean over about 1 ms: -6 dB at 700 Hz, far less beyond 1 kHz.
        let weights = (0..<63).map {
            0.5 - 0.5 * PortableMath.cosine(phase: UInt64(Double($0 + 1) / 64 * 0x1p64))
        }
        let sum = weights.reduce(0, +)
        let low = samples.indices.map { index -> Float in
            var total = 0.0
            for (offset, weight) in weights.enumerated()
            where samples.indices.contains(index + offset - 31) {
                total += weight * Double(samples[index + offset - 31])
            }
            return Float(total / sum)
        }
        try Self.expect(low, beats, 150)
    }

    @Test func `a tempo may change`() throws {
        let (slow, first) = Self.loop(Self.rock, 100, seconds: 14.4)
        let (fast, second) = Self.loop(Self.rock, 132, seconds: 14)
        let found = try Self.beats(slow + fast)
        let beats = first + second.map { $0 + 14.4 }
        #expect(Self.score(found.map(\.time.seconds), beats) >= 0.95)
        #expect(abs((found.first?.payload.tempo ?? 0) - 100) < 2)
        #expect(abs((found.last?.payload.tempo ?? 0) - 132) < 2.6)
    }

    @Test func `where nothing beats there are no beats`() throws {
        let count = 44_100 * 11
        #expect(try Self.beats([Float](repeating: 0, count: count)).isEmpty)
        let drone = (0..<count).map { index in
            Float(
                0.4
                    * PortableMath.sine(
                        phase: UInt64(index)
                            &* PortableMath.phaseStep(frequency: 110, sampleRate: 44_100)
                    )
            )
        }
        #expect(try Self.beats(drone).count <= 1)
        #expect(try Self.beats([]).isEmpty)
        #expect(try Self.beats([1, -1, 1]).count <= 1)
    }

    @Test func `a silence between is no end`() throws {
        let (samples, beats) = Self.loop(Self.rock, 120, seconds: 12)
        let silence = [Float](repeating: 0, count: 44_100 * 15)
        let found = try Self.beats(samples + silence + samples)
        let times = found.map(\.time.seconds)
        #expect(Self.score(times, beats + beats.map { $0 + 27 }) >= 0.95)
        #expect(found.map(\.payload.number) == Array(0..<found.count))
    }

    @Test func `how the sound is cut up changes nothing`() throws {
        let (samples, _) = Self.loop(Self.rock, 120, seconds: 2.5)
        let block = AudioBlock(sampleRate: 44_100, channels: [samples])
        let next = AudioBlock(sampleRate: 48_000, channels: [Array(samples.prefix(20_000))])
        try NodeRunner.checkInvariants(
            AnalyzeBeats.self,
            streams: [.audio("audio", block, at: MediaTime(1, 100), then: next)]
        )
    }

    @Test func `beats and bands of one track go together at any capacity`() throws {
        let folder = try TemporaryFolder()
        func run(_ name: String, _ options: RunOptions) throws -> RunReport {
            try GraphRun.run(
                """
                {"foxfire": 1, "nodes": {
                  "t": {"kind": "source.media", "path": "builtin:demo", "end": 14},
                  "b": {"kind": "analyze.beats", "from": "t.audio"},
                  "s": {"kind": "analyze.bands", "from": "t.audio", "rate": 60},
                  "p": {"kind": "source.parameters", "rate": 60},
                  "l": {"kind": "modulate.lfo", "from": {"parameters": "p", "beats": "b"},
                        "target": "hue", "depth": 1},
                  "m": {"kind": "modulate.audio", "from": {"parameters": "l", "bands": "s"}},
                  "w": {"kind": "write.modulation", "from": {"parameters": "m", "beats": "b"},
                        "path": "\(folder.file(name))"}}}
                """,
                options: options
            )
        }
        let report = try run("wide.csv", RunOptions(threads: 2))
        _ = try run("narrow.csv", RunOptions(threads: 1, capacity: 1))
        #expect(try folder.bytes("wide.csv") == folder.bytes("narrow.csv"))
        // What waits for beats is what comes in 10 s, not all of the track.
        #expect(report.edges.allSatisfy { $0.capacity <= 1024 })
    }
}
