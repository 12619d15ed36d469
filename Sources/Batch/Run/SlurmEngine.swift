import Glibc
import Graph
import Media

/// Runs jobs of a batch as an array of Slurm tasks, each of which runs a shard of the batch.
///
/// Slurm takes about a second for a task, so that a task runs many jobs, one after the other. What becomes of them is
/// read from the state folder, which all nodes must see under the same path.
public final class SlurmEngine {
    /// How a batch is run.
    public struct Options: Sendable {
        /// The program, under a path that all nodes know.
        public var program: String
        /// The batch file's absolute path.
        public var file: String
        /// What `foxfire batch run` is given beside the shard.
        public var arguments: [String]
        /// What `sbatch` is given beside what the batch file says.
        public var sbatch: [String]

        /// Says all of it.
        ///
        /// - Parameters:
        ///   - program: the program, under a path that all nodes know.
        ///   - file: the batch file's absolute path.
        ///   - arguments: what `foxfire batch run` is given beside the shard.
        ///   - sbatch: what `sbatch` is given beside what the batch file says.
        public init(program: String, file: String, arguments: [String], sbatch: [String]) {
            (self.program, self.file) = (program, file)
            (self.arguments, self.sbatch) = (arguments, sbatch)
        }
    }

    /// How many tasks there are unless the batch file says.
    static let tasks = 100

    private let jobs: [BatchPlan.Job]
    private let batch: BatchFile
    private let starts: (JobID) -> Int
    private let state: StateFolder
    private let options: Options
    private let tell: (BatchEvent) -> Void
    private var counts = BatchCounts()
    private var told: Set<JobID> = []

    /// Prepares to run jobs.
    ///
    /// - Parameters:
    ///   - jobs: those that must run.
    ///   - batch: what they are of.
    ///   - starts: how often a job had been started when it was found that it must run.
    ///   - state: the state folder, which must exist; its path must be absolute.
    ///   - options: how.
    ///   - tell: is called for what happens.
    public init(
        _ jobs: [BatchPlan.Job],
        of batch: BatchFile,
        starts: @escaping (JobID) -> Int,
        state: StateFolder,
        options: Options,
        tell: @escaping (BatchEvent) -> Void
    ) {
        // Films come after their parts, of which what became of them depends.
        self.jobs = jobs.filter(\.isIntermediate) + jobs.filter { !$0.isIntermediate }
        self.batch = batch
        (self.starts, self.state) = (starts, state)
        (self.options, self.tell) = (options, tell)
        counts.total = jobs.count
    }

    /// How many came to what so far.
    public var soFar: BatchCounts { counts }

    // MARK: Submitting

    /// Submits the array, and notes its number in the state folder.
    ///
    /// - Returns: its job number, and how many tasks it has.
    /// - Throws: `Slurm.Failure`, `FileError`.
    public func submit() throws -> (job: Int, tasks: Int) {
        let wanted = batch.slurm.tasks ?? Self.tasks
        let tasks = try max(1, min(wanted, jobs.count, Slurm.arrayLimit()))
        let folder = Self.folder(state)
        try Folder.create(folder)
        let job = try Slurm.submit(script(tasks), sbatchOptions(tasks))
        try AtomicText.write("\(tasks)\n", to: "\(folder)/\(job)", isDurable: true)
        return (job, tasks)
    }

    /// The script of a task.
    func script(_ tasks: Int) -> String {
        let words = ["batch", "run", options.file, "--jobs", "1", "--progress", "plain"]
        let line = ([options.program] + words + options.arguments).map(Self.quoted)
            .joined(separator: " ")
        return "#!/bin/sh\nexec \(line) --shard \"$SLURM_ARRAY_TASK_ID/\(tasks)\"\n"
    }

    func sbatchOptions(_ tasks: Int) -> [String] {
        // In the name of a log % begins what Slurm fills in.
        let folder = Self.folder(state).split(separator: "%", omittingEmptySubsequences: false)
            .joined(separator: "%%")
        var result = [
            "--array=1-\(tasks)", "--job-name=\(Folder.name(of: options.file))",
            "--output=\(folder)/%A_%a.log", "--open-mode=append", "--signal=B:TERM@90", "--requeue",
            "--ntasks=1", "--cpus-per-task=\(batch.limits.threads ?? 1)",
        ]
        // The job, and the one that looks after it.
        if let memory = batch.limits.memory {
            result.append("--mem=\((memory + (128 << 20)) >> 20)M")
        }
        if let partition = batch.slurm.partition { result.append("--partition=\(partition)") }
        if let time = batch.slurm.time { result.append("--time=\(Int((time / 60).rounded(.up)))") }
        return result + options.sbatch
    }

    private static func quoted(_ word: String) -> String {
        "'"
            + word.split(separator: "'", omittingEmptySubsequences: false).joined(
                separator: "'\\''"
            ) + "'"
    }

    private static func folder(_ state: StateFolder) -> String { "\(state.path)/slurm" }

    /// The arrays that were submitted for a batch.
    ///
    /// - Parameter state: the state folder.
    /// - Returns: their job numbers; those that are long over are among them.
    public static func submitted(_ state: StateFolder) -> [Int] {
        Folder.entries(of: folder(state)).compactMap { Int($0) }.sorted()
    }

    /// Forgets arrays.
    ///
    /// - Parameters:
    ///   - jobs: their numbers.
    ///   - state: the state folder.
    public static func forget(_ jobs: [Int], in state: StateFolder) {
        for job in jobs { unsafe unlink("\(folder(state))/\(job)") }
    }

    // MARK: Waiting

    /// Waits until the tasks of an array have ended.
    ///
    /// - Parameters:
    ///   - job: the array's number.
    ///   - isAsked: whether to stop; then the array is cancelled.
    /// - Returns: how many jobs came to what.
    /// - Throws: `BatchStop`; `Slurm.Failure` when nothing can be learned of it for a minute.
    public func wait(for job: Int, until isAsked: () -> Bool) throws -> BatchCounts {
        let begin = monotonicSeconds()
        var lastAnswer = begin
        var lastLook = -10.0
        while true {
            if isAsked() {
                try Slurm.cancel([job])
                throw BatchStop.asked
            }
            let now = monotonicSeconds()
            if now - lastLook >= 2 {
                lastLook = now
                var isOver = false
                do throws(Slurm.Failure) {
                    isOver = try !Slurm.tasks(of: [job]).contains(where: \.isAlive)
                    lastAnswer = now
                } catch {
                    // A controller that is started anew says nothing for a while.
                    if now - lastAnswer > 60 { throw error }
                }
                try look(isOver: isOver)
                counts.elapsed = now - begin
                tell(.tick(counts))
                if isOver { break }
            }
            usleep(200_000)
        }
        Self.forget([job], in: state)
        if counts.waiting + counts.running > 0 { throw BatchStop.tasksEnded }
        return counts
    }

    /// Looks what became of the jobs.
    private func look(isOver: Bool) throws(FileError) {
        let survey = try BatchSurvey(state)
        var next = BatchCounts()
        next.total = counts.total
        var failed: Set<Int> = []
        for job in jobs {
            if !failed.isDisjoint(with: job.needs) {
                failed.insert(job.number)
                next.failed += 1
                if !job.isIntermediate, told.insert(job.id).inserted {
                    tell(.failed(job, "it was not begun, for a part failed"))
                }
                continue
            }
            let standing = survey.standing(job.id)
            // What it had come to before does not count.
            if standing != .running, survey.starts(job.id) <= starts(job.id) { continue }
            switch standing {
            case .waiting: break
            case .running: next.running += 1
            case .done: next.done += 1
            case .damaged:
                next.done += 1
                next.damaged += 1
                if told.insert(job.id).inserted { tell(.damaged(job)) }
            case .failed:
                let known = survey.state(job.id)
                // Its task tries it again.
                if known?.exitCode == 75, !isOver { continue }
                next.failed += 1
                failed.insert(job.number)
                if told.insert(job.id).inserted {
                    tell(.failed(job, known?.messages.first ?? "it failed"))
                }
            }
        }
        counts = next
    }
}
