import Media

extension EngineCore {
    /// What is counted of a node.
    struct NodeCounters {
        var busy: UInt64 = 0
        var activations: Int64 = 0
        var packetsIn: Int64 = 0
        /// Of them, those of the first input.
        var packetsInFirst: Int64 = 0
        var packetsOut: Int64 = 0
        var unmatched: Int64 = 0
        var lastTime: MediaTime?
    }

    /// What every node did, in the plan's order.
    func nodeStatistics() -> [RunReport.NodeStatistics] {
        shared.withLock { shared in
            plan.nodes.indices.map { index in
                let counters = shared.nodes[index].statistics
                let wait = shared.state.nodes[index].wait
                return RunReport.NodeStatistics(
                    name: plan.nodes[index].name,
                    kind: plan.nodes[index].kind,
                    isInserted: plan.nodes[index].isInserted,
                    busy: counters.busy,
                    waitingForInput: wait.forInput,
                    waitingForRoom: wait.forRoom,
                    activations: counters.activations,
                    packetsIn: counters.packetsIn,
                    packetsOut: counters.packetsOut,
                    unmatched: counters.unmatched,
                    notices: environments[index].notices.withLock { $0 }
                )
            }
        }
    }

    /// What every edge carried, in the plan's order.
    func edgeStatistics() -> [RunReport.EdgeStatistics] {
        shared.withLock { shared in
            plan.edges.indices.map { index in
                let edge = shared.state.edges[index]
                return RunReport.EdgeStatistics(
                    from: outputName(plan.edges[index]),
                    to: inputName(plan.edges[index]),
                    capacity: edge.capacity,
                    packets: edge.total,
                    peakPackets: edge.peakPackets,
                    peakBytes: edge.peakBytes,
                    reliefs: edge.reliefs
                )
            }
        }
    }
}
