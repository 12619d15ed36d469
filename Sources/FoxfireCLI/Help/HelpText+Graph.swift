import Graph

extension HelpText {
    /// What `foxfire run GRAPH --help` prints: what the graph is for, and its variables.
    static func graph(_ graph: GraphFile, name: String) -> String {
        let description = graph.description.map { paragraph($0) + "\n" } ?? ""
        let variables =
            graph.variables.isEmpty
            ? "It has no variables.\n" : "Variables:\n" + table(graph.variables.map(row))
        return """
            \(description)Usage: foxfire run \(name) [NAME=VALUE]... [OPTION]...

            \(variables)
            "foxfire run --help" lists the options.

            """
    }

    /// A graph's description and variables, as an entry of a list.
    static func entry(_ graph: GraphFile, name: String) -> String {
        let description = graph.description.map { wrapped($0, width: width - 4) } ?? []
        return "\(name)\n" + description.map { "    \($0)\n" }.joined()
            + table(graph.variables.map(row), indent: 4)
    }

    /// `size=1920x1080` and what it is for.
    private static func row(_ variable: GraphVariable) -> Row {
        var notes: [String] = []
        if variable.kind == .choice {
            notes.append("one of \(variable.values.joined(separator: ", "))")
        }
        if variable.isRequired { notes.append("required") }
        let note = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
        let value = variable.fallback.map { plain($0.value) } ?? variable.kind.rawValue.uppercased()
        return ("\(variable.name)=\(value)", variable.help + note)
    }

    /// A value as it is typed on a command line.
    static func plain(_ value: JSON.Value) -> String {
        switch value {
        case .string(let text): text
        default: JSON.compact(value)
        }
    }
}
