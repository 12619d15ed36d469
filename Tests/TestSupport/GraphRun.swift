public import Graph
import Nodes

/// Checks and runs whole graphs, as the command does.
public enum GraphRun {
    /// A graph that is wrong.
    public struct Refused: Error, CustomStringConvertible {
        /// Every fault, in the order of the file.
        public let problems: [Problem]
        /// The faults, one a line.
        public var description: String { problems.map(\.description).joined(separator: "\n") }
    }

    /// Checks a graph.
    ///
    /// - Parameters:
    ///   - text: the graph file.
    ///   - values: its variables' values.
    ///   - nodes: nodes of the test's own, beside all that there are.
    /// - Returns: what an engine can run.
    /// - Throws: `Refused`.
    public static func plan(
        _ text: String,
        values: [String: String] = [:],
        nodes: [CatalogueEntry] = []
    ) throws -> GraphPlan {
        let outcome = GraphCheck.plan(
            text: Array(text.utf8),
            file: "test.json",
            values: values,
            catalogue: nodeCatalogue + nodes,
            options: GraphCheck.Options(mayReadStandardInput: true, version: "test")
        )
        guard let plan = outcome.plan else { throw Refused(problems: outcome.problems) }
        return plan
    }

    /// Checks a graph and runs it to its end.
    ///
    /// - Parameters:
    ///   - text: the graph file.
    ///   - values: its variables' values.
    ///   - nodes: nodes of the test's own, beside all that there are.
    ///   - options: how to run.
    /// - Returns: the run's report.
    /// - Throws: `Refused`, or `RunFailure`.
    @discardableResult
    public static func run(
        _ text: String,
        values: [String: String] = [:],
        nodes: [CatalogueEntry] = [],
        options: RunOptions = RunOptions(threads: 2)
    ) throws -> RunReport {
        try Engine(plan(text, values: values, nodes: nodes), options).run()
    }
}
