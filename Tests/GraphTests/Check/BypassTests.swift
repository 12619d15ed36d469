import Media
import Testing

@testable import Graph

@Suite struct BypassTests {
    private func text(_ nodes: String) -> String {
        "{ \"foxfire\": 1, \"nodes\": {\n\(nodes)\n} }"
    }

    @Test func `readers of what is bypassed read what it would read, through any number`() throws {
        let outcome = check(
            text(
                #"""
                "a": { "kind": "test.source" },
                "b": { "kind": "test.shift", "from": "a", "pitch": 5, "bypass": true },
                "c": { "kind": "test.shift", "from": "b", "pitch": 6, "bypass": true },
                "d": { "kind": "test.shift", "from": "c", "pitch": 7, "bypass": false },
                "z": { "kind": "test.sink", "from": ["c", "d"], "path": "o" }
                """#
            )
        )
        let plan = try #require(outcome.plan)
        #expect(plan.nodes.map(\.name) == ["a", "d", "z"])
        let edges = plan.edges.map { "\($0.fromNode)>\($0.toNode)" }.sorted()
        #expect(edges == ["0>1", "0>2", "1>2"])
    }

    @Test func `faults of what is bypassed are still told, and ends cannot be bypassed`() {
        let outcome = check(
            text(
                #"""
                "a": { "kind": "test.source", "bypass": true },
                "b": { "kind": "test.shift", "from": "a", "bypass": true, "pitch": 0 },
                "c": { "kind": "test.shift", "from": "b", "pitch": 6, "bypass": "yes" },
                "z": { "kind": "test.sink", "from": "c", "path": "o", "bypass": true }
                """#
            )
        )
        #expect(
            outcome.problems.map { $0.description.prefix(60) }
                == [
                    #"g.json:2:41: node "a": a test.source cannot be bypassed (onl"#,
                    #"g.json:3:68: node "b": "pitch" must be a whole number from 1"#,
                    #"g.json:4:65: node "c": "bypass" must be true or false, not "y"#,
                    #"g.json:5:65: node "z": a test.sink cannot be bypassed (only "#,
                ].map { $0.prefix(60) }
        )
    }
}
