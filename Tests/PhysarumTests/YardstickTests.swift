import CYardstick
import Media
import TestSupport
import Testing

@testable import Physarum

/// The plain step that benchmarks compare with grows the same pictures at equal parameters.
@Suite struct YardstickTests {
    // So high that no length is beyond its range, and so many that chance is small.
    private static let (width, height) = (128, 768)
    private static let agents = 60_000
    private static let steps = 120

    /// The numbers of the comparison; the yardstick's two passes of a blur of three cells spread by a
    /// variance of 4/3.
    private static func ours(seed: UInt64) throws -> [Float] {
        let cell = 1080 / Double(height)
        let parameters = Parameters([
            .density: Double(agents) / Double(width * height), .moveSpeed: cell,
            .sensorDistance: 9 * cell, .sensorAngle: 22.5, .turnAngle: 45, .deposit: 5,
            .decay: 0.1, .diffusion: (4.0 / 3).squareRoot() * cell, .crowding: 1000, .renewal: 0,
        ])
        let executor = SerialExecutor()
        var simulation = try Simulation(
            width: width,
            height: height,
            agentCount: agents,
            seed: seed,
            on: executor
        )
        for _ in 0..<steps { simulation.step(parameters, on: executor) }
        let set = ParameterSet(
            format: ParameterFormat(rate: Rate(60)),
            parameters: parameters,
            palette: .foxfire
        )
        return simulation.field(blend: 1, parameters: set, on: executor).map.withSpan { map in
            map.indices.map { map[$0] }
        }
    }

    private static func yardstick(seed: UInt64) -> [Float] {
        yardstick_prepare()
        var settings = yardstick_settings(
            width: Int32(width),
            height: Int32(height),
            sensor_angle: 22.5 * .pi / 180,
            sensor_distance: 9,
            turn_angle: 45 * .pi / 180,
            step_distance: 1,
            deposit: 5,
            decay_factor: 0.1
        )
        var generator = SeededGenerator(seed: seed)
        var agents = (0..<agents).map { _ in
            yardstick_agent(
                x: Float.random(in: 0..<Float(width), using: &generator),
                y: Float.random(in: 0..<Float(height), using: &generator),
                angle: Float.random(in: 0..<2 * Float.pi, using: &generator),
                species: 0
            )
        }
        var trail = [Float](repeating: 0, count: width * height)
        var scratch = trail
        for step in 0..<UInt64(steps) {
            unsafe yardstick_move(&settings, trail, &agents, agents.count, step * 7 + seed)
            unsafe yardstick_spread(&settings, agents, agents.count, &trail, &scratch)
        }
        return trail
    }

    /// Mean, deviation and quantiles of a picture, and how much of it lies in details of 1, 2, … 16 cells.
    private static func statistics(_ trail: [Float]) -> [Double] {
        let cells = trail.map(Double.init)
        let mean = cells.reduce(0, +) / Double(cells.count)
        let variance = cells.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(cells.count)
        let sorted = cells.sorted()
        var result = [mean, variance.squareRoot()]
        for part in [0.25, 0.5, 0.75, 0.9, 0.98] {
            result.append(sorted[Int(part * Double(cells.count))])
        }
        // What the means of blocks lose in deviation when the blocks become twice as large.
        var (blocks, width) = (cells, width)
        while width > 4 {
            let half = width / 2
            let coarser = (0..<blocks.count / 4).map { block -> Double in
                let corner = block / half * 2 * width + block % half * 2
                return
                    (blocks[corner] + blocks[corner + 1] + blocks[corner + width]
                    + blocks[corner + width + 1]) / 4
            }
            func power(_ values: [Double]) -> Double {
                values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
            }
            result.append((power(blocks) - power(coarser)).squareRoot())
            (blocks, width) = (coarser, half)
        }
        return result
    }

    @Test("mean, contrast, brightness and scales of the pictures are the yardstick's")
    func statistics() throws {
        let seeds: [UInt64] = [1, 2, 3, 4]
        func averaged(_ picture: (UInt64) throws -> [Float]) rethrows -> [Double] {
            let all = try seeds.map { Self.statistics(try picture($0)) }
            return all[0].indices.map { index in
                all.reduce(0) { $0 + $1[index] } / Double(all.count)
            }
        }
        let ours = try averaged { try Self.ours(seed: $0) }
        let theirs = averaged { Self.yardstick(seed: $0) }
        #expect(abs(ours[0] / theirs[0] - 1) < 1e-3)
        for (own, other) in zip(ours, theirs) { #expect(abs(own / other - 1) < 0.08) }
    }
}
