import Foundation
import Graph
import Media
import Testing

func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

func check(
    _ text: String,
    file: String = "g.json",
    _ values: [String: String] = [:],
    options: GraphCheck.Options = GraphCheck.Options()
) -> GraphCheck.Outcome {
    GraphCheck.plan(
        text: Array(text.utf8),
        file: file,
        values: values,
        catalogue: testCatalogue,
        options: options
    )
}

@Suite struct GraphCheckTests {
    @Test func `a right graph becomes a plan with formats and conversions`() throws {
        let outcome = check(
            """
            {
              "foxfire": 1,
              "description": "Two tones.",
              "variables": { "pitch": { "type": "integer", "default": 220 } },
              "nodes": {
                "high": { "kind": "test.source", "pitch": 880 },
                "low": { "kind": "test.source", "pitch": "$pitch" },
                "both": { "kind": "test.mix", "from": { "first": "high", "second": { "output": "low.tone", "capacity": 8 } } },
                "again": { "kind": "test.mix", "from": { "first": "high.tone", "second": "low.tone" } },
                "file": { "kind": "test.sink", "from": { "tones": ["both", "again"], "light": "high" }, "path": "out.bin" },
              }
            }
            """
        )
        for problem in outcome.problems { print(problem) }
        let plan = try #require(outcome.plan)
        #expect(
            plan.nodes.map(\.name) == [
                "high", "low", "high.tone>both.first", "low.tone>both.second", "both", "again",
                "file",
            ]
        )
        #expect(plan.description == "Two tones.")
        #expect(plan.edges.count == 9)
        #expect(plan.edges.filter { $0.capacity == 8 }.count == 1)
    }
}
