public import Media

/// How the engine may run a node.
public enum Execution: String, Sendable {
    /// The output depends on one input set alone: copies run at the same time, their outputs are put
    /// back in order.
    case stateless
    /// One activation at a time, on any worker.
    case serial
    /// File and pipe I/O, and codecs with threads of their own: a queue of its own.
    case blocking
}

/// One step of a graph: its declaration is its schema.
///
/// `init` declares every port and parameter once; the binder, the error messages, `foxfire nodes`,
/// the JSON Schema and the docs page are read from there. A node holds no lock, starts no thread and
/// is never run twice at once. The doc comment of a node's type is its page: the first line says what
/// it does.
///
/// For implementations: what a node sees never depends on the schedule. A node whose run is
/// cancelled is freed, not finished.
public protocol Node: ~Copyable, SendableMetatype {
    /// The name graph files use: a lower-case word, a dot, a word.
    static var kind: String { get }
    /// How the engine may run it.
    static var execution: Execution { get }
    /// What the node converts when the engine inserts it on an edge whose two ends differ.
    static var conversion: Conversion? { get }
    /// Declares ports and parameters and keeps their values.
    init(_ c: inout Contract)
    /// Says the outputs' formats, rates and lengths from the inputs'; pure, and called more than once.
    func resolve(_ f: inout Formats) throws
    /// Opens and allocates: all formats are known.
    mutating func start(_ f: borrowing Formats) throws
    /// Takes input and emits output; called only when the inputs' rule is met.
    mutating func run(_ io: inout IO) throws
    /// Flushes after the last input; called again while it says `io.more()`.
    mutating func finish(_ io: inout IO) throws
}

extension Node where Self: ~Copyable {
    /// Converts nothing.
    public static var conversion: Conversion? { nil }
    /// Leaves the formats as the declaration has them.
    public func resolve(_ f: inout Formats) throws {}
    /// Opens nothing.
    public mutating func start(_ f: borrowing Formats) throws {}
    /// Flushes nothing.
    public mutating func finish(_ io: inout IO) throws {}
}

/// What a node does when the engine inserts it between two formats of one payload.
public struct Conversion: Sendable {
    let payload: ObjectIdentifier
    let parameters: @Sendable (any StreamFormat, any StreamFormat) -> [String: JSON.Value]?

    /// Says how to set the node up for a pair of formats.
    ///
    /// - Parameters:
    ///   - payload: what is converted.
    ///   - parameters: the node's parameters for a conversion, or nil where it cannot do it.
    public init<T: Payload>(
        of payload: T.Type,
        parameters: @escaping @Sendable (_ from: T.Format, _ to: T.Format) -> [String: JSON.Value]?
    ) {
        self.payload = ObjectIdentifier(payload)
        self.parameters = { from, to in
            guard let from = from as? T.Format, let to = to as? T.Format else { return nil }
            return parameters(from, to)
        }
    }
}

/// A node's type with the text of its page, as the build plugin finds them.
public struct CatalogueEntry: Sendable {
    /// The name graph files use.
    public let kind: String
    /// The node.
    public let type: any (Node & ~Copyable).Type
    /// What it does, in one line.
    public let summary: String
    /// The rest of its page: paragraphs apart by blank lines; may be empty.
    public let discussion: String

    /// Says all four.
    public init(
        kind: String,
        type: any (Node & ~Copyable).Type,
        summary: String,
        discussion: String
    ) {
        self.kind = kind
        self.type = type
        self.summary = summary
        self.discussion = discussion
    }
}
