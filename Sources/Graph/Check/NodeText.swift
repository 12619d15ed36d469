/// What `foxfire nodes` prints, as text and as JSON.
public enum NodeText {
    private static let columns = 100

    /// The list of all nodes: kind and summary, grouped by the first word.
    ///
    /// - Parameter catalogue: the nodes there are.
    /// - Returns: lines, each with its newline.
    public static func list(_ catalogue: [CatalogueEntry]) -> String {
        let entries = catalogue.sorted { $0.kind < $1.kind }
        let width = entries.map(\.kind.count).max() ?? 0
        var text = ""
        var family: Substring?
        for entry in entries {
            let first = entry.kind.prefix { $0 != "." }
            if let family, family != first { text += "\n" }
            family = first
            text += padded(entry.kind, width) + "  \(entry.summary)\n"
        }
        return text
    }

    /// The list of all nodes with all that is declared, as JSON.
    ///
    /// - Parameter catalogue: the nodes there are.
    /// - Returns: an object with `nodes`.
    public static func json(_ catalogue: [CatalogueEntry]) -> JSON.Value {
        let descriptions = catalogue.map(NodeDescription.init).sorted { $0.kind < $1.kind }
        return [
            "foxfire": .integer(GraphFile.version), "nodes": .list(descriptions.map(\.json)),
        ]
    }

    /// One node on one screen.
    ///
    /// - Parameters:
    ///   - kind: the node's kind.
    ///   - catalogue: the nodes there are.
    /// - Returns: lines, each with its newline.
    /// - Throws: a `Problem` with a hint when there is no such kind.
    public static func page(
        _ kind: String,
        _ catalogue: [CatalogueEntry]
    ) throws(Problem) -> String {
        let descriptions = catalogue.map(NodeDescription.init)
        guard let node = descriptions.first(where: { $0.kind == kind }) else {
            throw unknown(kind, catalogue)
        }
        return page(node, NodeExamples(descriptions).graph(of: kind))
    }

    /// One node as JSON.
    ///
    /// - Parameters:
    ///   - kind: the node's kind.
    ///   - catalogue: the nodes there are.
    /// - Returns: an object with `nodes`, which holds one.
    /// - Throws: a `Problem` with a hint when there is no such kind.
    public static func json(
        _ kind: String,
        _ catalogue: [CatalogueEntry]
    ) throws(Problem) -> JSON.Value {
        guard let entry = catalogue.first(where: { $0.kind == kind }) else {
            throw unknown(kind, catalogue)
        }
        return json([entry])
    }

    private static func unknown(_ kind: String, _ catalogue: [CatalogueEntry]) -> Problem {
        let family = catalogue.map(\.kind).filter { $0.hasPrefix(kind + ".") }
        return Problem(
            .unknownKind,
            "there is no kind of node \(JSON.quoted(kind))",
            hint: suggestion(for: kind, in: catalogue.map(\.kind))
                ?? (family.isEmpty
                    ? "foxfire nodes lists all" : "there are \(family.joined(separator: ", "))")
        )
    }

    // MARK: A page

    private static func page(_ node: NodeDescription, _ example: JSON.Value?) -> String {
        var text = "\(node.kind): \(node.summary)\n"
        for paragraph in node.discussion.split(separator: "\n\n") {
            text += "\n" + wrapped(String(paragraph), indent: "")
        }
        text += section(
            "Inputs",
            node.inputs.map { input in
                let notes = [
                    input.payload, input.isMany ? "one or more" : nil,
                    input.isOptional ? "optional" : nil,
                    node.inputs.count > 1 || input.isMany ? NodePages.words(for: input.rule) : nil,
                    input.change == .accepts
                        ? nil : "a new format \(NodePages.words(for: input.change))",
                ]
                return (input.name, notes.compactMap { $0 }.joined(separator: ", "), input.help)
            }
        )
        text += section(
            "Outputs",
            node.outputs.map { output in
                let like = output.like.map { ", format as input \($0)" } ?? ""
                return (output.name, output.payload + like, output.help)
            }
        )
        text += section("Parameters", node.parameters.flatMap { rows($0, prefix: "") })
        if let example { text += "\nExample\n" + NodePages.graph(example).indented }
        return text
    }

    private static func rows(
        _ parameter: NodeDescription.Parameter,
        prefix: String
    ) -> [(String, String, String)] {
        let value =
            parameter.choices.isEmpty ? parameter.type : parameter.choices.joined(separator: "|")
        let range = parameter.range.map { " \($0)" } ?? ""
        let unit = parameter.shownUnit.map { " \($0)" } ?? ""
        let fallback =
            parameter.fallback.map { ", default \(JSON.compact($0))" }
            ?? (parameter.isRequired ? ", must be given" : "")
        let row = (prefix + parameter.name, value + range + unit + fallback, parameter.help)
        return [row]
            + parameter.elements.flatMap { rows($0, prefix: "\(prefix)\(parameter.name)[].") }
    }

    private static func section(_ title: String, _ rows: [(String, String, String)]) -> String {
        guard !rows.isEmpty else { return "" }
        let width = rows.map(\.0.count).max() ?? 0
        var text = "\n\(title)\n"
        for (name, facts, help) in rows {
            let indent = String(repeating: " ", count: width + 4)
            let head = "  " + padded(name, width) + "  "
            let both = "\(help) (\(facts))"
            text += head + wrapped(both, indent: indent).dropFirst(indent.count)
        }
        return text
    }

    /// Lines of at most 100 columns, each after `indent`.
    static func wrapped(_ text: String, indent: String) -> String {
        var result = ""
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent.count + line.count + 1 + word.count > columns {
                result += indent + line + "\n"
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return result + indent + line + "\n"
    }

    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension String {
    /// Each line two columns further right.
    var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
    }
}
