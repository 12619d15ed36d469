import Dispatch
import Glibc
import Media

/// Runs jobs of a batch on this machine, each as a process of its own.
///
/// Paths of the batch start from the working directory.
public final class LocalEngine {
    /// The variable that tells a child its end of the pipe whose other end this process holds.
    public static let pipeVariable = "FOXFIRE_RUNNER_PIPE"
    /// The variable that tells a child which generation of a claim was seen to stand still.
    public static let abandonedVariable = "FOXFIRE_ABANDONED"

    /// How a batch is run.
    public struct Options: Sendable {
        /// The program that children run, as `run GRAPH …`.
        public var program: String
        /// How many run at once.
        public var jobs: Int
        /// Threads of each.
        public var threads: Int
        /// Bytes of memory that all of them together may need.
        public var memory: Int
        /// Whether nothing new begins after the first job that fails for good.
        public var isFailFast: Bool
        /// Whether files that are not of this batch are replaced.
        public var replaces: Bool

        /// Says all of it.
        ///
        /// - Parameters:
        ///   - program: the program that children run.
        ///   - jobs: how many run at once.
        ///   - threads: of each.
        ///   - memory: bytes that all of them together may need.
        ///   - isFailFast: whether nothing new begins after the first job that fails for good.
        ///   - replaces: whether files that are not of this batch are replaced.
        public init(
            program: String,
            jobs: Int,
            threads: Int,
            memory: Int,
            isFailFast: Bool,
            replaces: Bool
        ) {
            (self.program, self.jobs, self.threads) = (program, jobs, threads)
            (self.memory, self.isFailFast, self.replaces) = (memory, isFailFast, replaces)
        }
    }

    struct Running {
        let job: BatchPlan.Job
        let process: JobProcess
        let begin: Double
        let isAlone: Bool
        /// When it was asked to end; nil: not yet.
        var asked: Double?
        var isTimedOut = false
    }

    struct Waiting {
        let job: BatchPlan.Job
        let notBefore: Double
        var isAlone = false
        var isFresh = false
        /// The generation whose claim was seen to stand still.
        var abandoned: Int?
    }

    let limits: BatchFile.Limits
    let starts: (JobID) -> Int
    let state: StateFolder
    let options: Options
    let tell: (BatchEvent) -> Void
    var queue: JobQueue
    var waiting: [Waiting] = []
    var running: [Running] = []
    var others: OthersJobs
    var tries: [Int: Int] = [:]
    var crashes: [Int: Int] = [:]
    var learnedMemory = 0
    var counts = BatchCounts()
    var stop: BatchStop?
    private let begin = monotonicSeconds()
    private var lastTick = 0.0

    /// Prepares to run jobs.
    ///
    /// - Parameters:
    ///   - jobs: in the order in which they begin, each after those of them that it needs.
    ///   - batch: what they are of.
    ///   - starts: how often a job had been started when it was found that it must run.
    ///   - state: the state folder, which must exist; its path must be absolute.
    ///   - options: how.
    ///   - tell: is called for what happens, between calls of `run`'s parameter.
    public init(
        _ jobs: [BatchPlan.Job],
        of batch: BatchFile,
        starts: @escaping (JobID) -> Int,
        state: StateFolder,
        options: Options,
        tell: @escaping (BatchEvent) -> Void
    ) {
        queue = JobQueue(jobs)
        limits = batch.limits
        self.starts = starts
        self.state = state
        self.options = options
        self.tell = tell
        others = OthersJobs(state)
        counts.total = jobs.count
    }

    /// Runs all jobs to their ends.
    ///
    /// - Parameter isAsked: whether to stop; asked several times a second.
    /// - Returns: how many came to what.
    /// - Throws: `BatchStop`, when all that ran has ended.
    public func run(until isAsked: () -> Bool) throws -> BatchCounts {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else {
            throw BatchStop.file(FileError(path: "pipe", call: "pipe", code: errno))
        }
        // Children have the other end; this one closes with this process.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { for end in ends { close(end) } }
        let finished = DispatchSemaphore(value: 0)
        while true {
            if stop == nil, isAsked() { stop = .asked }
            if stop == nil { startWhatFits(ends[0], finished) }
            if running.isEmpty,
                stop != nil || (waiting.isEmpty && queue.isEmpty && others.isEmpty)
            {
                break
            }
            if case .asked? = stop { endAll() }
            _ = finished.wait(timeout: .now() + .milliseconds(200))
            reap()
            endLate()
            look()
            tick()
        }
        counts.elapsed = monotonicSeconds() - begin
        note()
        tell(.tick(counts))
        if let stop { throw stop }
        return counts
    }

    /// How many came to what so far.
    public var soFar: BatchCounts { counts }

    // MARK: Beginning

    private func startWhatFits(_ pipe: Int32, _ finished: DispatchSemaphore) {
        while stop == nil, running.count < options.jobs, let next = nextFitting() {
            // What another process runs is waited for; what it has done since is done.
            let starts = next.isFresh ? starts(next.job.id) : nil
            if !others.take(next.job, abandoned: next.abandoned, endedAfter: starts) {
                start(next, pipe, finished)
            }
        }
    }

    private func nextFitting() -> Waiting? {
        if running.contains(where: \.isAlone) { return nil }
        let need = limits.memory ?? learnedMemory
        guard running.isEmpty || (running.count + 1) * need <= options.memory else { return nil }
        let now = monotonicSeconds()
        if let index = waiting.firstIndex(where: { $0.notBefore <= now }) {
            if waiting[index].isAlone, !running.isEmpty { return nil }
            return waiting.remove(at: index)
        }
        return queue.pop().map { Waiting(job: $0, notBefore: 0, isFresh: true) }
    }

    private func start(_ next: Waiting, _ pipe: Int32, _ finished: DispatchSemaphore) {
        let job = next.job
        var arguments = [
            "run", job.graph, "--job", "\(state.path)/\(job.id)", "--threads", "\(options.threads)",
            "--progress", "none",
        ]
        if let memory = limits.memory { arguments += ["--memory-limit", "\(memory)"] }
        if options.replaces { arguments.append("-y") }
        if let part = job.part { arguments += ["--part", "\(part)"] }
        for (name, value) in job.values.sorted(by: { $0.key < $1.key }) {
            arguments += ["--set", "\(name)=\(value)"]
        }
        var environment = ["\(Self.pipeVariable)=3", "TZ=UTC"]
        if let abandoned = next.abandoned {
            environment.append("\(Self.abandonedVariable)=\(abandoned)")
        }
        do throws(FileError) {
            if let folder = job.folder { try Folder.create(folder) }
            try Folder.create(state.folder(of: job.id))
            let process = try JobProcess(
                options.program,
                arguments,
                environment: environment,
                log: state.log(of: job.id),
                pipe: pipe,
                finished: finished
            )
            tries[job.number, default: 0] += 1
            running.append(
                Running(
                    job: job,
                    process: process,
                    begin: monotonicSeconds(),
                    isAlone: next.isAlone
                )
            )
        } catch {
            waiting.append(Waiting(job: job, notBefore: 0))
            stop =
                error.isDiskFull
                ? .diskFull(Folder.parent(of: error.path)) : .file(error)
        }
    }

    // MARK: Telling

    func note() {
        (counts.running, counts.elsewhere) = (running.count, others.count)
        if counts.total - counts.done - counts.failed >= options.jobs {
            counts.fullTime = monotonicSeconds() - begin
            counts.fullProcessorTime = counts.processorTime
        }
    }

    private func tick() {
        let now = monotonicSeconds()
        guard now - lastTick > 0.2 else { return }
        lastTick = now
        counts.elapsed = now - begin
        (counts.running, counts.elsewhere) = (running.count, others.count)
        tell(.tick(counts))
    }
}
