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
    private let response: foxfire_response?

    /// - Parameters:
    ///   - grid: the map.
    ///   - trail: the start of the padded trail, its margins filled.
    ///   - constants: of this step.
    ///   - response: what agents do on each strength of trail, where that is not all the same.
    ///   - width: of the vectors.
    init(
        grid: Grid,
        trail: UnsafePointer<Float>,
        constants: StepConstants,
        response: foxfire_response?,
        width: VectorWidth
    ) {
        self.width = width
        unsafe self.response = response
        let motion = constants.motion
        unsafe step = foxfire_step(
            sensed: trail,
            stride: Int32(grid.stride),
            reach: Int32(grid.reach),
            width: Int32(grid.width),
            height: Int32(grid.height),
            has_walls: grid.edges == .walls,
            ahead: motion.ahead,
            side_ahead: motion.sideAhead,
            side_across: motion.sideAcross,
            turn_cosine: motion.turnCosine,
            turn_sine: motion.turnSine,
            speed: motion.speed,
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
        func move() {
            unsafe foxfire_move(
                width.code,
                &step,
                &arrays,
                range.lowerBound,
                range.upperBound,
                counts
            )
        }
        guard var response = unsafe response else { return move() }
        unsafe withUnsafePointer(to: &response) { pointer in
            unsafe step.response = pointer
            move()
        }
    }
}
