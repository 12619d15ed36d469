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
        if let range = variable.range {
            let (least, most) = (range.lowerBound, range.upperBound)
            notes.append("\(shortText(of: least)) to \(shortText(of: most))")
        }
        if variable.isRequired { notes.append("required") }
        if let fallback = variable.dependentDefault { notes.append(words(fallback)) }
        let note = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
        var value = variable.kind.rawValue.uppercased()
        if let fallback = variable.fallback?.value, fallback != .null { value = plain(fallback) }
        return ("\(variable.name)=\(value)", variable.help + note)
    }

    /// `by profile: 300 for speech, 150 for music`.
    private static func words(_ fallback: DependentDefault) -> String {
        let cases = fallback.cases.map { word, result in
            let other = word == "*" ? "all others" : word
            switch result {
            case .value(let value):
                let text = value.value == .null ? "none" : plain(value.value)
                return "\(text) for \(other)"
            case .dependent(let inner): return "for \(other) \(words(inner))"
            }
        }
        return "by \(fallback.variable): \(cases.joined(separator: ", "))"
    }

    /// A value as it is typed on a command line.
    static func plain(_ value: JSON.Value) -> String {
        switch value {
        case .string(let text): text
        default: JSON.compact(value)
        }
    }
}
