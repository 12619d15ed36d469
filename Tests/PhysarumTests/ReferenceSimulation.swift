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
    /// For each species the trail it leaves.
    private(set) var trails: [[Float]]
    private var colonies: [[Agent]]
    private let law: SpawnLaw
    private var stepCount: Int64 = 0
    /// What agents smell in the step.
    private var trail: [Float] = []

    init(
        width: Int,
        height: Int,
        agentCounts: [Int],
        seed: UInt64,
        law: SpawnLaw = .uniform,
        edges: MapEdges = .torus
    ) {
        let grid = Grid(width: width, height: height, edges: edges)
        self.grid = grid
        self.seed = seed
        self.law = law
        trails = agentCounts.map { _ in Array(repeating: 0, count: width * height) }
        let agents = (0..<agentCounts.reduce(0, +)).map { index in
            let bits = RandomBits.mixed(seed: seed, stream: 2, counter: UInt64(index))
            let (place, heading) = law.start(bits: bits, on: grid)
            return Agent(
                x: place.x,
                y: place.y,
                headingX: heading.x,
                headingY: heading.y,
                identity: UInt32(truncatingIfNeeded: RandomBits.mixed(UInt64(index)))
            )
        }
        var rest = agents[...]
        colonies = agentCounts.map { count in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }

    mutating func step(_ shared: Parameters, species: [Species]) {
        if stepCount % Simulation.renewalInterval == 0 { renew(shared) }
        var shared = shared
        let count = colonies.reduce(0) { $0 + $1.count }
        shared[base: .density] = Double(count) / Double(grid.width * grid.height)
        let before = trails
        for index in species.indices {
            var parameters = shared
            for (parameter, factor) in species[index].factors {
                parameters.multiply(parameter, by: factor)
            }
            let constants = StepConstants(parameters, grid: grid, seed: seed, step: stepCount)
            trail = before[0].indices.map { cell in
                var sum = Float(species[index].attraction[0]) * before[0][cell]
                for other in species.indices.dropFirst() {
                    sum += Float(species[index].attraction[other]) * before[other][cell]
                }
                return sum
            }
            var counts = [Int](repeating: 0, count: trail.count)
            for place in colonies[index].indices {
                let motion = motion(of: colonies[index][place], parameters, constants)
                move(&colonies[index][place], constants, motion)
                counts[cell(colonies[index][place].x, colonies[index][place].y)] += 1
            }
            var fresh = before[index]
            for cell in fresh.indices { fresh[cell] += constants.deposit * Float(counts[cell]) }
            trails[index] = blurred(
                blurred(fresh, constants.rowWeights, 1, 0),
                constants.columnWeights,
                0,
                1
            )
        }
        stepCount += 1
    }

    private mutating func renew(_ parameters: Parameters) {
        let probability = min(1, parameters.value(.renewal) * Double(Simulation.renewalInterval))
        let key = RandomBits.mixed(seed: seed, stream: 3, counter: UInt64(stepCount))
        for (colony, agents) in colonies.enumerated() {
            for (index, agent) in agents.enumerated() {
                let bits = RandomBits.mixed(key ^ UInt64(agent.identity))
                guard Double(bits >> 32) < (probability * 4_294_967_296).rounded(.down) else {
                    continue
                }
                let (place, heading) = law.start(bits: RandomBits.mixed(bits), on: grid)
                colonies[colony][index].x = place.x
                colonies[colony][index].y = place.y
                colonies[colony][index].headingX = heading.x
                colonies[colony][index].headingY = heading.y
            }
        }
    }

    /// What an agent does where it is.
    private func motion(
        of agent: Agent,
        _ parameters: Parameters,
        _ constants: StepConstants
    ) -> Motion {
        let strength = max(trail[cell(agent.x, agent.y)], 0)
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
