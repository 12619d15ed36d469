public import Media

/// How a node reads an input beside its others.
public enum InputRule: String, Sendable {
    /// The earliest packet over all such inputs; of equal times the input declared first.
    case inOrder
    /// One packet of each such input, all of one time; a packet without its partners is dropped.
    case together
    /// The latest packet at or before the time of the one just taken from the other inputs.
    case hold
}

/// What happens when a packet's format differs from that of the one before.
public enum FormatChange: String, Sendable {
    /// The node is finished and started again.
    case restart
    /// The node reads each payload's own format.
    case accepts
    /// It is an error that names both formats and the time.
    case fixed
}

/// A declared input; nodes take packets from it.
@frozen public struct Input<T: Payload>: Sendable {
    @usableFromInline let index: Int
    @inlinable init(index: Int) { self.index = index }
}

/// A declared input that any number of outputs may feed, in the order of the graph file.
@frozen public struct Inputs<T: Payload>: Sendable {
    @usableFromInline let range: Range<Int>
    @inlinable init(range: Range<Int>) { self.range = range }

    /// How many outputs feed it.
    @inlinable public var count: Int { range.count }

    /// One of them, from 0.
    @inlinable public subscript(position: Int) -> Input<T> {
        precondition(position >= 0 && position < range.count, "There is no such input.")
        return Input(index: range.lowerBound + position)
    }
}

/// A declared output; nodes emit packets on it.
@frozen public struct Output<T: Payload>: Sendable {
    @usableFromInline let index: Int
    @inlinable init(index: Int) { self.index = index }
}

/// The type of a port's payload, and what the engine must do without knowing it.
package struct PayloadType: Sendable, Hashable {
    package let identifier: ObjectIdentifier
    package let name: String

    package init<T: Payload>(_ type: T.Type) {
        identifier = ObjectIdentifier(type)
        name = String(describing: type)
    }

    package static func == (left: PayloadType, right: PayloadType) -> Bool {
        left.identifier == right.identifier
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// An input as it was declared.
package struct InputDeclaration: Sendable {
    package let name: String
    package let payload: PayloadType
    package let rule: InputRule
    package let change: FormatChange
    package let help: String
    package let isOptional: Bool
    package let isMany: Bool
}

/// An output as it was declared.
package struct OutputDeclaration: Sendable {
    package let name: String
    package let payload: PayloadType
    package let help: String
    /// The position of the declared input whose stream this output is like.
    package let like: Int?
}
