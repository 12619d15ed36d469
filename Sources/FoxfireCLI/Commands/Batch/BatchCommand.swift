import Batch
import Codecs
import Glibc
import Graph
import Media

extension Command {
    /// `foxfire batch`: many runs of graphs.
    static let batch = Command.group(
        "batch",
        summary: "Run graphs many times, resumable, on one machine or many.",
        details: [
            "A batch file names a graph and the values that its variables take. What became of each job is "
                + "kept in a folder beside the file, FILE.state, so that a batch that was stopped or killed "
                + "goes on where it was. \"foxfire schema --of batch\" prints the schema of batch files."
        ],
        actions: [
            .batchRun, .batchStatus, .batchReport, .batchLogs, .batchRetry, .batchCancel,
            .batchClean,
        ]
    )
}

extension Operand {
    /// The batch file that a command is about.
    static let batchFile = Operand(name: "FILE", kind: .file, help: "The batch file.")
}

/// A batch file that was read and laid out.
///
/// The working directory is its folder from then on.
struct LoadedBatch {
    /// As the user named it.
    let name: String
    let batch: BatchFile
    let plan: BatchPlan
    let state: StateFolder
    /// The graphs as they are now: the hash of each one's text.
    let graphHashes: [String: String]
    /// The working directory before.
    private let start: String

    /// Reads a batch file, and goes to its folder: its paths start from there.
    ///
    /// - Parameter name: its path.
    /// - Throws: `Failure` with all that is wrong.
    init(_ name: String) throws {
        let bytes = try InputText.read(name, limit: 256 << 20)
        let (batch, problems) = BatchFile.read(bytes, file: name)
        guard let batch else { throw Failure(.usage, problems.map { Message($0) }) }
        start = Self.workingFolder
        try Self.enter(Folder.parent(of: name))
        let (plan, faults) = BatchPlan.lay(batch, file: name, folder: "")
        guard let plan else { throw Failure(faults) }
        self.name = name
        self.batch = batch
        self.plan = plan
        let state = StateFolder.of(Folder.name(of: name))
        self.state = StateFolder("\(Self.workingFolder)/\(state.path)")
        var hashes: [String: String] = [:]
        for job in plan.jobs where hashes[job.graph] == nil {
            hashes[job.graph] = graphHash(of: try GraphLocation.read(job.graph).text)
        }
        graphHashes = hashes
    }

    /// Goes back to where the command was called.
    ///
    /// - Throws: `FileError` when that is gone.
    func leave() throws(FileError) { try Self.enter(start) }

    private static func enter(_ folder: String) throws(FileError) {
        if unsafe chdir(folder) != 0 {
            throw FileError(path: folder, call: "chdir", code: errno)
        }
    }

    private static var workingFolder: String {
        let path = unsafe getcwd(nil, 0)
        defer { unsafe free(path) }
        return unsafe path.map { unsafe String(cString: $0) } ?? "."
    }

    /// The job that a user names by its number, its output or its ID.
    ///
    /// - Throws: `UsageError`.
    func job(_ text: String) throws -> BatchPlan.Job {
        if let number = Int(text), plan.jobs.indices.contains(number - 1) {
            return plan.jobs[number - 1]
        }
        let found = plan.jobs.filter {
            $0.output == text || text.utf8.count >= 6 && "\($0.id)".hasPrefix(text)
        }
        guard found.count == 1 else {
            throw UsageError(
                text: found.isEmpty
                    ? "\(name) has no job \"\(text)\""
                    : "\(found.count) jobs of \(name) begin with \(text)",
                hint:
                    "name it by its number from 1 to \(plan.jobs.count), by its output or by its ID"
            )
        }
        return found[0]
    }
}
