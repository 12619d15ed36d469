/// The Markdown pages of nodes, one each, and their index.
public enum NodePages {
    /// All pages of a catalogue: what the folder of generated documentation holds.
    ///
    /// - Parameter catalogue: the nodes there are.
    /// - Returns: file names and their texts, the index first, then by kind.
    public static func all(_ catalogue: [CatalogueEntry]) -> [(fileName: String, text: String)] {
        let descriptions = catalogue.map(NodeDescription.init).sorted { $0.kind < $1.kind }
        let examples = NodeExamples(descriptions)
        return [("README.md", index(descriptions))]
            + descriptions.map { ("\($0.kind).md", page($0, examples.graph(of: $0.kind))) }
    }

    private static func index(_ descriptions: [NodeDescription]) -> String {
        var text = "# Nodes\n\nMade by `make docs` from the nodes' declarations; do not edit.\n"
        var family = ""
        for description in descriptions {
            let first = String(description.kind.prefix { $0 != "." })
            if first != family {
                family = first
                text += "\n## \(first)\n\n| kind | what it does |\n| --- | --- |\n"
            }
            text +=
                "| [\(description.kind)](\(description.kind).md) | \(cell(description.summary)) |\n"
        }
        return text
    }

    private static func page(_ node: NodeDescription, _ example: JSON.Value?) -> String {
        var text = "# \(node.kind)\n\n\(node.summary)\n"
        if !node.discussion.isEmpty { text += "\n\(node.discussion)\n" }
        if node.isConversion {
            text += "\nFoxfire puts this node where a reader needs another format than its writer"
            text += " makes; `foxfire check` shows where.\n"
        }
        text += "\nExecution: \(words(for: node.execution)).\n"
        if !node.inputs.isEmpty {
            text +=
                "\n## Inputs\n\n| input | payload | read | when the format changes | meaning |\n"
            text += "| --- | --- | --- | --- | --- |\n"
            for input in node.inputs {
                text +=
                    "| `\(input.name)`\(notes(input)) | \(input.payload) | \(words(for: input.rule))"
                text += " | \(words(for: input.change)) | \(cell(input.help)) |\n"
            }
        }
        if !node.outputs.isEmpty {
            text +=
                "\n## Outputs\n\n| output | payload | format | meaning |\n| --- | --- | --- | --- |\n"
            for output in node.outputs {
                text += "| `\(output.name)` | \(output.payload)"
                text += " | \(output.like.map { "as input `\($0)`" } ?? "its own")"
                text += " | \(cell(output.help)) |\n"
            }
        }
        if !node.parameters.isEmpty { text += "\n## Parameters\n\n" + table(node.parameters) }
        for list in node.parameters where !list.elements.isEmpty {
            text += "\nEach element of `\(list.name)`:\n\n" + table(list.elements)
        }
        if let example {
            text += "\n## Example\n\nThe smallest graph that holds it:\n\n"
            text += "```json\n\(graph(example))```\n"
        }
        return text
    }

    private static func notes(_ input: NodeDescription.Input) -> String {
        (input.isOptional ? ", optional" : "") + (input.isMany ? ", many" : "")
    }

    private static func table(_ parameters: [NodeDescription.Parameter]) -> String {
        var text =
            "| parameter | type | range | default | meaning |\n| --- | --- | --- | --- | --- |\n"
        for parameter in parameters {
            let range =
                parameter.choices.isEmpty
                ? parameter.range ?? ""
                : parameter.choices.map { "`\($0)`" }.joined(separator: ", ")
            let unit = parameter.shownUnit.map { " \($0)" } ?? ""
            text += "| `\(parameter.name)` | \(parameter.type) | \(range)\(unit)"
            text += " | \(fallback(parameter)) | \(cell(parameter.help)) |\n"
        }
        return text
    }

    private static func fallback(_ parameter: NodeDescription.Parameter) -> String {
        if let value = parameter.fallback { return "`\(JSON.compact(value))`" }
        return parameter.isRequired ? "must be given" : "none"
    }

    /// Text that fits into a table's cell.
    private static func cell(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }

    /// How a graph is written by hand: a node a line.
    static func graph(_ value: JSON.Value) -> String {
        var text = "{\n  \"foxfire\": \(GraphFile.version),\n  \"nodes\": {\n"
        guard case .object(let nodes)? = JSON(value)["nodes"]?.value else { return "" }
        for (index, node) in nodes.enumerated() {
            text += "    \(JSON.quoted(node.key)): \(JSON.compact(node.value.value))"
            text += index == nodes.count - 1 ? "\n" : ",\n"
        }
        return text + "  }\n}\n"
    }

    static func words(for execution: Execution) -> String {
        switch execution {
        case .stateless: "stateless (copies run at the same time)"
        case .serial: "serial (one packet after another)"
        case .blocking: "blocking (a queue of its own)"
        }
    }

    static func words(for rule: InputRule) -> String {
        switch rule {
        case .inOrder: "in order"
        case .together: "together"
        case .hold: "held"
        }
    }

    static func words(for change: FormatChange) -> String {
        switch change {
        case .restart: "starts again"
        case .accepts: "follows"
        case .fixed: "is an error"
        }
    }
}
