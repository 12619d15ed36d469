import Dispatch
import Glibc
public import Media

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

    /// What happened.
    public enum Event: Sendable {
        /// A job failed for good: why.
        case failed(BatchPlan.Job, String)
        /// A job is to be tried again: why.
        case again(BatchPlan.Job, String)
        /// A job is done, and an input of it was damaged.
        case damaged(BatchPlan.Job)
        /// Some time has passed.
        case tick(Counts)
    }

    /// How many jobs are where.
    public struct Counts: Sendable, Hashable {
        /// All that were to run.
        public var total = 0
        /// Done, damaged ones among them.
        public var done = 0
        /// Done, and an input was damaged.
        public var damaged = 0
        /// Failed for good.
        public var failed = 0
        /// Run now.
        public var running = 0
        /// Run by other processes.
        public var elsewhere = 0
        /// Seconds of processors that children took.
        public var processorTime = 0.0
        /// Seconds since the beginning.
        public var elapsed = 0.0
        /// Seconds until fewer than as many as may run at once were left.
        public var fullTime = 0.0
        /// Seconds of processors of the children that had ended by then.
        public var fullProcessorTime = 0.0

        /// To be run yet.
        public var waiting: Int { total - done - failed - running - elsewhere }
    }

    /// Why a run ended before its end.
    public enum Stop: Error, Sendable {
        /// A signal came, or `cancel` was called for.
        case asked
        /// The disk of a folder is full: which.
        case diskFull(String)
        /// The first job failed.
        case failFast
        /// A file of this process's own could not be used.
        case file(FileError)
    }

    private struct Running {
        let job: BatchPlan.Job
        let process: JobProcess
        let begin: Double
        let isAlone: Bool
        /// When it was asked to end; nil: not yet.
        var asked: Double?
        var isTimedOut = false
    }

    private struct Waiting {
        let job: BatchPlan.Job
        let notBefore: Double
        var isAlone = false
        /// The generation whose claim was seen to stand still.
        var abandoned: Int?
    }

    private struct Elsewhere {
        let job: BatchPlan.Job
        var generation: Int
        var count: String?
        var since: Double
    }

    private let limits: BatchFile.Limits
    private let graph: String
    private let state: StateFolder
    private let options: Options
    private let tell: (Event) -> Void
    private let isLocal: Bool
    private var fresh: ArraySlice<BatchPlan.Job>
    private var waiting: [Waiting] = []
    private var running: [Running] = []
    private var elsewhere: [Elsewhere] = []
    private var tries: [Int: Int] = [:]
    private var crashes: [Int: Int] = [:]
    private var learnedMemory = 0
    private var counts = Counts()
    private var stop: Stop?
    private let begin = LocalEngine.seconds()
    private var lastLook = 0.0
    private var lastTick = 0.0

    /// Prepares to run jobs.
    ///
    /// - Parameters:
    ///   - jobs: in the order in which they begin.
    ///   - batch: what they are of.
    ///   - state: the state folder, which must exist; its path must be absolute.
    ///   - options: how.
    ///   - tell: is called for what happens, between calls of `run`'s parameter.
    public init(
        _ jobs: [BatchPlan.Job],
        of batch: BatchFile,
        state: StateFolder,
        options: Options,
        tell: @escaping (Event) -> Void
    ) {
        fresh = jobs[...]
        limits = batch.limits
        graph = batch.graph
        self.state = state
        self.options = options
        self.tell = tell
        isLocal = state.isLocal
        counts.total = jobs.count
    }

    /// Runs all jobs to their ends.
    ///
    /// - Parameter isAsked: whether to stop; asked several times a second.
    /// - Returns: how many came to what.
    /// - Throws: `Stop`, when all that ran has ended.
    public func run(until isAsked: () -> Bool) throws -> Counts {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else {
            throw Stop.file(FileError(path: "pipe", call: "pipe", code: errno))
        }
        // Children have the other end; this one closes with this process.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { for end in ends { close(end) } }
        let finished = DispatchSemaphore(value: 0)
        while true {
            if stop == nil, isAsked() { stop = .asked }
            if stop == nil { startWhatFits(ends[0], finished) }
            if running.isEmpty,
                stop != nil || (waiting.isEmpty && fresh.isEmpty && elsewhere.isEmpty)
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
        counts.elapsed = Self.seconds() - begin
        note()
        tell(.tick(counts))
        if let stop { throw stop }
        return counts
    }

    /// How many came to what so far.
    public var soFar: Counts { counts }

    // MARK: Beginning

    private func startWhatFits(_ pipe: Int32, _ finished: DispatchSemaphore) {
        while stop == nil, running.count < options.jobs, let next = nextFitting() {
            // What another process runs is waited for.
            let files = state.files(of: next.job.id)
            if files.isClaimed, files.claim != next.abandoned, !isDead(next.job, files.claim) {
                elsewhere.append(
                    Elsewhere(job: next.job, generation: files.claim, since: Self.seconds())
                )
                continue
            }
            start(next, pipe, finished)
        }
    }

    private func nextFitting() -> Waiting? {
        if running.contains(where: \.isAlone) { return nil }
        let need = limits.memory ?? learnedMemory
        guard running.isEmpty || (running.count + 1) * need <= options.memory else { return nil }
        let now = Self.seconds()
        if let index = waiting.firstIndex(where: { $0.notBefore <= now }) {
            if waiting[index].isAlone, !running.isEmpty { return nil }
            return waiting.remove(at: index)
        }
        return fresh.popFirst().map { Waiting(job: $0, notBefore: 0) }
    }

    private func start(_ next: Waiting, _ pipe: Int32, _ finished: DispatchSemaphore) {
        let job = next.job
        var arguments = [
            "run", graph, "--job", "\(state.path)/\(job.id)", "--threads", "\(options.threads)",
            "--progress", "none",
        ]
        if let memory = limits.memory { arguments += ["--memory-limit", "\(memory)"] }
        if options.replaces { arguments.append("-y") }
        for (name, value) in job.values.sorted(by: { $0.key < $1.key }) {
            arguments += ["--set", "\(name)=\(value)"]
        }
        var environment = ["\(Self.pipeVariable)=3", "TZ=UTC"]
        if let abandoned = next.abandoned {
            environment.append("\(Self.abandonedVariable)=\(abandoned)")
        }
        do throws(FileError) {
            if let output = job.output {
                try Folder.create(Folder.parent(of: output))
            }
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
                Running(job: job, process: process, begin: Self.seconds(), isAlone: next.isAlone)
            )
        } catch {
            waiting.append(Waiting(job: job, notBefore: 0))
            stop =
                error.isDiskFull
                ? .diskFull(Folder.parent(of: error.path)) : .file(error)
        }
    }

    // MARK: Ending

    private func reap() {
        let ended = running.filter { $0.process.ended != nil }
        if ended.isEmpty { return }
        running.removeAll { $0.process.ended != nil }
        for one in ended {
            guard let end = one.process.ended else { continue }
            counts.processorTime += end.processorTime
            learnedMemory = max(learnedMemory, end.peakMemory)
            settle(one, end)
        }
        note()
    }

    private func settle(_ one: Running, _ end: JobProcess.End) {
        let job = one.job
        if case .killed = end.kind { bury(one) }
        if case .exited(75) = end.kind, isHeldElsewhere(job) { return }
        if case .exited(75) = end.kind, let folder = fullDisk(job) {
            waiting.append(Waiting(job: job, notBefore: 0))
            stop = stop ?? .diskFull(folder)
            return
        }
        let wasStopped = one.asked != nil && !one.isTimedOut
        if wasStopped, end.kind != .exited(0), end.kind != .exited(4) {
            waiting.append(Waiting(job: job, notBefore: 0))
            return
        }
        if case .killed = end.kind { crashes[job.number, default: 0] += 1 }
        let kind = one.isTimedOut && end.kind != .exited(0) && end.kind != .exited(4)
        let verdict = JobEnd(kind ? .timedOut : end.kind).verdict(
            tries: tries[job.number] ?? 1,
            crashes: crashes[job.number] ?? 0,
            wasAlone: one.isAlone,
            limits: limits
        )
        switch verdict {
        case .done: counts.done += 1
        case .damaged:
            counts.done += 1
            counts.damaged += 1
            tell(.damaged(job))
        case .again(let wait, let isAlone, let reason):
            tell(.again(job, reason))
            waiting.append(
                Waiting(job: job, notBefore: Self.seconds() + wait, isAlone: isAlone)
            )
        case .failed(let reason):
            counts.failed += 1
            if state.files(of: job.id).state?.word != .failed { writeFailed(job, reason) }
            tell(.failed(job, lastMessage(job) ?? reason))
            if options.isFailFast { stop = stop ?? .failFast }
        }
    }

    /// The last thing that a failed job told.
    private func lastMessage(_ job: BatchPlan.Job) -> String? {
        guard let name = state.files(of: job.id).state, name.word == .failed else { return nil }
        return state.state(name)?.messages.last
    }

    /// Removes the claim of a child that did not end by itself, so that the next one need not wait for it.
    private func bury(_ one: Running) {
        let files = state.files(of: one.job.id)
        guard files.isClaimed else { return }
        let name = StateName(one.job.id, .claim, files.claim)
        if JobClaim.isHeld(state.path(name), by: one.process.identifier) { state.remove(name) }
    }

    /// Says for a child that could not say it itself that its job failed.
    private func writeFailed(_ job: BatchPlan.Job, _ reason: String) {
        guard let claim = try? JobClaim(job.id, in: state) else { return }
        var failed = JobState()
        if let old = state.files(of: job.id).state.flatMap(state.state) { failed = old }
        (failed.graph, failed.values, failed.host) = (graph, job.values, hostName())
        (failed.end, failed.exitCode, failed.messages) = (secondsNow(), nil, [reason])
        failed.isPublishing = false
        try? claim.put(.failed, failed)
    }

    /// Where the disk is full, if that is why a job could not be done.
    private func fullDisk(_ job: BatchPlan.Job) -> String? {
        if let name = state.files(of: job.id).state, name.word == .failed,
            let state = state.state(name)
        {
            return state.isDiskFull ? job.output.map { Folder.parent(of: $0) } ?? "." : nil
        }
        // It could not even say so.
        let probe = "\(state.folder(of: job.id))/probe"
        let text = String(repeating: "0", count: 1 << 16)
        do throws(FileError) {
            try AtomicText.write(text, to: probe, isDurable: true)
            unsafe unlink(probe)
            return nil
        } catch {
            return error.isDiskFull ? state.path : nil
        }
    }

    private func endAll() {
        let now = Self.seconds()
        for index in running.indices { ask(index, now) }
    }

    private func endLate() {
        guard let timeout = limits.timeout else { return }
        let now = Self.seconds()
        for index in running.indices where now - running[index].begin > timeout {
            if running[index].asked == nil { running[index].isTimedOut = true }
            ask(index, now)
        }
    }

    /// Asks one to end; after ten seconds it is ended.
    private func ask(_ index: Int, _ now: Double) {
        guard let asked = running[index].asked else {
            running[index].asked = now
            running[index].process.send(SIGTERM)
            return
        }
        if now - asked > 10 { running[index].process.send(SIGKILL) }
    }

    // MARK: What others run

    private func isDead(_ job: BatchPlan.Job, _ claim: Int) -> Bool {
        isLocal && JobClaim.isUnlocked(state.path(StateName(job.id, .claim, claim)))
    }

    private func isHeldElsewhere(_ job: BatchPlan.Job) -> Bool {
        let files = state.files(of: job.id)
        let isOver = files.state.map { $0.word == .done || $0.word == .damaged } ?? false
        guard files.isClaimed && !isDead(job, files.claim) || isOver else { return false }
        elsewhere.append(Elsewhere(job: job, generation: files.claim, since: Self.seconds()))
        return true
    }

    /// Looks what became of jobs that others run.
    private func look() {
        let now = Self.seconds()
        guard !elsewhere.isEmpty, now - lastLook > 1 else { return }
        lastLook = now
        var rest: [Elsewhere] = []
        for var other in elsewhere {
            let files = state.files(of: other.job.id)
            guard files.isClaimed else {
                switch files.state?.word {
                case .done?: counts.done += 1
                case .damaged?:
                    counts.done += 1
                    counts.damaged += 1
                case .failed?:
                    counts.failed += 1
                    tell(.failed(other.job, lastMessage(other.job) ?? "it failed elsewhere"))
                default: waiting.append(Waiting(job: other.job, notBefore: 0))
                }
                continue
            }
            if isDead(other.job, files.claim) {
                waiting.append(Waiting(job: other.job, notBefore: 0))
                continue
            }
            let count = JobClaim.count(of: state.path(StateName(other.job.id, .claim, files.claim)))
            if count != other.count || files.claim != other.generation {
                (other.count, other.generation, other.since) = (count, files.claim, now)
            } else if !isLocal, now - other.since > Double(JobClaim.patience) {
                waiting.append(
                    Waiting(job: other.job, notBefore: 0, abandoned: files.claim)
                )
                continue
            }
            rest.append(other)
        }
        elsewhere = rest
    }

    // MARK: Telling

    private func note() {
        (counts.running, counts.elsewhere) = (running.count, elsewhere.count)
        if counts.total - counts.done - counts.failed >= options.jobs {
            counts.fullTime = Self.seconds() - begin
            counts.fullProcessorTime = counts.processorTime
        }
    }

    private func tick() {
        let now = Self.seconds()
        guard now - lastTick > 0.2 else { return }
        lastTick = now
        counts.elapsed = now - begin
        (counts.running, counts.elsewhere) = (running.count, elsewhere.count)
        tell(.tick(counts))
    }

    private static func seconds() -> Double {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
