import Foundation
import Graph
import Media
import Physarum
import TestSupport
import Testing

@testable import Nodes

/// What the node gives for one channel of sound.
func readings(
    _ samples: [Float],
    sampleRate: Int = 48_000,
    _ parameters: [String: JSON.Value] = [:]
) throws -> [Packet<AudioBands>] {
    let block = AudioBlock(sampleRate: sampleRate, channels: [samples])
    let runner = try NodeRunner(
        AnalyzeBands.self,
        parameters,
        inputs: [("audio", StreamInfo(format: block.format))]
    )
    runner.feed("audio", blocks: block.cut(into: 1024))
    runner.endAll()
    try runner.run()
    #expect(runner.isDone)
    return runner.output("bands")
}

@Suite struct AnalyzeBandsTests {
    /// The settings of a live analyser that reads every block of 1024 once.
    static let live: [String: JSON.Value] = [
        "window": .number("1024"), "align": .string("causal"), "rate": .string("375/8"),
        "smoothing": .number("0"),
    ]

    // MARK: Signals

    @Test func `equal blocks are no hits, a louder one is, as in a live analyser`() throws {
        let block = Signals.sine(120, amplitude: 0.5, seconds: 1024 / 48_000)
        let loud = Signals.sine(120, amplitude: 1, seconds: 1024 / 48_000)
        // Reading k sees the block before it, so one more block shows the loud one.
        let signal = (0..<60).flatMap { _ in block } + loud + block
        let found = try readings(signal, Self.live).map(\.payload.transient.bass)
        #expect(found.count == 62)
        #expect(found[60] < 0.35)
        #expect(found[61] >= found[60] + 0.2)
        let silence = try readings(Array(repeating: 0, count: 1024 * 60), Self.live)
        for reading in silence {
            let values = [reading.payload.transient, reading.payload.level].map(\.maximum)
            #expect(values.allSatisfy { $0 < 0.05 })
        }
    }

    static let tones: [(frequency: Double, limit: Double)] = [
        (45, 0.6), (55, 0.6), (65, 0.35), (73, 0.35), (97, 0.35), (110, 0.35), (167, 0.35),
        (220, 0.35),
    ]

    @Test(arguments: [48_000, 44_100], tones)
    func `steady tones are no hits, louder ones are`(
        sampleRate: Int,
        tone: (frequency: Double, limit: Double)
    ) throws {
        func highest(_ found: [Packet<AudioBands>], _ range: Range<Double>) -> Double {
            found.filter { range.contains($0.time.seconds) }.map(\.payload.transient.bass).max()
                ?? 0
        }
        // Where a tone ends there is a click, which is a hit, half a window before.
        let loud = try readings(
            Signals.sine(tone.frequency, sampleRate: sampleRate, seconds: 5),
            sampleRate: sampleRate
        )
        #expect(highest(loud, 1..<4.97) < tone.limit)
        var signal = Signals.sine(tone.frequency, sampleRate: sampleRate, seconds: 5.5)
        for index in 0..<sampleRate * 5 { signal[index] *= 0.5 }
        let stepped = try readings(signal, sampleRate: sampleRate)
        #expect(highest(stepped, 1..<4.97) < tone.limit)
        #expect(highest(stepped, 4.97..<5.2) >= highest(stepped, 4.9..<4.97) + 0.2)
    }

    /// 100 random times at least 0.4 s apart.
    static let kickTimes: [Double] = {
        var generator = SeededGenerator(seed: 20)
        var time = 0.5
        return (0..<100).map { _ in
            defer { time += Double.random(in: 0.4...0.6, using: &generator) }
            return time
        }
    }()
    static let kickReadings = Result {
        try readings(Signals.kicks(at: kickTimes, seconds: (kickTimes.last ?? 0) + 1))
    }

    @Test(arguments: [24, 25, 30, 60] as [Int32])
    func `every kick is found within a frame of it`(fps: Int32) throws {
        let found = try Self.kickReadings.get()
        let rate = Rate(fps)
        let frames = rate.count(before: found.last?.time ?? .zero)
        // As films read them: the latest reading at or before the frame's time.
        let film = (0..<frames).map { frame in
            found[Int(rate.time(of: frame).converted(to: 240, rounding: .down).value)]
                .payload.transient.bass
        }
        for time in Self.kickTimes {
            let near = film.indices.filter {
                (time - 0.15...time + 0.25).contains(Double($0) / Double(fps))
            }
            let peak = near.map { film[$0] }.max() ?? 0
            #expect(peak > 0.3)
            let first = near.first { film[$0] > peak / 2 } ?? 0
            #expect(abs(Double(first) / Double(fps) - time) <= 1 / Double(fps), "kick at \(time)")
        }
    }

    @Test(arguments: [
        (100.0, AudioReactive.Source.bass), (1000, .mid), (8000, .high),
    ])
    func `each band hears its own`(frequency: Double, band: AudioReactive.Source) throws {
        let found = try readings(Signals.sine(frequency, amplitude: 0.5, seconds: 2))
        let level = try #require(found.last { $0.time.seconds < 1.9 }?.payload.level)
        for other in AudioReactive.Source.allCases where other != band {
            #expect(level[band] > level[other] * 2)
        }
    }

    @Test func `bands above half the sample rate read 0`() throws {
        let noise = Signals.noise(sampleRate: 8000, seconds: 1, seed: 3)
        let found = try readings(noise, sampleRate: 8000)
        #expect(found.allSatisfy { $0.payload.level.high == 0 && $0.payload.transient.high == 0 })
        #expect((found.last?.payload.level.mid ?? 0) > 0.5)
    }

    @Test func `edges can be given`() throws {
        let ranges: JSON.Value = .array([
            JSON(
                .object([
                    member("band", .string("high")), member("low", .number("900")),
                    member("high", .number("1100")),
                ])
            )
        ])
        let found = try readings(Signals.sine(1000, seconds: 1), ["ranges": ranges])
        let usual = try readings(Signals.sine(1000, seconds: 1))
        let (level, other) = (found[200].payload.level, usual[200].payload.level)
        #expect(level.high > 0.5 && other.high < 0.1)
        #expect(level.mid == other.mid)
    }

    // MARK: Against a plain implementation

    @Test(arguments: [48_000, 44_100, 8000], [true, false])
    func `readings are those of the formulas`(sampleRate: Int, isCentred: Bool) throws {
        let signal = zip(
            Signals.noise(amplitude: 0.3, sampleRate: sampleRate, seconds: 0.2, seed: 4),
            Signals.kicks(at: [0.03, 0.11], sampleRate: sampleRate, seconds: 0.2)
        ).map { $0 + $1 * 0.5 }
        let found = try readings(
            signal,
            sampleRate: sampleRate,
            [
                "window": .number("256"), "align": .string(isCentred ? "centred" : "causal"),
                "rate": .number("430"), "smoothing": .string("30ms"),
            ]
        )
        let plain = PlainAnalysis(
            sampleRate: sampleRate,
            window: 256,
            isCentred: isCentred,
            rate: 430,
            smoothing: 0.03
        ).readings(signal.map(Double.init))
        #expect(found.count == plain.count && found.count == 86)
        for (reading, expected) in zip(found, plain) {
            for (index, band) in AudioReactive.Source.allCases.enumerated() {
                #expect(isClose(reading.payload.level[band], expected.level[index], within: 1e-5))
                #expect(
                    isClose(
                        reading.payload.transient[band],
                        expected.transient[index],
                        within: 1e-4
                    )
                )
            }
        }
    }

    // MARK: Times

    @Test(arguments: [("240", 44_100), ("30000/1001", 48_000), ("1000", 8000), ("1", 11_025)])
    func `reading k is at k over the rate, and the last ends with the audio`(
        rate: String,
        sampleRate: Int
    ) throws {
        let exact = try #require(Rate(parsing: rate))
        for count in [1, sampleRate, sampleRate * 3 / 2 + 1] {
            let found = try readings(
                Array(repeating: 0.1, count: count),
                sampleRate: sampleRate,
                ["rate": .string(rate)]
            )
            let length = MediaTime(Int64(count), Int32(sampleRate))
            #expect(Int64(found.count) == exact.count(before: length))
            for (index, packet) in found.enumerated() {
                #expect(packet.time == exact.time(of: Int64(index)))
                if index + 1 < found.count { #expect(packet.duration == exact.interval) }
            }
            let last = try #require(found.last)
            #expect(last.time + last.duration == length)
        }
    }

    @Test func `audio that starts late and has gaps is silent there`() throws {
        let tone = Signals.sine(1000, seconds: 0.5)
        let block = AudioBlock(sampleRate: 48_000, channels: [tone])
        let runner = try NodeRunner(
            AnalyzeBands.self,
            ["smoothing": .number("0")],
            inputs: [("audio", StreamInfo(format: block.format))]
        )
        runner.feed("audio", block, at: MediaTime(1, 1))
        runner.feed("audio", block, at: MediaTime(25, 10))
        // Overlaps the one before by half of its length.
        runner.feed("audio", block, at: MediaTime(275, 100))
        runner.endAll()
        try runner.run()
        let found = runner.output("bands", as: AudioBands.self)
        let filled =
            Signals.silence(seconds: 1) + tone + Signals.silence(seconds: 1) + tone
            + tone[12_000...]
        let expected = try readings(filled, ["smoothing": .number("0")])
        #expect(found.count == expected.count)
        for (one, two) in zip(found, expected) {
            #expect(one.payload.checksum == two.payload.checksum && one.time == two.time)
        }
    }

    @Test func `channels are averaged`() throws {
        let (left, right) = (Signals.noise(seconds: 0.2, seed: 1), Signals.sine(99, seconds: 0.2))
        let block = AudioBlock(sampleRate: 48_000, channels: [left, right])
        let runner = try NodeRunner(
            AnalyzeBands.self,
            inputs: [("audio", StreamInfo(format: block.format))]
        )
        runner.feed("audio", block, at: .zero)
        runner.endAll()
        try runner.run()
        let expected = try readings(zip(left, right).map { ($0 + $1) * 0.5 })
        #expect(
            runner.output("bands", as: AudioBands.self).map(\.payload.checksum)
                == expected.map(\.payload.checksum)
        )
    }

    @Test func `after a change of the sample rate the times go on`() throws {
        let first = AudioBlock(
            sampleRate: 48_000,
            channels: [Signals.noise(seconds: 0.501, seed: 1)]
        )
        let second = AudioBlock(
            sampleRate: 44_100,
            channels: [Signals.noise(sampleRate: 44_100, seconds: 0.5, seed: 2)]
        )
        let runner = try NodeRunner(
            AnalyzeBands.self,
            inputs: [("audio", StreamInfo(format: first.format))]
        )
        runner.feed("audio", blocks: first.cut(into: 1000))
        runner.feed("audio", second, at: MediaTime(501, 1000))
        runner.endAll()
        try runner.run()
        let found = runner.output("bands", as: AudioBands.self)
        #expect(found.map(\.time) == (0..<241).map { MediaTime($0, 240) })
        #expect(found.dropLast().allSatisfy { $0.duration == MediaTime(1, 240) })
        #expect(found.last.map { $0.time + $0.duration } == MediaTime(22_094 + 22_050, 44_100))
    }

    @Test(arguments: [
        (48_000, 2048), (44_100, 2048), (96_000, 4096), (88_200, 4096), (192_000, 8192),
        (32_000, 1024), (22_050, 1024), (16_000, 512), (8000, 256), (100, 64),
    ])
    func `the window is scaled with the sample rate`(sampleRate: Int, window: Int) throws {
        let format = AudioFormat(sampleRate: sampleRate, channels: 1)
        let runner = try NodeRunner(
            AnalyzeBands.self,
            inputs: [("audio", StreamInfo(format: format))]
        )
        #expect(runner.outputInfo("bands")?.delay == format.time(of: Int64(window / 2)))
    }

    @Test(arguments: [("240", 0), ("94", 0), ("93", 1), ("60", 1)])
    func `readings too far apart are told`(rate: String, warnings: Int) throws {
        let format = AudioFormat(sampleRate: 48_000, channels: 2)
        let runner = try NodeRunner(
            AnalyzeBands.self,
            ["rate": .number(rate)],
            inputs: [("audio", StreamInfo(format: format))]
        )
        #expect(runner.notices.warnings.count == warnings)
    }

    @Test(
        arguments: [
            ["window": .number("1000")], ["window": .number("32")], ["rate": .number("0.5")],
            ["align": .string("left")], ["ranges": .number("1")],
            [
                "ranges": .array([
                    JSON(
                        .object([
                            member("band", .string("mid")), member("low", .number("9")),
                            member("high", .number("9")),
                        ])
                    )
                ])
            ],
        ] as [[String: JSON.Value]]
    )
    func `wrong settings are refused`(parameters: [String: JSON.Value]) {
        #expect(throws: Problem.self) {
            let format = AudioFormat(sampleRate: 48_000, channels: 1)
            return try NodeRunner(
                AnalyzeBands.self,
                parameters,
                inputs: [("audio", StreamInfo(format: format))]
            )
        }
    }

    @Test(arguments: ["centred", "causal"])
    func `how audio is cut up does not matter`(alignment: String) throws {
        let block = AudioBlock(
            sampleRate: 48_000,
            channels: [Signals.noise(seconds: 0.12, seed: 1), Signals.sine(70, seconds: 0.12)]
        )
        let next = AudioBlock(
            sampleRate: 44_100,
            channels: [Signals.sine(440, sampleRate: 44_100, seconds: 0.1)]
        )
        try NodeRunner.checkInvariants(
            AnalyzeBands.self,
            ["align": .string(alignment)],
            streams: [.audio("audio", block, at: MediaTime(1, 100), then: next)]
        )
    }
}

private func member(_ key: String, _ value: JSON.Value) -> JSON.Member {
    JSON.Member(key: key, location: SourceLocation(line: 0, column: 0), value: JSON(value))
}

/// The analysis as its formulas are written, with a plain sum for the transform.
private struct PlainAnalysis {
    let sampleRate: Int
    let window: Int
    let isCentred: Bool
    let rate: Double
    let smoothing: Double

    func magnitudes(_ signal: [Double], at index: Int) -> [Double] {
        let centre = Int((Double(index) * Double(sampleRate) / rate + 0.5).rounded(.down))
        let first = isCentred ? centre - window / 2 : centre - window
        let hann = (0..<window).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(window)) }
        let sum = hann.reduce(0, +)
        return (0...window / 2).map { bin in
            var (re, im) = (0.0, 0.0)
            for n in 0..<window where signal.indices.contains(first + n) {
                let angle = 2 * .pi * Double(bin * n % window) / Double(window)
                re += signal[first + n] * hann[n] * cos(angle)
                im -= signal[first + n] * hann[n] * sin(angle)
            }
            return (re * re + im * im).squareRoot() * (bin == 0 ? 1 : 2) / sum
        }
    }

    func readings(_ signal: [Double]) -> [(level: [Double], transient: [Double])] {
        let hop = 1 / rate
        let edges = [(20.0, 250.0), (250, 4000), (4000, 16_000)]
        var (level, transient) = ([0.0, 0, 0], [0.0, 0, 0])
        var (baseline, envelope, peak) = ([0.0, 0, 0], [0.0, 0, 0], [0.02, 0.02, 0.02])
        var previous: [Double]?
        var result: [(level: [Double], transient: [Double])] = []
        for index in 0..<Int((Double(signal.count) / Double(sampleRate) * rate).rounded(.up)) {
            let magnitude = magnitudes(signal, at: index)
            for (band, (low, high)) in edges.enumerated() where low < Double(sampleRate) / 2 {
                let width = Double(sampleRate) / Double(window)
                let bins =
                    Int(
                        (low / width).rounded(.down)
                    )...min(
                        window / 2,
                        Int((high / width).rounded(.up))
                    )
                let mean =
                    bins.map { bin in
                        let decibels = 20 * log10(max(magnitude[bin], 1e-30))
                        return (min(max(decibels, -80), -10) + 80) / 70
                    }.reduce(0, +) / Double(bins.count)
                level[band] += (1 - exp(-hop / smoothing)) * (mean - level[band])
                guard let previous else { continue }
                let flux = bins.map { max(0, magnitude[$0] - previous[$0]) }.reduce(0, +)
                baseline[band] += (1 - exp(-hop / 1.5)) * (flux - baseline[band])
                let deviation = max(0, flux - baseline[band])
                envelope[band] =
                    deviation > envelope[band] ? deviation : exp(-hop / 0.25) * envelope[band]
                peak[band] = max(envelope[band], exp(-hop / 3) * peak[band])
                transient[band] = min(max(envelope[band] / max(peak[band], 0.02), 0), 1)
            }
            previous = magnitude
            result.append((level, transient))
        }
        return result
    }
}
