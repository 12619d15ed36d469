import Foundation
import Graph
import Media
import Physarum
import TestSupport
import Testing

@testable import Nodes

@Suite struct ModulateAudioTests {
    static let rate = Rate(240)

    func bands(_ level: BandValues, _ transient: BandValues = .zero) -> AudioBands {
        AudioBands(format: AudioBandsFormat(rate: Self.rate), level: level, transient: transient)
    }

    func preset(_ wiring: AudioReactive?) -> ParameterSet {
        var preset = Preset.foxfire
        preset.audioReactive = wiring
        return ParameterSet(format: ParameterFormat(rate: Self.rate), preset: preset)
    }

    /// The parameters that come out for a stretch of readings.
    func modulate(
        _ readings: [AudioBands],
        _ set: ParameterSet,
        _ parameters: [String: JSON.Value] = [:]
    ) throws -> [Parameters] {
        let runner = try NodeRunner(
            ModulateAudio.self,
            parameters,
            inputs: [
                ("parameters", StreamInfo(format: set.format)),
                ("bands", StreamInfo(format: AudioBandsFormat(rate: Self.rate))),
            ]
        )
        for (index, reading) in readings.enumerated() {
            let time = Self.rate.time(of: Int64(index))
            runner.feed("parameters", set, at: time, duration: Self.rate.interval)
            runner.feed("bands", reading, at: time, duration: Self.rate.interval)
        }
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        return runner.output("parameters", as: ParameterSet.self).map(\.payload.parameters)
    }

    static func route(
        _ source: String,
        _ target: String,
        _ depth: String,
        _ mode: String? = nil
    ) -> JSON {
        var members = [("source", source), ("target", target)].map {
            JSON.Member(
                key: $0.0,
                location: SourceLocation(line: 0, column: 0),
                value: JSON(.string($0.1))
            )
        }
        members.append(
            JSON.Member(
                key: "depth",
                location: SourceLocation(line: 0, column: 0),
                value: JSON(.number(depth))
            )
        )
        if let mode {
            members.append(
                JSON.Member(
                    key: "mode",
                    location: SourceLocation(line: 0, column: 0),
                    value: JSON(.string(mode))
                )
            )
        }
        return JSON(.object(members))
    }

    // MARK: Factors

    @Test(arguments: [("transient", 1.2), ("level", 2.8)])
    func `a route multiplies signal, depth and gain`(mode: String, factor: Double) throws {
        let reading = bands(
            BandValues(bass: 0.9, mid: 0, high: 0),
            BandValues(bass: 0.1, mid: 0, high: 0)
        )
        let found = try modulate(
            [reading],
            preset(nil),
            [
                "routes": .array([Self.route("bass", "moveSpeed", "2", mode)]),
                "gain": .number("1"), "autoGain": .boolean(false),
            ]
        )
        #expect(isClose(found[0][factor: .moveSpeed], factor, within: 1e-12))
        #expect(found[0][factor: .exposure] == 1)
    }

    @Test func `a route without a mode follows the level`() throws {
        let reading = bands(BandValues(bass: 0.5, mid: 0, high: 0))
        let found = try modulate(
            [reading],
            preset(nil),
            [
                "routes": .array([Self.route("bass", "moveSpeed", "2")]),
                "autoGain": .boolean(false),
            ]
        )
        #expect(found[0][factor: .moveSpeed] == 2)
    }

    @Test func `routes to one target add up`() throws {
        let reading = bands(
            BandValues(bass: 0.5, mid: 0.25, high: 0),
            BandValues(bass: 0, mid: 0, high: 1)
        )
        let found = try modulate(
            [reading],
            preset(nil),
            [
                "routes": .array([
                    Self.route("bass", "exposure", "1"), Self.route("mid", "exposure", "-2"),
                    Self.route("high", "exposure", "0.5", "transient"),
                ]),
                "gain": .number("2"), "autoGain": .boolean(false),
            ]
        )
        #expect(found[0][factor: .exposure] == 1 + 1 - 1 + 1)
    }

    @Test func `factors are multiplied onto those that are there`() throws {
        let reading = bands(BandValues(bass: 1, mid: 0, high: 0))
        var set = preset(nil)
        var parameters = set.parameters
        parameters.multiply(.moveSpeed, by: 3)
        set = set.with(parameters)
        let found = try modulate(
            [reading],
            set,
            [
                "routes": .array([Self.route("bass", "moveSpeed", "1")]),
                "autoGain": .boolean(false),
            ]
        )
        #expect(found[0][factor: .moveSpeed] == 6)
    }

    // MARK: Wiring

    @Test func `the standard wiring is used where nothing else is said`() throws {
        let hit = BandValues(bass: 0.5, mid: 0.25, high: 1)
        let found = try modulate([bands(.zero, hit), bands(.zero, hit)], preset(nil))
        for parameters in found {
            #expect(isClose(parameters[factor: .bloomIntensity], 1.6, within: 1e-12))
            #expect(isClose(parameters[factor: .moveSpeed], 1.4, within: 1e-12))
            #expect(isClose(parameters[factor: .exposure], 1.6, within: 1e-12))
            #expect(isClose(parameters[factor: .chaosStrength], 1.175, within: 1e-12))
            #expect(parameters[factor: .saturation] == 1)
        }
    }

    @Test func `a preset's wiring stands before the standard, the node's before both`() throws {
        let reading = bands(BandValues(bass: 1, mid: 1, high: 1))
        let wiring = AudioReactive(
            gain: 2,
            hasAutoGain: false,
            routes: [AudioReactive.Route(.bass, .decay, depth: 0.5)]
        )
        var found = try modulate([reading], preset(wiring))
        #expect(found[0][factor: .decay] == 2 && found[0][factor: .saturation] == 1)
        found = try modulate([reading], preset(wiring), ["gain": .number("1")])
        #expect(found[0][factor: .decay] == 1.5)
        found = try modulate([reading], preset(wiring), ["enabled": .boolean(false)])
        #expect(found[0][factor: .decay] == 1)
        var disabled = wiring
        disabled.isEnabled = false
        found = try modulate([reading], preset(disabled))
        #expect(found[0][factor: .decay] == 1)
        found = try modulate(
            [reading],
            preset(disabled),
            ["routes": .array([Self.route("mid", "hue", "1")]), "autoGain": .boolean(false)]
        )
        #expect(found[0][factor: .decay] == 1 && found[0][factor: .hue] == 2)
    }

    @Test(
        arguments: [
            ["routes": .array([route("base", "moveSpeed", "1")])],
            ["routes": .array([route("bass", "moveSped", "1")])],
            ["routes": .array([route("bass", "moveSpeed", "1", "peak")])],
            ["routes": .array([route("bass", "moveSpeed", "1000")])], ["gain": .number("-1")],
        ] as [[String: JSON.Value]]
    )
    func `wrong wiring is refused`(parameters: [String: JSON.Value]) {
        #expect(throws: Problem.self) { try modulate([], preset(nil), parameters) }
    }

    // MARK: Auto gain

    @Test func `auto gain brings level routes up, and lets transients be`() throws {
        let wiring = AudioReactive(routes: [
            AudioReactive.Route(.bass, .moveSpeed, depth: 1),
            AudioReactive.Route(.bass, .exposure, depth: 1, mode: .transient),
        ])
        let half = BandValues(bass: 0.5, mid: 0.1, high: 0)
        let found = try modulate([bands(half, half)], preset(wiring))
        #expect(isClose(found[0][factor: .moveSpeed], 1 + 0.5 * 0.8 / 0.5, within: 1e-12))
        #expect(found[0][factor: .exposure] == 1.5)
    }

    @Test func `the peak falls by a factor of e in ten seconds, and not in silence`() {
        var gain = AutoGain()
        #expect(gain.gain == 4)
        gain.follow(1, seconds: 1 / 240)
        #expect(gain.gain == 0.8)
        for _ in 0..<240 { gain.follow(0.019, seconds: 1 / 240) }
        #expect(gain.gain == 0.8)
        for _ in 0..<2400 { gain.follow(0.1, seconds: 1 / 240) }
        #expect(isClose(gain.gain, 0.8 / exp(-1), within: 1e-9))
        for _ in 0..<24_000 { gain.follow(0.1, seconds: 1 / 240) }
        #expect(gain.gain == 4)
    }

    // MARK: Times

    @Test func `the end of the sound is the end of the parameters`() throws {
        let runner = try NodeRunner(
            ModulateAudio.self,
            inputs: [
                ("parameters", StreamInfo(format: preset(nil).format)),
                ("bands", StreamInfo(format: AudioBandsFormat(rate: Self.rate))),
            ]
        )
        for index in 0..<10 {
            let time = Self.rate.time(of: Int64(index))
            runner.feed("parameters", preset(nil), at: time, duration: Self.rate.interval)
            if index < 5 {
                let end = index < 4 ? nil : MediaTime(4 * 200 + 7, 48_000)
                let (time, duration) = Self.rate.span(of: Int64(index), endingAt: end)
                runner.feed("bands", bands(.zero), at: time, duration: duration)
            }
        }
        runner.end("bands")
        try runner.run()
        #expect(runner.isDone)
        let found = runner.output("parameters", as: ParameterSet.self)
        #expect(found.map(\.time) == (0..<5).map { MediaTime($0, 240) })
        #expect(found.last.map { $0.time + $0.duration } == MediaTime(807, 48_000))
    }

    @Test func `how packets come does not matter`() throws {
        var generator = SeededGenerator(seed: 1)
        let readings = (0..<50).map { _ in
            bands(
                BandValues(
                    bass: .random(in: 0...1, using: &generator),
                    mid: .random(in: 0...1, using: &generator),
                    high: .random(in: 0...1, using: &generator)
                )
            )
        }
        let sets = Array(repeating: preset(nil), count: 50)
        let other = ParameterSet(format: ParameterFormat(rate: Rate(241)), preset: .foxfire)
        try NodeRunner.checkInvariants(
            ModulateAudio.self,
            streams: [
                .packets("parameters", sets, rate: Self.rate, then: [other]),
                .packets("bands", readings, rate: Self.rate),
            ]
        )
    }
}
