/// A graph while it is checked: each step finds its faults and leaves the rest to the next.
struct Checker {
    /// A node of the file on its way into the plan.
    struct Draft {
        let name: String
        var object: JSON
        let pointer: String
        var entry: CatalogueEntry?
        var binding = Contract.Binding()
        var bound: BoundNode?
        var sources: [Source] = []
        /// Inputs whose sources are faulty: they are not missing.
        var touchedInputs: Set<String> = []
        /// What goes where is not known, so that no input can be said to be missing.
        var isUnclear = false
        /// Something is wrong with it, so that it cannot be resolved.
        var isFaulty = false
        /// Its readers get what it would take.
        var isBypassed = false

        /// Where faults of the whole node are told.
        var place: SourceLocation { object.location }
        var schema: NodeSchema { bound?.contract.schema ?? NodeSchema() }
    }

    /// One output named in a node's `from`.
    struct Source {
        /// The input it goes to; nil while it is to be found out.
        var input: String?
        let node: String
        let port: String?
        let capacity: Int?
        let location: SourceLocation
        let pointer: String
    }

    /// A connection between two drafts.
    struct Edge {
        let from: Int
        let output: Int
        let to: Int
        let slot: Int
        let capacity: Int?
        let location: SourceLocation
        let pointer: String
    }

    let graph: GraphFile
    let file: String
    let options: GraphCheck.Options
    let catalogue: [CatalogueEntry]
    let kinds: [String: CatalogueEntry]
    var problems: [Problem] = []
    var warnings: [Problem] = []
    var drafts: [Draft] = []
    var positions: [String: Int] = [:]
    var edges: [Edge] = []

    /// The plan's nodes and edges so far, and where in it a draft stands.
    var planned: [GraphPlan.PlannedNode] = []
    var plannedEdges: [GraphPlan.PlannedEdge] = []
    var planPositions: [Int: Int] = [:]
    /// Of each bypassed draft, the plan's node and output that stand in its place.
    var stands: [Int: (node: Int, output: Int)] = [:]
    var converters: [Conversions.Wish: Int] = [:]
    var converterNames: Set<String> = []
    var incoming: [[Edge]] = []
    var outgoing: [[Edge]] = []

    private var described: [String: NodeSchema] = [:]

    init(
        graph: GraphFile,
        file: String,
        catalogue: [CatalogueEntry],
        options: GraphCheck.Options
    ) {
        self.graph = graph
        self.file = file
        self.catalogue = catalogue
        self.options = options
        kinds = Dictionary(catalogue.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether more problems can be told.
    var hasRoom: Bool { problems.count < JSONReader.problemLimit }

    /// Where relative `file` parameters start from.
    var folder: String {
        guard file != "-", let slash = file.lastIndex(of: "/") else { return "" }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    /// Runs all steps; the plan is whole only when there are no problems then.
    mutating func plan(_ given: [String: String]) -> GraphPlan {
        let values = graph.values(given, problems: &problems)
        substitute(values)
        edit()
        // Each step ends when no more problems can be told.
        for index in drafts.indices where hasRoom { findKind(of: index) }
        for index in drafts.indices where hasRoom { readSources(of: index) }
        prune()
        for index in drafts.indices where hasRoom { bindNode(index) }
        for index in drafts.indices where hasRoom { readBypass(of: index) }
        for index in drafts.indices where hasRoom { connect(index) }
        let (order, cyclic) = sorted()
        for index in cyclic { drafts[index].isFaulty = true }
        for index in order where hasRoom { resolve(index) }
        checkPaths()
        warnAboutIdleNodes()
        warnings.sort(by: Problem.stand)
        for index in warnings.indices where warnings[index].file == nil {
            warnings[index].file = file
        }
        let canonical = JSON.compact(canonical(values))
        return GraphPlan(
            description: graph.description,
            nodes: planned,
            edges: plannedEdges,
            outputs: drafts.filter { !$0.isBypassed }.flatMap { draft in
                (draft.bound?.contract.outputs ?? []).map {
                    GraphPlan.PlannedOutput(node: draft.name, path: $0.file)
                }
            },
            inputFiles: drafts.sorted { $0.name < $1.name }.flatMap { draft in
                (draft.bound?.contract.inputFiles ?? []).map(\.file)
            },
            warnings: warnings,
            provenance: provenance(values, canonical: canonical),
            canonical: canonical,
            namesPresets: !contents.isEmpty
        )
    }

    private mutating func substitute(_ values: [String: JSON]) {
        var substitution = Substitution(values: values, text: graph.text)
        for entry in graph.entries {
            let pointer = "/nodes/" + JSON.escapedPointer(entry.name)
            var object = entry.object
            if case .object(let members) = object.value {
                object.value = .object(
                    members.compactMap { member in
                        var member = member
                        if member.key != "help", member.key != "kind" {
                            member.value = substitution.applied(
                                to: member.value,
                                node: entry.name,
                                pointer: "\(pointer)/\(JSON.escapedPointer(member.key))"
                            )
                        }
                        // A variable that is null leaves the key out.
                        if case .null = member.value.value, case .variable = member.value.origin {
                            return nil
                        }
                        return member
                    }
                )
            }
            positions[entry.name] = drafts.count
            drafts.append(Draft(name: entry.name, object: object, pointer: pointer))
        }
        problems += substitution.problems
        let deciders = Set(graph.variables.compactMap(\.dependentDefault).flatMap(\.deciders))
        for variable in graph.variables
        where !deciders.contains(variable.name) && !substitution.used.contains(variable.name)
            && !variable.isFaulty
        {
            warnings.append(
                Problem(
                    .unused,
                    "variable \(JSON.quoted(variable.name)) is never used",
                    at: variable.location,
                    pointer: "/variables/\(variable.name)",
                    hint: "write $\(variable.name) where its value should stand"
                )
            )
        }
    }

    private mutating func findKind(of index: Int) {
        let draft = drafts[index]
        guard case .object = draft.object.value, draft.object.origin != .faulty else {
            drafts[index].isFaulty = true
            return
        }
        guard let kind = draft.object["kind"] else {
            fail(
                index,
                .missingParameter,
                "\"kind\" is missing",
                at: draft.place,
                hint: "it says what the node does; foxfire nodes lists all"
            )
            return
        }
        if kind.origin == .faulty {
            drafts[index].isFaulty = true
        } else if let name = kind.string {
            if let entry = kinds[name] {
                drafts[index].entry = entry
            } else {
                fail(
                    index,
                    .unknownKind,
                    "unknown kind \(JSON.quoted(name))",
                    at: kind.location,
                    pointer: "/kind",
                    hint: suggestion(for: name, in: catalogue.map(\.kind))
                        ?? "foxfire nodes lists all"
                )
            }
        } else {
            fail(
                index,
                .type,
                "\"kind\" must be a string, not \(kind.kindName)",
                at: kind.location,
                pointer: "/kind"
            )
        }
    }

    private mutating func bindNode(_ index: Int) {
        guard let entry = drafts[index].entry else { return }
        var binding = Contract.Binding(node: drafts[index].name, object: drafts[index].object)
        binding.pointer = drafts[index].pointer
        binding.folder = folder
        for source in drafts[index].sources {
            if let input = source.input { binding.connections[input, default: 0] += 1 }
        }
        for name in drafts[index].touchedInputs where binding.connections[name] == nil {
            binding.connections[name] = 1
        }
        if drafts[index].isUnclear {
            for input in description(of: entry).inputs where binding.connections[input.name] == nil
            {
                binding.connections[input.name] = 1
            }
        }
        let bound = bind(entry.type, binding)
        drafts[index].binding = binding
        drafts[index].bound = bound
        warnings += bound.contract.warnings
        guard !bound.contract.problems.isEmpty else { return }
        problems += bound.contract.problems
        drafts[index].isFaulty = true
    }

    /// What a kind declares when no file gives values.
    mutating func description(of entry: CatalogueEntry) -> NodeSchema {
        if let schema = described[entry.kind] { return schema }
        let schema = bind(entry.type, Contract.Binding()).contract.schema
        described[entry.kind] = schema
        return schema
    }

    /// Tells a fault of a node, which is faulty from then on; `pointer` is relative to the node.
    mutating func fail(
        _ index: Int,
        _ code: Problem.Code,
        _ text: String,
        at place: SourceLocation,
        pointer: String = "",
        hint: String? = nil
    ) {
        drafts[index].isFaulty = true
        problems.append(
            Problem(
                code,
                text,
                at: place,
                node: drafts[index].name,
                pointer: drafts[index].pointer + pointer,
                hint: hint
            )
        )
    }
}
