import Batch
import Glibc
import Graph
import Media

extension Command {
    /// `foxfire batch run`: runs what is not done yet.
    static let batchRun = Command(
        name: "batch run",
        summary: "Run all jobs of a batch that are not done yet.",
        operands: [.batchFile],
        options: [
            .jobs, .engine, .sbatch, .detach, .shard, .only, .keepGoing, .failFast, .replace,
            .dryRun, .batchProgress, .errorsAsJSON,
        ],
        details: [
            "A job is not run again as long as its outputs are there and nothing that decides them has "
                + "changed: the graph, the variables, the content of inputs and presets, Foxfire itself. One "
                + "that failed is run again when something has changed, or by \"foxfire batch retry\".",
            "Several may run the same batch at once, on one machine or on several that share its folder: each "
                + "job is run by one of them. The command ends with 0 when all jobs are done, with 3 when some "
                + "failed, with 4 when all are done and an input was damaged.",
            "With --engine slurm the jobs run as one array of tasks, each of which runs many jobs; partition, "
                + "time, tasks, threads and memory are those of the batch file. The command waits for them; an "
                + "interrupt cancels them.",
        ],
        examples: [
            (line: "foxfire batch run films.json", purpose: "Run all, or go on."),
            (
                line: "foxfire batch run films.json --only '*night*' --dry-run",
                purpose: "Say what would be run."
            ),
            (
                line: "foxfire batch run films.json --engine slurm --detach",
                purpose: "Spread the jobs over a cluster."
            ),
        ],
        perform: { arguments in try BatchRun(arguments, retries: nil).perform() }
    )

    /// `foxfire batch retry`: runs what failed once more.
    static let batchRetry = Command(
        name: "batch retry",
        summary: "Run jobs that failed once more.",
        operands: [
            .batchFile,
            Operand(
                name: "JOB",
                kind: .text,
                isOptional: true,
                isRepeated: true,
                help: "A job's number, output or ID; all that failed, unless given."
            ),
        ],
        options: [.jobs, .keepGoing, .failFast, .replace, .dryRun, .batchProgress, .errorsAsJSON],
        examples: [
            (line: "foxfire batch retry films.json 17", purpose: "Run the seventeenth job again.")
        ],
        perform: { arguments in
            try BatchRun(arguments, retries: Array(arguments.operands.dropFirst())).perform()
        }
    )
}

/// One `foxfire batch run`.
struct BatchRun {
    let arguments: Arguments
    let loaded: LoadedBatch
    let survey: BatchSurvey
    /// Those that this command is about.
    let selected: [BatchPlan.Job]
    /// Those of them that must run.
    let due: [BatchPlan.Job]
    /// The numbers of those that must, and cannot, since what they need has failed.
    let blocked: Set<Int>

    var asJSON: Bool { arguments.has(.errorsAsJSON) }

    /// - Parameters:
    ///   - arguments: of the command line.
    ///   - retries: the jobs that are run again though they failed; empty: all that failed; nil: none.
    /// - Throws: `Failure` and `UsageError`.
    init(_ arguments: Arguments, retries: [String]?) throws {
        if arguments.has(.keepGoing), arguments.has(.failFast) {
            throw UsageError(text: "\"--keep-going\" and \"--fail-fast\" cannot both be given")
        }
        let isSlurm = arguments.text(.engine) == "slurm"
        let ofSlurm = [
            "--sbatch": arguments.text(.sbatch) != nil, "--detach": arguments.has(.detach),
        ]
        if !isSlurm, let name = ofSlurm.filter(\.value).keys.min() {
            throw UsageError(text: "\"\(name)\" goes with \"--engine slurm\"")
        }
        let ofRunners = [
            "--jobs": arguments.integer(.jobs) != nil, "--shard": arguments.text(.shard) != nil,
        ]
        if isSlurm, let name = ofRunners.filter(\.value).keys.min() {
            throw UsageError(
                text: "\"\(name)\" does not go with \"--engine slurm\"",
                hint: "\"slurm\": {\"tasks\": N} in the batch file says how many tasks there are"
            )
        }
        let shard = try arguments.text(.shard).map { try Shard($0) }
        let only = arguments.text(.only)
        let loaded = try LoadedBatch(arguments.operands[0])
        let survey = try BatchSurvey(loaded.state)
        if !arguments.has(.dryRun) { survey.tidy() }
        var jobs = loaded.plan.jobs
        if let retries {
            jobs =
                try retries.isEmpty
                ? jobs.filter { survey.standing($0.id) == .failed } : retries.map(loaded.job)
        }
        if let shard { jobs = jobs.filter { shard.holds($0.number) } }
        if let only {
            jobs = jobs.filter { $0.matches(only) }
            if jobs.isEmpty {
                throw UsageError(
                    text: "no job matches \"\(only)\"",
                    hint: "a pattern matches an output or a value as a whole, as in '*night*'"
                )
            }
        }
        jobs = loaded.withParts(jobs)
        selected = jobs
        (due, blocked) = survey.due(jobs, graphHash: loaded.graphHashes, evenFailed: retries != nil)
        self.arguments = arguments
        self.loaded = loaded
        self.survey = survey
    }

    func perform() throws -> ExitCode {
        if arguments.has(.dryRun) { return try describe() }
        try Folder.create(loaded.state.path)
        let interruption = Interruption()
        let mark = RunnerMark(loaded.state)
        let display = BatchDisplay(
            ProgressDisplay.style(arguments),
            name: loaded.name,
            asJSON: asJSON
        )
        interruption.onSignal {}
        let isAsked = { interruption.signal != nil || mark.isCancelled }
        if arguments.text(.engine) == "slurm", !due.isEmpty {
            return try runOnSlurm(display, isAsked) { interruption.signal }
        }
        let engine = localEngine(display)
        return try result(display, { engine.soFar }, { interruption.signal }) {
            try engine.run(until: isAsked)
        }
    }

    private func localEngine(_ display: BatchDisplay) -> LocalEngine {
        // A task of a cluster may see all cores, though it has few.
        let share = StandardStreams.environment("SLURM_CPUS_PER_TASK").flatMap { Int($0) }
        let cores = min(MachineLimits.cores, max(1, share ?? .max))
        let threads = loaded.batch.limits.threads
        let jobs = arguments.integer(.jobs) ?? max(1, cores / (threads ?? 1))
        return LocalEngine(
            due,
            of: loaded.batch,
            starts: survey.starts,
            state: loaded.state,
            options: LocalEngine.Options(
                program: "/proc/self/exe",
                jobs: jobs,
                threads: threads ?? max(1, cores / jobs),
                memory: MachineLimits.wholeMemory,
                isFailFast: arguments.has(.failFast),
                replaces: arguments.has(.replace)
            ),
            tell: display.tell
        )
    }

    private func runOnSlurm(
        _ display: BatchDisplay,
        _ isAsked: () -> Bool,
        _ signal: () -> Int32?
    ) throws -> ExitCode {
        var words: [String] = []
        if let only = arguments.text(.only) { words += ["--only", only] }
        if arguments.has(.failFast) { words.append("--fail-fast") }
        if arguments.has(.replace) { words.append("-y") }
        let engine = SlurmEngine(
            due,
            of: loaded.batch,
            starts: survey.starts,
            state: loaded.state,
            options: SlurmEngine.Options(
                program: Folder.link(at: "/proc/self/exe") ?? "foxfire",
                file: "\(Folder.parent(of: loaded.state.path))/\(Folder.name(of: loaded.name))",
                arguments: words,
                sbatch: (arguments.text(.sbatch) ?? "").split(separator: " ").map(String.init)
            ),
            tell: display.tell
        )
        let array = try engine.submit()
        let text = "Slurm job \(array.job): \(due.count) jobs in \(array.tasks) tasks"
        if arguments.has(.detach) {
            try StandardStreams.write(result: text + "\n")
            return .done
        }
        display.tellSubmitted(job: array.job, tasks: array.tasks, text)
        return try result(display, { engine.soFar }, signal) {
            try engine.wait(for: array.job, until: isAsked)
        }
    }

    /// What the command comes to, of how an engine ends.
    private func result(
        _ display: BatchDisplay,
        _ soFar: () -> BatchCounts,
        _ signal: () -> Int32?,
        _ run: () throws -> BatchCounts
    ) throws -> ExitCode {
        do {
            let counts = try run()
            display.stop()
            return try end(counts)
        } catch let stop as BatchStop {
            display.stop()
            throw failure(stop, soFar(), signal())
        }
    }

    private func describe() throws -> ExitCode {
        var text = ""
        let numbers = Set(due.map(\.number))
        for job in selected {
            let isDue = numbers.contains(job.number)
            let standing = survey.standing(job.id)
            let isFailed = standing == .failed || blocked.contains(job.number)
            let word = isDue ? "run" : isFailed ? "failed" : "done"
            text += "\(filled(word, to: 7)) \(job.number)  \(job.title)\n"
        }
        try StandardStreams.write(result: text)
        return .done
    }
}

extension BatchPlan.Job {
    /// Whether its output, or a value of its variables, is as a shell's pattern says.
    func matches(_ pattern: String) -> Bool {
        let texts = [output].compactMap { $0 } + values.values
        return texts.contains { unsafe fnmatch(pattern, $0, 0) == 0 }
    }
}
