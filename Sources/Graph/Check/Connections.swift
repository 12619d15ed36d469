import Media

extension Checker {
    /// Makes the edges of a node's sources.
    mutating func connect(_ index: Int) {
        let schema = drafts[index].schema
        var free: [String: ArraySlice<Int>] = [:]
        for (slot, input) in schema.slots.enumerated() {
            free[schema.inputs[input].name, default: []].append(slot)
        }
        for source in drafts[index].sources where hasRoom {
            guard let name = source.input, let slot = free[name]?.popFirst(),
                let (writer, output) = output(
                    of: source,
                    for: schema.inputs[schema.slots[slot]],
                    index
                )
            else {
                drafts[index].isFaulty = true
                continue
            }
            edges.append(
                Edge(
                    from: writer,
                    output: output,
                    to: index,
                    slot: slot,
                    capacity: source.capacity,
                    location: source.location,
                    pointer: drafts[index].pointer + source.pointer
                )
            )
        }
    }

    /// Finds the output that a source means; nil when it is told why there is none.
    private mutating func output(
        of source: Source,
        for input: InputDeclaration,
        _ index: Int
    ) -> (writer: Int, output: Int)? {
        guard let writer = positions[source.node] else {
            tellUnknownNode(source, of: index)
            return nil
        }
        // A node of unknown kind was told already, and may have any output.
        guard drafts[writer].bound != nil else { return nil }
        let outputs = drafts[writer].schema.outputs
        let names = outputs.map(\.name)
        let kind = drafts[writer].entry?.kind ?? ""
        guard !outputs.isEmpty else {
            fail(
                index,
                .unknownNode,
                "node \"\(source.node)\" has no outputs: a \(kind) is an end",
                at: source.location,
                pointer: source.pointer
            )
            return nil
        }
        if let port = source.port {
            guard let position = names.firstIndex(of: port) else {
                fail(
                    index,
                    .unknownNode,
                    "node \"\(source.node)\" has no output \(JSON.quoted(port))",
                    at: source.location,
                    pointer: source.pointer,
                    hint: suggestion(for: port, in: names)
                        ?? "outputs of a \(kind) are \(names.joined(separator: ", "))"
                )
                return nil
            }
            if outputs[position].payload == input.payload { return (writer, position) }
            tellMismatch(source, outputs[position], input, index)
            return nil
        }
        let fitting = outputs.indices.filter { outputs[$0].payload == input.payload }
        if fitting.count == 1 { return (writer, fitting[0]) }
        if fitting.isEmpty {
            if outputs.count == 1 {
                tellMismatch(source, outputs[0], input, index)
            } else {
                let made = outputs.map { "\($0.name) (\($0.payload.name))" }
                fail(
                    index,
                    .mismatch,
                    "no output of node \"\(source.node)\" fits input \"\(input.name)\", which takes \(input.payload.name)",
                    at: source.location,
                    pointer: source.pointer,
                    hint: "it has \(made.joined(separator: ", "))"
                )
            }
        } else {
            let choices = fitting.map { "\"\(source.node).\(names[$0])\"" }
            fail(
                index,
                .mismatch,
                "node \"\(source.node)\" has \(fitting.count) outputs that fit input \"\(input.name)\"",
                at: source.location,
                pointer: source.pointer,
                hint: "write \(choices.joined(separator: " or "))"
            )
        }
        return nil
    }

    private mutating func tellMismatch(
        _ source: Source,
        _ output: OutputDeclaration,
        _ input: InputDeclaration,
        _ index: Int
    ) {
        let makers = catalogue.filter { entry in
            let schema = description(of: entry)
            return schema.outputs.contains { $0.payload == input.payload }
                && schema.inputs.contains { $0.payload == output.payload }
        }
        let between = makers.prefix(3).map(\.kind).joined(separator: ", ")
        fail(
            index,
            .mismatch,
            "input \"\(input.name)\" takes \(input.payload.name), but \"\(source.node).\(output.name)\" makes \(output.payload.name)",
            at: source.location,
            pointer: source.pointer,
            hint: makers.isEmpty ? nil : "from one to the other: \(between)"
        )
    }
}
