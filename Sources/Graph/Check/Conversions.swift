import Media

/// Conversions that are put on edges.
enum Conversions {
    /// One output in one other format: all readers that want it share a converter.
    struct Wish: Hashable {
        let node: Int
        let output: Int
        let format: AnyHashable
    }
}

extension Checker {
    /// The plan's position of a node that converts an output to `wanted`; nil when it is told why
    /// there is none.
    mutating func convert(
        _ feed: (node: Int, output: Int),
        to wanted: any StreamFormat,
        for edge: Edge
    ) -> Int? {
        let wish = Conversions.Wish(
            node: feed.node,
            output: feed.output,
            format: AnyHashable(wanted)
        )
        if let converter = converters[wish] { return converter }
        guard let info = planned[feed.node].formats.outputs[feed.output] else { return nil }
        let schema = drafts[edge.to].schema
        let input = schema.inputs[schema.slots[edge.slot]]
        let able = catalogue.filter { $0.type.conversion?.payload == input.payload.identifier }
        for entry in able {
            guard let parameters = entry.type.conversion?.parameters(info.format, wanted) else {
                continue
            }
            guard let node = converter(entry, parameters, info, to: wanted, for: edge) else {
                return nil
            }
            planned.append(node)
            plannedEdges.append(
                GraphPlan.PlannedEdge(
                    fromNode: feed.node,
                    fromOutput: feed.output,
                    toNode: planned.count - 1,
                    toSlot: 0,
                    capacity: nil
                )
            )
            converters[wish] = planned.count - 1
            return planned.count - 1
        }
        let names = able.map(\.kind).joined(separator: ", ")
        fail(
            edge.to,
            .format,
            "input \"\(input.name)\" needs \(wanted), but gets \(info.format)",
            at: edge.location,
            pointer: "/from",
            hint: able.isEmpty
                ? "nothing converts \(input.payload.name)"
                : "\(names) cannot convert this; set the node before to make it"
        )
        return nil
    }

    private mutating func converter(
        _ entry: CatalogueEntry,
        _ parameters: [String: JSON.Value],
        _ info: StreamInfo,
        to wanted: any StreamFormat,
        for edge: Edge
    ) -> GraphPlan.PlannedNode? {
        let name = converterName(edge)
        let schema = description(of: entry)
        precondition(
            schema.inputs.count == 1 && schema.outputs.count == 1,
            "A conversion has one input and one output; \(entry.kind) has not."
        )
        var binding = Contract.Binding(
            node: name,
            object: JSON(
                .members(parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }),
                at: edge.location
            )
        )
        binding.connections = [schema.inputs[0].name: 1]
        let bound = bind(entry.type, binding)
        var formats = blankFormats(bound.contract.schema, connected: [true], inputs: [0: info])
        var failure = bound.contract.problems.first?.text
        if failure == nil {
            do {
                try bound.slot.resolve(&formats)
                let made = formats.outputs[0]?.format
                if made.map({ AnyHashable($0) }) != AnyHashable(wanted) || !formats.requests.isEmpty
                {
                    failure = "it makes \(made.map { "\($0)" } ?? "nothing")"
                }
            } catch {
                failure = "\(error)"
            }
        }
        if let failure {
            fail(
                edge.to,
                .format,
                "\(entry.kind) cannot convert \(info.format) to \(wanted): \(failure)",
                at: edge.location,
                pointer: "/from"
            )
            return nil
        }
        return GraphPlan.PlannedNode(
            name: name,
            kind: entry.kind,
            execution: entry.type.execution,
            isInserted: true,
            type: entry.type,
            binding: binding,
            bound: bound,
            formats: formats
        )
    }

    /// `writer>reader`, with ports where a node has several, and a number where that is not enough.
    private mutating func converterName(_ edge: Edge) -> String {
        let writer = drafts[edge.from]
        let reader = drafts[edge.to]
        let outputs = writer.schema.outputs
        let slots = reader.schema.slots
        let from = outputs.count > 1 ? "\(writer.name).\(outputs[edge.output].name)" : writer.name
        let to =
            slots.count > 1
            ? "\(reader.name).\(reader.schema.inputs[slots[edge.slot]].name)" : reader.name
        let base = "\(from)>\(to)"
        var name = base
        var number = 1
        while !converterNames.insert(name).inserted {
            number += 1
            name = "\(base)#\(number)"
        }
        return name
    }
}
