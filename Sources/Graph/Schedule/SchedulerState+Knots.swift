extension SchedulerState {
    /// What looking for a deadlock came to.
    enum Relief {
        /// Every node that waits can still be served.
        case none
        /// An edge was enlarged: these actions follow.
        case enlarged(edge: Int, [Action])
        /// A knot cannot be freed: more memory than allowed, or no full edge in it.
        case deadlock([Int])
    }

    /// The nodes that a waiting node needs to act first; empty for one that is not waiting.
    private func awaited(_ index: Int) -> [Int] {
        if hasWork(index) {
            return nodes[index].outputs.flatMap { $0 }.filter { edges[$0].isFull }
                .map { edges[$0].reader }
        }
        return missingInputs(index).map { edges[nodes[index].slots[$0]].writer }
    }

    /// Finds a knot of nodes that wait for each other and enlarges its smallest full edges, until one of
    /// its nodes can run.
    ///
    /// This is Parks' rule for Kahn networks, applied to one knot at a time, so that a part of a graph
    /// is freed while another runs. One edge may not be enough: an edge can hold more than it may, and a
    /// node waits for room on all its outputs. O(nodes + edges) an edge but for nodes with many inputs.
    mutating func relieve(at now: UInt64) -> Relief {
        var result = enlargeOne()
        while case .enlarged(_, let actions) = result, actions.isEmpty {
            let next = enlargeOne()
            if case .none = next { break }
            result = next
        }
        return result
    }

    private mutating func enlargeOne() -> Relief {
        let waits: [[Int]?] = nodes.indices.map { index in
            let node = nodes[index]
            if node.isDone || node.isDoomed || node.running > 0 || isReady(index) { return nil }
            return awaited(index)
        }
        var isStuck = waits.map { $0 != nil }
        var changed = true
        while changed {
            changed = false
            for (index, wait) in waits.enumerated() where isStuck[index] {
                guard let wait, !wait.isEmpty, wait.allSatisfy({ !isStuck[$0] }) else { continue }
                isStuck[index] = false
                changed = true
            }
        }
        let stuck = nodes.indices.filter { isStuck[$0] }
        guard !stuck.isEmpty else { return .none }
        let knot = Self.bottomKnot(of: stuck) { index in
            (waits[index] ?? []).filter { isStuck[$0] }
        }
        let members = Set(knot)
        let full = edges.indices.filter { edge in
            edges[edge].isFull && members.contains(edges[edge].writer)
                && members.contains(edges[edge].reader)
        }
        guard let smallest = full.min(by: { edges[$0].capacity < edges[$1].capacity }),
            bytes < memoryLimit, edges[smallest].capacity < 1 << 30
        else { return .deadlock(knot) }
        edges[smallest].capacity *= 2
        edges[smallest].byteCapacity = max(
            edges[smallest].byteCapacity,
            edges[smallest].byteCapacity &* 2
        )
        edges[smallest].reliefs += 1
        var actions: [Action] = []
        let writer = edges[smallest].writer
        if isReady(writer), !nodes[writer].isQueued {
            nodes[writer].isQueued = true
            if nodes[writer].execution == .blocking {
                actions.append(.runBlocking(writer))
            } else {
                ready.append(writer)
                // It may be a blocking node's queue that looks, while every worker sleeps.
                actions.append(.wake(1))
            }
        }
        return .enlarged(edge: smallest, actions)
    }

    /// A strongly connected set of stuck nodes that waits for none outside itself (Tarjan 1972).
    private static func bottomKnot(of nodes: [Int], _ waits: (Int) -> [Int]) -> [Int] {
        var order: [Int: Int] = [:]
        var low: [Int: Int] = [:]
        var stack: [Int] = []
        var onStack: Set<Int> = []
        // The first component that is completed waits for no other: that is Tarjan's order.
        func visit(_ root: Int) -> [Int]? {
            var work: [(node: Int, next: Int)] = [(root, 0)]
            while let (node, next) = work.last {
                if next == 0 {
                    order[node] = order.count
                    low[node] = order[node]
                    stack.append(node)
                    onStack.insert(node)
                }
                let targets = waits(node)
                if next < targets.count {
                    work[work.count - 1].next += 1
                    let target = targets[next]
                    if order[target] == nil {
                        work.append((target, 0))
                    } else if onStack.contains(target) {
                        low[node] = min(low[node] ?? 0, order[target] ?? 0)
                    }
                    continue
                }
                if low[node] == order[node], let start = stack.firstIndex(of: node) {
                    return Array(stack[start...])
                }
                work.removeLast()
                if let parent = work.last?.node {
                    low[parent] = min(low[parent] ?? 0, low[node] ?? 0)
                }
            }
            return nil
        }
        for node in nodes where order[node] == nil {
            if let knot = visit(node) { return knot }
        }
        return nodes
    }
}
