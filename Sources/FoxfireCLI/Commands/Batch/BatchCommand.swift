import Batch
import Codecs
import Dispatch
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
    /// - Parameters:
    ///   - name: its path.
    ///   - splits: whether the jobs of films that are made in parts are wanted, for which the graphs are checked.
    /// - Throws: `Failure` with all that is wrong.
    init(_ name: String, splits: Bool = true) throws {
        let bytes = try InputText.read(name, limit: 256 << 20)
        let (batch, problems) = BatchFile.read(bytes, file: name)
        guard let batch else { throw Failure(.usage, problems.map { Message($0) }) }
        start = Self.workingFolder
        try Self.enter(Folder.parent(of: name))
        let (plan, faults) = BatchPlan.lay(batch, file: name, folder: "")
        guard let plan else { throw Failure(faults) }
        self.name = name
        self.batch = batch
        let state = StateFolder.of(Folder.name(of: name))
        self.state = StateFolder("\(Self.workingFolder)/\(state.path)")
        var graphs: [String: GraphLocation.Source] = [:]
        for job in plan.jobs where graphs[job.graph] == nil {
            graphs[job.graph] = try GraphLocation.read(job.graph)
        }
        graphHashes = graphs.mapValues { graphHash(of: $0.text) }
        if splits, let length = batch.split {
            let counts = try Self.parts(of: plan.jobs, graphs, length)
            self.plan = plan.split(into: counts, of: length, state: self.state)
        } else {
            self.plan = plan
        }
    }

    /// In how many parts each job's film is made.
    ///
    /// One whose graph is wrong is made at once, which says what is wrong and costs no other job.
    ///
    /// - Throws: `Failure` when a graph cannot be cut.
    private static func parts(
        of jobs: [BatchPlan.Job],
        _ graphs: [String: GraphLocation.Source],
        _ length: MediaTime
    ) throws(Failure) -> [Int] {
        let counts = Locked([Int](repeating: 1, count: jobs.count))
        let problems = Locked<Set<Problem>>([])
        DispatchQueue.concurrentPerform(iterations: jobs.count) { index in
            let job = jobs[index]
            guard let graph = graphs[job.graph],
                let film = try? LoadedGraph.film(graph, job.values)
            else { return }
            do throws(Problem) {
                let split = try FilmSplit(film, file: graph.file, length: length)
                counts.withLock { $0[index] = split.count }
            } catch {
                problems.withLock { _ = $0.insert(error) }
            }
        }
        let found = problems.withLock { $0 }.sorted { "\($0)" < "\($1)" }
        if !found.isEmpty { throw Failure(.usage, found.map { Message($0) }) }
        return counts.withLock { $0 }
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

    /// Whether the film that a job makes, or makes a part of, is there.
    func isFilmMade(_ job: BatchPlan.Job, _ survey: BatchSurvey) -> Bool {
        let standing = survey.standing(plan.jobs[job.film - 1].id)
        return standing == .done || standing == .damaged
    }

    /// Where a job stands: one that makes a part is done when the film is.
    func standing(_ job: BatchPlan.Job, _ survey: BatchSurvey) -> BatchSurvey.Standing {
        let own = survey.standing(job.id)
        return own == .waiting && job.isIntermediate && isFilmMade(job, survey) ? .done : own
    }

    /// Some jobs, and then all others that make parts of the same films.
    func withParts(_ jobs: [BatchPlan.Job]) -> [BatchPlan.Job] {
        let (given, films) = (Set(jobs.map(\.number)), Set(jobs.map(\.film)))
        return jobs + plan.jobs.filter { films.contains($0.film) && !given.contains($0.number) }
    }

    /// The job that a user names by its number, its output or its ID.
    ///
    /// - Throws: `UsageError`.
    func job(_ text: String) throws -> BatchPlan.Job {
        if let number = Int(text), plan.jobs.indices.contains(number - 1) {
            return plan.jobs[number - 1]
        }
        let found = plan.jobs.filter {
            $0.output == text && !$0.isIntermediate
                || text.utf8.count >= 6 && "\($0.id)".hasPrefix(text)
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
