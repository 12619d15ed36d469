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
            for member in members where hasRoom { readInput(member, of: index, schema) }
            return
        }
        let sources = readList(from, of: index, pointer: "/from")
        if sources.isEmpty { drafts[index].isUnclear = true }
        // What has no name may go to several inputs, by what it carries.
        var found: [String: [Source]] = [:]
        for source in sources {
            guard let input = onlyInput(for: source, among: schema.inputs) else {
                drafts[index].isUnclear = true
                tellUnclear(source, of: index, schema)
                continue
            }
            found[input.name, default: []].append(source)
        }
        for input in schema.inputs {
            guard let list = found[input.name] else { continue }
            add(list, to: input, of: index, at: from.location, pointer: "/from")
        }
    }

    private mutating func tellUnclear(_ source: Source, of index: Int, _ schema: NodeSchema) {
        guard let writer = positions[source.node] else {
            tellUnknownNode(source, of: index)
            return
        }
        if drafts[writer].entry == nil {
            // Told already, and it may make anything.
            drafts[index].isFaulty = true
            return
        }
        let names = schema.inputs.map { "\"\($0.name)\"" }.joined(separator: ", ")
        fail(
            index,
            .mismatch,
            "it is not clear which input this goes to",
            at: source.location,
            pointer: source.pointer,
            hint: "name it, as in {\"\(schema.inputs[0].name)\": …}; inputs are \(names)"
        )
    }

    mutating func tellUnknownNode(_ source: Source, of index: Int) {
        fail(
            index,
            .unknownNode,
            "there is no node \(JSON.quoted(source.node))",
            at: source.location,
            pointer: source.pointer,
            hint: suggestion(for: source.node, in: drafts.lazy.map(\.name))
        )
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
            hint: suggestion(for: member.key, in: names)
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
            for member in members
            where hasRoom && member.key != "output" && member.key != "capacity" {
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

    /// The input that a source without a name goes to: the only one whose payload the source makes,
    /// else the only one that must be connected.
    private mutating func onlyInput(
        for source: Source,
        among inputs: [InputDeclaration]
    ) -> InputDeclaration? {
        if inputs.count == 1 { return inputs[0] }
        var fitting: [InputDeclaration] = []
        if let writer = positions[source.node], let entry = drafts[writer].entry {
            let outputs = description(of: entry).outputs.filter {
                source.port == nil || $0.name == source.port
            }
            fitting = inputs.filter { input in outputs.contains { $0.payload == input.payload } }
        }
        if fitting.count == 1 { return fitting[0] }
        let required = (fitting.isEmpty ? inputs : fitting).filter { !$0.isOptional }
        return required.count == 1 ? required[0] : nil
    }
}
