import Foundation
import Graph
import Media
import Physarum
import TestSupport
import Testing

@testable import Nodes

/// The modulators that need no analysis, or only hits: waves, keyframes, envelopes.
@Suite struct ModulatorTests {
    static let rate = Rate(240)

    static func set(rate: Rate = rate) -> ParameterSet {
        ParameterSet(format: ParameterFormat(rate: rate), preset: .foxfire)
    }

    /// What a node makes of readings of the plain preset; other inputs are fed by `feed`.
    private func modulate(
        _ node: any (Node & ~Copyable).Type,
        _ parameters: [String: JSON.Value],
        count: Int,
        rate: Rate = rate,
        inputs: [(name: String, info: StreamInfo)] = [],
        feed: (NodeRunner) -> Void = { _ in }
    ) throws -> [Parameters] {
        let set = Self.set(rate: rate)
        let runner = try NodeRunner(
            node,
            parameters,
            inputs: [("parameters", StreamInfo(format: set.format))] + inputs
        )
        for index in 0..<Int64(count) {
            runner.feed("parameters", set, at: rate.time(of: index), duration: rate.interval)
        }
        feed(runner)
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        return runner.output("parameters", as: ParameterSet.self).map(\.payload.parameters)
    }

    private func lfo(_ more: [String: JSON.Value], count: Int = 480, rate: Rate = rate) throws
        -> [Double]
    {
        let all: [String: JSON.Value] = ["target": .string("moveSpeed"), "depth": .number("1")]
        let made = try modulate(
            ModulateLFO.self,
            all.merging(more) { $1 },
            count: count,
            rate: rate
        )
        return made.map { $0[factor: .moveSpeed] - 1 }
    }

    @Test func `a sine is a sine`() throws {
        let wave = try lfo(["frequency": .number("1.5"), "phase": .number("0.25")])
        for (index, value) in wave.enumerated() {
            let turns = Double(index) / 240 * 1.5 + 0.25
            #expect(abs(value - sin(turns * 2 * .pi)) < 1e-12)
        }
    }

    @Test(
        arguments: [
            ("triangle", [0, 0.5, 1, 0.5, 0, -0.5, -1, -0.5]),
            ("saw", [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75]),
            ("square", [1, 1, 1, 1, -1, -1, -1, -1]),
        ]
    )
    func `every form has its corners`(form: String, expected: [Double]) throws {
        // A period of eight readings.
        let wave = try lfo(
            ["waveform": .string(form), "frequency": .number("30")],
            count: 16
        )
        for (value, wanted) in zip(wave, expected + expected) {
            #expect(abs(value - wanted) < 1e-9)
        }
    }

    @Test func `noise is smooth, in range, decided by the seed, and the same at any rate`() throws {
        let parameters: [String: JSON.Value] = [
            "waveform": .string("noise"), "frequency": .number("3"),
        ]
        let fine = try lfo(parameters, count: 2400)
        let coarse = try lfo(parameters, count: 600, rate: Rate(60))
        for (index, value) in coarse.enumerated() { #expect(abs(value - fine[4 * index]) < 1e-12) }
        #expect(fine.allSatisfy { (-1...1).contains($0) })
        #expect(zip(fine, fine.dropFirst()).allSatisfy { abs($0 - $1) < 0.06 })
        let mean = fine.reduce(0, +) / 2400
        let deviation = (fine.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 2400).squareRoot()
        #expect(0.25...0.8 ~= deviation)
        let other = try lfo(parameters.merging(["seed": .number("2")]) { $1 }, count: 2400)
        #expect(other != fine)
    }

    @Test func `a wave in beats follows a tempo that moves, and waits for the first beat`() throws {
        let beats: [(time: MediaTime, duration: MediaTime)] = [
            (MediaTime(1, 2), MediaTime(1, 2)), (MediaTime(1, 1), MediaTime(1, 4)),
            (MediaTime(5, 4), MediaTime(1, 4)),
        ]
        let made = try modulate(
            ModulateLFO.self,
            [
                "target": .string("moveSpeed"), "depth": .number("1"), "period": .number("2"),
                "waveform": .string("saw"),
            ],
            count: 480,
            inputs: [("beats", StreamInfo(format: BeatFormat()))]
        ) { runner in
            for (index, beat) in beats.enumerated() {
                runner.feed(
                    "beats",
                    Beat(number: index, tempo: 60 / beat.duration.seconds, strength: 1),
                    at: beat.time,
                    duration: beat.duration
                )
            }
        }
        func wave(_ seconds: Double) -> Double {
            made[Int(seconds * 240)][factor: .moveSpeed] - 1
        }
        #expect(wave(0.25) == 0)
        #expect(abs(wave(0.5) + 1) < 1e-9)
        #expect(abs(wave(0.75) + 0.5) < 1e-9)
        #expect(abs(wave(1.125) - 0.5) < 1e-9)
        #expect(abs(wave(1.25) + 1) < 1e-9)
        // Beyond the last beat: beat 4.5 is a quarter of the period that began with beat 4.
        #expect(abs(wave(1.875) - (2 * 0.25 - 1)) < 1e-9)
    }

    @Test func `a wave is in seconds or in beats, not in both`() throws {
        let problem = try #require(throws: Problem.self) { try lfo(["period": .number("2")]) }
        #expect(problem.text.contains("none are connected"))
    }

    private func keys(_ keys: [(String, String, String?)]) -> JSON.Value {
        .list(
            keys.map { time, value, ease in
                var members: [(String, JSON.Value)] = [
                    ("time", .number(time)), ("value", .number(value)),
                ]
                if let ease { members.append(("ease", .string(ease))) }
                return .members(members)
            }
        )
    }

    @Test func `keyframes lead the base value, and leave factors alone`() throws {
        let list = keys([
            ("0.5", "10", nil), ("1", "30", nil), ("1.5", "10", "smooth"), ("1.75", "60", "step"),
        ])
        let made = try modulate(
            ModulateKeyframes.self,
            ["target": .string("sensorDistance"), "keys": list],
            count: 480
        )
        let expected = [
            (0.0, 10.0), (0.5, 10), (0.75, 20), (1, 30), (1.25, 20), (1.125, 30 - 20 * 0.15625),
            (1.5, 10), (1.7, 10), (1.75, 60), (1.99, 60),
        ]
        for (time, value) in expected {
            let found = made[Int((time * 240).rounded())]
            #expect(abs(found[base: .sensorDistance] - value) < 1e-9, "\(time)")
            #expect(found[factor: .sensorDistance] == 1)
        }
    }

    @Test(
        arguments: [
            ([("1", "5", nil), ("1", "6", nil)], "must be after that of the key before it"),
            ([("0", "65", nil)], "must be in 0.0 to 64.0 for sensorDistance"),
            ([], "must hold at least one object"),
        ] as [([(String, String, String?)], String)]
    )
    func `wrong keys are told`(list: [(String, String, String?)], words: String) throws {
        let problem = try #require(throws: Problem.self) {
            try modulate(
                ModulateKeyframes.self,
                ["target": .string("sensorDistance"), "keys": keys(list)],
                count: 1
            )
        }
        #expect(problem.text.contains(words))
    }

    @Test func `an envelope rises, stays and falls, and begins anew with the next hit`() {
        var envelope = Envelope(threshold: 0.5, attack: 0.2, hold: 0.1, release: 0.4)
        // Hits at 0.5 s, with its peak one reading later, and at 1.0 s, while it still falls.
        let values = (0..<20).map { index -> Double in
            let transient =
                switch index {
                case 5: 0.6
                case 6: 0.8
                case 10: 1.0
                default: 0.1
                }
            return envelope.next(transient, seconds: 0.1)
        }
        let expected: [Double] = [
            0, 0, 0, 0, 0, 0, 0.4, 0.8, 0.8, 0.6, 0.4, 0.7, 1, 1, 0.75, 0.5, 0.25, 0, 0, 0,
        ]
        for (index, value) in values.enumerated() {
            // The fall to 0.4 is where the second hit begins.
            let wanted = index == 10 ? 0.6 : index == 11 ? 0.8 : expected[index]
            #expect(abs(value - wanted) < 1e-9, "reading \(index)")
        }
    }

    @Test func `an envelope moves its target by the band that is named, and ends with the shorter`()
        throws
    {
        let made = try modulate(
            ModulateEnvelope.self,
            [
                "source": .string("high"), "target": .string("exposure"), "depth": .number("2"),
                "attack": .number("0"), "hold": .number("0.1"), "release": .number("0"),
            ],
            count: 240,
            inputs: [("bands", StreamInfo(format: AudioBandsFormat(rate: Self.rate)))]
        ) { runner in
            for index in 0..<120 {
                let hit = index == 60 ? 0.75 : 0
                runner.feed(
                    "bands",
                    AudioBands(
                        format: AudioBandsFormat(rate: Self.rate),
                        level: .zero,
                        transient: BandValues(bass: 1, mid: 1, high: hit)
                    ),
                    at: Self.rate.time(of: Int64(index)),
                    duration: Self.rate.interval
                )
            }
        }
        #expect(made.count == 120)
        for (index, value) in made.enumerated() {
            let isUp = (60...84).contains(index)
            #expect(value[factor: .exposure] == (isUp ? 1 + 2 * 0.75 : 1), "\(index)")
        }
    }
}
