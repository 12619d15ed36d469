/// Plans as Graphviz draws them.
public enum DOT {
    /// The text of a directed graph: nodes with their kinds, edges with what runs along them;
    /// inserted conversions are dashed.
    ///
    /// - Parameter plan: a checked graph.
    /// - Returns: text for `dot`.
    public static func text(_ plan: GraphPlan) -> String {
        var text = """
            digraph foxfire {
              rankdir=LR
              node [shape=box style=rounded fontname="Helvetica" fontsize=11 margin="0.15,0.08"]
              edge [fontname="Helvetica" fontsize=9 arrowsize=0.7 color="#555555"]

            """
        if let description = plan.description {
            text += "  label=\(quoted(description)) labelloc=t fontname=\"Helvetica\" fontsize=13\n"
        }
        let files = Dictionary(
            plan.outputs.map { ($0.node, $0.path.path) },
            uniquingKeysWith: { "\($0)\n\($1)" }
        )
        for (index, node) in plan.nodes.enumerated() {
            let name = node.isInserted ? "inserted" : node.name
            let label = [name, node.kind, files[node.name]].compactMap { $0 }
            let style = node.isInserted ? " style=\"rounded,dashed\"" : ""
            text += "  n\(index) [label=\(quoted(label.joined(separator: "\n")))\(style)]\n"
        }
        for edge in plan.edges {
            let writer = plan.nodes[edge.fromNode]
            let output = writer.schema.outputs[edge.fromOutput]
            let format = writer.formats.outputs[edge.fromOutput].map { "\($0.format)" }
            let label = [output.payload.name, format].compactMap { $0 }.joined(separator: "\n")
            let isDashed = writer.isInserted || plan.nodes[edge.toNode].isInserted
            text += "  n\(edge.fromNode) -> n\(edge.toNode)"
            text += " [label=\(quoted(label))\(isDashed ? " style=dashed" : "")]\n"
        }
        return text + "}\n"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case let control where control.value < 0x20: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension GraphPlan.PlannedNode {
    /// What the node declared.
    var schema: NodeSchema { bound.contract.schema }
}
