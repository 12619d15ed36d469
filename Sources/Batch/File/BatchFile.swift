public import Graph
public import Media

/// A batch file as it was written: which graph to run, and with which values, how often.
///
/// Lists in files and folders are read by `BatchPlan`.
public struct BatchFile: Sendable {
    /// The version of batch files that this Foxfire reads.
    public static let version = 1

    /// A variable of the graph with the values that it takes in turn.
    struct Axis: Sendable {
        enum Values: Sendable {
            case list([String])
            /// Files that match a pattern.
            case glob(String)
            /// A column of a table with a heading line.
            case csv(path: String, column: String)
            /// A key of each line's object.
            case jsonl(path: String, key: String)
        }

        let variable: String
        let values: Values
        let location: SourceLocation
    }

    /// Values of variables, and where they stand.
    struct Values: Sendable {
        var texts: [(name: String, text: String)]
        let location: SourceLocation
    }

    /// What a job may take, and what happens when it fails.
    public struct Limits: Sendable, Hashable {
        /// Seconds after which a job is ended; nil: never.
        public var timeout: Double?
        /// How often a job is tried again.
        public var retries = 2
        /// Seconds before the first new try; each further one waits twice as long.
        public var backoff = 10.0
        /// Threads of a job; nil: as the engine shares them.
        public var threads: Int?
        /// Bytes of memory that a job may need; nil: as the engine shares them.
        public var memory: Int?
    }

    /// What a Slurm cluster is asked for.
    public struct SlurmRequest: Sendable, Hashable {
        /// Which part of the cluster; nil: its default.
        public var partition: String?
        /// Seconds that a task may take; nil: the partition's default.
        public var time: Double?
        /// How many tasks the jobs are spread over; nil: one a job, but not more than 100.
        public var tasks: Int?
    }

    /// The graph of jobs that name none: a path that starts from the batch file's folder, or the name of an
    /// installed graph.
    private(set) var graph: String?
    /// Which variable of the graph the output pattern sets.
    public private(set) var outputVariable = "output"
    /// Time, tries, threads and memory.
    public private(set) var limits = Limits()
    /// Partition, time and tasks on a cluster.
    public private(set) var slurm = SlurmRequest()
    /// How long the parts are in which films are made; nil: they are made at once.
    public private(set) var split: MediaTime?
    private(set) var location = SourceLocation(line: 1, column: 1)
    /// Nil where the file has none, so that the matrix stands alone.
    private(set) var jobs: [Values]?
    private(set) var matrix: [Axis] = []
    private(set) var exclude: [Values] = []
    private(set) var output: OutputPattern?

    /// Reads the text of a batch file.
    ///
    /// - Parameters:
    ///   - bytes: the text; any bytes may come.
    ///   - file: its name for messages.
    /// - Returns: the batch, and all that is wrong in the file itself, in its order; no batch where anything is.
    public static func read(_ bytes: [UInt8], file: String) -> (
        batch: BatchFile?, problems: [Problem]
    ) {
        let reading = JSONReader.read(bytes)
        var reader = BatchReader(problems: reading.problems)
        var batch: BatchFile?
        if reading.isWhole, let value = reading.value { batch = reader.batch(value) }
        for index in reader.problems.indices { reader.problems[index].file = file }
        let problems = reader.problems.sorted { ($0.place) < ($1.place) }
        return (problems.isEmpty ? batch : nil, problems)
    }

    /// Takes what a reader found.
    init(
        graph: String?,
        at location: SourceLocation,
        outputVariable: String,
        limits: Limits,
        slurm: SlurmRequest,
        split: MediaTime?,
        jobs: [Values]?,
        matrix: [Axis],
        exclude: [Values],
        output: OutputPattern?
    ) {
        self.graph = graph
        self.location = location
        self.outputVariable = outputVariable
        self.limits = limits
        self.slurm = slurm
        self.split = split
        self.jobs = jobs
        self.matrix = matrix
        self.exclude = exclude
        self.output = output
    }
}

extension Problem {
    /// Line and column, for sorting.
    fileprivate var place: (Int, Int) { (location?.line ?? 0, location?.column ?? 0) }
}
