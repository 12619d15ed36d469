import Batch
import Graph
import Nodes

extension Command {
    /// `foxfire schema`: what JSON that Foxfire reads and writes looks like.
    static let schema = Command(
        name: "schema",
        summary:
            "Print a JSON Schema: of graph and batch files for editors, or of what Foxfire writes.",
        options: [.of, .output, .replace, .keep],
        examples: [
            (
                line: "foxfire schema -o foxfire.schema.json",
                purpose: "Write the schema of graph files; a graph names it with \"$schema\"."
            )
        ],
        perform: { arguments in
            let schema =
                switch arguments.text(.of) {
                case "batch": BatchFile.schema
                case "report": Schemas.report
                case "nodes": JSONSchema.nodes
                case "probe": Schemas.probe
                case "error": Schemas.error
                default: JSONSchema.graph(nodeCatalogue)
                }
            return try arguments.deliver(JSON.pretty(schema))
        }
    )
}
