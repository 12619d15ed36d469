import Media
import Testing

@testable import Physarum

@Suite struct SimulationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let width: Int
        let height: Int
        let agents: Int
        let steps: Int
        let seed: UInt64
        var edges = MapEdges.torus
        var shares = [1.0]
        var spawn = Spawn.uniform

        var testDescription: String {
            "\(width)x\(height) \(edges), \(agents) agents, \(shares.count) species, \(spawn), seed \(seed)"
        }
    }

    static let cases = [
        Case(width: 16, height: 16, agents: 1, steps: 30, seed: 1),
        Case(width: 17, height: 33, agents: 203, steps: 20, seed: 2),
        Case(width: 130, height: 64, agents: 1001, steps: 20, seed: 3),
        Case(width: 61, height: 211, agents: 3000, steps: 12, seed: 4),
        Case(width: 16, height: 400, agents: 555, steps: 18, seed: 5),
        Case(width: 300, height: 18, agents: 1500, steps: 18, seed: 6),
        Case(width: 200, height: 150, agents: 40_000, steps: 4, seed: 7),
        Case(width: 23, height: 21, agents: 300, steps: 100, seed: 8),
        Case(width: 40, height: 1000, agents: 2000, steps: 12, seed: 9),
        Case(width: 17, height: 33, agents: 203, steps: 40, seed: 10, edges: .walls),
        Case(width: 130, height: 230, agents: 5000, steps: 20, seed: 11, edges: .walls),
        Case(width: 16, height: 16, agents: 50, steps: 60, seed: 12, edges: .walls),
        Case(width: 33, height: 47, agents: 900, steps: 30, seed: 13, shares: [1, 2]),
        Case(width: 120, height: 140, agents: 4000, steps: 14, seed: 14, shares: [1, 1, 1]),
        Case(
            width: 50,
            height: 210,
            agents: 3000,
            steps: 20,
            seed: 15,
            edges: .walls,
            shares: [0.2, 1, 3, 1],
            spawn: .ring
        ),
        Case(width: 64, height: 64, agents: 1000, steps: 20, seed: 16, spawn: .disc),
        Case(width: 90, height: 40, agents: 3, steps: 20, seed: 17, shares: [1, 1, 1, 1]),
    ]

    /// One species that is plain, or any ones.
    static func randomSpecies(_ count: Int, _ generator: inout SeededGenerator) -> [Species] {
        if count == 1 && Bool.random(using: &generator) { return [Species(attraction: [1])] }
        return (0..<count).map { _ in
            var factors: [Parameter: Double] = [:]
            for parameter in Species.ownParameters where Bool.random(using: &generator) {
                factors[parameter] = Double.random(in: 0...3, using: &generator)
            }
            return Species(
                attraction: (0..<count).map { _ in Double.random(in: -2...2, using: &generator) },
                factors: factors
            )
        }
    }

    /// Any parameters at all: uniform in their ranges, or at an end of them.
    static func randomParameters(_ generator: inout SeededGenerator) -> Parameters {
        var parameters = Parameters()
        for parameter in Parameter.allCases {
            let range = parameter.info.range
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: parameters[base: parameter] = range.lowerBound
            case 1: parameters[base: parameter] = range.upperBound
            case 2...4: parameters[base: parameter] = Double.random(in: range, using: &generator)
            default: break
            }
            if Bool.random(using: &generator) {
                parameters.multiply(parameter, by: Double.random(in: 0...3, using: &generator))
            }
        }
        return parameters
    }

    static func set(_ parameters: Parameters) -> ParameterSet {
        ParameterSet(
            format: ParameterFormat(rate: Rate(60)),
            parameters: parameters,
            palette: .foxfire
        )
    }

    @Test(
        "gives the same bits as a plain scalar loop at every vector width",
        arguments: cases,
        VectorWidth.available
    )
    func reference(_ run: Case, width: VectorWidth) throws {
        var generator = SeededGenerator(seed: run.seed)
        var simulation = try Simulation(
            width: run.width,
            height: run.height,
            agentCount: run.agents,
            shares: run.shares,
            seed: run.seed,
            spawn: run.spawn,
            edges: run.edges,
            vectorWidth: width,
            on: SerialExecutor()
        )
        var reference = ReferenceSimulation(
            width: run.width,
            height: run.height,
            agentCounts: Simulation.agentCounts(run.agents, shares: run.shares),
            seed: run.seed,
            law: SpawnLaw(run.spawn, picture: nil),
            edges: run.edges
        )
        var species = Self.randomSpecies(run.shares.count, &generator)
        var parameters = Self.randomParameters(&generator)
        for step in 0..<run.steps {
            if step % 3 == 0 {
                parameters = Self.randomParameters(&generator)
                species = Self.randomSpecies(run.shares.count, &generator)
            }
            simulation.step(parameters, species: species, on: SerialExecutor())
            reference.step(parameters, species: species)
            let field = simulation.field(
                blend: 1,
                parameters: Self.set(parameters),
                on: SerialExecutor()
            )
            let expected = reference.trails.flatMap { $0 }
            let differences = field.map.withSpan { map in
                map.indices.count { map[$0].bitPattern != expected[$0].bitPattern }
            }
            try #require(differences == 0, "step \(step)")
        }
        #expect(simulation.stepCount == Int64(run.steps))
    }

    @Test(
        "gives the same bits whatever runs the parts",
        arguments: [BackwardExecutor(), ThreadedExecutor()] as [any Executor]
    )
    func executors(_ executor: any Executor) throws {
        func run(_ executor: any Executor) throws -> [UInt32] {
            var generator = SeededGenerator(seed: 11)
            var simulation = try Simulation(
                width: 150,
                height: 270,
                agentCount: 9000,
                seed: 3,
                on: executor
            )
            for _ in 0..<20 {
                simulation.step(Self.randomParameters(&generator), on: executor)
            }
            let field = simulation.field(
                blend: 0.25,
                parameters: Self.set(Parameters()),
                on: executor
            )
            return field.map.withSpan { map in map.indices.map { map[$0].bitPattern } }
        }
        #expect(try run(SerialExecutor()) == run(executor))
    }

    @Test("another seed, another trail")
    func seeds() throws {
        func trail(_ seed: UInt64) throws -> [Float] {
            var simulation = try Simulation(
                width: 32,
                height: 32,
                agentCount: 200,
                seed: seed,
                on: SerialExecutor()
            )
            simulation.step(Parameters(), on: SerialExecutor())
            return simulation.field(
                blend: 1,
                parameters: Self.set(Parameters()),
                on: SerialExecutor()
            ).map.withSpan { map in map.indices.map { map[$0] } }
        }
        #expect(try trail(1) != trail(2))
        #expect(try trail(1) == trail(1))
    }

    @Test("mixes the trails before and after the last step")
    func blend() throws {
        var simulation = try Simulation(
            width: 32,
            height: 32,
            agentCount: 100,
            seed: 1,
            on: SerialExecutor()
        )
        func cells(_ simulation: borrowing Simulation, _ blend: Float) -> [Float] {
            simulation.field(
                blend: blend,
                parameters: Self.set(Parameters()),
                on: SerialExecutor()
            ).map.withSpan { map in map.indices.map { map[$0] } }
        }
        simulation.step(Parameters(), on: SerialExecutor())
        let first = cells(simulation, 1)
        simulation.step(Parameters(), on: SerialExecutor())
        let second = cells(simulation, 1)
        #expect(cells(simulation, 0) == first)
        let mixed = cells(simulation, 0.5)
        for cell in mixed.indices {
            #expect(mixed[cell] == first[cell] + 0.5 * (second[cell] - first[cell]))
        }
    }

    @Test("comes to the trail's mean that the parameters promise")
    func restingTrail() throws {
        let parameters = Parameters([.decay: 0.2, .deposit: 3, .density: 0.5])
        var simulation = try Simulation(
            width: 64,
            height: 48,
            agentCount: Simulation.agentCount(width: 64, height: 48, parameters: parameters),
            seed: 1,
            on: SerialExecutor()
        )
        for _ in 0..<60 { simulation.step(parameters, on: SerialExecutor()) }
        let field = simulation.field(
            blend: 1,
            parameters: Self.set(parameters),
            on: SerialExecutor()
        )
        let sum = field.map.withSpan { map in map.indices.reduce(0.0) { $0 + Double(map[$1]) } }
        #expect(abs(sum / (64 * 48) / parameters.restingTrail - 1) < 1e-3)
    }

    @Test("tells the renderer how dense the agents really are")
    func realDensity() throws {
        var simulation = try Simulation(
            width: 40,
            height: 20,
            agentCount: 1600,
            seed: 1,
            on: SerialExecutor()
        )
        simulation.step(Parameters([.density: 0.5]), on: SerialExecutor())
        let field = simulation.field(
            blend: 1,
            parameters: Self.set(Parameters([.density: 0.5, .decay: 0.1])),
            on: SerialExecutor()
        )
        let dense = Parameters([.density: 2, .decay: 0.1])
        #expect(field.restingTrail == dense.restingTrail)
    }

    @Test("refuses sizes that are out of range and says which are not")
    func limits() {
        let refused: [(Int, Int, Int)] = [
            (15, 100, 10), (100, 8193, 10), (0, 0, 10), (-5, 64, 10), (64, 64, 0),
            (64, 64, 50_000_001), (Int.max, Int.max, Int.max),
        ]
        for (width, height, agents) in refused {
            #expect(throws: SimulationError.self) {
                _ = try Simulation(
                    width: width,
                    height: height,
                    agentCount: agents,
                    seed: 1,
                    on: SerialExecutor()
                )
            }
        }
        #expect("\(SimulationError.mapSize(width: 15, height: 100))".contains("16…8192"))
        #expect("\(SimulationError.agentCount(0))".contains("1…50000000"))
    }

    @Test("takes its agents from the density, within what is allowed")
    func density() {
        let half = Parameters([.density: 0.5])
        #expect(Simulation.agentCount(width: 100, height: 50, parameters: half) == 2500)
        let much = Parameters([.density: 16])
        #expect(Simulation.agentCount(width: 8192, height: 8192, parameters: much) == 50_000_000)
        let little = Parameters([.density: 0.001])
        #expect(Simulation.agentCount(width: 16, height: 16, parameters: little) == 1)
    }
}
