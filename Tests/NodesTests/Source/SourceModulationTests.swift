import Foundation
import Graph
import Media
import Physarum
import TestSupport
import Testing

@testable import Nodes

/// `write.modulation` and `source.modulation`: what one writes the other reads.
@Suite struct SourceModulationTests {
    private static let rate = Rate(240)

    private func bands(_ index: Int) -> AudioBands {
        func value(_ factor: Int) -> Double { Double((index * factor) % 1009) / 1009 }
        return AudioBands(
            format: AudioBandsFormat(rate: Self.rate),
            level: BandValues(bass: value(37), mid: value(91), high: value(411)),
            transient: BandValues(bass: value(5), mid: value(777), high: value(123))
        )
    }

    private func set(_ index: Int) -> ParameterSet {
        var parameters = Preset.foxfire.parameters
        parameters.multiply(.deposit, by: 1 + Double(index % 7) / 3)
        parameters.multiply(.hue, by: Double(index % 11))
        return ParameterSet(format: ParameterFormat(rate: Self.rate), preset: .foxfire)
            .with(parameters)
    }

    private static let beats: [(time: MediaTime, duration: MediaTime)] = [
        (MediaTime(1234, 44_100), MediaTime(22_050, 44_100)),
        (MediaTime(1, 2), MediaTime(1, 4)), (MediaTime(3, 4), MediaTime(1, 4)),
    ]

    private func write(_ path: String, count: Int = 240) throws {
        let environment = NodeEnvironment()
        let runner = try NodeRunner(
            WriteModulation.self,
            ["path": .string(path)],
            inputs: [
                ("bands", StreamInfo(format: AudioBandsFormat(rate: Self.rate))),
                ("beats", StreamInfo(format: BeatFormat())),
                ("parameters", StreamInfo(format: ParameterFormat(rate: Self.rate))),
            ],
            environment: environment
        )
        for index in 0..<count {
            let time = Self.rate.time(of: Int64(index))
            runner.feed("bands", bands(index), at: time, duration: Self.rate.interval)
            runner.feed("parameters", set(index), at: time, duration: Self.rate.interval)
        }
        for (number, beat) in Self.beats.enumerated() {
            runner.feed(
                "beats",
                Beat(number: number, tempo: 60 / beat.duration.seconds, strength: 0.1),
                at: beat.time,
                duration: beat.duration
            )
        }
        runner.endAll()
        try runner.run()
        try environment.outputs.commit()
    }

    private func read(
        _ path: String,
        _ parameters: [String: JSON.Value] = [:],
        outputs: Set<String>? = nil
    ) throws -> NodeRunner {
        let runner = try NodeRunner(
            SourceModulation.self,
            ["path": .string(path)].merging(parameters) { $1 },
            readOutputs: outputs
        )
        try runner.run()
        #expect(runner.isDone)
        return runner
    }

    @Test(arguments: ["a.csv", "a.json"])
    func `the same readings come back`(name: String) throws {
        let folder = try TemporaryFolder()
        try write(folder.file(name))
        let runner = try read(folder.file(name))
        let bands = runner.output("bands", as: AudioBands.self)
        #expect(bands.count == 240)
        for (index, packet) in bands.enumerated() {
            #expect(packet.time == Self.rate.time(of: Int64(index)))
            #expect(packet.payload.checksum == self.bands(index).checksum)
        }
        let sets = runner.output("parameters", as: ParameterSet.self)
        #expect(sets.count == 240)
        for (index, packet) in sets.enumerated() {
            for parameter in Parameter.allCases {
                let expected = set(index).parameters.value(parameter)
                #expect(packet.payload.parameters.value(parameter) == expected)
            }
        }
        let beats = runner.output("beats", as: Beat.self)
        #expect(beats.map(\.time) == Self.beats.map(\.time))
        #expect(beats.map(\.payload.tempo) == Self.beats.map { 60 / $0.duration.seconds })
        #expect(beats.allSatisfy { $0.payload.strength == 0.1 })
    }

    @Test func `a table that people wrote is read at any rate`() throws {
        let folder = try TemporaryFolder()
        let text = "time,bassLevel,exposure,beat\n0,0,1,1\n0.5,,,1\n1,1,3,1\n2,,,\n"
        try text.write(toFile: folder.file("a.csv"), atomically: true, encoding: .utf8)
        let runner = try read(folder.file("a.csv"), ["rate": .number("4")])
        let levels = runner.output("bands", as: AudioBands.self).map(\.payload.level.bass)
        #expect(levels == [0, 0.25, 0.5, 0.75, 1, 1, 1, 1])
        let exposures = runner.output("parameters", as: ParameterSet.self).map {
            $0.payload.parameters[base: .exposure]
        }
        #expect(exposures == [1, 1.5, 2, 2.5, 3, 3, 3, 3])
        let beats = runner.output("beats", as: Beat.self)
        #expect(beats.map(\.payload.number) == [0, 1, 2])
        #expect(beats.map(\.payload.tempo) == [120, 120, 60])
        #expect(beats.map(\.duration.seconds) == [0.5, 0.5, 1])
    }

    @Test func `a table without what is read is refused, and a wrong one with its place`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.csv")
        try "time,exposure\n0,1\n1,2\n".write(toFile: path, atomically: true, encoding: .utf8)
        let lacking = try #require(throws: Problem.self) { try read(path, outputs: ["bands"]) }
        #expect(lacking.text.contains("no column for \"bands\""))
        #expect(try read(path, outputs: ["parameters"]).isDone)
        try "time,exposure\n0,99\n".write(toFile: path, atomically: true, encoding: .utf8)
        let wrong = try #require(throws: Problem.self) { try read(path) }
        #expect(wrong.file == path && wrong.location == SourceLocation(line: 2, column: 3))
    }

    @Test func `a film from a stored track is the film from the sound`() throws {
        let folder = try TemporaryFolder()
        let table = folder.file("track.csv")
        let simulate = """
            "params": {"kind": "modulate.audio", "from": {"parameters": "base", "bands": "BANDS"}},
            "mould": {"kind": "simulate.physarum", "from": "params", "size": "64x36", "warmup": 10},
            "sum": {"kind": "test.checksum", "from": "mould", "path": "SUM"}
            """
        func graph(_ head: String, _ bands: String, _ sum: String) -> String {
            "{\"foxfire\": 1, \"nodes\": {\(head),"
                + simulate.replacing("BANDS", with: bands).replacing("SUM", with: folder.file(sum))
                + "}}"
        }
        let base = "\"base\": {\"kind\": \"source.parameters\"}"
        try GraphRun.run(
            graph(
                base
                    + ",\"t\": {\"kind\": \"source.media\", \"path\": \"builtin:demo\", \"end\": 2},"
                    + "\"b\": {\"kind\": \"analyze.bands\", \"from\": \"t.audio\"},"
                    + "\"w\": {\"kind\": \"write.modulation\", \"from\": {\"bands\": \"b\"}, "
                    + "\"path\": \"\(table)\"}",
                "b",
                "one"
            )
        )
        try GraphRun.run(
            graph(
                base + ",\"m\": {\"kind\": \"source.modulation\", \"path\": \"\(table)\"}",
                "m.bands",
                "two"
            )
        )
        #expect(try folder.bytes("one") == folder.bytes("two"))
        #expect(try folder.bytes("one").count > 10)
    }
}
