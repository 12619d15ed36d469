import Dispatch
import Media

/// One node's work in parts: whoever is free runs the next one.
final class SplitJob: Sendable {
    private struct State {
        var next = 0
        var finished = 0
        var isAwaited = false
        /// Set only while `run` has not returned.
        var body: (@Sendable (Int) -> Void)?
    }

    private let parts: Int
    private let state: Locked<State>
    private let done = DispatchSemaphore(value: 0)

    /// Makes the work; `body` must stay callable until `wait` has returned.
    init(parts: Int, _ body: @escaping @Sendable (Int) -> Void) {
        self.parts = parts
        state = Locked(State(body: body))
    }

    /// Whether there are parts that nobody has begun.
    var hasParts: Bool { state.withLock { $0.next < parts } }

    /// Runs parts until none is left to begin; returns how many.
    func help() -> Int {
        var count = 0
        while runOne() { count += 1 }
        return count
    }

    // Not inlined, so that no reference to the body outlives the call.
    @inline(never) private func runOne() -> Bool {
        let part = state.withLock { state -> Int? in
            guard state.next < parts else { return nil }
            state.next += 1
            return state.next - 1
        }
        guard let part else { return false }
        call(part)
        let isLast = state.withLock { state -> Bool in
            state.finished += 1
            return state.finished == parts && state.isAwaited
        }
        if isLast { done.signal() }
        return true
    }

    @inline(never) private func call(_ part: Int) {
        let body = state.withLock { $0.body }
        body?(part)
    }

    /// Returns when all parts are done.
    func wait() {
        let mustWait = state.withLock { state -> Bool in
            state.isAwaited = state.finished < parts
            return state.isAwaited
        }
        if mustWait { done.wait() }
        state.withLock { $0.body = nil }
    }
}

/// Lends the engine's workers for parts of a node's work.
final class WorkerExecutor: Executor {
    private struct State {
        var jobs: [SplitJob] = []
        /// Calls up to that many idle workers; set by the engine.
        var wake: (@Sendable (Int) -> Void)?
    }

    private let state = Locked(State())
    private let threads: Int

    init(threads: Int) { self.threads = threads }

    func connect(_ wake: @escaping @Sendable (Int) -> Void) {
        state.withLock { $0.wake = wake }
    }

    func run(parts: Int, _ body: @Sendable (Int) -> Void) {
        if parts <= 1 || threads == 1 {
            for part in 0..<parts { body(part) }
            return
        }
        withoutActuallyEscaping(body) { body in
            let job = SplitJob(parts: parts, body)
            let wake = state.withLock { state in
                state.jobs.append(job)
                return state.wake
            }
            wake?(min(parts, threads) - 1)
            _ = job.help()
            job.wait()
            state.withLock { state in state.jobs.removeAll { $0 === job } }
        }
    }

    /// Whether any work has parts that nobody has begun.
    var hasWork: Bool { state.withLock { $0.jobs.contains(where: \.hasParts) } }

    /// Runs parts of whatever work there is; returns how many.
    func help() -> Int {
        var count = 0
        while let job = state.withLock({ $0.jobs.first(where: \.hasParts) }) { count += job.help() }
        return count
    }
}
