import Dispatch
import Glibc
import Media

/// Runs one checked graph, once.
///
/// Nodes run on `threads` serial Dispatch queues; a blocking node has one of its own. (A concurrent
/// queue may run fewer blocks at once than there are cores; so many serial ones never do.)
public final class Engine: Sendable {
    private struct Worker {
        let queue: DispatchQueue
        /// It has nothing to do and no call is on its way.
        var isIdle = true
        var activations: Int64 = 0
        var busy: UInt64 = 0
        var parts: Int64 = 0
    }

    private let core: EngineCore
    private let executor: WorkerExecutor
    /// The workers, then a queue for each blocking node.
    private let workers: Locked<[Worker]>
    /// Of each blocking node, the position of its queue in `workers`.
    private let blockingQueues: [Int: Int]
    private let finished = DispatchSemaphore(value: 0)
    private let began = Locked<UInt64>(0)

    /// Prepares a run; nothing is opened yet.
    public init(_ plan: GraphPlan, _ options: RunOptions) {
        let executor = WorkerExecutor(threads: options.threads)
        self.executor = executor
        core = EngineCore(plan, options, executor: executor)
        var workers = (0..<options.threads).map { index in
            Worker(queue: DispatchQueue(label: "worker \(index + 1)"))
        }
        var blocking: [Int: Int] = [:]
        for (index, node) in plan.nodes.enumerated() where node.execution == .blocking {
            blocking[index] = workers.count
            workers.append(Worker(queue: DispatchQueue(label: node.name)))
        }
        blockingQueues = blocking
        self.workers = Locked(workers)
        executor.connect { [weak self] count in self?.wake(count) }
    }

    /// Runs the graph to its end on the engine's workers, and blocks until then.
    ///
    /// Outputs get their names only when every node is done.
    ///
    /// - Throws: what ended the run; no output has its name then.
    public func run() throws(RunFailure) -> RunReport {
        let begin = monotonicNanoseconds()
        began.withLock { $0 = begin }
        do {
            try core.start()
        } catch {
            core.outputs.discard()
            throw .node(error)
        }
        let actions = core.shared.withLock { shared in
            var actions = shared.state.begin(at: begin)
            if shared.state.isCancelled { actions.append(.finished) }
            return actions + [.wake(shared.state.ready.count)]
        }
        act(actions)
        waitForEnd()
        let failure = core.shared.withLock { shared in
            shared.failure ?? (shared.state.isCancelled ? .cancelled : nil)
        }
        if let failure {
            core.outputs.discard()
            throw failure
        }
        return try report(elapsed: monotonicNanoseconds() - begin)
    }

    /// Ends the run soon: sources stop, queued work is dropped, unfinished outputs are removed.
    ///
    /// May be called from any thread, at any time, more than once.
    public func cancel() { act(core.shared.withLock { $0.state.cancel() }) }

    /// Asks the nodes that take in what happens now to end; the rest of the graph ends after them.
    ///
    /// May be called from any thread, at any time, more than once.
    ///
    /// - Returns: false where there is no such node.
    public func endLiveSources() -> Bool {
        let live = core.plan.nodes.indices.filter {
            core.plan.nodes[$0].bound.contract.schema.isLive
        }
        for index in live { core.environments[index].askToEnd() }
        return !live.isEmpty
    }

    /// Waits until the graph is done; after a cancel, for two seconds at most.
    private func waitForEnd() {
        var moves: UInt64 = 0
        var quietSeconds = 0
        var cancelledSeconds = 0
        while finished.wait(timeout: .now() + .seconds(1)) == .timedOut {
            let (now, isCancelled) = core.shared.withLock {
                ($0.state.moves, $0.state.isCancelled)
            }
            if isCancelled {
                cancelledSeconds += 1
                // A call that does not return, as a read from a pipe, is left behind.
                if cancelledSeconds == 2 { return }
            }
            quietSeconds = now == moves ? quietSeconds + 1 : 0
            moves = now
            if quietSeconds == 10 { core.options.stalled?(core.statesText()) }
        }
    }

    // MARK: Workers

    private func act(_ actions: [SchedulerState.Action]) {
        for action in actions {
            switch action {
            case .wake(let count): wake(count)
            case .runBlocking(let node): runBlocking(node)
            case .release: break
            case .finished: finished.signal()
            }
        }
    }

    /// Calls up to `count` idle workers.
    private func wake(_ count: Int) {
        if count <= 0 { return }
        let calls = workers.withLock { workers -> [(Int, DispatchQueue)] in
            var calls: [(Int, DispatchQueue)] = []
            for index in 0..<core.options.threads where workers[index].isIdle {
                if calls.count == count { break }
                workers[index].isIdle = false
                calls.append((index, workers[index].queue))
            }
            return calls
        }
        for (index, queue) in calls { queue.async { [self] in work(index) } }
    }

    /// A worker's loop: parts of others' work first, then nodes, until there is nothing.
    private func work(_ index: Int) {
        while true {
            if executor.hasWork {
                let begin = monotonicNanoseconds()
                let parts = executor.help()
                let busy = monotonicNanoseconds() - begin
                workers.withLock { workers in
                    workers[index].parts += Int64(parts)
                    workers[index].busy += busy
                }
            }
            if let activity = core.step(worker: index, act) {
                note(activity, of: index)
                continue
            }
            workers.withLock { $0[index].isIdle = true }
            // Something may have come between the last look and going idle.
            let mayWork = core.shared.withLock { $0.state.ready.count > 0 && !$0.state.isCancelled }
            guard mayWork || executor.hasWork else { return }
            let isMine = workers.withLock { workers -> Bool in
                defer { workers[index].isIdle = false }
                return workers[index].isIdle
            }
            if !isMine { return }
        }
    }

    private func runBlocking(_ node: Int) {
        guard let index = blockingQueues[node] else { return }
        let queue = workers.withLock { $0[index].queue }
        queue.async { [self] in
            while let activity = core.step(blocking: node, worker: index, act) {
                note(activity, of: index)
            }
        }
    }

    /// Counts an activation before anybody hears of what came of it.
    private func note(_ activity: EngineCore.Activity, of index: Int) {
        workers.withLock { workers in
            workers[index].activations += 1
            workers[index].busy += activity.busy
        }
        act(activity.actions)
    }

    // MARK: What is told

    /// How far every sink has come.
    public func progress() -> [Progress] {
        core.shared.withLock { shared in
            core.plan.nodes.indices.compactMap { index in
                let node = core.plan.nodes[index]
                guard shared.state.nodes[index].outputs.isEmpty else { return nil }
                let output = core.plan.outputs.first { $0.node == node.name }
                let durations = node.formats.inputs.compactMap { $0?.duration }
                return Progress(
                    node: node.name,
                    path: output?.path,
                    time: shared.nodes[index].statistics.lastTime ?? .zero,
                    duration: durations.max(),
                    packets: shared.nodes[index].statistics.packetsInFirst
                )
            }
        }
    }

    /// The activations kept for a trace, as Chrome trace events (JSON); empty without tracing.
    public func trace() -> String {
        guard core.options.isTracing else { return "" }
        let names = workers.withLock { $0.map(\.queue.label) }
        let log = core.shared.withLock { $0.trace }
        let bytes = log.chromeTrace(
            nodes: core.plan.nodes.map(\.name),
            workers: names,
            origin: began.withLock { $0 }
        )
        return String(decoding: bytes, as: UTF8.self)
    }

    private func report(elapsed: UInt64) throws(RunFailure) -> RunReport {
        let report = statistics(elapsed: elapsed)
        if core.options.isStrict, report.hasDamage {
            core.outputs.discard()
            throw .damaged(report)
        }
        let paths = core.outputs.paths
        do {
            if let reason = try core.outputs.commit(unless: core.options.withholds) {
                throw RunFailure.withheld(reason)
            }
        } catch let error as FileError {
            throw .output(error)
        } catch let error as RunFailure {
            throw error
        } catch {
            fatalError("Outputs fail with nothing else.")
        }
        return RunReport(
            outputs: paths.map(written),
            nodes: report.nodes,
            edges: report.edges,
            workers: report.workers,
            elapsed: report.elapsed,
            peakEdgeBytes: report.peakEdgeBytes,
            peakMemory: Self.peakMemory()
        )
    }

    /// What was done, before any output has its name.
    private func statistics(elapsed: UInt64) -> RunReport {
        RunReport(
            outputs: [],
            nodes: core.nodeStatistics(),
            edges: core.edgeStatistics(),
            workers: workers.withLock { workers in
                workers.map {
                    RunReport.WorkerStatistics(
                        name: $0.queue.label,
                        activations: $0.activations,
                        busy: $0.busy,
                        parts: $0.parts
                    )
                }
            },
            elapsed: elapsed,
            peakEdgeBytes: core.shared.withLock { $0.state.peakBytes },
            peakMemory: Self.peakMemory()
        )
    }

    private func written(_ path: String) -> RunReport.Output {
        var status = stat()
        let size = unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
        return RunReport.Output(
            path: path,
            bytes: size,
            sha256: try? core.options.digest?(path)
        )
    }

    /// The most resident memory the process had, in bytes.
    private static func peakMemory() -> Int {
        var usage = rusage()
        unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
        return usage.ru_maxrss * 1024
    }
}
