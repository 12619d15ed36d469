import Foundation
import Graph
import Media
import Presets
import TestSupport
import Testing

@testable import Nodes
@testable import Physarum

@Suite struct ModulateRotationTests {
    static let rate = Rate(60)

    /// A preset's file, told apart by its speed.
    private func write(_ preset: Preset, _ folder: TemporaryFolder) throws -> String {
        let path = folder.file("\(preset.name).json")
        try PresetFile(preset).text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static let slow = Preset(
        name: "slow",
        parameters: Parameters([.moveSpeed: 1]),
        palette: .ember,
        audioReactive: AudioReactive(
            gain: 2,
            routes: [AudioReactive.Route(.bass, .deposit, depth: 1)]
        )
    )
    private static let fast = Preset(
        name: "fast",
        parameters: Parameters([.moveSpeed: 3]),
        palette: .moonlight,
        species: [
            Species(attraction: [1, -1], factors: [.crowding: 3]),
            Species(palette: .foxfire, attraction: [0, 1]),
        ],
        audioReactive: AudioReactive(routes: [AudioReactive.Route(.high, .hue, depth: 2)])
    )

    private func sets(
        _ parameters: [String: JSON.Value],
        _ folder: TemporaryFolder,
        seconds: Int = 10,
        beats: [(time: Double, length: Double)]? = nil
    ) throws -> [ParameterSet] {
        let paths = try [write(Self.slow, folder), write(Self.fast, folder)]
        let list = JSON.Value.list(paths.map { .members([("preset", .string($0))]) })
        var incoming = ParameterSet(
            format: ParameterFormat(rate: Self.rate),
            preset: .foxfire
        )
        var modulated = incoming.parameters
        modulated.multiply(.exposure, by: 1.5)
        incoming = incoming.with(modulated)
        let info: [(name: String, info: StreamInfo)] =
            beats == nil ? [] : [("beats", StreamInfo(format: BeatFormat()))]
        let runner = try NodeRunner(
            ModulateRotation.self,
            ["presets": list].merging(parameters) { $1 },
            inputs: [("parameters", StreamInfo(format: incoming.format))] + info
        )
        for index in 0..<Int64(seconds * 60) {
            let time = Self.rate.time(of: index)
            runner.feed("parameters", incoming, at: time, duration: Self.rate.interval)
        }
        for (index, beat) in (beats ?? []).enumerated() {
            runner.feed(
                "beats",
                Beat(number: index, tempo: 60 / beat.length, strength: 1),
                at: MediaTime(Int64(beat.time * 1000), 1000),
                duration: MediaTime(Int64(beat.length * 1000), 1000)
            )
        }
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        return runner.output("parameters", as: ParameterSet.self).map(\.payload)
    }

    @Test func `each preset stands for its time, and the next one fades in`() throws {
        let folder = try TemporaryFolder()
        let made = try sets(["each": .number("4"), "crossfade": .number("2")], folder)
        func speed(_ seconds: Double) -> Double {
            made[Int(seconds * 60)].parameters[base: .moveSpeed]
        }
        for (time, value) in [(0.0, 1.0), (3.9, 1), (4, 1), (5, 2), (6, 3), (7.9, 3), (9, 2)] {
            #expect(abs(speed(time) - value) < 1e-9, "\(time)")
        }
        #expect(abs(speed(4.5) - (1 + 2 * 0.15625)) < 1e-9)
        #expect(made.allSatisfy { $0.parameters[factor: .exposure] == 1.5 })
        #expect(made.allSatisfy { $0.format.speciesCount == 2 && $0.species.count == 2 })
    }

    @Test func `colours, species and wiring change with the numbers`() throws {
        let folder = try TemporaryFolder()
        let made = try sets(["each": .number("4"), "crossfade": .number("2")], folder)
        let (before, middle, after) = (made[0], made[300], made[400])
        #expect(before.species.map(\.attraction) == [[1, 1], [1, 1]])
        #expect(before.palette == .ember && before.audioReactive == Self.slow.audioReactive)
        #expect(after.species == Self.fast.species && after.palette == .moonlight)
        #expect(middle.species.map(\.attraction) == [[1, 0], [0.5, 1]])
        #expect(middle.species[0].factors == [.crowding: 2])
        let mixed = try #require(middle.species[1].palette)
        let expected = (Palette.ember.lab(at: 0.4) + Palette.foxfire.lab(at: 0.4)) / 2
        let difference = mixed.lab(at: 0.4) - expected
        #expect((difference * difference).sum() < 1e-18)
        #expect(
            middle.audioReactive?.routes == [
                AudioReactive.Route(.bass, .deposit, depth: 1),
                AudioReactive.Route(.high, .hue, depth: 1),
            ]
        )
    }

    @Test func `with beats a preset stands for so many of them`() throws {
        let folder = try TemporaryFolder()
        // From 1 s on at 120 bpm, from 3 s on at 60 bpm.
        var beats: [(time: Double, length: Double)] = []
        for index in 0..<4 { beats.append((1 + 0.5 * Double(index), 0.5)) }
        for index in 0..<6 { beats.append((3 + Double(index), 1)) }
        let made = try sets(
            ["beatsEach": .integer(4), "crossfade": .number("0")],
            folder,
            beats: beats
        )
        let speeds = made.map { $0.parameters[base: .moveSpeed] }
        for (index, speed) in speeds.enumerated() {
            let time = Double(index) / 60
            let wanted: Double = time < 3 - 1e-9 ? 1 : time < 7 - 1e-9 ? 3 : 1
            #expect(speed == wanted, "\(time)")
        }
    }

    @Test(
        arguments: [
            (["beatsEach": .integer(4)], "none are connected"),
            (["each": .number("2")], "must not be longer than a preset stands"),
            (["each": .number("0")], "must be longer than 0"),
            (["presets": .list([])], "must hold 1 to 1000 presets"),
            (
                ["presets": .list([.members([("preset", .string("Nobody"))])])],
                "no preset \"Nobody\""
            ),
        ] as [([String: JSON.Value], String)]
    )
    func `what is wrong is told`(parameters: [String: JSON.Value], words: String) throws {
        let folder = try TemporaryFolder()
        let problem = try #require(throws: Problem.self) { try sets(parameters, folder) }
        #expect(problem.text.contains(words))
    }

    @Test func `what the presets say is kept with the graph`() throws {
        let folder = try TemporaryFolder()
        let path = try write(Self.slow, folder)
        let graph = """
            {"foxfire": 1, "nodes": {
              "base": {"kind": "source.parameters", "duration": 1},
              "walk": {"kind": "modulate.rotation", "from": "base", "presets": [{"preset": "\(path)"}]},
              "none": {"kind": "test.null", "from": "walk"}}}
            """
        func kept() throws -> String? {
            try GraphRun.plan(graph).provenance.first { $0.key == "presetFile.walk.presets.0" }?
                .value
        }
        let first = try kept()
        #expect(first?.contains("\"slow\"") == true)
        var other = Self.slow
        other.parameters[base: .decay] = 0.2
        _ = try write(other, folder)
        #expect(try kept() != first)
    }
}
