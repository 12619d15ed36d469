import Dispatch
import Media

/// Runs the last part first, so that a dependence on the order of parts shows.
struct BackwardExecutor: Executor {
    func run(parts: Int, _ body: @Sendable (Int) -> Void) {
        for part in (0..<parts).reversed() { body(part) }
    }
}

/// Runs parts on four threads at once.
struct ThreadedExecutor: Executor {
    private let queues = (0..<4).map { DispatchQueue(label: "physarum.test.\($0)") }

    func run(parts: Int, _ body: @Sendable (Int) -> Void) {
        let next = Locked(0)
        let group = DispatchGroup()
        withoutActuallyEscaping(body) { body in
            for queue in queues {
                queue.async(group: group) {
                    while true {
                        let part = next.withLock { next in
                            next += 1
                            return next - 1
                        }
                        if part >= parts { return }
                        body(part)
                    }
                }
            }
            group.wait()
        }
    }
}

/// Random numbers that a seed repeats.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
