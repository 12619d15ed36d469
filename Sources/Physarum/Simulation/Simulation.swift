public import Media

/// A slime mould: agents that follow the trail they leave, on a map whose edges meet or are walls.
///
/// Each step an agent smells the trail ahead and to both sides, turns to the strongest, moves on and
/// leaves trail; then the trail spreads and decays. Up to four species have a trail each, and what
/// their agents smell is a mixture of all. The same seed, sizes and parameters give the same bits
/// whatever executor runs the parts.
///
/// Memory: 28 bytes an agent and 12 a cell; of several species each takes 12 a cell and 4 are
/// shared. A step takes time proportional to agents and cells.
///
/// Source: Jeff Jones, "Characteristics of pattern formation and evolution in approximations of
/// Physarum transport networks", Artificial Life 16, 2010.
public struct Simulation: ~Copyable {
    /// How long a side of the map may be, in cells.
    public static let sideRange = 16...8192
    /// How many agents there may be.
    public static let agentRange = 1...50_000_000

    /// Cells across.
    public var width: Int { grid.width }
    /// Cells down.
    public var height: Int { grid.height }
    /// How many agents there are.
    public let agentCount: Int
    /// What all random numbers follow from.
    public let seed: UInt64
    /// How many steps were made.
    public internal(set) var stepCount: Int64 = 0

    let grid: Grid
    let colonies: [Colony]
    private let counts: Buffer<UInt32>
    private let law: SpawnLaw

    /// Agents are born anew only now and then, because they must be sorted afterwards.
    static let renewalInterval: Int64 = 8

    /// Makes a map without trail and agents where `spawn` says, heading anywhere.
    ///
    /// - Parameters:
    ///   - width: cells across, in `sideRange`.
    ///   - height: cells down, in `sideRange`.
    ///   - agentCount: how many agents, in `agentRange`.
    ///   - shares: the weight of each species' part of the agents; their number is in
    ///     `Species.countRange`, and for good.
    ///   - seed: another seed, another film.
    ///   - spawn: where agents are born.
    ///   - picture: if given, agents are born by its light instead.
    ///   - edges: what lies beyond the map's edges.
    ///   - vectorWidth: must be among the available ones.
    ///   - executor: runs the parts of the work.
    /// - Throws: `SimulationError` when a size is out of range or memory is short.
    public init(
        width: Int,
        height: Int,
        agentCount: Int,
        shares: [Double] = [1],
        seed: UInt64,
        spawn: Spawn = .uniform,
        picture: SpawnPicture? = nil,
        edges: MapEdges = .torus,
        vectorWidth: VectorWidth = .widest,
        on executor: any Executor
    ) throws(SimulationError) {
        try self.init(
            width: width,
            height: height,
            agentCounts: Self.agentCounts(agentCount, shares: shares),
            seed: seed,
            law: SpawnLaw(spawn, picture: picture),
            edges: edges,
            vectorWidth: vectorWidth
        )
        var first = 0
        for colony in colonies {
            colony.agents.scatter(by: law, after: first, on: grid, seed: seed, executor: executor)
            first += colony.agentCount
        }
    }

    /// Takes the memory of a simulation; its agents have no places yet.
    init(
        width: Int,
        height: Int,
        agentCounts: [Int],
        seed: UInt64,
        law: SpawnLaw,
        edges: MapEdges,
        vectorWidth: VectorWidth
    ) throws(SimulationError) {
        precondition(vectorWidth <= .widest, "This machine has no vectors of that width.")
        precondition(
            Species.countRange.contains(agentCounts.count),
            "A map has 1 to 4 species, not \(agentCounts.count)."
        )
        guard Self.sideRange.contains(width), Self.sideRange.contains(height) else {
            throw .mapSize(width: width, height: height)
        }
        let agentCount = agentCounts.reduce(0, +)
        guard Self.agentRange.contains(agentCount) else { throw .agentCount(agentCount) }
        let grid = Grid(width: width, height: height, edges: edges)
        let counts = try Buffer<UInt32>(zeroed: width * height)
        var colonies: [Colony] = []
        for count in agentCounts {
            colonies.append(
                try Colony(
                    grid: grid,
                    agentCount: count,
                    vectorWidth: vectorWidth
                )
            )
        }
        self.agentCount = agentCount
        self.seed = seed
        self.grid = grid
        self.colonies = colonies
        self.counts = counts
        self.law = law
    }

    /// How many agents each species has: by its share, and together all of them.
    static func agentCounts(_ count: Int, shares: [Double]) -> [Int] {
        let sum = shares.reduce(0, +)
        var (part, before) = (0.0, 0)
        return shares.indices.map { index in
            part += shares[index]
            let end =
                index == shares.count - 1 ? count : Int((Double(count) * (part / sum)).rounded())
            defer { before = end }
            return end - before
        }
    }

    /// How many agents `parameters` asks for on a map: its density times the cells, within
    /// `agentRange`.
    public static func agentCount(width: Int, height: Int, parameters: Parameters) -> Int {
        let wanted = parameters.value(.density) * Double(width) * Double(height)
        return Int(
            min(max(wanted.rounded(), Double(agentRange.lowerBound)), Double(agentRange.upperBound))
        )
    }

    /// Makes one step.
    ///
    /// - Parameters:
    ///   - parameters: those of the step's time.
    ///   - species: how each species differs from them; as many as there are, or they are adapted by
    ///     `Species.adapted`. None stand for species that are alike.
    ///   - executor: runs the parts of the work.
    public mutating func step(
        _ parameters: Parameters,
        species: [Species] = [],
        on executor: any Executor
    ) {
        if stepCount % Self.renewalInterval == 0 { renewAgents(parameters, on: executor) }
        let shared = withDensity(parameters)
        let species =
            species.count == colonies.count
            ? species : Species.adapted(species, to: colonies.count)
        let own = species.map { $0.parameters(shared) }
        let constants = own.map {
            StepConstants($0, grid: grid, seed: seed, step: stepCount)
        }
        let trails = unsafe colonies.map { unsafe $0.trail.pointer + grid.origin }
        // All agents smell the trails before the step. A trail changes only into the buffer of the one
        // before, so whoever moves later finds it where it was.
        for (index, colony) in colonies.enumerated() {
            unsafe colony.move(
                own[index],
                constants[index],
                trails: trails,
                attraction: colonies.indices.map { other in
                    Float(
                        other < species[index].attraction.count
                            ? species[index].attraction[other] : 0
                    )
                },
                counts: counts.pointer,
                on: executor
            )
            unsafe colony.diffuse(constants[index], counts: counts.pointer, on: executor)
        }
        stepCount += 1
    }

    /// Lets as many agents be born anew as the steps up to the next such occasion ask for.
    private func renewAgents(_ parameters: Parameters, on executor: any Executor) {
        let probability = parameters.value(.renewal) * Double(Self.renewalInterval)
        if probability == 0 { return }
        let key = RandomBits.mixed(seed: seed, stream: 3, counter: UInt64(stepCount))
        for colony in colonies {
            colony.renew(by: law, probability: min(probability, 1), key: key, on: executor)
        }
    }

    /// The parameters with the density there is, which may not be the one they ask for: the mean of
    /// the trail follows from it.
    private func withDensity(_ parameters: Parameters) -> Parameters {
        var parameters = parameters
        parameters[base: .density] = Double(agentCount) / Double(grid.width * grid.height)
        return parameters
    }

    /// The trail as it is between the last two steps.
    ///
    /// - Parameters:
    ///   - blend: 0: before the last step; 1: after it; between: mixed linearly.
    ///   - parameters: those of the moment, which go with the field.
    ///   - executor: runs the parts of the work.
    /// - Returns: a copy of every species' trail with `parameters`.
    public func field(
        blend: Float,
        parameters: ParameterSet,
        on executor: any Executor
    ) -> TrailField {
        precondition((0...1).contains(blend), "A blend is in 0…1.")
        let grid = grid
        let cells = grid.width * grid.height
        var map = Writable<Float>(uninitialized: colonies.count * cells)
        nonisolated(unsafe) let trails = unsafe colonies.map {
            unsafe (
                before: UnsafePointer($0.earlierTrail.pointer + grid.origin),
                after: UnsafePointer($0.trail.pointer + grid.origin)
            )
        }
        executor.split(&map, rows: colonies.count * grid.height) { part, rows in
            var cell = 0
            for row in rows {
                let start = row % grid.height * grid.stride
                let before = unsafe trails[row / grid.height].before + start
                let after = unsafe trails[row / grid.height].after + start
                for column in 0..<grid.width {
                    unsafe part[cell] =
                        blend == 1
                        ? after[column] : before[column] + blend * (after[column] - before[column])
                    cell += 1
                }
            }
        }
        return TrailField(
            format: TrailFormat(
                width: grid.width,
                height: grid.height,
                speciesCount: colonies.count
            ),
            map: map,
            parameters: parameters,
            restingTrail: withDensity(parameters.parameters).restingTrail
        )
    }
}
