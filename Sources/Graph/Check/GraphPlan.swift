/// A graph that was checked: every node declared with its values, every stream's format known.
public struct GraphPlan: Sendable {
    /// One node.
    public struct PlannedNode: Sendable {
        /// Its name in the graph; of an inserted conversion, the edge's two ends.
        public let name: String
        /// Its kind.
        public let kind: String
        /// How it may run.
        public let execution: Execution
        /// Whether the engine put it there to convert a format.
        public let isInserted: Bool
        package let type: any (Node & ~Copyable).Type
        /// What it was declared with, to declare copies with.
        package let binding: Contract.Binding
        package let bound: BoundNode
        /// As `resolve` left them; the environment is that of the check.
        package var formats: Formats

        package init(
            name: String,
            kind: String,
            execution: Execution,
            isInserted: Bool,
            type: any (Node & ~Copyable).Type,
            binding: Contract.Binding,
            bound: BoundNode,
            formats: Formats
        ) {
            self.name = name
            self.kind = kind
            self.execution = execution
            self.isInserted = isInserted
            self.type = type
            self.binding = binding
            self.bound = bound
            self.formats = formats
        }
    }

    /// One connection: positions in `nodes`, of an output, and of an input slot.
    public struct PlannedEdge: Sendable, Hashable {
        /// The node that writes.
        public let fromNode: Int
        /// Which of its outputs.
        public let fromOutput: Int
        /// The node that reads.
        public let toNode: Int
        /// Which of its input slots.
        public let toSlot: Int
        /// How many packets it holds, where the graph file says so.
        public let capacity: Int?

        package init(fromNode: Int, fromOutput: Int, toNode: Int, toSlot: Int, capacity: Int?) {
            self.fromNode = fromNode
            self.fromOutput = fromOutput
            self.toNode = toNode
            self.toSlot = toSlot
            self.capacity = capacity
        }
    }

    /// An output file or sequence, and the node that writes it.
    public struct PlannedOutput: Sendable, Hashable {
        /// The node's name.
        public let node: String
        /// What it writes.
        public let path: OutputPath
    }

    /// What the graph file says it is for.
    public package(set) var description: String?
    /// In topological order: writers before readers.
    public package(set) var nodes: [PlannedNode]
    /// All connections, those of inserted conversions too.
    public package(set) var edges: [PlannedEdge]
    /// What is written, in the order of the file's nodes.
    public package(set) var outputs: [PlannedOutput]
    /// The files that nodes read, in the order of the nodes' names.
    public package(set) var inputFiles: [InputFile]
    /// What is right but worth a look.
    public package(set) var warnings: [Problem]
    /// What outputs store of how they were made: version, graph hash, seed, preset.
    public package(set) var provenance: [(key: String, value: String)]

    /// What determines the outputs' content beside the files that are read, as JSON whose keys are in order.
    ///
    /// Nodes, connections, parameters and variables, presets by what they say; no paths, nothing that only steers
    /// speed.
    public package(set) var canonical: String
    /// Whether presets were looked up for it.
    public package(set) var namesPresets: Bool

    package init(
        description: String?,
        nodes: [PlannedNode],
        edges: [PlannedEdge],
        outputs: [PlannedOutput],
        inputFiles: [InputFile],
        warnings: [Problem],
        provenance: [(key: String, value: String)],
        canonical: String,
        namesPresets: Bool
    ) {
        self.description = description
        self.nodes = nodes
        self.edges = edges
        self.outputs = outputs
        self.inputFiles = inputFiles
        self.warnings = warnings
        self.provenance = provenance
        self.canonical = canonical
        self.namesPresets = namesPresets
    }
}
