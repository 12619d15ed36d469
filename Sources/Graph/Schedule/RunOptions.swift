public import Media

/// How a graph is run.
public struct RunOptions: Sendable {
    /// How many workers the engine has, 1…256.
    public var threads: Int
    /// How many packets an edge holds unless the graph file says otherwise.
    public var capacity: Int
    /// How many bytes an edge holds; at least one packet fits always.
    public var edgeBytes: Int
    /// How many bytes all edges together may hold before relief of a deadlock is refused.
    public var memoryLimit: Int
    /// Whether every activation is kept for a trace.
    public var isTracing: Bool
    /// Whether damage of an input makes the run fail: it ends as `RunFailure.damaged`, and no output
    /// gets its name.
    public var isStrict: Bool
    /// How closely writers look at a finished output before it gets its name.
    public var verification: OutputVerification
    /// Whether an older output of that path stays, and what was made for it is dropped.
    public var keeps: @Sendable (_ path: String) -> Bool
    /// Whether an output replaces a file of that path that is there at the end; else it fails.
    public var replaces: @Sendable (_ path: String) -> Bool
    /// A part of the outputs' names until the run's end, by which leavings of a killed run are told apart.
    public var temporaryTag: String
    /// Is asked when all outputs are whole and on the disk and none has its name; a reason withholds them.
    public var withholds: @Sendable (_ files: [OutputFile]) throws(FileError) -> String?
    /// The SHA-256 of a file, as hex digits, for the report; nil leaves it out.
    public var digest: (@Sendable (_ path: String) throws -> String)?
    /// Is told when no packet has moved for ten seconds: all nodes' states, as text.
    public var stalled: (@Sendable (String) -> Void)?

    /// The usual: as many workers as the machine has cores.
    public init(
        threads: Int,
        capacity: Int = 64,
        edgeBytes: Int = 64 << 20,
        memoryLimit: Int = 1 << 40,
        isTracing: Bool = false,
        isStrict: Bool = false,
        verification: OutputVerification = .fast,
        keeps: @escaping @Sendable (String) -> Bool = { _ in false },
        replaces: @escaping @Sendable (String) -> Bool = { _ in true },
        temporaryTag: String = "",
        withholds: @escaping @Sendable ([OutputFile]) throws(FileError) -> String? = { _ in nil },
        digest: (@Sendable (String) throws -> String)? = nil,
        stalled: (@Sendable (String) -> Void)? = nil
    ) {
        precondition((1...256).contains(threads), "An engine has 1 to 256 workers.")
        precondition(capacity >= 1, "An edge holds at least one packet.")
        self.threads = threads
        self.capacity = capacity
        self.edgeBytes = edgeBytes
        self.memoryLimit = memoryLimit
        self.isTracing = isTracing
        self.isStrict = isStrict
        self.verification = verification
        self.keeps = keeps
        self.replaces = replaces
        self.temporaryTag = temporaryTag
        self.withholds = withholds
        self.digest = digest
        self.stalled = stalled
    }
}

/// How far a run has come, for one output.
public struct Progress: Sendable {
    /// The node that writes.
    public let node: String
    /// What it writes; nil for a sink that writes nothing.
    public let path: OutputPath?
    /// The time of the packet it took last.
    public let time: MediaTime
    /// How long the output will be, where that is known.
    public let duration: MediaTime?
    /// Packets it has taken of its first input; of a film's writer, pictures.
    public let packets: Int64
}

/// Why a run ended without its outputs.
public enum RunFailure: Error, Sendable {
    /// A node failed.
    case node(NodeFailure)
    /// Nodes wait for each other for good; the text names who waits for what.
    case deadlock(String)
    /// An output could not be given its name.
    case output(FileError)
    /// An input was damaged, and the run was strict; the report lists no outputs.
    case damaged(RunReport)
    /// The outputs were made and are not wanted: why.
    case withheld(String)
    /// `cancel()` was called.
    case cancelled
}

extension RunFailure: CustomStringConvertible {
    /// What went wrong, in words.
    public var description: String {
        switch self {
        case .node(let failure): "\(failure)"
        case .deadlock(let text): text
        case .output(let error): "\(error)"
        case .withheld(let reason): reason
        case .damaged: "an input is damaged or cut short"
        case .cancelled: "cancelled"
        }
    }
}
