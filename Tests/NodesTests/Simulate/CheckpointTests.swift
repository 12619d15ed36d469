import Foundation
import Graph
import Media
import Physarum
import TestSupport
import Testing

@testable import Nodes

/// Films that go on from a checkpoint, and pictures that agents are born by.
@Suite struct CheckpointTests {
    private let rate = Rate(240)

    /// Parameters of two species that never stand still.
    private func reading(_ index: Int64) -> ParameterSet {
        var parameters = Parameters([.renewal: 0.02])
        parameters.multiply(.moveSpeed, by: 1 + Double(index * 37 % 100) / 100)
        parameters.multiply(.chaosStrength, by: 1 + Double(index * 61 % 100) / 50)
        return ParameterSet(
            format: ParameterFormat(rate: rate, speciesCount: 2),
            parameters: parameters,
            palette: .foxfire,
            species: [Species(attraction: [1, -0.5]), Species(share: 2, attraction: [0.5, 1])],
            spawn: .ring
        )
    }

    private struct Frame: Equatable {
        let time: MediaTime
        let cells: [UInt32]
    }

    /// Runs the node up to `length` and names what it wrote.
    private func film(
        _ parameters: [String: JSON.Value] = [:],
        length: MediaTime
    ) throws -> [Frame] {
        let environment = NodeEnvironment()
        var all: [String: JSON.Value] = ["size": .string("40x30"), "agents": .number("200")]
        all["warmup"] = .number("5")
        all.merge(parameters) { $1 }
        let runner = try NodeRunner(
            SimulatePhysarum.self,
            all,
            inputs: [("parameters", StreamInfo(format: reading(0).format, duration: length))],
            environment: environment
        )
        for index in 0..<rate.count(before: length) {
            let time = rate.time(of: index)
            let left = length.adding(MediaTime(-time.value, time.scale))
            let duration = min(rate.interval, left)
            runner.feed("parameters", reading(index), at: time, duration: duration)
        }
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        try environment.outputs.commit()
        return runner.output("field", as: TrailField.self).map { packet in
            Frame(
                time: packet.time,
                cells: packet.payload.map.withSpan { map in
                    map.indices.map { map[$0].bitPattern }
                }
            )
        }
    }

    @Test(
        arguments: [
            ("60", "60", 500), ("24", "60", 733), ("144", "50", 500), ("30000/1001", "61", 601),
            ("7", "120", 1000), ("60", "60", 1),
        ]
    )
    func `a resumed film equals an uninterrupted one`(
        fps: String,
        steps: String,
        milliseconds: Int64
    ) throws {
        let folder = try TemporaryFolder()
        let file = JSON.Value.string(folder.file("a.checkpoint"))
        let rates: [String: JSON.Value] = ["fps": .string(fps), "stepsPerSecond": .string(steps)]
        let whole = try film(rates, length: MediaTime(1234, 1000))
        let first = try film(
            rates.merging(["checkpoint": file]) { $1 },
            length: MediaTime(milliseconds, 1000)
        )
        let rest = try film(
            rates.merging(["resume": file]) { $1 },
            length: MediaTime(1234, 1000)
        )
        // Of the first part only frames between its last step and one beyond its end are made again.
        #expect(first.count + rest.count - whole.count <= (fps == "144" ? 3 : 1))
        #expect(first.count + rest.count >= whole.count)
        let kept = whole.count - rest.count
        #expect(first.prefix(kept) + rest == whole[...])
        #expect(folder.names == ["a.checkpoint"])
    }

    @Test(arguments: [("60", "60"), ("24", "61"), ("144", "50"), ("30000/1001", "60")])
    func `parts that end at a time are the film, frame by frame`(fps: String, steps: String) throws
    {
        let folder = try TemporaryFolder()
        let rates: [String: JSON.Value] = ["fps": .string(fps), "stepsPerSecond": .string(steps)]
        let length = MediaTime(1234, 1000)
        let whole = try film(rates, length: length)
        var parts: [Frame] = []
        for (index, end) in ["0.3", "0.6", "0.95", "1.5"].enumerated() {
            var own = rates.merging(["until": .number(end)]) { $1 }
            if index > 0 { own["resume"] = .string(folder.file("\(index - 1)")) }
            own["checkpoint"] = .string(folder.file("\(index)"))
            let part = try film(own, length: length)
            #expect(part.allSatisfy { $0.time < MediaTime(Int64((Double(end) ?? 0) * 1000), 1000) })
            parts += part
        }
        #expect(parts == whole)
    }

    @Test func `a part without a frame is refused`() throws {
        let folder = try TemporaryFolder()
        let path = JSON.Value.string(folder.file("a"))
        _ = try film(["checkpoint": path, "until": .number("0.5")], length: MediaTime(1, 1))
        let problem = try #require(throws: Problem.self) {
            try film(["resume": path, "until": .number("0.5")], length: MediaTime(1, 1))
        }
        #expect(problem.text.contains("no frame lies between") && problem.pointer == "/until")
    }

    @Test func `a checkpoint does not depend on the order that agents lie in`() throws {
        let folder = try TemporaryFolder()
        let (early, late) = (folder.file("early"), folder.file("late"))
        _ = try film(["checkpoint": .string(early)], length: MediaTime(1, 5))
        _ = try film(
            ["resume": .string(early), "checkpoint": .string(late)],
            length: MediaTime(1, 2)
        )
        let whole = try film(length: MediaTime(1, 1))
        let rest = try film(["resume": .string(late)], length: MediaTime(1, 1))
        #expect(Array(whole.suffix(rest.count)) == rest && rest.count == 30)
    }

    @Test(
        arguments: [
            ("size", "32x30", "size is 40x30, not 32x30"), ("seed", "2", "seed is 1, not 2"),
            ("fps", "30", "fps is 60"), ("stepsPerSecond", "30", "stepsPerSecond is 60"),
            ("agents", "100", "agents is 200, not 100"), ("edges", "walls", "edges is torus"),
        ]
    )
    func `a checkpoint of another film is refused`(key: String, value: String, words: String) throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("a")
        _ = try film(["checkpoint": .string(path)], length: MediaTime(1, 10))
        let other: JSON.Value = Int(value) == nil ? .string(value) : .number(value)
        let problem = try #require(throws: Problem.self) {
            try film(["resume": .string(path), key: other], length: MediaTime(1, 5))
        }
        #expect(problem.text.contains(words) && problem.pointer == "/resume")
    }

    /// A picture of one colour at its right half.
    private func picture(_ level: UInt8) -> VideoFrame {
        let bytes = (0..<64 * 32).flatMap { pixel -> [UInt8] in
            let value = pixel % 64 < 32 ? 0 : level
            return [value, value, value]
        }
        return VideoFrame(
            format: VideoFormat(width: 64, height: 32, layout: .rgb24, color: .rgb709),
            bytes: Writable(copying: bytes)
        )
    }

    /// The first field of agents that are born by a picture that comes at `time`.
    private func field(_ level: UInt8, at time: MediaTime = .zero) throws -> [Float] {
        let picture = picture(level)
        let runner = try NodeRunner(
            SimulatePhysarum.self,
            ["size": .string("64x32"), "warmup": .number("0"), "agents": .number("500")],
            inputs: [
                ("picture", StreamInfo(format: picture.format)),
                ("parameters", StreamInfo(format: reading(0).format)),
            ]
        )
        runner.feed("picture", picture, at: time)
        runner.feed("parameters", reading(0), at: .zero, duration: MediaTime(1, 60))
        runner.endAll()
        try runner.run()
        let packet = try #require(runner.output("field", as: TrailField.self).first)
        return packet.payload.map.withSpan { map in map.indices.map { map[$0] } }
    }

    @Test func `agents are born where the picture is bright`() throws {
        let cells = try field(200)
        let sums = cells.indices.reduce(into: [Float](repeating: 0, count: 2)) {
            // A cell or two from the edge they have moved over it.
            if 3..<29 ~= $1 % 64 { $0[0] += cells[$1] }
            if 32..<64 ~= $1 % 64 { $0[1] += cells[$1] }
        }
        #expect(sums[0] == 0 && sums[1] > 0)
    }

    @Test func `a picture that is black or late is told`() throws {
        let black = try #require(throws: NodeFailure.self) { try field(0) }
        #expect(black.description.contains("is black"))
        let late = try #require(throws: NodeFailure.self) { try field(9, at: MediaTime(1, 1)) }
        #expect(late.description.contains("later than the first parameters"))
    }
}
