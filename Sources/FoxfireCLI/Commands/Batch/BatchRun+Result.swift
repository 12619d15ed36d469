import Batch
import Glibc
import Graph

/// What a run of a batch came to, told and as an exit code.
extension BatchRun {
    func end(_ counts: BatchCounts) throws -> ExitCode {
        let isDue = Set(due.map(\.number))
        let old = selected.filter { !isDue.contains($0.number) && !blocked.contains($0.number) }
            .map { survey.standing($0.id) }
        let failed = old.count { $0 == .failed }
        let failedBefore = failed + blocked.count
        let damaged = counts.damaged + old.count { $0 == .damaged }
        if ProgressDisplay.style(arguments) != .none {
            summarize(counts, before: old.count - failed, failedBefore: failedBefore)
        }
        if loaded.batch.split != nil, ProgressDisplay.style(arguments) != .none, !asJSON,
            let text = SplitCosts(due, try BatchSurvey(loaded.state)).text
        {
            StandardStreams.write(log: "foxfire: \(text)\n")
        }
        if counts.failed + failedBefore > 0 { return .failedJobs }
        return damaged > 0 ? .damaged : .done
    }

    private func summarize(_ counts: BatchCounts, before: Int, failedBefore: Int) {
        if asJSON {
            let line: JSON.Value = [
                "foxfire": 1, "event": "batchDone", "jobs": .integer(selected.count),
                "done": .integer(counts.done), "damaged": .integer(counts.damaged),
                "failed": .integer(counts.failed), "doneBefore": .integer(before),
                "failedBefore": .integer(failedBefore),
                "elapsedSeconds": .number(fixed(counts.elapsed, digits: 3)),
                "processorSeconds": .number(fixed(counts.processorTime, digits: 3)),
                "fullSeconds": .number(fixed(counts.fullTime, digits: 3)),
                "fullProcessorSeconds": .number(fixed(counts.fullProcessorTime, digits: 3)),
            ]
            StandardStreams.write(log: JSON.compact(line) + "\n")
            return
        }
        var parts = ["\(counts.done) done"]
        if counts.damaged > 0 { parts.append("\(counts.damaged) of them with damaged inputs") }
        if counts.failed > 0 { parts.append("\(counts.failed) failed") }
        if before > 0 { parts.append("\(before) done before") }
        if failedBefore > 0 {
            parts.append("\(failedBefore) failed before (\"foxfire batch retry\" runs them again)")
        }
        StandardStreams.write(
            log: "foxfire: \(parts.joined(separator: ", ")), in \(durationText(counts.elapsed))\n"
        )
    }

    func failure(_ stop: BatchStop, _ counts: BatchCounts, _ signal: Int32?)
        -> Failure
    {
        let rest = "\(counts.done) jobs are done, \(counts.waiting) wait"
        switch stop {
        case .asked:
            let code = signal.map { ExitCode.stopped(by: $0) } ?? .stopped(by: SIGTERM)
            return Failure(
                code,
                Message(.error, "stopped", "stopped; \(rest)", hint: "the same command goes on")
            )
        case .diskFull(let folder):
            return Failure(
                .temporary,
                Message(
                    .error,
                    Message.diskFull,
                    "the disk of \(folder) is full; \(rest)",
                    hint: "make room, and give the same command again"
                )
            )
        case .failFast:
            return Failure(
                .failedJobs,
                Message(.error, "failed", "a job failed, and nothing more was begun; \(rest)")
            )
        case .file(let error): return Failure(error)
        case .tasksEnded:
            return Failure(
                .temporary,
                Message(
                    .error,
                    "tasks-ended",
                    "Slurm's tasks have ended before all jobs were done; \(rest)",
                    hint: "the same command goes on; \"foxfire batch status\" tells of the tasks"
                )
            )
        }
    }
}
