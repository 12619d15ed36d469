import Dispatch
import Glibc

/// The well-known way to step a slime mould on a CPU, written plainly: what ours is compared with.
///
/// Agents lie in one array; sine and cosine come from a table; each agent reads the trail at three
/// nearest cells, turns, moves and is stored, the agents split over the cores. Then deposits are added
/// one after another, and two passes of a box blur of radius 1, rows and then columns, spread the
/// trail; the last one lets it decay.
final class Yardstick {
    struct Agent {
        var x: Float
        var y: Float
        var angle: Float
        var species: Int32
    }

    struct Settings {
        var sensorAngle: Float = 22.5 * .pi / 180
        var sensorDistance: Float = 9
        var turnAngle: Float = 45 * .pi / 180
        var stepDistance: Float = 1
        var deposit: Float = 5
        var decayFactor: Float = 0.1
    }

    private static let tableSize = 65_536
    private static let sines: [Float] = (0..<tableSize).map {
        Float(sin(2 * Double.pi * Double($0) / Double(tableSize)))
    }

    let width: Int
    let height: Int
    private let settings = Settings()
    private var agents: [Agent]
    private(set) var trail: [Float]
    private var scratch: [Float]
    private let threads: Int
    private var stepCount: UInt64 = 0

    init(width: Int, height: Int, agentCount: Int, seed: UInt64, threads: Int) {
        self.width = width
        self.height = height
        self.threads = threads
        trail = Array(repeating: 0, count: width * height)
        scratch = trail
        var random = Xorshift(seed: seed)
        agents = (0..<agentCount).map { _ in
            Agent(
                x: random.unit() * Float(width),
                y: random.unit() * Float(height),
                angle: random.unit() * 2 * .pi,
                species: 0
            )
        }
    }

    func step() {
        moveAgents()
        deposit()
        for pass in 0..<2 { blur(decay: pass == 1 ? 1 - settings.decayFactor : 1) }
        stepCount += 1
    }

    private func moveAgents() {
        let (count, parts) = (agents.count, threads)
        let (width, height, settings, step) = (width, height, settings, stepCount)
        unsafe agents.withUnsafeMutableBufferPointer { agents in
            nonisolated(unsafe) let agents = unsafe agents
            unsafe trail.withUnsafeBufferPointer { trail in
                nonisolated(unsafe) let trail = unsafe trail
                unsafe Self.sines.withUnsafeBufferPointer { sines in
                    nonisolated(unsafe) let sines = unsafe sines
                    DispatchQueue.concurrentPerform(iterations: parts) { part in
                        var mover = unsafe Mover(
                            trail: trail,
                            sines: sines,
                            width: width,
                            height: height,
                            settings: settings,
                            random: Xorshift(seed: step &* 1_000_003 &+ UInt64(part) &+ 1)
                        )
                        for index in part * count / parts..<(part + 1) * count / parts {
                            unsafe mover.move(&agents[index])
                        }
                    }
                }
            }
        }
    }

    /// What one thread moves its agents with.
    @safe private struct Mover {
        let trail: UnsafeBufferPointer<Float>
        let sines: UnsafeBufferPointer<Float>
        let width: Int
        let height: Int
        let settings: Settings
        var random: Xorshift

        @inline(__always)
        mutating func move(_ agent: inout Agent) {
            let middle = sense(agent, agent.angle)
            let left = sense(agent, agent.angle - settings.sensorAngle)
            let right = sense(agent, agent.angle + settings.sensorAngle)
            var turn: Float = 0
            if middle > left && middle > right {
                turn = 0
            } else if middle < left && middle < right {
                turn = random.next() & 1 == 0 ? settings.turnAngle : -settings.turnAngle
            } else if left < right {
                turn = settings.turnAngle
            } else if right < left {
                turn = -settings.turnAngle
            }
            var angle = agent.angle + turn
            if angle < 0 { angle += 2 * .pi }
            if angle >= 2 * .pi { angle -= 2 * .pi }
            let (sine, cosine) = direction(angle)
            agent.x = shifted(agent.x + cosine * settings.stepDistance, Float(width))
            agent.y = shifted(agent.y + sine * settings.stepDistance, Float(height))
            agent.angle = angle
        }

        @inline(__always)
        private func direction(_ angle: Float) -> (sine: Float, cosine: Float) {
            let scale = Float(Yardstick.tableSize) / (2 * .pi)
            let index = Int(angle * scale) &+ Yardstick.tableSize
            let mask = Yardstick.tableSize - 1
            return unsafe (
                sines[index & mask], sines[(index &+ Yardstick.tableSize / 4) & mask]
            )
        }

        @inline(__always)
        private func sense(_ agent: Agent, _ angle: Float) -> Float {
            let (sine, cosine) = direction(angle)
            let x = shifted(agent.x + cosine * settings.sensorDistance, Float(width))
            let y = shifted(agent.y + sine * settings.sensorDistance, Float(height))
            return unsafe trail[Int(y) &* width &+ Int(x)]
        }

        @inline(__always)
        private func shifted(_ value: Float, _ size: Float) -> Float {
            var value = value
            if value < 0 { value += size }
            if value >= size { value -= size }
            return value
        }
    }

    private func deposit() {
        let (width, amount) = (width, settings.deposit)
        unsafe trail.withUnsafeMutableBufferPointer { trail in
            unsafe agents.withUnsafeBufferPointer { agents in
                for index in agents.indices {
                    let agent = unsafe agents[index]
                    unsafe trail[Int(agent.y) &* width &+ Int(agent.x)] += amount
                }
            }
        }
    }

    private func blur(decay: Float) {
        let (width, height) = (width, height)
        let weight: Float = 1 / 3
        unsafe trail.withUnsafeMutableBufferPointer { trail in
            unsafe scratch.withUnsafeMutableBufferPointer { scratch in
                for y in 0..<height {
                    let row = y * width
                    var left = unsafe trail[row + width - 1]
                    for x in 0..<width {
                        let here = unsafe trail[row + x]
                        let right = unsafe trail[x + 1 < width ? row + x + 1 : row]
                        unsafe scratch[row + x] = (left + here + right) * weight
                        left = here
                    }
                }
                for x in 0..<width {
                    for y in 0..<height {
                        let above = unsafe scratch[(y > 0 ? y - 1 : height - 1) * width + x]
                        let here = unsafe scratch[y * width + x]
                        let below = unsafe scratch[(y + 1 < height ? y + 1 : 0) * width + x]
                        unsafe trail[y * width + x] = (above + here + below) * weight * decay
                    }
                }
            }
        }
    }
}

/// A small, fast source of random numbers.
struct Xorshift {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    @inline(__always)
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state >> 11
    }

    mutating func unit() -> Float { Float(next() >> 29) / Float(1 << 24) }
}
