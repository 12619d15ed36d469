internal import CKernels

/// The agents' arrays, as a worker sees them.
@safe struct AgentPointers {
    var x: UnsafeMutablePointer<Float>
    var y: UnsafeMutablePointer<Float>
    /// The heading as a unit vector, so that turning needs no trigonometry.
    var headingX: UnsafeMutablePointer<Float>
    var headingY: UnsafeMutablePointer<Float>
    /// Who an agent is, whatever its place in the arrays: the key of its random numbers.
    var identity: UnsafeMutablePointer<UInt32>
}

/// What all agents do in a step: sense, turn, move.
@safe struct AgentStep {
    private let width: VectorWidth
    private let step: foxfire_step

    /// - Parameters:
    ///   - grid: the map.
    ///   - trail: the start of the padded trail, its margins filled.
    ///   - constants: of this step.
    ///   - width: of the vectors.
    init(
        grid: Grid,
        trail: UnsafePointer<Float>,
        constants: StepConstants,
        width: VectorWidth
    ) {
        self.width = width
        unsafe step = foxfire_step(
            sensed: trail,
            stride: Int32(grid.stride),
            reach: Int32(grid.reach),
            width: Int32(grid.width),
            height: Int32(grid.height),
            has_walls: false,
            ahead: constants.ahead,
            side_ahead: constants.sideAhead,
            side_across: constants.sideAcross,
            turn_cosine: constants.turnCosine,
            turn_sine: constants.turnSine,
            speed: constants.speed,
            chaos: constants.chaos,
            crowd_turn: constants.crowdTurn,
            key: constants.key,
            response: nil
        )
    }

    /// Works on agents `range` and counts each in the cell it moves to.
    func run(_ agents: AgentPointers, _ range: Range<Int>, counts: UnsafeMutablePointer<UInt32>) {
        var arrays = unsafe foxfire_agents(
            x: agents.x,
            y: agents.y,
            heading_x: agents.headingX,
            heading_y: agents.headingY,
            identity: agents.identity
        )
        var step = unsafe step
        unsafe foxfire_move(
            width.code,
            &step,
            &arrays,
            range.lowerBound,
            range.upperBound,
            counts
        )
    }
}
