/// Makes the smallest graphs that hold a node of a kind, for its page.
struct NodeExamples {
    private let descriptions: [String: NodeDescription]
    /// Of each payload, the kinds that make it, and how much is before them.
    private var makers: [PayloadType: [String: Int]] = [:]

    init(_ descriptions: [NodeDescription]) {
        self.descriptions = Dictionary(
            descriptions.map { ($0.kind, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        findMakers(descriptions.sorted { $0.kind < $1.kind })
    }

    /// Finds the makers of each payload; a round more for each node in the longest chain.
    private mutating func findMakers(_ descriptions: [NodeDescription]) {
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for description in descriptions {
                guard let cost = cost(of: description) else { continue }
                for output in description.outputs {
                    if cost < makers[output.type]?[description.kind] ?? .max {
                        makers[output.type, default: [:]][description.kind] = cost
                        hasChanged = true
                    }
                }
            }
        }
    }

    /// The maker with the least before it.
    private func cheapest(
        _ type: PayloadType,
        where isFitting: (String) -> Bool = { _ in true }
    ) -> (kind: String, cost: Int)? {
        let fitting = (makers[type] ?? [:]).filter { isFitting($0.key) }
        let best = fitting.min { ($0.value, $0.key) < ($1.value, $1.key) }
        return best.map { ($0.key, $0.value) }
    }

    /// What an example connects to an input.
    ///
    /// Where no source makes the payload, one payload may carry
    /// several things, as encoded packets do: there the maker's name must be that of the input.
    /// What decodes takes what a source gives, and nothing that was encoded just for it.
    private func maker(
        of input: NodeDescription.Input,
        for reader: NodeDescription
    ) -> NodeDescription? {
        if reader.kind.hasPrefix("decode."),
            let source = cheapest(input.type, where: { descriptions[$0]?.inputs.isEmpty == true })
        {
            return descriptions[source.kind]
        }
        guard let kind = cheapest(input.type)?.kind else { return nil }
        let named = cheapest(input.type) { $0.hasSuffix(".\(input.name)") }
        if descriptions[kind]?.inputs.isEmpty == false, let named {
            return descriptions[named.kind]
        }
        return descriptions[kind]
    }

    /// How much must be written for a node and all before it; nil while something before it is not
    /// known.
    private func cost(of description: NodeDescription) -> Int? {
        var cost = 1
        // Examples show what users write, and a file of theirs is not there.
        if description.kind.hasPrefix("test.") { cost += 50 }
        for parameter in description.parameters where parameter.isRequired {
            cost += parameter.type == "file" ? 20 : 1
        }
        for input in description.inputs where !input.isOptional {
            guard let maker = cheapest(input.type) else { return nil }
            cost += maker.cost
        }
        return cost
    }

    /// A graph that ends in a node of the kind; nil when nothing makes what it needs.
    func graph(of kind: String) -> JSON.Value? {
        var nodes: [(name: String, object: JSON.Value)] = []
        guard let description = descriptions[kind],
            add(description, to: &nodes, for: []) != nil
        else { return nil }
        return ["foxfire": .integer(GraphFile.version), "nodes": .members(nodes.map { ($0, $1) })]
    }

    /// Adds a node after all it needs; its name, or nil when something it needs has no maker.
    private func add(
        _ description: NodeDescription,
        to nodes: inout [(name: String, object: JSON.Value)],
        for readers: Set<String>
    ) -> String? {
        var sources: [(String, JSON.Value)] = []
        var inputs = description.inputs.filter { !$0.isOptional }
        if inputs.isEmpty { inputs = Array(description.inputs.prefix(1)) }
        for input in inputs {
            guard let maker = maker(of: input, for: description), !readers.contains(maker.kind),
                let name = existing(maker.kind, in: nodes)
                    ?? add(maker, to: &nodes, for: readers.union([description.kind]))
            else { return nil }
            let fitting = maker.outputs.filter { $0.type == input.type }
            let output = fitting.first { $0.name == input.name } ?? fitting[0]
            let text = fitting.count == 1 ? name : "\(name).\(output.name)"
            sources.append((input.name, .string(text)))
        }
        // What "simulate.physarum" and "render.physarum" would both be called is taken by the first.
        let words = description.kind.split(separator: ".").reversed().map(String.init)
        let names = words + [words.joined(separator: "-")]
        let name = names.first { name in !nodes.contains { $0.name == name } } ?? description.kind
        var members: [(String, JSON.Value)] = [("kind", .string(description.kind))]
        let isOnlyOne = description.inputs.count == 1 || inputs.first?.isOptional == false
        if sources.count == 1, isOnlyOne {
            members.append(("from", sources[0].1))
        } else if !sources.isEmpty {
            members.append(("from", .members(sources)))
        }
        for parameter in description.parameters where parameter.isRequired {
            members.append((parameter.name, parameter.example))
        }
        // A source that would never end is given an end, so that the example can be run.
        if description.inputs.isEmpty,
            description.parameters.contains(where: { $0.name == "duration" && $0.fallback == nil })
        {
            members.append(("duration", 10))
        }
        nodes.append((name, .members(members)))
        return name
    }

    /// A node that is there already and makes the same.
    private func existing(
        _ kind: String,
        in nodes: [(name: String, object: JSON.Value)]
    ) -> String? {
        nodes.first { JSON($0.object)["kind"]?.string == kind }?.name
    }
}
