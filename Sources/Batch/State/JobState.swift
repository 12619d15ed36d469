import Graph
import Media

/// What is written down of a job: what it is, what it read, what it made, how it ended.
public struct JobState: Sendable, Hashable {
    /// A file that it made.
    public struct Output: Sendable, Hashable {
        /// Its final name.
        public let path: String
        /// Its name until it had that.
        let temporary: String
        /// Its length.
        public let bytes: Int64
        /// 64 hexadecimal digits.
        public let sha256: String
        /// When its content changed, in nanoseconds since 1970; 0 before it has its name.
        var modified: Int64 = 0
    }

    /// A node of the graph, and how long it worked.
    public struct NodeTime: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its kind.
        public let kind: String
        /// Seconds.
        public let busy: Double

        /// Says all three.
        ///
        /// - Parameters:
        ///   - name: its name.
        ///   - kind: its kind.
        ///   - busy: seconds.
        public init(name: String, kind: String, busy: Double) {
            (self.name, self.kind, self.busy) = (name, kind, busy)
        }
    }

    /// The graph as the batch names it.
    public internal(set) var graph = ""
    /// The values of its variables.
    public internal(set) var values: [String: String] = [:]
    /// The hash of the graph file's text.
    var graphHash = ""
    /// What made it.
    var build = ""
    /// As `LoadedObjects.libraries`, with spaces between.
    var libraries = ""
    /// The processor's name: some decoders and encoders give other bytes on others.
    public internal(set) var processor = ""
    /// The job's key; nil where an input cannot be hashed.
    var key: String?
    var inputs: [JobKey.Input] = []
    /// What it made, or is about to give its name.
    public internal(set) var outputs: [Output] = []
    /// Whether the outputs are whole and getting their names.
    var isPublishing = false
    /// Where it ran.
    public internal(set) var host = ""
    var process = 0
    /// The task of a Slurm array that ran it, as in `12_3`; nil: none did.
    public internal(set) var slurmTask: String?
    /// When it began, in seconds since 1970; nil: not yet.
    public internal(set) var begin: Double?
    /// When it ended, in seconds since 1970; nil: not yet.
    public internal(set) var end: Double?
    /// How the command ended; nil where it was ended from outside.
    public internal(set) var exitCode: Int?
    /// Whether it failed since a disk was full.
    public internal(set) var isDiskFull = false
    /// What it told, the last lines.
    public internal(set) var messages: [String] = []
    /// How long the nodes worked.
    public internal(set) var nodes: [NodeTime] = []
    /// The most resident memory it had, in bytes.
    public internal(set) var peakMemory = 0
    /// The generation that it took over from; nil: none.
    public internal(set) var overtook: Int?

    // MARK: JSON

    var json: JSON.Value {
        .record([
            "foxfire": 1, "graph": .string(graph),
            "variables": .members(
                values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }
            ),
            "graphSHA256": .string(graphHash), "build": .string(build),
            "libraries": .string(libraries), "processor": .string(processor),
            "key": key.map { .string($0) },
            "inputs": .list(
                inputs.map { input in
                    .record([
                        "path": .string(input.path), "stamp": input.stamp.map { .string($0) },
                        "sha256": input.sha256.map { .string($0) },
                    ])
                }
            ),
            "publishing": isPublishing ? true : nil,
            "outputs": .list(
                outputs.map { output in
                    .record([
                        "path": .string(output.path), "temporary": .string(output.temporary),
                        "bytes": .integer(output.bytes), "sha256": .string(output.sha256),
                        "modified": .integer(output.modified),
                    ])
                }
            ),
            "host": .string(host), "process": .integer(process),
            "slurmTask": slurmTask.map { .string($0) }, "begin": begin.map { .real($0) },
            "end": end.map { .real($0) }, "exitCode": exitCode.map { .integer($0) },
            "diskFull": isDiskFull ? true : nil,
            "messages": .list(messages.map { .string($0) }),
            "nodes": .list(
                nodes.map { node in
                    .record([
                        "name": .string(node.name), "kind": .string(node.kind),
                        "busySeconds": .real(node.busy),
                    ])
                }
            ),
            "peakMemoryBytes": .integer(peakMemory), "overtook": overtook.map { .integer($0) },
        ])
    }

    init() {}

    /// Reads what was written; nil for what is none, as after a disk was full.
    init?(_ bytes: [UInt8]) {
        let reading = JSONReader.read(bytes)
        guard reading.problems.isEmpty, let value = reading.value, value["foxfire"] != nil else {
            return nil
        }
        func text(_ key: String) -> String { value[key]?.string ?? "" }
        graph = text("graph")
        values = Dictionary(
            (value["variables"]?.members ?? []).compactMap { member in
                member.value.string.map { (member.key, $0) }
            },
            uniquingKeysWith: { $1 }
        )
        (graphHash, build, processor, host) = (
            text("graphSHA256"), text("build"), text("processor"), text("host")
        )
        libraries = text("libraries")
        key = value["key"]?.string
        inputs = (value["inputs"]?.elements ?? []).map { input in
            JobKey.Input(
                path: input["path"]?.string ?? "",
                stamp: input["stamp"]?.string,
                sha256: input["sha256"]?.string
            )
        }
        isPublishing = value["publishing"] != nil
        outputs = (value["outputs"]?.elements ?? []).map { output in
            Output(
                path: output["path"]?.string ?? "",
                temporary: output["temporary"]?.string ?? "",
                bytes: output["bytes"]?.whole.map(Int64.init) ?? -1,
                sha256: output["sha256"]?.string ?? "",
                modified: output["modified"]?.whole.map(Int64.init) ?? 0
            )
        }
        process = value["process"]?.whole ?? 0
        slurmTask = value["slurmTask"]?.string
        (begin, end) = (value["begin"]?.real, value["end"]?.real)
        exitCode = value["exitCode"]?.whole
        isDiskFull = value["diskFull"] != nil
        messages = (value["messages"]?.elements ?? []).compactMap(\.string)
        nodes = (value["nodes"]?.elements ?? []).map { node in
            NodeTime(
                name: node["name"]?.string ?? "",
                kind: node["kind"]?.string ?? "",
                busy: node["busySeconds"]?.real ?? 0
            )
        }
        peakMemory = value["peakMemoryBytes"]?.whole ?? 0
        overtook = value["overtook"]?.whole
    }
}

extension JSON {
    fileprivate var members: [Member] {
        guard case .object(let members) = value else { return [] }
        return members
    }

    fileprivate var elements: [JSON] {
        guard case .array(let elements) = value else { return [] }
        return elements
    }

    fileprivate var whole: Int? {
        guard case .number(let text) = value else { return nil }
        return Int(text)
    }

    fileprivate var real: Double? {
        guard case .number(let text) = value else { return nil }
        return Double(text)
    }
}

extension StateFolder {
    /// What a file of a job's says.
    func state(_ name: StateName) -> JobState? {
        let limit = 256 << 20
        guard let bytes = try? FileContents.read(path(name), limit: limit), bytes.count <= limit
        else {
            return nil
        }
        return JobState(bytes)
    }
}
