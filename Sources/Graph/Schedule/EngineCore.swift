import Media

/// The packets and nodes of one run, moved as `SchedulerState` says.
///
/// Knows no queue: `step` runs one activation on the calling thread, so that tests need no threads.
final class EngineCore: Sendable {
    /// A stateless node's outputs that wait for an earlier copy's.
    struct Pending {
        var outcome: SchedulerState.Outcome
        var buffers: [PacketBuffer]
    }

    /// One node at run time.
    struct RunningNode {
        let plan: GraphPlan.PlannedNode
        /// The instances; a stateless node has as many as ran at once so far.
        var copies: [NodeInstance]
        var free: [Int]
        /// Numbers activations of a stateless node in the order of their input.
        var nextTicket = 0
        var nextMerge = 0
        var pending: [Int: Pending] = [:]
        var nextIndex: [Int64]
        var statistics = NodeCounters()
    }

    struct Shared {
        var state: SchedulerState
        var nodes: [RunningNode]
        /// What waits on each edge.
        var queues: [PacketBuffer]
        var failure: RunFailure?
        var lastKnotCheck: UInt64 = 0
        var isFinished = false
        var trace = TraceLog()
    }

    /// What a claimed activation needs outside the lock.
    struct Job {
        let grant: SchedulerState.Grant
        let instance: NodeInstance
        let copy: Int
        let ticket: Int
    }

    let shared: Locked<Shared>
    let table = FormatTable()
    let environments: [NodeEnvironment]
    let outputs: OutputStore
    let plan: GraphPlan
    let options: RunOptions

    init(_ plan: GraphPlan, _ options: RunOptions, executor: any Executor) {
        self.plan = plan
        self.options = options
        let outputs = OutputStore(
            keeping: options.keeps,
            replacing: options.replaces,
            tag: options.temporaryTag
        )
        self.outputs = outputs
        environments = plan.nodes.map { _ in
            NodeEnvironment(
                executor: executor,
                outputs: outputs,
                provenance: plan.provenance,
                mayReadStandardInput: true,
                verification: options.verification
            )
        }
        let edges = plan.edges.map { edge in
            SchedulerState.Edge(
                writer: edge.fromNode,
                reader: edge.toNode,
                slot: edge.toSlot,
                capacity: edge.capacity ?? options.capacity,
                byteCapacity: options.edgeBytes
            )
        }
        var nodes: [SchedulerState.Node] = []
        var running: [RunningNode] = []
        for (index, node) in plan.nodes.enumerated() {
            let schema = node.bound.contract.schema
            let slots = schema.slots.indices.map { slot in
                guard
                    let edge = plan.edges.firstIndex(where: {
                        $0.toNode == index && $0.toSlot == slot
                    })
                else { preconditionFailure("Input slot \(slot) of \(node.name) has no edge.") }
                return edge
            }
            let outputs = schema.outputs.indices.map { output in
                plan.edges.indices.filter {
                    plan.edges[$0].fromNode == index && plan.edges[$0].fromOutput == output
                }
            }
            let isSplittable = node.execution == .stateless && slots.count == 1
            nodes.append(
                SchedulerState.Node(
                    execution: node.execution,
                    slots: slots,
                    rules: schema.slots.map { schema.inputs[$0].rule },
                    outputs: outputs,
                    copies: isSplittable ? options.threads : 1
                )
            )
            var formats = node.formats
            formats.environment = environments[index]
            running.append(
                RunningNode(
                    plan: node,
                    copies: [
                        NodeInstance(
                            name: node.name,
                            bound: node.bound,
                            formats: formats,
                            table: table
                        )
                    ],
                    free: [0],
                    nextIndex: Array(repeating: 0, count: outputs.count)
                )
            )
        }
        let state = SchedulerState(
            nodes: nodes,
            edges: edges,
            threads: options.threads,
            memoryLimit: options.memoryLimit
        )
        shared = Locked(
            Shared(
                state: state,
                nodes: running,
                queues: edges.map { _ in PacketBuffer(capacity: 8) }
            )
        )
    }

    deinit {
        shared.withLock { shared in
            for index in shared.queues.indices {
                shared.queues[index].removeAll(from: 0)
                shared.queues[index].free()
            }
            for index in shared.nodes.indices {
                for (_, var pending) in shared.nodes[index].pending {
                    for buffer in pending.buffers.indices {
                        pending.buffers[buffer].removeAll(from: 0)
                        pending.buffers[buffer].free()
                    }
                }
            }
        }
    }

    /// Starts every node, writers before readers.
    func start() throws(NodeFailure) {
        let instances = shared.withLock { $0.nodes.map { $0.copies[0] } }
        for instance in instances {
            if shared.withLock({ $0.state.isCancelled }) { return }
            try instance.start()
        }
    }

    // MARK: One activation

    /// Runs one activation on the calling thread; nil when there is none.
    ///
    /// - Parameters:
    ///   - blocking: the blocking node whose queue this is; nil for a worker.
    ///   - worker: the number under which a trace shows it.
    ///   - act: is told what to wake before the activation runs.
    /// - Returns: what it did, and what the caller must do now.
    func step(
        blocking: Int? = nil,
        worker: Int,
        _ act: ([SchedulerState.Action]) -> Void
    ) -> Activity? {
        let begin = monotonicNanoseconds()
        guard let job = claim(blocking: blocking, at: begin, act) else { return nil }
        var failure: RunFailure?
        do {
            try run(job, since: begin)
        } catch {
            failure = .node(error)
        }
        let end = monotonicNanoseconds()
        let actions = shared.withLock { shared in
            if let failure { fail(failure, &shared) }
            let node = job.grant.node
            let packets = shared.nodes[node].statistics.packetsIn
            var actions = finish(job, elapsed: end - begin, at: end, &shared)
            if options.isTracing {
                shared.trace.append(
                    worker: worker,
                    node: node,
                    from: begin,
                    to: end,
                    packets: Int(shared.nodes[node].statistics.packetsIn - packets)
                )
            }
            // A knot is also looked for while another part of the graph keeps all workers busy.
            // The last activation before everything stands still must look, too.
            let isIdle = shared.state.running == 0 && shared.state.ready.count == 0
            if isIdle || end > shared.lastKnotCheck + 10_000_000 {
                actions += relieve(at: end, &shared)
            }
            if shared.failure != nil { actions += shared.state.cancel() }
            if actions.contains(.finished) { shared.isFinished = true }
            return actions
        }
        // The caller's loop goes on with its own node anyway.
        return Activity(
            busy: end - begin,
            actions: actions.filter { $0 != blocking.map(SchedulerState.Action.runBlocking) }
        )
    }

    struct Activity {
        let busy: UInt64
        /// What the caller must do now.
        let actions: [SchedulerState.Action]
    }

    private func claim(
        blocking: Int?,
        at now: UInt64,
        _ act: ([SchedulerState.Action]) -> Void
    ) -> Job? {
        var actions: [SchedulerState.Action] = []
        let job = shared.withLock { shared -> Job? in
            if shared.state.isCancelled { return nil }
            var grant =
                blocking.map { shared.state.claim(blocking: $0, at: now) }
                ?? shared.state.claim(at: now)
            if grant == nil, blocking == nil,
                now > shared.lastKnotCheck + 1_000_000 || shared.state.running == 0
            {
                actions = relieve(at: now, &shared)
                if shared.failure != nil { actions += shared.state.cancel() }
                if actions.contains(.finished) { shared.isFinished = true }
                grant = shared.state.claim(at: now)
            }
            return grant.map { prepare($0, &shared) }
        }
        if !actions.isEmpty { act(actions) }
        return job
    }

    private func relieve(at now: UInt64, _ shared: inout Shared) -> [SchedulerState.Action] {
        shared.lastKnotCheck = now
        switch shared.state.relieve(at: now) {
        case .none: return []
        case .enlarged(_, let actions): return actions
        case .deadlock(let knot):
            fail(.deadlock(deadlockText(knot, shared)), &shared)
            return []
        }
    }

    private func fail(_ failure: RunFailure, _ shared: inout Shared) {
        if shared.failure == nil, !shared.state.isCancelled { shared.failure = failure }
    }

    /// Puts the packets of a grant into the lanes of an instance.
    private func prepare(_ grant: SchedulerState.Grant, _ shared: inout Shared) -> Job {
        let index = grant.node
        let copy: Int
        if let finishing = grant.finishing {
            while shared.nodes[index].copies.count <= finishing { addCopy(index, &shared) }
            copy = finishing
            shared.nodes[index].free.removeAll { $0 == copy }
        } else {
            if shared.nodes[index].free.isEmpty { addCopy(index, &shared) }
            copy = shared.nodes[index].free.removeLast()
        }
        let instance = shared.nodes[index].copies[copy]
        let activation = instance.activation
        for (slot, edge) in shared.state.nodes[index].slots.enumerated() {
            let lane = unsafe activation.inputs + slot
            if let share = grant.share {
                unsafe lane.pointee.packets.append(moving: share, from: &shared.queues[edge])
            } else if unsafe lane.pointee.packets.count == 0 {
                unsafe swap(&lane.pointee.packets, &shared.queues[edge])
            } else {
                unsafe lane.pointee.packets.append(moving: &shared.queues[edge])
            }
            unsafe lane.pointee.bound = shared.state.edges[edge].bound
            unsafe lane.pointee.hasEnded =
                shared.state.edges[edge].hasEnded && (grant.share == nil || grant.finishing != nil)
        }
        for (output, room) in grant.rooms.enumerated() {
            let lane = unsafe activation.outputs + output
            unsafe lane.pointee.isConnected = room != nil
            // A copy's share is cut to the room there is, and it must use up its share.
            unsafe lane.pointee.room = grant.share == nil ? room?.packets ?? .max : .max
            unsafe lane.pointee.byteRoom = grant.share == nil ? room?.bytes ?? .max : .max
        }
        let ticket = shared.nodes[index].nextTicket
        shared.nodes[index].nextTicket += 1
        return Job(grant: grant, instance: instance, copy: copy, ticket: ticket)
    }

    private func addCopy(_ index: Int, _ shared: inout Shared) {
        let node = shared.nodes[index].plan
        var formats = node.formats
        formats.environment = environments[index]
        let instance = NodeInstance(
            name: node.name,
            bound: bind(node.type, node.binding),
            formats: formats,
            table: table
        )
        instance.needsStart = true
        shared.nodes[index].free.append(shared.nodes[index].copies.count)
        shared.nodes[index].copies.append(instance)
    }

    private func run(_ job: Job, since begin: UInt64) throws(NodeFailure) {
        if job.instance.needsStart {
            job.instance.needsStart = false
            try job.instance.start()
        }
        guard job.grant.share != nil else {
            return try job.instance.drive(
                ActivationBudget(
                    deadline: begin + 1_000_000,
                    packets: 64,
                    isFast: job.instance.isFast
                )
            )
        }
        // A copy uses up its share, however long it takes: what comes after went to another copy.
        repeat {
            try job.instance.drive(ActivationBudget(deadline: .max, packets: .max))
        } while unsafe job.instance.activation.wantsMore
            || (job.instance.phase == .running
                && job.instance.activation.inputs[0].waiting > 0)
    }

    // MARK: What came of it

    private func finish(
        _ job: Job,
        elapsed: UInt64,
        at now: UInt64,
        _ shared: inout Shared
    ) -> [SchedulerState.Action] {
        let index = job.grant.node
        var outcome = collect(job, elapsed: elapsed, &shared)
        job.instance.isFast = elapsed < 64_000
        shared.nodes[index].statistics.busy += elapsed
        shared.nodes[index].statistics.activations += 1
        shared.nodes[index].free.append(job.copy)
        var actions: [SchedulerState.Action] = []
        if job.grant.share != nil {
            var buffers: [PacketBuffer] = []
            for output in 0..<job.instance.activation.outputCount {
                var buffer = PacketBuffer(capacity: 8)
                unsafe swap(&buffer, &job.instance.activation.outputs[output].packets)
                buffers.append(buffer)
            }
            shared.nodes[index].pending[job.ticket] = Pending(outcome: outcome, buffers: buffers)
            while var next = shared.nodes[index].pending.removeValue(
                forKey: shared.nodes[index].nextMerge
            ) {
                shared.nodes[index].nextMerge += 1
                for output in next.buffers.indices {
                    deliver(&next.buffers[output], from: index, output, renumber: true, &shared)
                    next.buffers[output].free()
                }
                actions += shared.state.complete(next.outcome, at: now)
            }
        } else {
            // Also keeps the order of tickets when copies are finished.
            shared.nodes[index].nextMerge = job.ticket + 1
            for output in 0..<job.instance.activation.outputCount {
                unsafe deliver(
                    &job.instance.activation.outputs[output].packets,
                    from: index,
                    output,
                    renumber: job.grant.finishing != nil,
                    &shared
                )
            }
            outcome.isDone = job.instance.phase == .done
            actions += shared.state.complete(outcome, at: now)
        }
        for slot in outcome.closedSlots {
            shared.queues[shared.state.nodes[index].slots[slot]].removeAll(from: 0)
        }
        for case .release(let node) in actions { release(node, &shared) }
        let waiting = shared.state.ready.count
        if waiting > 0 { actions.append(.wake(waiting)) }
        return actions
    }

    /// Reads off the lanes what an activation did.
    private func collect(
        _ job: Job,
        elapsed: UInt64,
        _ shared: inout Shared
    ) -> SchedulerState.Outcome {
        let activation = job.instance.activation
        let index = job.grant.node
        var outcome = SchedulerState.Outcome(
            node: index,
            share: job.grant.share,
            taken: [],
            emitted: []
        )
        outcome.elapsed = elapsed
        for slot in 0..<activation.inputCount {
            let lane = unsafe activation.inputs + slot
            let edge = shared.state.nodes[index].slots[slot]
            let held = job.grant.share ?? shared.state.edges[edge].taken
            unsafe lane.pointee.packets.dropMoved(lane.pointee.next)
            unsafe lane.pointee.next = 0
            unsafe lane.pointee.limit = 0
            let left = unsafe lane.pointee.packets.count
            var taken = SchedulerState.Outcome.Taken(packets: held - left, left: left)
            taken.bytes = unsafe lane.pointee.consumedBytes
            unsafe lane.pointee.consumedBytes = 0
            taken.head = unsafe lane.pointee.headTime
            outcome.taken.append(taken)
            shared.nodes[index].statistics.packetsIn += Int64(taken.packets)
            if slot == 0 {
                shared.nodes[index].statistics.packetsInFirst += Int64(taken.packets)
            }
            unsafe shared.nodes[index].statistics.unmatched += Int64(lane.pointee.unmatched)
            unsafe lane.pointee.unmatched = 0
            if let time = unsafe lane.pointee.lastTime {
                shared.nodes[index].statistics.lastTime = max(
                    shared.nodes[index].statistics.lastTime ?? time,
                    time
                )
            }
            if unsafe lane.pointee.isClosed, !shared.state.edges[edge].isClosed {
                outcome.closedSlots.append(slot)
            }
        }
        for output in 0..<activation.outputCount {
            let lane = unsafe activation.outputs + output
            var emitted = SchedulerState.Outcome.Emitted()
            emitted.packets = unsafe lane.pointee.packets.count
            emitted.bytes = unsafe lane.pointee.bytes
            unsafe lane.pointee.bytes = 0
            emitted.advancedTo = unsafe lane.pointee.advancedTo
            if emitted.packets > 0 {
                emitted.first = unsafe lane.pointee.packets.base[0].time
                emitted.last = unsafe lane.pointee.packets.base[emitted.packets - 1].time
            }
            outcome.emitted.append(emitted)
            shared.nodes[index].statistics.packetsOut += Int64(emitted.packets)
        }
        outcome.wantsMore = activation.wantsMore
        outcome.isFinishing = job.instance.phase != .running && job.instance.phase != .done
        return outcome
    }

    /// Moves packets from an output to the queues of its edges.
    private func deliver(
        _ buffer: inout PacketBuffer,
        from node: Int,
        _ output: Int,
        renumber: Bool,
        _ shared: inout Shared
    ) {
        if renumber {
            for position in 0..<buffer.count {
                unsafe buffer.base[position].index = shared.nodes[node].nextIndex[output]
                shared.nodes[node].nextIndex[output] += 1
            }
        }
        let edges = shared.state.nodes[node].outputs[output].filter {
            !shared.state.edges[$0].isClosed
        }
        for edge in edges.dropLast() {
            for position in 0..<buffer.count {
                unsafe shared.queues[edge].append(buffer.base[position])
            }
        }
        if let edge = edges.last {
            if shared.queues[edge].count == 0 {
                swap(&shared.queues[edge], &buffer)
            } else {
                shared.queues[edge].append(moving: &buffer)
            }
        } else {
            buffer.removeAll(from: 0)
        }
    }

    /// Frees a node that will not run again, and what waits for it.
    private func release(_ node: Int, _ shared: inout Shared) {
        for copy in shared.nodes[node].copies { copy.slot.clear() }
        for edge in shared.state.nodes[node].slots { shared.queues[edge].removeAll(from: 0) }
    }
}
