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
        var isFresh = false
        /// The generation whose claim was seen to stand still.
        var abandoned: Int?
    }

    private let limits: BatchFile.Limits
    private let starts: (JobID) -> Int
    private let state: StateFolder
    private let options: Options
    private let tell: (BatchEvent) -> Void
    private var queue: JobQueue
    private var waiting: [Waiting] = []
    private var running: [Running] = []
    private var others: OthersJobs
    private var tries: [Int: Int] = [:]
    private var crashes: [Int: Int] = [:]
    private var learnedMemory = 0
    private var counts = BatchCounts()
    private var stop: BatchStop?
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

    // MARK: Ending

    private func reap() {
        // One may end between two looks at it: each is looked at once.
        let looks = running.map { ($0, $0.process.ended) }
        running = looks.filter { $0.1 == nil }.map(\.0)
        for (one, end) in looks {
            guard let end else { continue }
            counts.processorTime += end.processorTime
            learnedMemory = max(learnedMemory, end.peakMemory)
            settle(one, end)
        }
        note()
    }

    private func settle(_ one: Running, _ end: JobProcess.End) {
        let job = one.job
        if case .killed = end.kind { bury(one) }
        let told = word(of: one)
        // It found the job in another's hands.
        if case .exited(75) = end.kind, told == nil, others.take(job, endedAfter: 0) { return }
        if case .exited(75) = end.kind, let folder = fullDisk(job, told) {
            waiting.append(Waiting(job: job, notBefore: 0))
            stop = stop ?? .diskFull(folder)
            return
        }
        let isDone = end.kind == .exited(0) || end.kind == .exited(4)
        if one.asked != nil, !one.isTimedOut, !isDone {
            forget(one)
            waiting.append(Waiting(job: job, notBefore: 0))
            return
        }
        if case .killed = end.kind { crashes[job.number, default: 0] += 1 }
        let verdict = JobEnd(one.isTimedOut && !isDone ? .timedOut : end.kind).verdict(
            tries: tries[job.number] ?? 1,
            crashes: crashes[job.number] ?? 0,
            wasAlone: one.isAlone,
            limits: limits
        )
        switch verdict {
        case .done: noteDone(job, isDamaged: false)
        case .damaged: noteDone(job, isDamaged: true)
        case .again(let wait, let isAlone, let reason):
            tell(.again(job, told?.messages.first ?? reason))
            waiting.append(
                Waiting(job: job, notBefore: monotonicSeconds() + wait, isAlone: isAlone)
            )
        case .failed(let reason):
            if told == nil { writeFailed(one, reason) }
            noteFailed(job, told?.messages.first ?? reason)
            if options.isFailFast { stop = stop ?? .failFast }
        }
    }

    private func noteDone(_ job: BatchPlan.Job, isDamaged: Bool) {
        counts.done += 1
        if isDamaged {
            counts.damaged += 1
            tell(.damaged(job))
        }
        queue.isDone(job)
    }

    private func noteFailed(_ job: BatchPlan.Job, _ reason: String) {
        counts.failed += 1
        tell(.failed(job, reason))
        for lost in queue.hasFailed(job) {
            counts.failed += 1
            if !lost.isIntermediate {
                tell(.failed(lost, "it was not begun, for \(job.part?.title ?? "a part") failed"))
            }
        }
    }

    /// What a child wrote of its job's failure; nil where it wrote none.
    private func word(of one: Running) -> JobState? {
        guard let name = state.files(of: one.job.id).state, name.word == .failed,
            let known = state.state(name), known.process == Int(one.process.identifier),
            known.host == hostName()
        else { return nil }
        return known
    }

    /// Removes the claim of a child that did not end by itself, so that the next one need not wait for it.
    private func bury(_ one: Running) {
        let files = state.files(of: one.job.id)
        guard files.isClaimed else { return }
        let name = StateName(one.job.id, .claim, files.claim)
        if JobClaim.isHeld(state.path(name), by: one.process.identifier) { state.remove(name) }
    }

    /// Lets a job that was stopped before it had begun in earnest count as not begun.
    private func forget(_ one: Running) {
        bury(one)
        guard let name = state.files(of: one.job.id).state, name.word == .running,
            let known = state.state(name), known.process == Int(one.process.identifier),
            known.host == hostName(), !known.isPublishing, known.outputs.isEmpty
        else { return }
        state.remove(name)
    }

    /// Says for a child that could not say it itself that its job failed.
    private func writeFailed(_ one: Running, _ reason: String) {
        let job = one.job
        let name = state.files(of: job.id).state
        var failed = name.flatMap(state.state) ?? JobState()
        let isChilds =
            failed.process == Int(one.process.identifier) && failed.host == hostName()
        (failed.graph, failed.values, failed.host) = (job.graph, job.values, hostName())
        (failed.end, failed.exitCode, failed.messages) = (secondsNow(), nil, [reason])
        failed.isPublishing = false
        if let name, name.word == .running, isChilds {
            try? state.put(StateName(job.id, .failed, name.generation), failed)
        } else if let claim = try? JobClaim(job.id, in: state) {
            try? claim.put(.failed, failed)
        }
    }

    /// Where the disk is full, if that is why a job could not be done.
    private func fullDisk(_ job: BatchPlan.Job, _ told: JobState?) -> String? {
        if let told {
            return told.isDiskFull ? job.folder ?? "." : nil
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
        let now = monotonicSeconds()
        for index in running.indices { ask(index, now) }
    }

    private func endLate() {
        guard let timeout = limits.timeout else { return }
        let now = monotonicSeconds()
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

    /// Takes note of what became of jobs that others run.
    private func look() {
        for (job, outcome) in others.look() {
            switch outcome {
            case .ended(.failed):
                let known = state.files(of: job.id).state.flatMap(state.state)
                if known?.exitCode == 75 {
                    // Whoever comes first tries again.
                    let next = monotonicSeconds() + limits.backoff
                    waiting.append(Waiting(job: job, notBefore: next))
                    continue
                }
                noteFailed(job, known?.messages.first ?? "it failed elsewhere")
            case .ended(let word): noteDone(job, isDamaged: word == .damaged)
            case .free(let abandoned):
                waiting.append(Waiting(job: job, notBefore: 0, abandoned: abandoned))
            }
        }
    }

    // MARK: Telling

    private func note() {
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
