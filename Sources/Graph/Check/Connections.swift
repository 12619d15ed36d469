import Media

extension Checker {
    /// Edges of a graph file hold at most so many packets.
    static let capacityLimit = 1_000_000

    // MARK: Reading `from`

    /// Reads a node's `from` into sources, each with its input's name where that can be known.
    mutating func readSources(of index: Int) {
        guard let entry = drafts[index].entry, let from = drafts[index].object["from"] else {
            return
        }
        if from.origin == .faulty {
            drafts[index].isFaulty = true
            drafts[index].isUnclear = true
            return
        }
        let schema = description(of: entry)
        guard !schema.inputs.isEmpty else {
            fail(
                index,
                .unknownKey,
                "takes no input",
                at: from.location,
                pointer: "/from",
                hint: "a \(entry.kind) makes its own; leave \"from\" out"
            )
            return
        }
        if case .object(let members) = from.value, !isSource(from) {
            for member in members { readInput(member, of: index, schema) }
            return
        }
        let sources = readList(from, of: index, pointer: "/from")
        guard let first = sources.first else {
            drafts[index].isUnclear = true
            return
        }
        if let input = onlyInput(for: first, among: schema.inputs) {
            add(sources, to: input, of: index, at: from.location, pointer: "/from")
        } else {
            drafts[index].isUnclear = true
            let names = schema.inputs.map { "\"\($0.name)\"" }.joined(separator: ", ")
            fail(
                index,
                .mismatch,
                "it is not clear which input this goes to",
                at: from.location,
                pointer: "/from",
                hint: "name it, as in {\"\(schema.inputs[0].name)\": …}; inputs are \(names)"
            )
        }
    }

    private mutating func readInput(_ member: JSON.Member, of index: Int, _ schema: NodeSchema) {
        let pointer = "/from/" + JSON.escapedPointer(member.key)
        let sources = readList(member.value, of: index, pointer: pointer)
        if let input = schema.inputs.first(where: { $0.name == member.key }) {
            add(sources, to: input, of: index, at: member.value.location, pointer: pointer)
            return
        }
        drafts[index].isUnclear = true
        let names = schema.inputs.map(\.name)
        fail(
            index,
            .unknownKey,
            "has no input \(JSON.quoted(member.key))",
            at: member.location,
            pointer: pointer,
            hint: closestMatch(to: member.key, in: names).map { "did you mean \"\($0)\"?" }
                ?? "inputs are \(names.joined(separator: ", "))"
        )
    }

    private mutating func add(
        _ sources: [Source],
        to input: InputDeclaration,
        of index: Int,
        at place: SourceLocation,
        pointer: String
    ) {
        drafts[index].touchedInputs.insert(input.name)
        if sources.count > 1, !input.isMany {
            fail(
                index,
                .mismatch,
                "input \"\(input.name)\" takes one source, not \(sources.count)",
                at: place,
                pointer: pointer
            )
        }
        for var source in sources {
            source.input = input.name
            drafts[index].sources.append(source)
        }
    }

    private func isSource(_ json: JSON) -> Bool { json["output"] != nil }

    /// Reads one source, or an array of them.
    private mutating func readList(_ json: JSON, of index: Int, pointer: String) -> [Source] {
        guard case .array(let elements) = json.value else {
            return readSource(json, of: index, pointer: pointer).map { [$0] } ?? []
        }
        if elements.isEmpty {
            fail(
                index,
                .missingInput,
                "an array of sources needs at least one",
                at: json.location,
                pointer: pointer
            )
        }
        return elements.enumerated().compactMap {
            readSource($1, of: index, pointer: "\(pointer)/\($0)")
        }
    }

    private mutating func readSource(_ json: JSON, of index: Int, pointer: String) -> Source? {
        if json.origin == .faulty {
            drafts[index].isFaulty = true
            return nil
        }
        switch json.value {
        case .string(let text):
            return source(text, capacity: nil, at: json.location, pointer: pointer)
        case .object(let members):
            guard let output = json["output"] else { break }
            for member in members where member.key != "output" && member.key != "capacity" {
                fail(
                    index,
                    .unknownKey,
                    "unknown key \(JSON.quoted(member.key)) of a source",
                    at: member.location,
                    pointer: "\(pointer)/\(JSON.escapedPointer(member.key))",
                    hint: "a source has output and capacity"
                )
            }
            guard let text = output.string, output.origin != .faulty else {
                if output.origin == .faulty { break }
                fail(
                    index,
                    .type,
                    "\"output\" must be a string, not \(output.kindName)",
                    at: output.location,
                    pointer: "\(pointer)/output",
                    hint: "as in \"node\" or \"node.port\""
                )
                return nil
            }
            let capacity = capacity(json["capacity"], of: index, pointer: "\(pointer)/capacity")
            return source(text, capacity: capacity, at: output.location, pointer: pointer)
        default: break
        }
        fail(
            index,
            .type,
            "a source is a string, not \(json.kindName)",
            at: json.location,
            pointer: pointer,
            hint: "as in \"node\", \"node.port\" or {\"output\": \"node.port\", \"capacity\": 8}"
        )
        return nil
    }

    private mutating func capacity(_ json: JSON?, of index: Int, pointer: String) -> Int? {
        guard let json, json.origin != .faulty else { return nil }
        let type = ParameterType.integer(in: 1...Self.capacityLimit)
        if let value = type.read(json.value), type.contains(value) { return value }
        fail(
            index,
            .range,
            "\"capacity\" must be \(type.noun) \(type.range ?? ""), not \(JSON.text(of: json.value))",
            at: json.location,
            pointer: pointer
        )
        return nil
    }

    private func source(
        _ text: String,
        capacity: Int?,
        at location: SourceLocation,
        pointer: String
    ) -> Source {
        let dot = text.firstIndex(of: ".")
        return Source(
            node: dot.map { String(text[..<$0]) } ?? text,
            port: dot.map { String(text[text.index(after: $0)...]) },
            capacity: capacity,
            location: location,
            pointer: pointer
        )
    }

    /// The input that a source without a name goes to: the only one, else the only one that must be
    /// connected, else the only one whose payload the source makes.
    private mutating func onlyInput(
        for source: Source,
        among inputs: [InputDeclaration]
    ) -> InputDeclaration? {
        if inputs.count == 1 { return inputs[0] }
        let required = inputs.filter { !$0.isOptional }
        if required.count == 1 { return required[0] }
        guard let writer = positions[source.node], let entry = drafts[writer].entry else {
            return nil
        }
        let outputs = description(of: entry).outputs.filter {
            source.port == nil || $0.name == source.port
        }
        let fitting = inputs.filter { input in
            outputs.contains { $0.payload == input.payload }
        }
        return fitting.count == 1 ? fitting[0] : nil
    }

    // MARK: Edges

    /// Makes the edges of a node's sources.
    mutating func connect(_ index: Int) {
        var taken: [String: Int] = [:]
        for source in drafts[index].sources {
            guard let name = source.input else { continue }
            let element = taken[name, default: 0]
            taken[name] = element + 1
            let schema = drafts[index].schema
            let slots = schema.slots.indices.filter { schema.inputs[schema.slots[$0]].name == name }
            guard slots.indices.contains(element),
                let (writer, output) = output(
                    of: source,
                    for: schema.inputs[schema.slots[slots[element]]],
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
                    slot: slots[element],
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
            fail(
                index,
                .unknownNode,
                "there is no node \(JSON.quoted(source.node))",
                at: source.location,
                pointer: source.pointer,
                hint: closestMatch(to: source.node, in: drafts.map(\.name)).map {
                    "did you mean \"\($0)\"?"
                }
            )
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
                    hint: closestMatch(to: port, in: names).map { "did you mean \"\($0)\"?" }
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
