public import Graph
public import Media

/// How a film's graph is run in parts: from where to where it can be cut, and what each part runs.
///
/// Between the simulation and the encoders nothing may remember what came before, and each encoder begins anew where a
/// part ends: so the parts' pictures are those of the film that is made at once.
public struct FilmSplit {
    /// The most parts of a film.
    static let partLimit = 10_000
    /// A part is no shorter than this: the last one would be no more than a few frames.
    private static let shortest = MediaTime(1, 1)

    private let plan: GraphPlan
    private let simulation: String
    /// What makes the parameters of the simulation, and on which output.
    private let parameters: (node: String, output: String)
    private let encoders: [String]
    /// How many parts there are; 1: it is too short to be split.
    public let count: Int
    private let length: MediaTime

    /// Finds out how a film is cut.
    ///
    /// - Parameters:
    ///   - plan: the whole film's graph.
    ///   - file: the graph file's name, for messages.
    ///   - length: of a part.
    /// - Throws: `Problem` when it cannot be, with the node that stands in the way.
    public init(_ plan: GraphPlan, file: String, length: MediaTime) throws(Problem) {
        let layout = Layout(plan, file)
        let simulation = try layout.simulation()
        let source = try layout.source(of: simulation)
        let encoders = try layout.encoders(after: simulation)
        for encoder in encoders { try layout.checkSegment(of: encoder, length) }
        guard let duration = plan.nodes[simulation].formats.outputs.first??.duration else {
            throw layout.problem(simulation, "cannot be split: how long the film is is not known")
        }
        self.plan = plan
        self.length = length
        self.simulation = plan.nodes[simulation].name
        parameters = (
            plan.nodes[source.node].name,
            plan.nodes[source.node].bound.contract.schema.outputs[source.output].name
        )
        self.encoders = encoders.map { plan.nodes[$0].name }
        // The last part may be longer by what would be too short for a part.
        let whole = (duration.seconds - Self.shortest.seconds) / length.seconds
        guard whole < Double(Self.partLimit) else {
            throw layout.problem(
                simulation,
                "would be split into more than \(Self.partLimit) parts",
                hint: "split it into longer ones"
            )
        }
        count = max(1, Int(whole.rounded(.up)))
    }

    /// What a part runs in place of the film's graph.
    ///
    /// - Parameter part: which.
    /// - Returns: the changes.
    public func edits(for part: FilmPart) -> GraphEdits {
        var edits = GraphEdits()
        switch part.kind {
        case .track:
            let from = "\(parameters.node).\(parameters.output)"
            add("write the track", "write.track", from: ["parameters": .string(from)], part.track)
        case .state:
            simulate(part)
            set("checkpoint", .string(part.state(part.number)))
            set("until", .string(secondsText(part.end(part.number))))
            edits.kept = [simulation]
        case .pictures:
            simulate(part)
            if part.number < part.count {
                set("until", .string(secondsText(part.end(part.number))))
            }
            for (index, encoder) in encoders.enumerated() {
                let path = part.pictures(part.number, index)
                // It is read once, by who joins the parts.
                add("write \(encoder)", "write.movie", from: ["video": .string(encoder)], path) {
                    $0.append(("faststart", false))
                }
            }
        case .film:
            for (index, encoder) in encoders.enumerated() {
                let paths = (1...part.count).map { part.pictures($0, index) }
                let parts = paths.map { ["path": .string($0)] as JSON.Value }
                edits.nodes.append((encoder, ["kind": "source.parts", "parts": .list(parts)]))
            }
            edits.kept = Set(plan.outputs.map(\.node)).sorted()
        }
        return edits

        func set(_ name: String, _ value: JSON.Value) {
            edits.parameters.append((simulation, name, value))
        }

        func simulate(_ part: FilmPart) {
            edits.nodes.append(
                (parameters.node, ["kind": "source.track", "path": .string(part.track)])
            )
            if part.number > 1 { set("resume", .string(part.state(part.number - 1))) }
        }

        func add(
            _ name: String,
            _ kind: String,
            from: JSON.Value,
            _ path: String,
            _ more: (inout [(String, JSON.Value)]) -> Void = { _ in }
        ) {
            var members: [(String, JSON.Value)] = [
                ("kind", .string(kind)), ("from", from), ("path", .string(path)),
            ]
            more(&members)
            edits.nodes.append((name, .members(members)))
            edits.kept.append(name)
        }
    }

    /// Lets a film that is joined count as the film that is made at once: its bytes are the same.
    ///
    /// - Parameters:
    ///   - joined: the checked graph of a part; only a film's is changed.
    ///   - part: which it is.
    /// - Returns: the graph to run.
    public func named(_ joined: GraphPlan, _ part: FilmPart) -> GraphPlan {
        guard part.kind == .film else { return joined }
        var result = joined
        result.canonical = plan.canonical
        result.provenance = plan.provenance
        result.inputFiles = plan.inputFiles
        result.namesPresets = plan.namesPresets
        return result
    }
}

/// What a plan's nodes are to each other.
private struct Layout {
    let plan: GraphPlan
    let file: String
    let readers: [Int: [GraphPlan.PlannedEdge]]

    init(_ plan: GraphPlan, _ file: String) {
        (self.plan, self.file) = (plan, file)
        readers = Dictionary(grouping: plan.edges, by: \.fromNode)
    }

    func problem(_ index: Int?, _ text: String, hint: String? = nil) -> Problem {
        let node = index.map { plan.nodes[$0] }
        return Problem(
            .mismatch,
            node == nil ? "the graph \(text)" : text,
            at: node?.binding.object?.location,
            node: node?.name,
            hint: hint,
            file: file
        )
    }

    func simulation() throws(Problem) -> Int {
        let all = plan.nodes.indices.filter { plan.nodes[$0].kind == "simulate.physarum" }
        guard let found = all.first else {
            throw problem(nil, "cannot be split: it has no simulate.physarum")
        }
        if all.count > 1 {
            throw problem(
                all[1],
                "the film cannot be split: it has a second simulate.physarum",
                hint: "make each one's film by a graph of its own"
            )
        }
        for name in ["checkpoint", "resume", "until"] where parameter(name, of: found) != nil {
            throw problem(found, "the film cannot be split: \"\(name)\" is set already")
        }
        return found
    }

    private func parameter(_ name: String, of index: Int) -> JSON? {
        guard let value = plan.nodes[index].binding.object?[name] else { return nil }
        if case .null = value.value { return nil }
        return value
    }

    /// Whose parameters the simulation reads.
    func source(of simulation: Int) throws(Problem) -> (node: Int, output: Int) {
        let schema = plan.nodes[simulation].bound.contract.schema
        let edge = plan.edges.first {
            $0.toNode == simulation && schema.inputs[schema.slots[$0.toSlot]].name == "parameters"
        }
        guard let edge else { throw problem(simulation, "reads no parameters") }
        let outputs = plan.nodes[edge.fromNode].bound.contract.schema.outputs
        if outputs.count > 1 || outputs[edge.fromOutput].name != "parameters" {
            throw problem(
                edge.fromNode,
                "the film cannot be split: the parameters come from a node that makes other things too"
            )
        }
        return (edge.fromNode, edge.fromOutput)
    }

    /// The encoders that all of the simulation's pictures go to.
    func encoders(after simulation: Int) throws(Problem) -> [Int] {
        var (encoders, passed): (Set<Int>, Set<Int>) = ([], [simulation])
        var open = (readers[simulation] ?? []).map(\.toNode)
        while let index = open.popLast() {
            let node = plan.nodes[index]
            if node.kind == "encode.video" {
                encoders.insert(index)
                continue
            }
            guard passed.insert(index).inserted else { continue }
            let next = readers[index] ?? []
            if next.isEmpty {
                throw problem(
                    index,
                    "the film cannot be split: this reads the simulation, and not by way of an encode.video"
                )
            }
            if node.execution != .stateless {
                throw problem(
                    index,
                    "the film cannot be split: a \(node.kind) between the simulation and its encoder remembers "
                        + "what came before"
                )
            }
            open += next.map(\.toNode)
        }
        for edge in plan.edges
        where passed.contains(edge.toNode) && edge.toNode != simulation
            && !passed.contains(edge.fromNode)
        {
            throw problem(
                edge.toNode,
                "the film cannot be split: beside the simulation this reads \"\(plan.nodes[edge.fromNode].name)\", "
                    + "which begins anew in each part"
            )
        }
        if encoders.isEmpty {
            throw problem(simulation, "the film cannot be split: no encode.video reads this")
        }
        return encoders.sorted { plan.nodes[$0].name < plan.nodes[$1].name }
    }

    /// That an encoder begins anew wherever a part does.
    func checkSegment(of encoder: Int, _ length: MediaTime) throws(Problem) {
        guard let segment = parameter("segment", of: encoder)?.time else {
            throw problem(
                encoder,
                "the film cannot be split: the encoder has no \"segment\"",
                hint:
                    "write \"segment\": \"\(secondsText(length))s\", or a time that this is a multiple of"
            )
        }
        let parts = Int128(length.value) * Int128(segment.scale)
        if parts % (Int128(segment.value) * Int128(length.scale)) != 0 {
            throw problem(
                encoder,
                "the film cannot be split: \(secondsText(length)) s is no multiple of the encoder's \"segment\", "
                    + "\(secondsText(segment)) s"
            )
        }
    }
}

extension JSON {
    /// The time that stands here.
    fileprivate var time: MediaTime? {
        switch value {
        case .string(let text), .number(let text): splitLength(text)
        default: nil
        }
    }
}

/// A time above 0 that a text says; nil for others.
func splitLength(_ text: String) -> MediaTime? {
    guard case .time(let time)? = TimeValue(parsing: text), time > .zero else { return nil }
    return time
}
