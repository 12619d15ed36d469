import Batch
import Graph
import Media

extension Command {
    /// `foxfire batch status`: what became of the jobs.
    static let batchStatus = Command(
        name: "batch status",
        summary: "Tell how many jobs of a batch are done, run, wait or failed, and which.",
        operands: [.batchFile],
        options: [.verify, .json],
        details: [
            "Only the names of files are read. With --verify the outputs of all jobs that are done are read "
                + "too, and compared with what was made; inputs that have changed since, and outputs of "
                + "another build or processor, are told. The command ends with 3 when jobs failed or are not "
                + "as they were made."
        ],
        examples: [
            (line: "foxfire batch status films.json", purpose: "How far is it?"),
            (
                line: "foxfire batch status films.json --verify",
                purpose: "Is all that was made still there, as it was made?"
            ),
        ],
        perform: { arguments in
            let loaded = try LoadedBatch(arguments.operands[0])
            let status = BatchStatus(
                loaded,
                try BatchSurvey(loaded.state),
                verifies: arguments.has(.verify)
            )
            try StandardStreams.write(
                result: arguments.has(.json) ? JSON.pretty(status.json) : status.text
            )
            return status.isWell ? .done : .failedJobs
        }
    )

    /// `foxfire batch logs`: what a job told.
    static let batchLogs = Command(
        name: "batch logs",
        summary: "Print what the runs of a job told.",
        operands: [
            .batchFile,
            Operand(name: "JOB", kind: .text, help: "The job's number, its output or its ID."),
        ],
        options: [],
        examples: [(line: "foxfire batch logs films.json 17", purpose: "Why did it fail?")],
        perform: { arguments in
            let loaded = try LoadedBatch(arguments.operands[0])
            let job = try loaded.job(arguments.operands[1])
            let path = loaded.state.log(of: job.id)
            guard Folder.kind(of: path) == .file else {
                throw Failure(
                    .failed,
                    Message(.error, "logs", "\(job.title) was never begun: there is no log")
                )
            }
            try StandardStreams.write(result: FileContents.read(path, limit: 64 << 20))
            return .done
        }
    )

    /// `foxfire batch cancel`: stops all who run the batch.
    static let batchCancel = Command(
        name: "batch cancel",
        summary: "Stop all who run a batch now, on whatever machine.",
        operands: [.batchFile],
        options: [],
        details: [
            "Jobs that run are stopped, arrays of Slurm cancelled; \"foxfire batch run\" begins them anew. Who runs the batch on another "
                + "machine hears of it as soon as that sees the folder's new file."
        ],
        perform: { arguments in
            let loaded = try LoadedBatch(arguments.operands[0], splits: false)
            try Folder.create(loaded.state.path)
            try RunnerMark.cancel(loaded.state)
            let arrays = SlurmEngine.submitted(loaded.state)
            try Slurm.cancel(Slurm.tasks(of: arrays).filter(\.isAlive).map(\.job))
            return .done
        }
    )
}

/// What `batch status` tells.
struct BatchStatus {
    private struct Entry {
        let job: BatchPlan.Job
        let standing: BatchSurvey.Standing
        let faults: [String]
    }

    private let loaded: LoadedBatch
    private let survey: BatchSurvey
    private let entries: [Entry]
    /// What is known of jobs that are not in the file any more.
    private let strangers: Int
    private let tasks: [Slurm.Task]
    /// What the parts of films took, where states are read.
    private let costs: SplitCosts?
    /// Why Slurm told nothing; nil where it did, or was not asked.
    private let silence: String?

    init(_ loaded: LoadedBatch, _ survey: BatchSurvey, verifies: Bool) {
        self.loaded = loaded
        self.survey = survey
        entries = loaded.plan.jobs.map { job in
            let standing = loaded.standing(job, survey)
            // What lies between the parts of a film that is made is of no use any more.
            let isOfUse = !job.isIntermediate || !loaded.isFilmMade(job, survey)
            let isMade = standing == .done || standing == .damaged
            return Entry(
                job: job,
                standing: standing,
                faults: verifies && isMade && isOfUse ? survey.faults(job.id) : []
            )
        }
        costs = verifies ? SplitCosts(loaded.plan.jobs, survey) : nil
        let known = Set(loaded.plan.jobs.map(\.id))
        strangers = survey.jobs.count { !known.contains($0) }
        do throws(Slurm.Failure) {
            tasks = try Slurm.tasks(of: SlurmEngine.submitted(loaded.state))
            silence = nil
        } catch {
            tasks = []
            silence = "\(error.command): \(error.text)"
        }
    }

    var isWell: Bool { !entries.contains { $0.standing == .failed || !$0.faults.isEmpty } }

    private func count(_ standing: BatchSurvey.Standing) -> Int {
        entries.count { $0.standing == standing }
    }

    var text: String {
        let made = count(.done) + count(.damaged)
        var parts = ["\(made) of \(entries.count) done"]
        if count(.damaged) > 0 { parts[0] += " (\(count(.damaged)) with damaged inputs)" }
        for standing in [BatchSurvey.Standing.failed, .running, .waiting] where count(standing) > 0
        {
            let word = standing == .waiting ? "waiting" : standing.rawValue
            parts.append("\(count(standing)) \(word)")
        }
        var lines = ["\(loaded.name): \(parts.joined(separator: ", "))"]
        lines += slurmLines
        if let text = costs?.text { lines.append("  \(text)") }
        for entry in entries where [.failed, .running, .damaged].contains(entry.standing) {
            lines.append(line(entry))
        }
        for entry in entries {
            for start in survey.overtaken(entry.job.id) {
                lines.append(
                    "  overtaken  \(entry.job.number)  \(entry.job.title): start \(start) came too late and was "
                        + "dropped"
                )
            }
        }
        for entry in entries where !entry.faults.isEmpty {
            lines += entry.faults.map { "  not as made  \(entry.job.number)  \($0)" }
        }
        if strangers > 0 {
            lines.append(
                "  \(strangers) more are not in the file any more; \"foxfire batch clean\" forgets them"
            )
        }
        return lines.map { printable($0) }.joined(separator: "\n") + "\n"
    }

    /// `  Slurm job 12: 2 tasks running on fox1, fox2; 3 pending (Resources)`, for each array.
    private var slurmLines: [String] {
        var lines = silence.map { ["  Slurm does not answer: \($0)"] } ?? []
        for (job, ofJob) in Dictionary(grouping: tasks, by: \.job).sorted(by: { $0.key < $1.key }) {
            var parts: [String] = []
            for (state, some) in Dictionary(grouping: ofJob, by: \.state).sorted(by: {
                $0.key < $1.key
            }) {
                let nodes = Set(some.map(\.nodes)).filter { !$0.isEmpty }.sorted()
                let reasons = Set(some.map(\.reason)).filter { $0 != "None" && !$0.isEmpty }
                    .sorted()
                var part = "\(some.count) \(state.lowercased())"
                if state == "RUNNING", !nodes.isEmpty {
                    part += " on \(nodes.joined(separator: ", "))"
                }
                if !reasons.isEmpty { part += " (\(reasons.joined(separator: ", ")))" }
                parts.append(part)
            }
            lines.append("  Slurm job \(job), tasks: \(parts.joined(separator: "; "))")
        }
        return lines
    }

    /// Where a job runs, as far as that is known.
    private func place(of entry: Entry, _ state: JobState) -> String {
        var text = survey.isHeld(entry.job.id) ? "  on \(state.host)" : "  ended without a word"
        if let name = state.slurmTask {
            let word = tasks.first { $0.name == name }?.state.lowercased() ?? "unknown to Slurm"
            text += ", task \(name) (\(word))"
        }
        return text
    }

    private func line(_ entry: Entry) -> String {
        var line =
            "  \(filled(entry.standing.rawValue, to: 8)) \(entry.job.number)  \(entry.job.title)"
        let starts = survey.starts(entry.job.id)
        if starts > 1 { line += "  (start \(starts))" }
        if entry.standing != .running, let message = survey.state(entry.job.id)?.messages.first {
            line += ": \(message)"
        } else if entry.standing == .running, let state = survey.state(entry.job.id) {
            line += place(of: entry, state)
        }
        return line
    }

    var json: JSON.Value {
        .record([
            "foxfire": 1, "file": .string(loaded.name), "jobs": .integer(entries.count),
            "done": .integer(count(.done) + count(.damaged)), "damaged": .integer(count(.damaged)),
            "failed": .integer(count(.failed)), "running": .integer(count(.running)),
            "waiting": .integer(count(.waiting)),
            "split": costs?.json,
            "slurm": .list(
                tasks.map { task in
                    .record([
                        "task": .string(task.name), "state": .string(task.state),
                        "reason": .string(task.reason), "nodes": .string(task.nodes),
                    ])
                }
            ),
            "list": .list(
                entries.map { entry in
                    .record([
                        "number": .integer(entry.job.number), "id": .string("\(entry.job.id)"),
                        "output": entry.job.output.map { .string($0) },
                        "state": .string(entry.standing.rawValue),
                        "starts": .integer(survey.starts(entry.job.id)),
                        "overtaken": .list(
                            survey.overtaken(entry.job.id).map { .integer($0) }
                        ),
                        "faults": .list(entry.faults.map { .string($0) }),
                    ])
                }
            ),
        ])
    }
}
