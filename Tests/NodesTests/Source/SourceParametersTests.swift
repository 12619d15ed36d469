import Foundation
import Graph
import Media
import Physarum
import TestSupport
import Testing

@testable import Nodes

@Suite struct SourceParametersTests {
    @Test(arguments: [
        ("240", "1", 240), ("240", "1.001", 241), ("30000/1001", "10", 300), ("1", "0.25", 1),
        ("240", "0", 0),
    ])
    func `packet k is at k over the rate, and the last ends with the duration`(
        rate: String,
        duration: String,
        count: Int
    ) throws {
        let runner = try NodeRunner(
            SourceParameters.self,
            ["rate": .string(rate), "duration": .string(duration)]
        )
        try runner.run()
        #expect(runner.isDone)
        let found = runner.output("parameters", as: ParameterSet.self)
        let exact = try #require(Rate(parsing: rate))
        #expect(found.count == count)
        for (index, packet) in found.enumerated() {
            #expect(packet.time == exact.time(of: Int64(index)))
            if index + 1 < count { #expect(packet.duration == exact.interval) }
            #expect(packet.payload.format.rate == exact)
        }
        if let last = found.last, case .time(let end)? = TimeValue(parsing: duration) {
            #expect(last.time + last.duration == end)
            #expect(runner.outputInfo("parameters")?.duration == end)
        }
    }

    @Test func `it says what the preset says`() throws {
        let runner = try NodeRunner(SourceParameters.self, ["duration": .number("0.1")])
        try runner.run()
        let set = try #require(runner.output("parameters", as: ParameterSet.self).first?.payload)
        #expect(set.parameters == Preset.foxfire.parameters)
        #expect(set.audioReactive == Preset.foxfire.audioReactive)
    }

    @Test func `without a duration it has no end`() throws {
        let runner = try NodeRunner(SourceParameters.self)
        try runner.run(packetsPerCall: 1, calls: 100)
        #expect(!runner.isDone)
        #expect(runner.output("parameters", as: ParameterSet.self).count >= 100)
        #expect(runner.outputInfo("parameters")?.rate == Rate(240))
        #expect(runner.outputInfo("parameters")?.duration == nil)
    }

    @Test(
        arguments: [
            ["preset": .string("Foxfyre")], ["rate": .number("0")],
            ["duration": .string("100 samples")],
        ] as [[String: JSON.Value]]
    )
    func `what is not there is refused`(parameters: [String: JSON.Value]) {
        #expect(throws: Problem.self) { try NodeRunner(SourceParameters.self, parameters) }
    }

    // MARK: Presets

    /// A graph of the node alone; what a check of it found.
    private func check(
        _ preset: String,
        in folder: String = "",
        given: String? = nil
    ) -> GraphCheck.Outcome {
        let text = """
            {"foxfire": 1, "variables": {"preset": {"type": "preset", "default": "\(preset)"}},
             "nodes": {
                "base": {"kind": "source.parameters", "preset": "$preset", "duration": 1},
                "sum": {"kind": "test.null", "from": "base"}}}
            """
        let options = GraphCheck.Options(version: "1") { bytes in
            var sum: UInt64 = 14_695_981_039_346_656_037
            for index in bytes.indices { sum = (sum ^ UInt64(bytes[index])) &* 1_099_511_628_211 }
            return String(sum, radix: 16)
        }
        return GraphCheck.plan(
            text: Array(text.utf8),
            file: folder.isEmpty ? "g.json" : "\(folder)/g.json",
            values: given.map { ["preset": $0] } ?? [:],
            catalogue: nodeCatalogue,
            options: options
        )
    }

    private func provenance(_ outcome: GraphCheck.Outcome) throws -> [String: String] {
        let plan = try #require(outcome.plan, "\(outcome.problems)")
        return Dictionary(uniqueKeysWithValues: plan.provenance.map { ($0.key, $0.value) })
    }

    private func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test func `a preset file is read, from the graph's folder or the working one`() throws {
        let folder = try TemporaryFolder()
        try write(
            #"{"name": "Mine", "params": {"moveSpeed": 3.5, "palette": "ember"}}"#,
            to: folder.file("mine.json")
        )
        let runner = try NodeRunner(
            SourceParameters.self,
            ["preset": .string(folder.file("mine.json")), "duration": 1]
        )
        try runner.run()
        let set = try #require(runner.output("parameters", as: ParameterSet.self).first?.payload)
        #expect(set.parameters == Parameters([.moveSpeed: 3.5]))
        #expect(set.palette == .ember)
        #expect(set.audioReactive == nil)
        #expect(check("mine.json", in: folder.path).problems.isEmpty)
        let given = check("Foxfire", in: folder.path, given: "mine.json")
        #expect(given.problems.map(\.code) == [.file])
        #expect(given.isOnlyFiles)
    }

    @Test func `every fault of a preset file is told at its place there`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("bad.json")
        try write("{\"name\": \"Bad\",\n \"params\": {\"decay\": 7, \"hue\": \"red\"}}", to: path)
        let outcome = check(path)
        #expect(
            outcome.problems.map { "\($0.file ?? "") \($0.location?.description ?? "")" }
                == ["\(path) 2:22", "\(path) 2:32"]
        )
        #expect(outcome.problems.allSatisfy { $0.node == "base" })
        #expect(!outcome.isOnlyFiles)
    }

    @Test func `a slip in a preset file is warned of`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("slip.json")
        try write(#"{"name": "S", "params": {"decai": 0.1}}"#, to: path)
        let outcome = check(path)
        #expect(outcome.problems.isEmpty)
        #expect(outcome.warnings.map(\.hint) == ["did you mean \"decay\"?"])
        #expect(outcome.warnings.first?.file == path)
    }

    @Test func `what a preset says is in the graph's hash and in what outputs store`() throws {
        let folder = try TemporaryFolder()
        func hash(_ params: String, _ more: String = "", file: String = "a.json") throws -> String {
            let text = "{\"name\": \"A\"\(more), \"params\": {\(params)}}"
            try write(text, to: folder.file(file))
            return try #require(try provenance(check(folder.file(file)))["graph"])
        }
        let base = try hash("\"decay\": 0.1")
        // Other words of the same, and another file of it.
        #expect(try hash("\"decay\": 1.0e-1, \"exposure\": 1") == base)
        #expect(try hash("\"decay\": 0.1", ", \"author\": \"me\", \"x\": 1") == base)
        #expect(try hash("\"decay\": 0.1", file: "b.json") == base)
        #expect(try hash("\"decay\": 0.2") != base)
        #expect(try hash("\"decay\": 0.1, \"palette\": \"ember\"") != base)

        let stored = try #require(try provenance(check("Foxfire"))["presetFile"])
        #expect(try provenance(check("Foxfire"))["preset"] == "Foxfire")
        // What is stored can be given in the preset's place.
        try write(stored, to: folder.file("again.json"))
        let again = try provenance(check(folder.file("again.json")))
        #expect(again["presetFile"] == stored)
        #expect(try again["graph"] == provenance(check("Foxfire"))["graph"])
    }

    @Test func `a name that is none, and a slot that is none, are told`() {
        for (name, words) in [("Foxfyre", "did you mean \"Foxfire\"?"), ("slot-24", "slot-23")] {
            let problems = check(name).problems
            #expect(problems.count == 1)
            #expect(problems.first?.location == SourceLocation(line: 3, column: 53))
            #expect(problems.first.map { "\($0)".contains(words) } == true, "\(problems)")
        }
    }

    @Test func `an output that would replace the preset's file is refused`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("p.json")
        try write(#"{"name": "S", "params": {}}"#, to: path)
        let text = """
            {"foxfire": 1, "nodes": {
                "base": {"kind": "source.parameters", "preset": "\(path)", "duration": 1},
                "sum": {"kind": "test.checksum", "from": "base", "path": "\(path)"}}}
            """
        let outcome = GraphCheck.plan(
            text: Array(text.utf8),
            file: "g.json",
            catalogue: nodeCatalogue
        )
        #expect(outcome.problems.map(\.code) == [.output])
    }
}
