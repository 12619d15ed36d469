/// Changes of a graph while it is checked, so that a part of it runs.
public struct GraphEdits: Sendable {
    /// Nodes that are added, or stand in place of those of the same name, each as in a graph file.
    ///
    /// Names of added nodes may hold anything, so that they cannot be a name of the file's. Relative paths start from
    /// the graph file's folder.
    public var nodes: [(name: String, object: JSON.Value)] = []
    /// Parameters that nodes have in place of what the file says.
    public var parameters: [(node: String, name: String, value: JSON.Value)] = []
    /// The nodes that stay, with all that they read; empty: all stay.
    public var kept: [String] = []

    /// No change.
    public init() {}
}

extension Checker {
    /// Puts nodes and parameters in place of the file's.
    mutating func edit() {
        for (name, value) in options.edits.nodes {
            let pointer = "/nodes/" + JSON.escapedPointer(name)
            let draft = Draft(name: name, object: JSON(value), pointer: pointer)
            if let index = positions[name] {
                drafts[index] = draft
            } else {
                positions[name] = drafts.count
                drafts.append(draft)
            }
        }
        for (node, name, value) in options.edits.parameters {
            guard let index = positions[node],
                case .object(var members) = drafts[index].object.value
            else { continue }
            members.removeAll { $0.key == name }
            let place = drafts[index].place
            members.append(JSON.Member(key: name, location: place, value: JSON(value, at: place)))
            drafts[index].object.value = .object(members)
        }
    }

    /// Leaves out the nodes that none of the kept ones needs.
    mutating func prune() {
        guard !options.edits.kept.isEmpty else { return }
        var needed: Set<Int> = []
        var open = options.edits.kept.compactMap { positions[$0] }
        while let index = open.popLast() {
            guard needed.insert(index).inserted else { continue }
            open += drafts[index].sources.compactMap { positions[$0.node] }
        }
        drafts = needed.sorted().map { drafts[$0] }
        positions = Dictionary(
            drafts.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
