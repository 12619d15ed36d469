import Media

extension Checker {
    /// Lets a node say its outputs' formats, and puts conversions where it asks for them.
    ///
    /// A faulty node's outputs stay unknown, and what reads them is resolved as far as that goes.
    mutating func resolve(_ index: Int) {
        let draft = drafts[index]
        guard let bound = draft.bound, let entry = draft.entry else { return }
        let schema = bound.contract.schema
        var formats = blankFormats(
            schema,
            connected: connectedOutputs(of: index, schema),
            inputs: [:]
        )
        // Of each slot, the plan's node and output that feed it.
        var feeds: [Int: (node: Int, output: Int)] = [:]
        for edge in incoming[index] {
            if let stand = stands[edge.from] {
                feeds[edge.slot] = stand
            } else if let node = planPositions[edge.from] {
                feeds[edge.slot] = (node, edge.output)
            }
        }
        if draft.isBypassed {
            stands[index] = bypassSlot(schema).flatMap { feeds[$0] }
            return
        }
        if !draft.isFaulty, let resolved = settle(index, bound, formats, &feeds) {
            formats = resolved
            checkRates(index, formats)
        }
        collectNotices(of: formats.environment, index)
        planPositions[index] = planned.count
        for edge in incoming[index] {
            guard let feed = feeds[edge.slot] else { continue }
            plannedEdges.append(
                GraphPlan.PlannedEdge(
                    fromNode: feed.node,
                    fromOutput: feed.output,
                    toNode: planned.count,
                    toSlot: edge.slot,
                    capacity: edge.capacity
                )
            )
        }
        planned.append(
            GraphPlan.PlannedNode(
                name: draft.name,
                kind: entry.kind,
                execution: entry.type.execution,
                isInserted: false,
                type: entry.type,
                binding: draft.binding,
                bound: bound,
                formats: formats
            )
        )
    }

    private func connectedOutputs(of index: Int, _ schema: NodeSchema) -> [Bool] {
        let read = Set(outgoing[index].map(\.output))
        return schema.outputs.indices.map { read.contains($0) }
    }

    func blankFormats(
        _ schema: NodeSchema,
        connected: [Bool],
        inputs: [Int: StreamInfo]
    ) -> Formats {
        var formats = Formats(
            inputs: schema.slots.indices.map { inputs[$0] },
            outputs: schema.outputs.count,
            connected: connected,
            environment: NodeEnvironment(mayReadStandardInput: options.mayReadStandardInput)
        )
        for (output, declaration) in schema.outputs.enumerated() {
            if let like = declaration.like { formats.outputs[output] = formats.inputs[like] }
        }
        return formats
    }

    /// Resolves until nothing is asked for any more; nil when that fails and is told.
    private mutating func settle(
        _ index: Int,
        _ bound: BoundNode,
        _ blank: Formats,
        _ feeds: inout [Int: (node: Int, output: Int)]
    ) -> Formats? {
        // The second time all wishes are met; a node that then asks for others asks for ever.
        for _ in 0..<3 {
            var inputs: [Int: StreamInfo] = [:]
            for (slot, feed) in feeds {
                inputs[slot] = planned[feed.node].formats.outputs[feed.output]
            }
            var formats = blankFormats(
                bound.contract.schema,
                connected: blank.connected,
                inputs: inputs
            )
            formats.environment = blank.environment
            do {
                try bound.slot.resolve(&formats)
            } catch {
                tell(error, of: index)
                return nil
            }
            if formats.requests.isEmpty { return formats }
            for (slot, wanted) in formats.requests.sorted(by: { $0.key < $1.key }) {
                guard let feed = feeds[slot],
                    let edge = incoming[index].first(where: { $0.slot == slot }),
                    let converter = convert(feed, to: wanted, for: edge)
                else { return nil }
                feeds[slot] = (converter, 0)
            }
        }
        fail(
            index,
            .format,
            "asks for one format after another",
            at: drafts[index].place,
            hint: "this is a fault of the node"
        )
        return nil
    }

    private mutating func tell(_ error: any Error, of index: Int) {
        let draft = drafts[index]
        if var problem = error as? Problem {
            let parameter = problem.pointer ?? ""
            problem.node = draft.name
            problem.pointer = draft.pointer + parameter
            if problem.location == nil {
                problem.location =
                    draft.object[String(parameter.dropFirst())]?.location ?? draft.place
            }
            problems.append(problem)
            drafts[index].isFaulty = true
            return
        }
        // What fails while a file is looked into is the file's fault.
        let file = draft.bound?.contract.inputFiles.first
        let isFile = file != nil || error is FileError
        fail(
            index,
            isFile ? .file : .format,
            "\(error)",
            at: file?.location ?? draft.place,
            pointer: file.map { "/" + JSON.escapedPointer($0.name) } ?? ""
        )
    }

    private mutating func collectNotices(of environment: NodeEnvironment, _ index: Int) {
        let notices = environment.notices.withLock { $0 }
        for text in notices.warnings + notices.damages {
            warnings.append(
                Problem(
                    .format,
                    text,
                    at: drafts[index].place,
                    node: drafts[index].name,
                    pointer: drafts[index].pointer
                )
            )
        }
    }

    /// Inputs that are read together must have one rate.
    private mutating func checkRates(_ index: Int, _ formats: Formats) {
        let schema = drafts[index].schema
        var first: (input: String, rate: Rate)?
        for slot in schema.slots.indices where schema.inputs[schema.slots[slot]].rule == .together {
            guard let rate = formats.inputs[slot]?.rate else { continue }
            let name = schema.inputs[schema.slots[slot]].name
            guard let (other, otherRate) = first else {
                first = (name, rate)
                continue
            }
            guard rate != otherRate else { continue }
            let edge = incoming[index].first { $0.slot == slot }
            fail(
                index,
                .rate,
                "input \"\(name)\" has \(rate) packets a second, but \"\(other)\" has \(otherRate)",
                at: edge?.location ?? drafts[index].place,
                pointer: "/from",
                hint: "inputs that are read together need one rate"
            )
        }
    }
}
