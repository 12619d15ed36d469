/// What a run did.
public struct RunReport: Sendable {
    /// One written file.
    public struct Output: Sendable {
        /// Where it is.
        public let path: String
        /// Its length.
        public let bytes: Int64
        /// Hex digits; nil where no digest was asked for.
        public let sha256: String?
    }

    /// One node.
    public struct NodeStatistics: Sendable {
        /// Its name.
        public let name: String
        /// Its kind.
        public let kind: String
        /// Whether the engine put it there.
        public let isInserted: Bool
        /// Nanoseconds that it ran, over all its copies.
        public let busy: UInt64
        /// Nanoseconds that it waited for input.
        public let waitingForInput: UInt64
        /// Nanoseconds that it waited for room at its outputs.
        public let waitingForRoom: UInt64
        /// How often it was run.
        public let activations: Int64
        /// Packets it took.
        public let packetsIn: Int64
        /// Packets it emitted.
        public let packetsOut: Int64
        /// Packets read together that had no partner.
        public let unmatched: Int64
        /// What it told of its input.
        public let notices: Notices
    }

    /// One edge.
    public struct EdgeStatistics: Sendable {
        /// `node.port` that writes to it.
        public let from: String
        /// `node.port` that reads it.
        public let to: String
        /// Packets it may hold at the end, after relief.
        public let capacity: Int
        /// Packets it carried.
        public let packets: Int64
        /// The most packets it held.
        public let peakPackets: Int
        /// The most bytes it held.
        public let peakBytes: Int
        /// How often its capacity was doubled to free a deadlock.
        public let reliefs: Int
    }

    /// One worker, or the queue of a blocking node.
    public struct WorkerStatistics: Sendable {
        /// Its name.
        public let name: String
        /// How often it was run.
        public let activations: Int64
        /// Nanoseconds that it ran nodes or parts of them.
        public let busy: UInt64
        /// Parts of other nodes' work that it ran.
        public let parts: Int64
    }

    /// The files, in the order in which they were opened.
    public let outputs: [Output]
    /// The nodes, writers before readers.
    public let nodes: [NodeStatistics]
    /// The edges, in the order of the graph.
    public let edges: [EdgeStatistics]
    /// The workers, then the queues of blocking nodes.
    public let workers: [WorkerStatistics]
    /// Nanoseconds from start to end.
    public let elapsed: UInt64
    /// The most bytes that all edges held together.
    public let peakEdgeBytes: Int
    /// The most memory the process had, in bytes.
    public let peakMemory: Int

    /// Whether any input was damaged or cut short.
    public var hasDamage: Bool { nodes.contains { $0.notices.damageCount > 0 } }
}
