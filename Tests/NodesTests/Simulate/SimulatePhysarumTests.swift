import Graph
import Media
import Physarum
import TestSupport
import Testing

@testable import Nodes

@Suite struct SimulatePhysarumTests {
    private let rate = Rate(240)

    /// Parameters that never stand still.
    private func reading(_ index: Int64) -> ParameterSet {
        var parameters = Parameters()
        parameters.multiply(.moveSpeed, by: 1 + Double(index * 37 % 100) / 100)
        parameters.multiply(.chaosStrength, by: 1 + Double(index * 61 % 100) / 50)
        parameters.multiply(.exposure, by: 1 + Double(index % 10))
        return ParameterSet(
            format: ParameterFormat(rate: rate),
            parameters: parameters,
            palette: .foxfire
        )
    }

    /// Runs the node on moving parameters that end at `length`.
    private func fields(
        _ parameters: [String: JSON.Value],
        length: MediaTime,
        packetsPerCall: Int = .max
    ) throws -> [Frame] {
        var all: [String: JSON.Value] = [
            "size": .string("32x24"), "agents": .number("60"), "warmup": .number("3"),
        ]
        all.merge(parameters) { $1 }
        let runner = try NodeRunner(
            SimulatePhysarum.self,
            all,
            inputs: [
                ("parameters", StreamInfo(format: ParameterFormat(rate: rate), duration: length))
            ]
        )
        for index in 0..<rate.count(before: length) {
            let time = rate.time(of: index)
            let left = length.adding(MediaTime(-time.value, time.scale))
            runner.feed(
                "parameters",
                reading(index),
                at: time,
                duration: min(rate.interval, left)
            )
        }
        runner.endAll()
        try runner.run(packetsPerCall: packetsPerCall)
        #expect(runner.isDone)
        return frames(of: runner)
    }

    /// What is compared of a field: a failed expectation cannot show a payload.
    private struct Frame {
        let time: MediaTime
        let duration: MediaTime
        let cells: [Float]
        let parameters: Parameters
    }

    private func frames(of runner: NodeRunner) -> [Frame] {
        runner.output("field", as: TrailField.self).map {
            Frame(
                time: $0.time,
                duration: $0.duration,
                cells: cells($0.payload),
                parameters: $0.payload.parameters.parameters
            )
        }
    }

    private func cells(_ field: TrailField) -> [Float] {
        field.map.withSpan { span in span.indices.map { span[$0] } }
    }

    @Test(arguments: ["24", "25", "30", "50", "30000/1001"])
    func `films of any frame rate show the same trail at the same second`(fps: String) throws {
        // 500 frames at 30000/1001 take exactly 1001 steps.
        let length = MediaTime(fps == "30000/1001" ? 16_700 : 1050, 1000)
        let sixty = try fields(["fps": .number("60")], length: length)
        let other = try fields(["fps": .string(fps)], length: length)
        var byTime: [MediaTime: Frame] = [:]
        for frame in sixty { byTime[frame.time] = frame }
        var found = 0
        for frame in other {
            guard let same = byTime[frame.time] else { continue }
            found += 1
            #expect(same.cells == frame.cells && same.parameters == frame.parameters)
        }
        #expect(found >= 2)
    }

    @Test(arguments: [("24", "60"), ("60", "60"), ("30000/1001", "61"), ("144", "50"), ("7", "60")])
    func `a step reads the parameters of its own time, a frame blends two steps`(
        fps: String,
        steps: String
    ) throws {
        let length = MediaTime(1234, 1000)
        let made = try fields(
            ["fps": .string(fps), "stepsPerSecond": .string(steps), "seed": .number("5")],
            length: length
        )
        let clock = FilmClock(
            frameRate: try #require(Rate(parsing: fps)),
            stepsPerSecond: try #require(Rate(parsing: steps))
        )
        let last = rate.count(before: length) - 1
        // The latest reading at or before a time.
        func latest(_ time: MediaTime) -> ParameterSet {
            reading(min(time.converted(to: 240, rounding: .down).value, last))
        }
        let executor = SerialExecutor()
        var simulation = try Simulation(
            width: 32,
            height: 24,
            agentCount: 60,
            seed: 5,
            on: executor
        )
        for _ in 0..<3 { simulation.step(reading(0).parameters, on: executor) }
        var step: Int64 = 0
        #expect(Int64(made.count) == clock.frameCount(length: length))
        for (index, frame) in made.enumerated() {
            let time = clock.time(ofFrame: Int64(index))
            let position = time.seconds * clock.stepsPerSecond.perSecond
            let whole = (position + 1e-9).rounded(.down)
            let blend = max(position - whole, 0)
            let wanted = Int64(whole) + (blend > 1e-9 ? 1 : 0)
            while step <= wanted {
                simulation.step(latest(clock.time(ofStep: step)).parameters, on: executor)
                step += 1
            }
            let expected = simulation.field(
                blend: blend > 1e-9 ? Float(blend) : 1,
                parameters: reading(0),
                on: executor
            )
            let expectedCells = cells(expected)
            #expect(frame.time == time && frame.duration == clock.frameRate.interval)
            let isSame = zip(frame.cells, expectedCells).allSatisfy { abs($0 - $1) < 1e-4 }
            let hasLook = frame.parameters == latest(time).parameters
            try #require(isSame && hasLook, "frame \(index)")
        }
    }

    @Test(arguments: [(48_000, 60), (48_001, 61), (1, 1), (0, 0)])
    func `a frame exists when it begins before the end`(samples: Int64, frames: Int) throws {
        let made = try fields(["fps": .number("60")], length: MediaTime(samples, 48_000))
        #expect(made.count == frames)
    }

    @Test(arguments: [1, 2, 7]) func `how many readings come at once changes nothing`(
        packets: Int
    ) throws {
        let length = MediaTime(7, 10)
        let one = try fields(["fps": .number("25")], length: length)
        let other = try fields(
            ["fps": .number("25")],
            length: length,
            packetsPerCall: packets
        )
        #expect(one.map(\.time) == other.map(\.time))
        #expect(one.map(\.cells) == other.map(\.cells))
    }

    @Test func `the seed decides, and warm-up comes before the first frame`() throws {
        let length = MediaTime(1, 10)
        let first = try fields([:], length: length)
        let again = try fields([:], length: length)
        #expect(first[0].cells == again[0].cells)
        for change in [["seed": JSON.Value.number("2")], ["warmup": .number("4")]] {
            let other = try fields(change, length: length)
            #expect(first[0].cells != other[0].cells)
        }
        // A step more of warm-up is a step earlier in the film, but for the parameters.
        let still = ParameterSet(
            format: ParameterFormat(rate: rate),
            parameters: Parameters(),
            palette: .foxfire
        )
        func run(warmup: String) throws -> [[Float]] {
            let runner = try NodeRunner(
                SimulatePhysarum.self,
                ["size": .string("32x24"), "agents": .number("60"), "warmup": .number(warmup)],
                inputs: [("parameters", StreamInfo(format: ParameterFormat(rate: rate)))]
            )
            runner.feed("parameters", still, at: .zero, duration: MediaTime(1, 1))
            runner.endAll()
            try runner.run()
            return frames(of: runner).map(\.cells)
        }
        let (short, long) = (try run(warmup: "5"), try run(warmup: "7"))
        #expect(short.dropFirst(2) == long.dropLast(2))
    }

    @Test func `without a count the first density decides how many agents there are`() throws {
        func total(density: Double) throws -> Float {
            var parameters = Parameters()
            parameters[base: .density] = density
            let runner = try NodeRunner(
                SimulatePhysarum.self,
                ["size": .string("32x32"), "warmup": .number("0"), "fps": .number("60")],
                inputs: [("parameters", StreamInfo(format: ParameterFormat(rate: rate)))]
            )
            runner.feed(
                "parameters",
                ParameterSet(
                    format: ParameterFormat(rate: rate),
                    parameters: parameters,
                    palette: .foxfire
                ),
                at: .zero,
                duration: MediaTime(1, 60)
            )
            runner.endAll()
            try runner.run()
            let made = frames(of: runner)
            #expect(made.count == 1)
            return made[0].cells.reduce(0, +)
        }
        let (sparse, dense) = (try total(density: 0.25), try total(density: 1))
        #expect(abs(dense / sparse - 4) < 0.01)
    }

    @Test func `resolve tells format, rate and whole frames`() throws {
        let runner = try NodeRunner(
            SimulatePhysarum.self,
            ["size": .string("64x48"), "fps": .number("30"), "warmup": .number("0")],
            inputs: [
                (
                    "parameters",
                    StreamInfo(
                        format: ParameterFormat(rate: rate),
                        duration: MediaTime(48_001, 48_000)
                    )
                )
            ]
        )
        let out = try #require(runner.formats.outputs[0])
        #expect(out.format as? TrailFormat == TrailFormat(width: 64, height: 48))
        #expect(out.rate == Rate(30))
        #expect(out.duration == MediaTime(31, 30))
        #expect(out.bytesPerPacket == 64 * 48 * 4)
    }

    @Test(arguments: [
        ["size": JSON.Value.string("8x8")], ["fps": .number("0")], ["agents": .number("0")],
        ["seed": .number("-1")], ["stepsPerSecond": .string("1001")],
    ])
    func `values out of range are refused`(parameters: [String: JSON.Value]) {
        #expect(throws: Problem.self) {
            try NodeRunner(
                SimulatePhysarum.self,
                parameters,
                inputs: [("parameters", StreamInfo(format: ParameterFormat(rate: rate)))]
            )
        }
    }
}
