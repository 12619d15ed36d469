import Glibc
import Media

/// What follows when a job ends.
extension LocalEngine {
    func reap() {
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
        if case .killed = end.kind {
            // It may have been killed when all was done and said.
            if let word = saidDone(one) { return noteDone(job, isDamaged: word == .damaged) }
            bury(one)
        }
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

    /// The end that a killed child had written, with what that replaces removed; nil where its job is not done.
    private func saidDone(_ one: Running) -> StateName.Word? {
        guard let name = state.files(of: one.job.id).state,
            name.word == .done || name.word == .damaged, let known = state.state(name),
            known.process == Int(one.process.identifier), known.host == hostName()
        else { return nil }
        state.removeNames(before: name)
        return name.word
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

    func endAll() {
        let now = monotonicSeconds()
        for index in running.indices { ask(index, now) }
    }

    func endLate() {
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
    func look() {
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
}
