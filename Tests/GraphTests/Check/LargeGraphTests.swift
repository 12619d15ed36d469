import Graph
import Testing

/// Graphs as long as a file allows take time in proportion to their length.
@Suite struct LargeGraphTests {
    private func time(_ nodes: [String]) -> (outcome: GraphCheck.Outcome, time: Duration) {
        let text = "{ \"foxfire\": 1, \"nodes\": {\n\(nodes.joined(separator: ",\n"))\n} }"
        var outcome = check("")
        let time = ContinuousClock().measure { outcome = check(text) }
        return (outcome, time)
    }

    private func chain(_ count: Int) -> [String] {
        [#""n0": { "kind": "test.source" }"#]
            + (1..<count).map { #""n\#($0)": { "kind": "test.pass", "from": "n\#($0 - 1)" }"# }
            + [#""z": { "kind": "test.sink", "from": "n\#(count - 1)", "path": "o" }"#]
    }

    private func fan(_ count: Int) -> [String] {
        let sources = (0..<count).map { "\"n\($0)\"" }.joined(separator: ", ")
        return (0..<count).map {
            #""n\#($0)": { "kind": "test.source", "pitch": \#($0 % 100 + 1) }"#
        }
            + (0..<count).map {
                #""m\#($0)": { "kind": "test.mix", "from": { "first": "n\#($0)", "second": "n\#($0)" } }"#
            }
            + [#""z": { "kind": "test.sink", "from": [\#(sources)], "path": "o" }"#]
    }

    private func ring(_ count: Int) -> [String] {
        (0..<count).map { #""n\#($0)": { "kind": "test.pass", "from": "n\#(($0 + 1) % count)" }"# }
    }

    @Test(arguments: ["chain", "fan", "ring"])
    func `ten times the nodes take about ten times as long`(shape: String) {
        func measure(_ count: Int) -> (outcome: GraphCheck.Outcome, time: Duration) {
            switch shape {
            case "chain": time(chain(count))
            case "fan": time(fan(count))
            default: time(ring(count))
            }
        }
        // Quadratic work would take a hundred times as long; a busy machine gets three tries.
        let isLinear = (0..<3).contains { _ in
            let few = measure(200)
            let many = measure(2000)
            if shape == "ring" {
                #expect(many.outcome.problems.map(\.code) == [.cycle])
            } else {
                #expect(many.outcome.problems == [])
            }
            return many.time < few.time * 40
        }
        #expect(isLinear)
    }

    @Test func `no more problems are looked for than are told`() {
        let nodes = (0..<2000).map {
            #""n\#($0)": { "kind": "test.pass", "from": "missing\#($0)" }"#
        }
        let (outcome, _) = time(nodes)
        #expect(outcome.problems.count == JSONReader.problemLimit)
    }
}
