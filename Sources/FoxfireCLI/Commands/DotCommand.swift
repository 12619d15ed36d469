import Graph

extension Command {
    /// `foxfire dot`: a picture of a graph.
    static let dot = Command(
        name: "dot",
        summary: "Draw a graph in the DOT language of Graphviz.",
        operands: [
            .graph,
            Operand(
                name: "NAME=VALUE",
                kind: .settings,
                help: "Values for the graph's variables."
            ),
        ],
        options: [.set, .output, .replace, .keep, .errorsAsJSON],
        examples: [
            (line: "foxfire dot film | dot -Tsvg > film.svg", purpose: "Draw the film's graph.")
        ],
        perform: { arguments in
            let loaded = try LoadedGraph(arguments, willRun: false)
            return try arguments.deliver(DOT.text(loaded.plan))
        }
    )
}
