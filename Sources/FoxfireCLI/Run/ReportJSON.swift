import Graph

extension RunReport {
    /// The report as its schema describes it.
    ///
    /// - Parameter graph: the graph's file as the user named it.
    /// - Returns: an object.
    func json(graph: String) -> JSON.Value {
        [
            "foxfire": 1,
            "version": .string(foxfireVersion),
            "graph": .string(graph),
            "elapsedSeconds": seconds(elapsed),
            "peakMemoryBytes": .integer(peakMemory),
            "peakEdgeBytes": .integer(peakEdgeBytes),
            "outputs": .list(
                outputs.map { output in
                    .record([
                        "path": .string(output.path), "bytes": .integer(output.bytes),
                        "sha256": output.sha256.map { .string($0) },
                    ])
                }
            ),
            "nodes": .list(nodes.map(json)),
            "edges": .list(edges.map(json)),
            "workers": .list(
                workers.map { worker in
                    [
                        "name": .string(worker.name), "activations": .integer(worker.activations),
                        "busySeconds": seconds(worker.busy), "parts": .integer(worker.parts),
                    ]
                }
            ),
        ]
    }

    private func json(_ node: NodeStatistics) -> JSON.Value {
        [
            "name": .string(node.name), "kind": .string(node.kind),
            "inserted": .boolean(node.isInserted), "busySeconds": seconds(node.busy),
            "waitingForInputSeconds": seconds(node.waitingForInput),
            "waitingForRoomSeconds": seconds(node.waitingForRoom),
            "activations": .integer(node.activations), "packetsIn": .integer(node.packetsIn),
            "packetsOut": .integer(node.packetsOut), "unmatched": .integer(node.unmatched),
            "warnings": .list(node.notices.warnings.map { .string($0) }),
            "damages": .list(node.notices.damages.map { .string($0) }),
            "damageCount": .integer(node.notices.damageCount),
        ]
    }

    private func json(_ edge: EdgeStatistics) -> JSON.Value {
        [
            "from": .string(edge.from), "to": .string(edge.to), "capacity": .integer(edge.capacity),
            "packets": .integer(edge.packets), "peakPackets": .integer(edge.peakPackets),
            "peakBytes": .integer(edge.peakBytes), "reliefs": .integer(edge.reliefs),
        ]
    }

    private func seconds(_ nanoseconds: UInt64) -> JSON.Value {
        .number(fixed(Double(nanoseconds) / 1e9, digits: 6))
    }
}
