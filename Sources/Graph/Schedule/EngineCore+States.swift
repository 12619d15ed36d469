import Media

extension EngineCore {
    /// Who waits for what in a knot that cannot be freed.
    func deadlockText(_ knot: [Int], _ shared: Shared) -> String {
        var lines: [String] = []
        for node in knot { lines.append("  " + stateText(node, shared)) }
        let limit = shared.state.bytes >= shared.state.memoryLimit
        let reason =
            limit
            ? "the edges hold \(shared.state.bytes) bytes, and the limit is "
                + "\(shared.state.memoryLimit) (--memory-limit)"
            : "no edge between them is full"
        return "deadlock: these nodes wait for each other, and \(reason):\n"
            + lines.joined(separator: "\n")
    }

    /// All nodes that are not done, a line each: what they do or wait for.
    func statesText() -> String {
        shared.withLock { shared in
            plan.nodes.indices.filter { !shared.state.nodes[$0].isDone }
                .map { "  " + stateText($0, shared) }.joined(separator: "\n")
        }
    }

    private func stateText(_ index: Int, _ shared: Shared) -> String {
        let state = shared.state
        let node = state.nodes[index]
        let name = "\"\(plan.nodes[index].name)\""
        if node.running > 0 { return "\(name) runs" }
        if state.isReady(index) { return "\(name) is ready to run" }
        if state.hasWork(index) {
            let full = node.outputs.flatMap { $0 }.filter { state.edges[$0].isFull }.map { edge in
                "\(edgeName(edge)) (\(state.edges[edge].packets) of "
                    + "\(state.edges[edge].capacity) packets, \(state.edges[edge].bytes) bytes)"
            }
            return "\(name) waits for room on \(full.joined(separator: ", "))"
        }
        let missing = state.missingInputs(index).map { slot in
            edgeName(node.slots[slot])
        }
        return "\(name) waits for input on \(missing.joined(separator: ", "))"
    }

    /// `node.port -> node.port` of an edge.
    func edgeName(_ edge: Int) -> String {
        let planned = plan.edges[edge]
        return "\(outputName(planned)) -> \(inputName(planned))"
    }

    func outputName(_ edge: GraphPlan.PlannedEdge) -> String {
        let node = plan.nodes[edge.fromNode]
        return "\(node.name).\(node.bound.contract.schema.outputs[edge.fromOutput].name)"
    }

    func inputName(_ edge: GraphPlan.PlannedEdge) -> String {
        let node = plan.nodes[edge.toNode]
        let schema = node.bound.contract.schema
        return "\(node.name).\(schema.inputs[schema.slots[edge.toSlot]].name)"
    }
}
