public import Media

/// A slime mould: agents that follow the trail they leave, on a map whose edges meet or are walls.
///
/// Each step an agent smells the trail ahead and to both sides, turns to the strongest, moves on and
/// leaves trail; then the trail spreads and decays. The same seed, sizes and parameters give the same
/// bits whatever executor runs the parts.
///
/// Memory: 28 bytes an agent and 12 a cell. A step takes time proportional to agents and cells.
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
    public private(set) var stepCount: Int64 = 0

    let grid: Grid
    let vectorWidth: VectorWidth
    var agents: Agents
    private var sort: AgentSort
    private let counts: Buffer<UInt32>
    private var response: Response
    private var trail: Buffer<Float>
    /// The trail before the last step.
    private var earlierTrail: Buffer<Float>
    /// How far any agent may have gone since the agents were sorted, in cells.
    private var travelled = Float.infinity
    private var stepsSinceSort = 0

    /// After this many steps so many agents have left their tile that sorting pays.
    private static let sortInterval = 8
    /// Agents are born anew only now and then, because they must be sorted afterwards.
    static let renewalInterval: Int64 = 8

    /// Makes a map without trail and agents all over it, heading anywhere.
    ///
    /// - Parameters:
    ///   - width: cells across, in `sideRange`.
    ///   - height: cells down, in `sideRange`.
    ///   - agentCount: how many agents, in `agentRange`.
    ///   - seed: another seed, another film.
    ///   - edges: what lies beyond the map's edges.
    ///   - vectorWidth: must be among the available ones.
    ///   - executor: runs the parts of the work.
    /// - Throws: `SimulationError` when a size is out of range or memory is short.
    public init(
        width: Int,
        height: Int,
        agentCount: Int,
        seed: UInt64,
        edges: MapEdges = .torus,
        vectorWidth: VectorWidth = .widest,
        on executor: any Executor
    ) throws(SimulationError) {
        precondition(vectorWidth <= .widest, "This machine has no vectors of that width.")
        guard Self.sideRange.contains(width), Self.sideRange.contains(height) else {
            throw .mapSize(width: width, height: height)
        }
        guard Self.agentRange.contains(agentCount) else { throw .agentCount(agentCount) }
        let grid = Grid(width: width, height: height, edges: edges)
        let response = try Response()
        var agents = try Agents(count: agentCount)
        let sort = try AgentSort(grid: grid, agentCount: agentCount)
        let counts = try Buffer<UInt32>(zeroed: width * height)
        let trail = try Buffer<Float>(zeroed: grid.paddedCount)
        let earlierTrail = try Buffer<Float>(zeroed: grid.paddedCount)
        agents.scatter(over: grid, seed: seed, on: executor)
        self.agentCount = agentCount
        self.seed = seed
        self.grid = grid
        self.vectorWidth = vectorWidth
        self.agents = agents
        self.sort = sort
        self.counts = counts
        self.response = response
        self.trail = trail
        self.earlierTrail = earlierTrail
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
    ///   - executor: runs the parts of the work.
    public mutating func step(_ parameters: Parameters, on executor: any Executor) {
        if stepCount % Self.renewalInterval == 0 { renewAgents(parameters, on: executor) }
        let constants = StepConstants(
            withDensity(parameters),
            grid: grid,
            seed: seed,
            step: stepCount
        )
        let follows = Response.isNeeded(parameters)
        if follows { response.update(parameters, grid: grid) }
        let furthest =
            follows
            ? response.furthest : (move: constants.motion.speed, sense: constants.motion.ahead)
        // A little more than the speed, since headings are unit vectors only up to rounding.
        let move = furthest.move * 1.001 + 0.001
        if travelled + move > Float(grid.slack) || stepsSinceSort >= Self.sortInterval {
            sortAgents(on: executor)
        }
        travelled += move
        stepsSinceSort += 1
        fillMargins(reach: Int(furthest.sense) + 2, on: executor)
        moveAgents(constants, follows: follows, on: executor)
        diffuse(constants, on: executor)
        swap(&trail, &earlierTrail)
        stepCount += 1
    }

    /// Lets as many agents be born anew as the steps up to the next such occasion ask for.
    private mutating func renewAgents(_ parameters: Parameters, on executor: any Executor) {
        let probability = parameters.value(.renewal) * Double(Self.renewalInterval)
        if probability == 0 { return }
        let key = RandomBits.mixed(seed: seed, stream: 3, counter: UInt64(stepCount))
        agents.renew(probability: min(probability, 1), key: key, on: grid, executor: executor)
        travelled = .infinity
    }

    /// The parameters with the density there is, which may not be the one they ask for: the mean of
    /// the trail follows from it.
    private func withDensity(_ parameters: Parameters) -> Parameters {
        var parameters = parameters
        parameters[base: .density] = Double(agentCount) / Double(grid.width * grid.height)
        return parameters
    }

    private mutating func sortAgents(on executor: any Executor) {
        sort.plan(agents.pointers, on: executor)
        unsafe agents.reorder { source, target in
            unsafe sort.move(source, to: target, on: executor)
        } identity: { source, target in
            unsafe sort.move(source, to: target, on: executor)
        }
        travelled = 0
        stepsSinceSort = 0
    }

    /// Repeats each edge of the trail beyond the opposite one, as far as sensors reach.
    ///
    /// Behind walls the margin stays as it was made, 0.
    private func fillMargins(reach wanted: Int, on executor: any Executor) {
        let grid = grid
        if grid.edges == .walls { return }
        let reach = min(wanted, grid.reach)
        nonisolated(unsafe) let origin = unsafe trail.pointer + grid.origin
        executor.run(parts: (grid.height + 63) / 64) { part in
            for row in part * 64..<min(part * 64 + 64, grid.height) {
                let start = unsafe origin + row * grid.stride
                unsafe (start - reach).update(from: start + grid.width - reach, count: reach)
                unsafe (start + grid.width).update(from: start, count: reach)
                let twin =
                    row < reach
                    ? row + grid.height : row >= grid.height - reach ? row - grid.height : row
                if twin != row {
                    unsafe (origin + twin * grid.stride - reach)
                        .update(from: start - reach, count: grid.width + 2 * reach)
                }
            }
        }
    }

    /// Moves all agents and counts them in their new cells.
    private func moveAgents(_ constants: StepConstants, follows: Bool, on executor: any Executor) {
        let cells = grid.width * grid.height
        nonisolated(unsafe) let counts = unsafe counts.pointer
        executor.run(parts: (cells + 65_535) / 65_536) { part in
            let start = part * 65_536
            unsafe (counts + start).update(repeating: 0, count: min(65_536, cells - start))
        }
        let grid = grid
        let starts = sort.bandStarts
        nonisolated(unsafe) let agents = agents.pointers
        nonisolated(unsafe) let step = unsafe AgentStep(
            grid: grid,
            trail: UnsafePointer(trail.pointer),
            constants: constants,
            response: follows
                ? response.table(
                    trail: UnsafePointer(trail.pointer),
                    restingTrail: constants.restingTrail
                ) : nil,
            width: vectorWidth
        )
        // An agent's new cell is less than half a band from its own band, so bands of one parity
        // write to different cells.
        for parity in 0..<min(2, grid.bandCount) {
            executor.run(parts: (grid.bandCount + 1 - parity) / 2) { part in
                let band = 2 * part + parity
                unsafe step.run(agents, starts[band]..<starts[band + 1], counts: counts)
            }
        }
    }

    /// Writes the next trail over the earlier one.
    private func diffuse(_ constants: StepConstants, on executor: any Executor) {
        let grid = grid
        nonisolated(unsafe) let diffusion = unsafe Diffusion(
            grid: grid,
            source: UnsafePointer(trail.pointer + grid.origin),
            counts: UnsafePointer(counts.pointer),
            target: earlierTrail.pointer + grid.origin,
            constants: constants,
            width: vectorWidth
        )
        let rows = Diffusion.bandRows
        executor.run(parts: (grid.height + rows - 1) / rows) { part in
            unsafe diffusion.run(part * rows..<min((part + 1) * rows, grid.height))
        }
    }

    /// The trail as it is between the last two steps.
    ///
    /// - Parameters:
    ///   - blend: 0: before the last step; 1: after it; between: mixed linearly.
    ///   - parameters: those of the moment, which go with the field.
    ///   - executor: runs the parts of the work.
    /// - Returns: a copy of the map with `parameters`.
    public func field(
        blend: Float,
        parameters: ParameterSet,
        on executor: any Executor
    ) -> TrailField {
        precondition((0...1).contains(blend), "A blend is in 0…1.")
        let grid = grid
        var map = Writable<Float>(uninitialized: grid.width * grid.height)
        nonisolated(unsafe) let before = unsafe UnsafePointer(earlierTrail.pointer + grid.origin)
        nonisolated(unsafe) let after = unsafe UnsafePointer(trail.pointer + grid.origin)
        executor.split(&map, rows: grid.height) { part, rows in
            var cell = 0
            for row in rows {
                let before = unsafe before + row * grid.stride
                let after = unsafe after + row * grid.stride
                for column in 0..<grid.width {
                    unsafe part[cell] =
                        blend == 1
                        ? after[column] : before[column] + blend * (after[column] - before[column])
                    cell += 1
                }
            }
        }
        return TrailField(
            format: TrailFormat(width: grid.width, height: grid.height),
            map: map,
            parameters: parameters,
            restingTrail: withDensity(parameters.parameters).restingTrail
        )
    }
}
