import Media

/// The agents of one species, and the trail they leave.
///
/// A class, because there is no array of what cannot be copied; the simulation is its only owner.
final class Colony {
    let grid: Grid
    let vectorWidth: VectorWidth
    let agentCount: Int
    var agents: Agents
    private var sort: AgentSort
    private var response: Response
    var trail: Buffer<Float>
    /// The trail before the last step.
    var earlierTrail: Buffer<Float>
    /// What the agents smell where that is not their own trail alone; else it is never touched, and
    /// takes no memory.
    private let mixture: Buffer<Float>
    /// How far any agent may have gone since the agents were sorted, in cells.
    private var travelled = Float.infinity
    private var stepsSinceSort = 0

    /// After this many steps so many agents have left their tile that sorting pays.
    private static let sortInterval = 8

    /// Makes a map without trail and agents without places.
    ///
    /// - Parameters:
    ///   - grid: the map.
    ///   - agentCount: how many agents.
    ///   - vectorWidth: of the inner loops.
    /// - Throws: `SimulationError` when memory is short.
    init(
        grid: Grid,
        agentCount: Int,
        vectorWidth: VectorWidth
    ) throws(SimulationError) {
        let agents = try Agents(count: agentCount)
        let sort = try AgentSort(grid: grid, agentCount: agentCount)
        let response = try Response()
        let trail = try Buffer<Float>(zeroed: grid.paddedCount)
        let earlierTrail = try Buffer<Float>(zeroed: grid.paddedCount)
        let mixture = try Buffer<Float>(zeroed: grid.paddedCount)
        self.grid = grid
        self.vectorWidth = vectorWidth
        self.agentCount = agentCount
        self.agents = agents
        self.sort = sort
        self.response = response
        self.trail = trail
        self.earlierTrail = earlierTrail
        self.mixture = mixture
    }

    /// Lets each agent be born anew with this probability.
    func renew(
        by law: SpawnLaw,
        probability: Double,
        key: UInt64,
        on executor: any Executor
    ) {
        agents.renew(
            by: law,
            probability: probability,
            key: key,
            on: grid,
            executor: executor
        )
        travelled = .infinity
    }

    /// Moves all agents and counts them in their new cells.
    ///
    /// - Parameters:
    ///   - parameters: of the step's time, for this species.
    ///   - constants: made of them.
    ///   - trails: the cell (0, 0) of every species' trail, of which the agents smell a mixture.
    ///   - attraction: the weight of each trail.
    ///   - counts: how many agents are in each cell, written.
    ///   - executor: runs the parts of the work.
    func move(
        _ parameters: Parameters,
        _ constants: StepConstants,
        trails: [UnsafeMutablePointer<Float>],
        attraction: [Float],
        counts: UnsafeMutablePointer<UInt32>,
        on executor: any Executor
    ) {
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
        let sensed: UnsafeMutablePointer<Float>
        if attraction == [1] {
            unsafe sensed = trail.pointer
        } else {
            unsafe mix(trails, attraction, on: executor)
            unsafe sensed = mixture.pointer
        }
        unsafe fillMargins(of: sensed, reach: Int(furthest.sense) + 2, on: executor)
        unsafe moveAgents(
            constants,
            sensed: sensed,
            follows: follows,
            counts: counts,
            on: executor
        )
    }

    /// Says that the agents are in no known order.
    func forgetOrder() { travelled = .infinity }

    private func sortAgents(on executor: any Executor) {
        sort.plan(agents.pointers, on: executor)
        unsafe agents.reorder { source, target in
            unsafe sort.move(source, to: target, on: executor)
        } identity: { source, target in
            unsafe sort.move(source, to: target, on: executor)
        }
        travelled = 0
        stepsSinceSort = 0
    }

    /// Writes what the agents smell: the weighted sum of all trails.
    private func mix(
        _ trails: [UnsafeMutablePointer<Float>],
        _ weights: [Float],
        on executor: any Executor
    ) {
        let (grid, width) = (grid, vectorWidth)
        nonisolated(unsafe) let mixture = unsafe Mixture(trails: trails, weights: weights)
        nonisolated(unsafe) let target = unsafe self.mixture.pointer + grid.origin
        executor.run(parts: (grid.height + 63) / 64) { part in
            for row in part * 64..<min(part * 64 + 64, grid.height) {
                let start = row * grid.stride
                unsafe mixture.write(
                    from: start,
                    count: grid.width,
                    to: target + start,
                    width
                )
            }
        }
    }

    /// Repeats each edge of what is smelled beyond the opposite one, as far as sensors reach.
    ///
    /// Behind walls the margin stays as it was made, 0.
    private func fillMargins(
        of sensed: UnsafeMutablePointer<Float>,
        reach wanted: Int,
        on executor: any Executor
    ) {
        let grid = grid
        if grid.edges == .walls { return }
        let reach = min(wanted, grid.reach)
        nonisolated(unsafe) let origin = unsafe sensed + grid.origin
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

    private func moveAgents(
        _ constants: StepConstants,
        sensed: UnsafeMutablePointer<Float>,
        follows: Bool,
        counts: UnsafeMutablePointer<UInt32>,
        on executor: any Executor
    ) {
        let cells = grid.width * grid.height
        nonisolated(unsafe) let counts = unsafe counts
        executor.run(parts: (cells + 65_535) / 65_536) { part in
            let start = part * 65_536
            unsafe (counts + start).update(repeating: 0, count: min(65_536, cells - start))
        }
        let grid = grid
        let starts = sort.bandStarts
        nonisolated(unsafe) let agents = agents.pointers
        nonisolated(unsafe) let step = unsafe AgentStep(
            grid: grid,
            trail: UnsafePointer(sensed),
            constants: constants,
            response: follows
                ? response.table(
                    trail: UnsafePointer(sensed),
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

    /// Makes the next trail of this one and the agents' counts, and lets it take its place.
    func diffuse(
        _ constants: StepConstants,
        counts: UnsafeMutablePointer<UInt32>,
        on executor: any Executor
    ) {
        let grid = grid
        nonisolated(unsafe) let diffusion = unsafe Diffusion(
            grid: grid,
            source: UnsafePointer(trail.pointer + grid.origin),
            counts: UnsafePointer(counts),
            target: earlierTrail.pointer + grid.origin,
            constants: constants,
            width: vectorWidth
        )
        let rows = Diffusion.bandRows
        executor.run(parts: (grid.height + rows - 1) / rows) { part in
            unsafe diffusion.run(part * rows..<min((part + 1) * rows, grid.height))
        }
        swap(&trail, &earlierTrail)
    }
}
