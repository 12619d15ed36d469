import Media

/// Holds one running node whose type is known here and nowhere else in the engine.
package class AnyNodeSlot: @unchecked Sendable {  // The scheduler runs a slot on one thread at a time.
    package func resolve(_ formats: inout Formats) throws { fatalError("A slot must hold a node.") }
    package func start(_ formats: borrowing Formats) throws { fatalError("A slot must hold a node.") }
    package func run(_ io: inout IO) throws { fatalError("A slot must hold a node.") }
    package func finish(_ io: inout IO) throws { fatalError("A slot must hold a node.") }
    /// Frees the node, and makes one of the same declaration in its place.
    package func renew() { fatalError("A slot must hold a node.") }
    /// Frees the node.
    package func clear() { fatalError("A slot must hold a node.") }
}

private final class NodeSlot<N: Node & ~Copyable>: AnyNodeSlot, @unchecked Sendable {
    private var node: N?
    private let binding: Contract.Binding

    init(_ type: N.Type, _ binding: Contract.Binding, _ contract: inout Contract) {
        self.binding = binding
        node = N(&contract)
    }

    package override func resolve(_ formats: inout Formats) throws { try node?.resolve(&formats) }
    package override func start(_ formats: borrowing Formats) throws { try node?.start(formats) }
    package override func run(_ io: inout IO) throws { try node?.run(&io) }
    package override func finish(_ io: inout IO) throws { try node?.finish(&io) }
    package override func clear() { node = nil }

    package override func renew() {
        node = nil
        var contract = Contract(binding)
        node = N(&contract)
    }
}

/// A node that was declared with a graph file's values: its slot, and all it declared.
package struct BoundNode: Sendable {
    package let slot: AnyNodeSlot
    package let contract: Contract
}

/// Declares a node of `type` with the values that `binding` gives.
package func bind(_ type: any (Node & ~Copyable).Type, _ binding: Contract.Binding) -> BoundNode {
    func open<N: Node & ~Copyable>(_ type: N.Type) -> BoundNode {
        var contract = Contract(binding)
        let slot = NodeSlot(type, binding, &contract)
        contract.close()
        return BoundNode(slot: slot, contract: contract)
    }
    return open(type)
}

extension Contract {
    /// Ends the declaration: what the node did not declare is unknown.
    mutating func close() {
        schema.parameters = scope.parameters
        guard isBound, case .object(let members)? = binding.object?.value else { return }
        let names = schema.parameters.map(\.name)
        for member in members
        where !["kind", "from", "help"].contains(member.key) && !names.contains(member.key) {
            guard problems.count < JSONReader.problemLimit else { return }
            problems.append(unknownKey(member, allowed: names, pointer: binding.pointer))
        }
    }
}
