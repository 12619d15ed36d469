import Media

@testable import Physarum

/// The step as a plain loop over agents and cells, without lanes, margins, sorting or parts.
///
/// Shares with the simulation where agents start and the numbers that parameters turn into.
struct ReferenceSimulation {
    private struct Agent {
        var x: Float
        var y: Float
        var headingX: Float
        var headingY: Float
        var identity: UInt32
    }

    let grid: Grid
    let seed: UInt64
    private(set) var trail: [Float]
    private var agents: [Agent]
    private var stepCount: Int64 = 0

    init(width: Int, height: Int, agentCount: Int, seed: UInt64, edges: MapEdges = .torus) {
        let grid = Grid(width: width, height: height, edges: edges)
        self.grid = grid
        self.seed = seed
        trail = Array(repeating: 0, count: width * height)
        agents = (0..<agentCount).map { index in
            let bits = RandomBits.mixed(seed: seed, stream: 2, counter: UInt64(index))
            let (place, heading) = Agents.start(bits: bits, on: grid)
            return Agent(
                x: place.x,
                y: place.y,
                headingX: heading.x,
                headingY: heading.y,
                identity: UInt32(truncatingIfNeeded: RandomBits.mixed(UInt64(index)))
            )
        }
    }

    mutating func step(_ parameters: Parameters) {
        if stepCount % Simulation.renewalInterval == 0 { renew(parameters) }
        var parameters = parameters
        parameters[base: .density] = Double(agents.count) / Double(trail.count)
        let constants = StepConstants(parameters, grid: grid, seed: seed, step: stepCount)
        var counts = [Int](repeating: 0, count: trail.count)
        for index in agents.indices {
            move(&agents[index], constants, motion(of: agents[index], parameters, constants))
            counts[cell(agents[index].x, agents[index].y)] += 1
        }
        var fresh = trail
        for cell in fresh.indices { fresh[cell] += constants.deposit * Float(counts[cell]) }
        trail = blurred(blurred(fresh, constants.rowWeights, 1, 0), constants.columnWeights, 0, 1)
        stepCount += 1
    }

    private mutating func renew(_ parameters: Parameters) {
        let probability = min(1, parameters.value(.renewal) * Double(Simulation.renewalInterval))
        let key = RandomBits.mixed(seed: seed, stream: 3, counter: UInt64(stepCount))
        for index in agents.indices {
            let bits = RandomBits.mixed(key ^ UInt64(agents[index].identity))
            guard Double(bits >> 32) < (probability * 4_294_967_296).rounded(.down) else {
                continue
            }
            let (place, heading) = Agents.start(bits: RandomBits.mixed(bits), on: grid)
            agents[index].x = place.x
            agents[index].y = place.y
            agents[index].headingX = heading.x
            agents[index].headingY = heading.y
        }
    }

    /// What an agent does where it is.
    private func motion(
        of agent: Agent,
        _ parameters: Parameters,
        _ constants: StepConstants
    ) -> Motion {
        let strength = trail[cell(agent.x, agent.y)]
        let place = min(strength * Response.stepsPerTrail(constants.restingTrail), 4095)
        return Motion(
            parameters,
            grid: grid,
            strength: Double(place.rounded(.toNearestOrEven)) / 4095
        )
    }

    private func move(_ agent: inout Agent, _ constants: StepConstants, _ motion: Motion) {
        func sense(_ x: Float, _ y: Float) -> Float {
            let trail = isInside(x, y) ? trail[cell(x, y)] : 0
            return min(trail, constants.crowdTurn - trail)
        }
        let (headingX, headingY) = (agent.headingX, agent.headingY)
        let (along, across) = (motion.sideAhead, motion.sideAcross)
        let middle = sense(
            agent.x + headingX * motion.ahead,
            agent.y + headingY * motion.ahead
        )
        let plus = sense(
            agent.x + (headingX * along - headingY * across),
            agent.y + (headingY * along + headingX * across)
        )
        let minus = sense(
            agent.x + (headingX * along + headingY * across),
            agent.y + (headingY * along - headingX * across)
        )
        let random = Self.drawn(agent.identity ^ constants.key)
        var (cosine, sine): (Float, Float) = (1, 0)
        if middle > plus && middle > minus {
            // Straight on.
        } else if middle < plus && middle < minus {
            (cosine, sine) = (motion.turnCosine, motion.turnSine)
            if random >> 31 == 1 { sine = -sine }
        } else if plus > minus {
            (cosine, sine) = (motion.turnCosine, motion.turnSine)
        } else if plus < minus {
            (cosine, sine) = (motion.turnCosine, -motion.turnSine)
        }
        var heading = turned(SIMD2(headingX, headingY), cosine, sine)
        if constants.chaos > 0 {
            let unit = Float(random & 0x7F_FFFF) / 8_388_608 - 0.5
            let tangent = 2 * unit * constants.chaos
            let scale = 1 / (1 + tangent * tangent)
            heading = turned(heading, (1 - tangent * tangent) * scale, 2 * tangent * scale)
        }
        let square = heading.x * heading.x + heading.y * heading.y
        heading *= 1.5 - 0.5 * square
        (agent.headingX, agent.headingY) = (heading.x, heading.y)
        agent.x = agent.x + heading.x * motion.speed
        agent.y = agent.y + heading.y * motion.speed
        if grid.edges == .walls {
            reflect(&agent.x, grid.width, &agent.headingX)
            reflect(&agent.y, grid.height, &agent.headingY)
        } else {
            agent.x = wrapped(agent.x, grid.width)
            agent.y = wrapped(agent.y, grid.height)
        }
    }

    private func reflect(_ value: inout Float, _ size: Int, _ heading: inout Float) {
        let end = Float(size) - 0.5
        if value < -0.5 {
            value = -1 - value
            heading = -heading
        } else if value >= end {
            value = 2 * Float(size) - 1 - value
            heading = -heading
        }
        if value >= end { value = end.nextDown }
    }

    private func isInside(_ x: Float, _ y: Float) -> Bool {
        if grid.edges == .torus { return true }
        func isInside(_ value: Float, _ size: Int) -> Bool {
            (0..<Float(size)).contains(value.rounded(.toNearestOrEven))
        }
        return isInside(x, grid.width) && isInside(y, grid.height)
    }

    private func turned(_ heading: SIMD2<Float>, _ cosine: Float, _ sine: Float) -> SIMD2<Float> {
        SIMD2(
            heading.x * cosine - heading.y * sine,
            heading.x * sine + heading.y * cosine
        )
    }

    private func wrapped(_ value: Float, _ size: Int) -> Float {
        var value = value
        if value < -0.5 { value += Float(size) }
        if value >= Float(size) - 0.5 { value -= Float(size) }
        return value
    }

    /// The cell nearest to a place, halves to the even one, around the edges.
    private func cell(_ x: Float, _ y: Float) -> Int {
        func index(_ value: Float, _ size: Int) -> Int {
            let whole = Int(value.rounded(.toNearestOrEven))
            return ((whole % size) + size) % size
        }
        return index(y, grid.height) * grid.width + index(x, grid.width)
    }

    private func blurred(_ map: [Float], _ weights: [Float], _ stepX: Int, _ stepY: Int) -> [Float]
    {
        var result = map
        for y in 0..<grid.height {
            for x in 0..<grid.width {
                func at(_ offset: Int) -> Float {
                    let column = inside(x + offset * stepX, grid.width)
                    let row = inside(y + offset * stepY, grid.height)
                    return map[row * grid.width + column]
                }
                var sum = weights[0] * at(0) + weights[1] * (at(-1) + at(1))
                for offset in 2..<max(2, weights.count) {
                    sum += weights[offset] * (at(-offset) + at(offset))
                }
                result[y * grid.width + x] = sum
            }
        }
        return result
    }

    /// Walls are mirrors to the trail.
    private func inside(_ index: Int, _ size: Int) -> Int {
        var index = index
        while !(0..<size).contains(index) {
            if grid.edges == .torus {
                index += index < 0 ? size : -size
            } else {
                index = index < 0 ? -1 - index : 2 * size - 1 - index
            }
        }
        return index
    }

    /// What an agent draws in a step, from its identity and the step's key.
    static func drawn(_ value: UInt32) -> UInt32 {
        let bits = (value ^ value >> 16) &* 0x7FEB_352D
        return bits ^ bits >> 15
    }
}
