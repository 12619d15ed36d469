import CYardstick
import Dispatch

/// The plain step that ours is compared with, its agents split over the cores.
struct Yardstick: ~Copyable {
    private var settings: yardstick_settings
    private var agents: [yardstick_agent]
    private var trail: [Float]
    private var scratch: [Float]
    private let threads: Int
    private var stepCount: UInt64 = 0

    /// Spreads agents over a map, heading anywhere, with the numbers of the comparison.
    init(width: Int, height: Int, agentCount: Int, threads: Int) {
        settings = yardstick_settings(
            width: Int32(width),
            height: Int32(height),
            sensor_angle: 22.5 * .pi / 180,
            sensor_distance: 9,
            turn_angle: 45 * .pi / 180,
            step_distance: 1,
            deposit: 5,
            decay_factor: 0.1
        )
        self.threads = threads
        trail = Array(repeating: 0, count: width * height)
        scratch = trail
        var generator = SystemRandomNumberGenerator()
        agents = (0..<agentCount).map { _ in
            yardstick_agent(
                x: Float.random(in: 0..<Float(width), using: &generator),
                y: Float.random(in: 0..<Float(height), using: &generator),
                angle: Float.random(in: 0..<2 * Float.pi, using: &generator),
                species: 0
            )
        }
        yardstick_prepare()
    }

    mutating func step() {
        let (count, parts, settings, step) = (agents.count, threads, settings, stepCount)
        unsafe agents.withUnsafeMutableBufferPointer { agents in
            unsafe trail.withUnsafeMutableBufferPointer { trail in
                unsafe scratch.withUnsafeMutableBufferPointer { scratch in
                    guard let agents = agents.baseAddress, let trail = trail.baseAddress,
                        let scratch = scratch.baseAddress
                    else { return }
                    nonisolated(unsafe) let (start, map) = unsafe (agents, trail)
                    DispatchQueue.concurrentPerform(iterations: parts) { part in
                        var settings = settings
                        let (first, last) = (part * count / parts, (part + 1) * count / parts)
                        unsafe yardstick_move(
                            &settings,
                            map,
                            start + first,
                            last - first,
                            step &* 1_000_003 &+ UInt64(part) &+ 1
                        )
                    }
                    var settings = settings
                    unsafe yardstick_spread(&settings, agents, count, trail, scratch)
                }
            }
        }
        stepCount += 1
    }
}
