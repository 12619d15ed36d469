import Media

/// Holds one running node whose type is known here and nowhere else in the engine.
///
/// Unchecked: the scheduler runs a slot on one thread at a time.
package class AnyNodeSlot: @unchecked Sendable {
    package func resolve(_ formats: inout Formats) throws { fatalError("A slot must hold a node.") }
    package func start(_ formats: borrowing Formats) throws {
        fatalError("A slot must hold a node.")
    }
    package func run(_ io: inout IO) throws { fatalError("A slot must hold a node.") }
    package func finish(_ io: inout IO) throws { fatalError("A slot must hold a node.") }
    /// Frees the node, and makes one of the same declaration in its place.
    package func renew() { fatalError("A slot must hold a node.") }
    /// Frees the node.
    package func clear() { fatalError("A slot must hold a node.") }
}

@safe private final class NodeSlot<N: Node & ~Copyable>: AnyNodeSlot, @unchecked Sendable {
    // In memory of its own: a stored property would be checked for exclusive access on every run.
    private let node: UnsafeMutablePointer<N?>
    private let binding: Contract.Binding

    init(_ type: N.Type, _ binding: Contract.Binding, _ contract: inout Contract) {
        self.binding = binding
        unsafe node = .allocate(capacity: 1)
        unsafe node.initialize(to: N(&contract))
    }

    deinit {
        unsafe node.deinitialize(count: 1)
        unsafe node.deallocate()
    }

    package override func resolve(_ formats: inout Formats) throws {
        try unsafe node.pointee?.resolve(&formats)
    }
    package override func start(_ formats: borrowing Formats) throws {
        try unsafe node.pointee?.start(formats)
    }
    package override func run(_ io: inout IO) throws { try unsafe node.pointee?.run(&io) }
    package override func finish(_ io: inout IO) throws { try unsafe node.pointee?.finish(&io) }
    package override func clear() { unsafe node.pointee = nil }

    package override func renew() {
        unsafe node.pointee = nil
        var contract = Contract(binding)
        unsafe node.pointee = N(&contract)
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
    /// The keys that every node may have, which therefore name no parameter.
    static let reservedKeys = ["kind", "from", "help", "bypass"]

    /// Ends the declaration: what the node did not declare is unknown.
    mutating func close() {
        schema.parameters = scope.parameters
        guard isBound, case .object(let members)? = binding.object?.value else { return }
        let names = schema.parameters.map(\.name)
        for member in members
        where !Self.reservedKeys.contains(member.key) && !names.contains(member.key) {
            guard problems.count < JSONReader.problemLimit else { return }
            problems.append(unknownKey(member, allowed: names, pointer: binding.pointer))
        }
    }
}
