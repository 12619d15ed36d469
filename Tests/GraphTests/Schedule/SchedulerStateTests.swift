import Media
import Testing

@testable import Graph

@Suite struct SchedulerStateTests {
    /// A knot: the source waits for room before the filter, the filter for room before the sink, the
    /// sink for the source's other output.
    ///
    /// - Parameters:
    ///   - filter: how the filter is run.
    ///   - waiting: how many packets the edge to the sink holds, which may hold one.
    /// - Returns: what looks for the knot.
    private func knot(filter: Execution, waiting: Int = 1) -> SchedulerState {
        var edges = [
            SchedulerState.Edge(writer: 0, reader: 1, slot: 0, capacity: 4, byteCapacity: 1000),
            SchedulerState.Edge(writer: 1, reader: 2, slot: 0, capacity: 1, byteCapacity: 1000),
            SchedulerState.Edge(writer: 0, reader: 2, slot: 1, capacity: 4, byteCapacity: 1000),
        ]
        for (edge, count) in [(0, 4), (1, waiting)] {
            edges[edge].waiting = count
            edges[edge].head = .zero
        }
        func node(
            _ execution: Execution,
            _ slots: [Int],
            _ outputs: [[Int]]
        ) -> SchedulerState.Node {
            SchedulerState.Node(
                execution: execution,
                slots: slots,
                rules: slots.map { _ in .inOrder },
                outputs: outputs,
                copies: 1
            )
        }
        let nodes = [
            node(.blocking, [], [[0], [2]]), node(filter, [0], [[1]]), node(.serial, [1, 2], []),
        ]
        return SchedulerState(nodes: nodes, edges: edges, threads: 2, memoryLimit: 1 << 30)
    }

    @Test(arguments: [
        (Execution.serial, SchedulerState.Action.wake(1)), (.blocking, .runBlocking(1)),
    ])
    func `who frees a knot is told whom to wake`(
        filter: Execution,
        action: SchedulerState.Action
    ) throws {
        var state = knot(filter: filter)
        guard case .enlarged(let edge, let actions) = state.relieve(at: 0) else {
            Issue.record("The knot was not found.")
            return
        }
        #expect(edge == 1)
        #expect(state.edges[1].capacity == 2)
        // Nobody else may be awake: a node that is only queued would wait for ever.
        #expect(actions == [action])
    }

    @Test func `an edge that is fuller than it may be does not end the search`() {
        var state = knot(filter: .serial, waiting: 6)
        guard case .enlarged(_, let actions) = state.relieve(at: 0) else {
            Issue.record("The knot was not found.")
            return
        }
        // Twice as much is too little for the filter; the source's edge, as small by then, is next.
        #expect(state.edges.map(\.capacity) == [8, 4, 4])
        #expect(actions == [.runBlocking(0)])
    }
}
