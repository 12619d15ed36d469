import Glibc
import Media
import Physarum

/// How the simulation's speed grows with agents, map, threads and vector width.
enum Scaling {
    /// One measurement.
    struct Point {
        let agents: Int
        let side: Int
        let threads: Int
        let width: VectorWidth
        /// Agent-steps a second, in millions.
        let rate: Double

        var json: String {
            "{\"agents\": \(agents), \"side\": \(side), \"threads\": \(threads), "
                + "\"width\": \"\(width)\", \"agentSteps\": \(rate)}"
        }
    }

    private static let kilo = 1 << 10
    private static let mega = 1 << 20

    /// Measures and prints two tables: all sizes of map and swarm at full width, and the usual densities at
    /// each width, both on one thread and on all cores.
    static func print() throws -> [Point] {
        var points: [Point] = []
        let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let threads = cores == 1 ? [1] : [1, cores]
        let agents = [4 * kilo, 64 * kilo, 256 * kilo, mega, 4 * mega, 16 * mega]
        for threads in threads {
            Swift.print("M agent-steps/s, \(VectorWidth.widest), \(threads) thread(s)")
            Swift.print(columns("agents", [512, 1024, 2048, 4096].map { "\($0)²" }))
            for count in agents {
                let row = try [512, 1024, 2048, 4096].map { side in
                    let point = try measure(count, side, threads, .widest)
                    points.append(point)
                    return rounded(point.rate)
                }
                Swift.print(columns(text(count), row))
                fflush(nil)
            }
        }
        let usual = [(64 * kilo, 512), (mega, 1024), (4 * mega, 2048), (16 * mega, 4096)]
        Swift.print("M agent-steps/s by vector width")
        Swift.print(
            columns("width, threads", usual.map { "\(text($0.0)) on \($0.1)²" })
        )
        for width in VectorWidth.available {
            for threads in threads {
                let row = try usual.map { agents, side in
                    let point = try measure(agents, side, threads, width)
                    points.append(point)
                    return rounded(point.rate)
                }
                Swift.print(columns("\(width), \(threads)", row))
                fflush(nil)
            }
        }
        return points
    }

    private static func measure(
        _ agents: Int,
        _ side: Int,
        _ threads: Int,
        _ width: VectorWidth
    ) throws -> Point {
        let executor: any Executor = threads == 1 ? SerialExecutor() : Parallel()
        let parameters = PhysarumStep.parameters(agents: agents, side: side)
        var simulation = try Simulation(
            width: side,
            height: side,
            agentCount: agents,
            seed: 1,
            vectorWidth: width,
            on: executor
        )
        // Time goes with agents and cells; small ones are repeated until they can be measured.
        let steps = max(8, min(2000, 40 * mega / (agents + side * side / 8)))
        for _ in 0..<max(steps / 2, 24) { simulation.step(parameters, on: executor) }
        let times = (0..<3).map { _ in
            PhysarumStep.seconds {
                for _ in 0..<steps { simulation.step(parameters, on: executor) }
            }
        }
        return Point(
            agents: agents,
            side: side,
            threads: threads,
            width: width,
            rate: Double(agents * steps) / median(times) / 1e6
        )
    }

    private static func text(_ count: Int) -> String {
        count >= mega ? "\(count / mega) M" : "\(count / kilo) k"
    }

    private static func columns(_ first: String, _ others: [String]) -> String {
        ([first] + others).map { text in
            String(repeating: " ", count: max(0, 16 - text.count)) + text
        }.joined()
    }
}
