import Foundation
import Graph
import Media
import Physarum
import TestSupport
import Testing

@testable import Nodes

/// `write.track` and `source.track`.
@Suite struct SourceTrackTests {
    private let rate = Rate(240)

    private func reading(_ index: Int64) -> ParameterSet {
        var parameters = Parameters()
        parameters.multiply(.moveSpeed, by: 1 + Double(index) / 7)
        return ParameterSet(
            format: ParameterFormat(rate: rate, speciesCount: 2),
            parameters: parameters,
            palette: .foxfire,
            species: [Species(attraction: [1, 0]), Species(attraction: [0, 1])]
        )
    }

    private func written(_ count: Int64, to path: String) throws {
        let environment = NodeEnvironment()
        let runner = try NodeRunner(
            WriteTrack.self,
            ["path": .string(path)],
            inputs: [("parameters", StreamInfo(format: reading(0).format, rate: rate))],
            environment: environment
        )
        for index in 0..<count {
            runner.feed(
                "parameters",
                reading(index),
                at: rate.time(of: index),
                duration: rate.interval
            )
        }
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        try environment.outputs.commit()
    }

    @Test func `what was written is read, with its times and its end`() throws {
        let folder = try TemporaryFolder()
        try written(100, to: folder.file("a"))
        let runner = try NodeRunner(SourceTrack.self, ["path": .string(folder.file("a"))])
        let info = try #require(runner.outputInfo("parameters"))
        #expect(info.rate == rate && info.duration == MediaTime(100, 240))
        try runner.run()
        #expect(runner.isDone)
        let found = runner.output("parameters", as: ParameterSet.self)
        #expect(found.map(\.time) == (0..<100).map { rate.time(of: $0) })
        #expect(found.allSatisfy { $0.duration == rate.interval })
        let sets = found.map(\.payload)
        #expect(sets.map(\.parameters) == (0..<100).map { reading($0).parameters })
        #expect(sets.allSatisfy { $0.species == reading(0).species })
    }

    @Test func `of no readings comes a track without any`() throws {
        let folder = try TemporaryFolder()
        try written(0, to: folder.file("a"))
        let runner = try NodeRunner(SourceTrack.self, ["path": .string(folder.file("a"))])
        try runner.run()
        #expect(runner.isDone && runner.output("parameters", as: ParameterSet.self).isEmpty)
    }

    @Test func `a damaged track fails the run`() throws {
        let folder = try TemporaryFolder()
        try written(100, to: folder.file("a"))
        var data = try folder.bytes("a")
        data[data.count / 2] ^= 255
        try data.write(to: URL(fileURLWithPath: folder.file("a")))
        let runner = try NodeRunner(SourceTrack.self, ["path": .string(folder.file("a"))])
        #expect(throws: (any Error).self) { try runner.run() }
    }

    @Test func `neither is for standard streams`() {
        #expect(throws: Problem.self) {
            try NodeRunner(SourceTrack.self, ["path": .string("-")])
        }
        #expect(throws: Problem.self) {
            try NodeRunner(
                WriteTrack.self,
                ["path": .string("-")],
                inputs: [("parameters", StreamInfo(format: reading(0).format))]
            )
        }
    }

    @Test func `it keeps what every node keeps`() throws {
        let folder = try TemporaryFolder()
        try NodeRunner.checkInvariants(
            WriteTrack.self,
            ["path": .string(folder.file("b"))],
            streams: [.packets("parameters", (0..<6).map { reading($0) }, rate: rate)]
        )
    }
}
