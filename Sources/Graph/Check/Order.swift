extension Checker {
    /// Writers before readers, as near to the file's order as that allows, and the nodes that lie on
    /// or between cycles, which are told.
    mutating func sorted() -> (order: [Int], cyclic: [Int]) {
        incoming = Array(repeating: [], count: drafts.count)
        outgoing = Array(repeating: [], count: drafts.count)
        for edge in edges {
            incoming[edge.to].append(edge)
            outgoing[edge.from].append(edge)
        }
        let isCyclic = tellCycles()
        var order: [Int] = []
        var isVisited = isCyclic
        // An explicit stack: a chain may be as long as a file allows.
        for start in drafts.indices where !isVisited[start] {
            var stack = [(node: start, next: 0)]
            isVisited[start] = true
            while let (node, next) = stack.last {
                if next < incoming[node].count {
                    stack[stack.count - 1].next += 1
                    let writer = incoming[node][next].from
                    if !isVisited[writer] {
                        isVisited[writer] = true
                        stack.append((writer, 0))
                    }
                } else {
                    order.append(node)
                    stack.removeLast()
                }
            }
        }
        return (order, drafts.indices.filter { isCyclic[$0] })
    }

    /// Tells one cycle of each knot of nodes; of each node, whether it lies in a knot.
    private mutating func tellCycles() -> [Bool] {
        var isAlive = Array(repeating: true, count: drafts.count)
        strip(&isAlive)
        let isCyclic = isAlive
        var start = 0
        while problems.count < JSONReader.problemLimit,
            let first = isAlive[start...].firstIndex(of: true)
        {
            start = first
            var cycle = self.cycle(from: first, isAlive)
            let earliest = cycle.indices.min { cycle[$0].from < cycle[$1].from } ?? 0
            cycle = Array(cycle[earliest...] + cycle[..<earliest])
            guard let closing = cycle.last else { break }
            let path = (cycle.map(\.from) + [closing.to]).map { drafts[$0].name }
            problems.append(
                Problem(
                    .cycle,
                    "nodes feed each other in a circle: \(path.joined(separator: " → "))",
                    at: closing.location,
                    node: drafts[closing.to].name,
                    pointer: closing.pointer,
                    hint: "a graph leads from sources to ends"
                )
            )
            for edge in cycle { isAlive[edge.from] = false }
            strip(&isAlive)
        }
        return isCyclic
    }

    /// Takes away, again and again, what has no writer or no reader among the living: what is left
    /// lies on cycles, or on ways from one to another.
    private func strip(_ isAlive: inout [Bool]) {
        var writers = drafts.indices.map { incoming[$0].count { isAlive[$0.from] } }
        var readers = drafts.indices.map { outgoing[$0].count { isAlive[$0.to] } }
        var waiting = drafts.indices.filter {
            isAlive[$0] && (writers[$0] == 0 || readers[$0] == 0)
        }
        while let node = waiting.popLast() {
            guard isAlive[node] else { continue }
            isAlive[node] = false
            for edge in outgoing[node] where isAlive[edge.to] {
                writers[edge.to] -= 1
                if writers[edge.to] == 0 { waiting.append(edge.to) }
            }
            for edge in incoming[node] where isAlive[edge.from] {
                readers[edge.from] -= 1
                if readers[edge.from] == 0 { waiting.append(edge.from) }
            }
        }
    }

    /// The first cycle met on a walk along living nodes, of which each has a living reader.
    private func cycle(from start: Int, _ isAlive: [Bool]) -> [Edge] {
        var walk: [Edge] = []
        var step: [Int: Int] = [:]
        var node = start
        while step[node] == nil, let edge = outgoing[node].first(where: { isAlive[$0.to] }) {
            step[node] = walk.count
            walk.append(edge)
            node = edge.to
        }
        return Array(walk[(step[node] ?? 0)...])
    }
}
