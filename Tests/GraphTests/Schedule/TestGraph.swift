import Media

@testable import Graph

/// Builds a plan without a graph file, and runs it with or without threads.
struct TestGraph {
    private var nodes: [GraphPlan.PlannedNode] = []
    private var edges: [GraphPlan.PlannedEdge] = []
    private var outputs: [GraphPlan.PlannedOutput] = []

    /// Adds a node; `from` names, in the order of its input slots, `node` or `node:capacity`.
    mutating func add<N: Node & ~Copyable>(
        _ name: String,
        _ type: N.Type,
        _ parameters: [String: JSON.Value] = [:],
        from: [(input: String, source: String, capacity: Int?)] = []
    ) {
        let members = parameters.sorted { $0.key < $1.key }.map {
            JSON.Member(
                key: $0.key,
                location: SourceLocation(line: 0, column: 0),
                value: JSON($0.value)
            )
        }
        var binding = Contract.Binding(node: name, object: JSON(.object(members)))
        for entry in from { binding.connections[entry.input, default: 0] += 1 }
        let bound = bind(type, binding)
        precondition(bound.contract.problems.isEmpty, "\(bound.contract.problems)")
        let schema = bound.contract.schema
        var inputs: [StreamInfo?] = []
        for (slot, entry) in from.enumerated() {
            guard let writer = nodes.firstIndex(where: { $0.name == entry.source }) else {
                preconditionFailure("There is no node \(entry.source).")
            }
            inputs.append(nodes[writer].formats.outputs[0])
            nodes[writer].formats.connected[0] = true
            edges.append(
                GraphPlan.PlannedEdge(
                    fromNode: writer,
                    fromOutput: 0,
                    toNode: nodes.count,
                    toSlot: slot,
                    capacity: entry.capacity
                )
            )
        }
        var formats = Formats(
            inputs: inputs,
            outputs: schema.outputs.count,
            connected: schema.outputs.map { _ in false },
            environment: NodeEnvironment()
        )
        for (index, output) in schema.outputs.enumerated() {
            if let like = output.like { formats.outputs[index] = formats.inputs[like] }
        }
        try? bound.slot.resolve(&formats)
        nodes.append(
            GraphPlan.PlannedNode(
                name: name,
                kind: N.kind,
                execution: N.execution,
                isInserted: false,
                type: type,
                binding: binding,
                bound: bound,
                formats: formats
            )
        )
    }

    var plan: GraphPlan {
        GraphPlan(
            description: nil,
            nodes: nodes,
            edges: edges,
            outputs: outputs,
            inputFiles: [],
            warnings: [],
            provenance: [],
            canonical: "",
            namesPresets: false
        )
    }
}

/// Runs a plan on the calling thread, one activation after another.
struct SteppedRun {
    let core: EngineCore
    private(set) var isFinished = false
    private var blocking: [Int] = []

    init(_ graph: TestGraph, capacity: Int = 4, threads: Int = 1, memoryLimit: Int = 1 << 40) throws
    {
        core = EngineCore(
            graph.plan,
            RunOptions(threads: threads, capacity: capacity, memoryLimit: memoryLimit),
            executor: SerialExecutor()
        )
        try core.start()
        note(core.shared.withLock { $0.state.begin(at: 0) })
    }

    private mutating func note(_ actions: [SchedulerState.Action]) {
        for action in actions {
            if case .runBlocking(let node) = action { blocking.append(node) }
            if action == .finished { isFinished = true }
        }
    }

    /// Runs until the end, or `steps` activations; `each` looks at the state after each.
    mutating func run(steps: Int = 1_000_000, _ each: (SchedulerState) -> Void = { _ in }) {
        var left = steps
        while !isFinished, left > 0 {
            left -= 1
            var seen: [SchedulerState.Action] = []
            let node = blocking.isEmpty ? nil : blocking.removeFirst()
            let activity = core.step(blocking: node, worker: 0) { seen += $0 }
            note(seen + (activity?.actions ?? []))
            if let node, activity != nil,
                core.shared.withLock({ $0.state.isReady(node) && $0.state.nodes[node].isQueued })
            {
                blocking.append(node)
            }
            each(core.shared.withLock { $0.state })
            if activity == nil, node == nil, blocking.isEmpty, !isFinished { return }
        }
    }

    var failure: RunFailure? { core.shared.withLock { $0.failure } }
}
