import Dispatch
import Glibc
import Media
import Physarum

/// The step of the simulation, in agent-steps a second.
enum PhysarumStep {
    private static let side = 1024
    private static let warmup = 200

    /// One million agents against the yardstick.
    @Sendable static func million(_ program: String, runs: Int) throws -> Row {
        try againstYardstick(agents: 1 << 20, target: [.avx512: 18, .avx2: 6, .baseline: 6], runs)
    }

    /// Four million agents against the yardstick.
    @Sendable static func fourMillion(_ program: String, runs: Int) throws -> Row {
        try againstYardstick(agents: 1 << 22, target: [.avx512: 12, .avx2: 4, .baseline: 4], runs)
    }

    /// One million agents whose motion follows the trail, with chaos, against the plain yardstick.
    @Sendable static func following(_ program: String, runs: Int) throws -> Row {
        try againstYardstick(
            agents: 1 << 20,
            changes: [
                .moveSpeedAmplitude: 0.5, .moveSpeedExponent: 0.7, .sensorDistanceAmplitude: 6,
                .sensorDistanceExponent: 1.3, .sensorAngleAmplitude: -10, .sensorAngleExponent: 2,
                .turnAngleAmplitude: 10, .turnAngleExponent: 0.5, .chaosStrength: 0.1,
            ],
            target: [.avx512: 8, .avx2: 8, .baseline: 8],
            runs
        )
    }

    /// How the yardstick is set: one species, no crowding, nobody born anew.
    static func parameters(agents: Int, side: Int) -> Parameters {
        // Lengths are for a map 1080 cells high.
        let cell = 1080 / Double(side)
        return Parameters([
            .density: Double(agents) / Double(side * side), .moveSpeed: cell,
            .sensorDistance: 9 * cell, .sensorAngle: 22.5, .turnAngle: 45, .deposit: 5,
            .decay: 0.1, .diffusion: (2.0 / 3).squareRoot() * cell, .chaosStrength: 0,
            .crowding: 1000, .renewal: 0,
        ])
    }

    private static func againstYardstick(
        agents: Int,
        changes: [Parameter: Double] = [:],
        target: [VectorWidth: Double],
        _ runs: Int
    ) throws -> Row {
        let threads = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let executor = Parallel()
        var parameters = parameters(agents: agents, side: side)
        for (parameter, value) in changes { parameters[base: parameter] = value }
        var simulation = try Simulation(
            width: side,
            height: side,
            agentCount: agents,
            seed: 1,
            on: executor
        )
        var yardstick = Yardstick(
            width: side,
            height: side,
            agentCount: agents,
            threads: threads
        )
        for _ in 0..<warmup {
            simulation.step(parameters, on: executor)
            yardstick.step()
        }
        let steps = 16
        var (ours, peer): ([Double], [Double]) = ([], [])
        for _ in 0..<runs {
            ours.append(
                seconds { for _ in 0..<4 * steps { simulation.step(parameters, on: executor) } } / 4
            )
            peer.append(seconds { for _ in 0..<steps { yardstick.step() } })
        }
        let rates = [ours, peer].map { Double(agents * steps) / median($0) / 1e6 }
        return Row(
            name: "physarum step, \(agents >> 20) M agents, 1024 x 1024, "
                + (changes.isEmpty ? "" : "following the trail, ") + "\(VectorWidth.widest)",
            unit: "M agent-steps/s",
            ours: rates[0],
            peer: rates[1],
            ratio: rates[0] / rates[1],
            target: target[.widest] ?? 0
        )
    }

    static func seconds(_ work: () -> Void) -> Double {
        let clock = ContinuousClock()
        let duration = clock.measure(work)
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }
}

/// Runs parts on all cores.
struct Parallel: Executor {
    func run(parts: Int, _ body: @Sendable (Int) -> Void) {
        DispatchQueue.concurrentPerform(iterations: parts, execute: body)
    }
}
