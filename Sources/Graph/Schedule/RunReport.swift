/// What a run did.
public struct RunReport: Sendable {
    /// One written file.
    public struct Output: Sendable {
        public let path: String
        public let bytes: Int64
        /// Hex digits; nil where no digest was asked for.
        public let sha256: String?
    }

    /// One node.
    public struct NodeStatistics: Sendable {
        public let name: String
        public let kind: String
        public let isInserted: Bool
        /// Nanoseconds that it ran, over all its copies.
        public let busy: UInt64
        /// Nanoseconds that it waited for input, and for room at its outputs.
        public let waitingForInput: UInt64
        public let waitingForRoom: UInt64
        public let activations: Int64
        public let packetsIn: Int64
        public let packetsOut: Int64
        /// Packets read together that had no partner.
        public let unmatched: Int64
        public let notices: Notices
    }

    /// One edge.
    public struct EdgeStatistics: Sendable {
        /// `node.port`
        public let from: String
        public let to: String
        /// Packets it may hold at the end, after relief.
        public let capacity: Int
        public let packets: Int64
        /// The most packets and bytes it held.
        public let peakPackets: Int
        public let peakBytes: Int
        /// How often its capacity was doubled to free a deadlock.
        public let reliefs: Int
    }

    /// One worker, or the queue of a blocking node.
    public struct WorkerStatistics: Sendable {
        public let name: String
        public let activations: Int64
        /// Nanoseconds that it ran nodes or parts of them.
        public let busy: UInt64
        /// Parts of other nodes' work that it ran.
        public let parts: Int64
    }

    public let outputs: [Output]
    public let nodes: [NodeStatistics]
    public let edges: [EdgeStatistics]
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
