import Graph

extension Command {
    /// `foxfire graphs`: the installed graphs.
    static let graphs = Command(
        name: "graphs",
        summary: "List the installed graphs with their variables.",
        operands: [
            Operand(
                name: "GRAPH",
                kind: .graph,
                isOptional: true,
                help: "Only this graph; any that \"foxfire run\" takes."
            )
        ],
        options: [.json, .names],
        details: ["With GRAPH, --names lists the names of its variables."],
        perform: { arguments in
            let names =
                arguments.operands.first.map { [$0] } ?? GraphLocation.installed().map(\.name)
            if arguments.operands.isEmpty, arguments.has(.names) {
                try StandardStreams.write(result: names.map { $0 + "\n" }.joined())
                return .done
            }
            var graphs: [(name: String, file: String, graph: GraphFile)] = []
            var faults: [Message] = []
            for name in names {
                let source = try GraphLocation.read(name)
                let (graph, problems) = GraphFile.read(source.text, file: source.file)
                faults += problems.map { Message($0) }
                if let graph { graphs.append((name, source.file, graph)) }
            }
            let text =
                arguments.has(.names)
                ? graphs.flatMap(\.graph.variables).map { $0.name + "\n" }.joined()
                : arguments.has(.json)
                    ? JSON.pretty(json(graphs))
                    : graphs.map { HelpText.entry($0.graph, name: $0.name) }.joined(separator: "\n")
            try StandardStreams.write(result: text)
            if !faults.isEmpty { throw Failure(.usage, faults) }
            return .done
        }
    )

    private static func json(_ graphs: [(name: String, file: String, graph: GraphFile)])
        -> JSON.Value
    {
        [
            "foxfire": 1,
            "graphs": .list(
                graphs.map { name, file, graph in
                    .record([
                        "name": .string(name), "file": .string(file),
                        "description": graph.description.map { .string($0) },
                        "variables": .list(graph.variables.map(json)),
                    ])
                }
            ),
        ]
    }

    private static func json(_ variable: GraphVariable) -> JSON.Value {
        .record([
            "name": .string(variable.name), "type": .string(variable.kind.rawValue),
            "help": .string(variable.help),
            "default": variable.fallback?.value ?? variable.dependentDefault?.json,
            "range": variable.range.map {
                .list([
                    .number(shortText(of: $0.lowerBound)), .number(shortText(of: $0.upperBound)),
                ])
            },
            "values": variable.kind == .choice ? .list(variable.values.map { .string($0) }) : nil,
        ])
    }
}
