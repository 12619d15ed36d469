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
}
