import Glibc

/// Jobs that other processes run, and what becomes of them.
struct OthersJobs {
    enum Outcome {
        /// Its process said what it came to.
        case ended(StateName.Word)
        /// Nobody runs it any more; the generation whose claim was seen to stand still, where no lock tells.
        case free(abandoned: Int?)
    }

    private struct Entry {
        let job: BatchPlan.Job
        var generation: Int
        /// What its claim counted when that last moved, and when that was.
        var count: String?
        var since: Double
    }

    private let state: StateFolder
    private let isLocal: Bool
    private var entries: [Entry] = []
    private var lastLook = 0.0

    init(_ state: StateFolder) {
        self.state = state
        isLocal = state.isLocal
    }

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// Watches a job from now on, where another process has it.
    ///
    /// - Parameters:
    ///   - job: the job.
    ///   - abandoned: a generation whose claim is nobody's.
    ///   - starts: an end of a later start is of another process too; nil: no end is.
    /// - Returns: whether another has it.
    mutating func take(_ job: BatchPlan.Job, abandoned: Int? = nil, endedAfter starts: Int?) -> Bool
    {
        let files = state.files(of: job.id)
        let isHeld = files.isClaimed && files.claim != abandoned && !isDead(job, files.claim)
        let isEnded = files.state.map { state in
            state.word != .running && starts.map { state.generation > $0 } ?? false
        }
        guard isHeld || isEnded ?? false else { return false }
        entries.append(Entry(job: job, generation: files.claim, since: monotonicSeconds()))
        return true
    }

    private func isDead(_ job: BatchPlan.Job, _ claim: Int) -> Bool {
        isLocal && JobClaim.isUnlocked(state.path(StateName(job.id, .claim, claim)))
    }

    /// Looks, at most once a second, what became of them.
    ///
    /// - Returns: those that are not watched any more.
    mutating func look() -> [(BatchPlan.Job, Outcome)] {
        let now = monotonicSeconds()
        guard !entries.isEmpty, now - lastLook > 1 else { return [] }
        lastLook = now
        var (rest, outcomes): ([Entry], [(BatchPlan.Job, Outcome)]) = ([], [])
        for var entry in entries {
            if let outcome = outcome(&entry, now) {
                outcomes.append((entry.job, outcome))
            } else {
                rest.append(entry)
            }
        }
        entries = rest
        return outcomes
    }

    /// What became of one; nil where it runs.
    private func outcome(_ entry: inout Entry, _ now: Double) -> Outcome? {
        let files = state.files(of: entry.job.id)
        guard files.isClaimed else {
            switch files.state?.word {
            case .done?, .damaged?, .failed?:
                return files.state.map { .ended($0.word) }
            default: return .free(abandoned: nil)
            }
        }
        if isDead(entry.job, files.claim) { return .free(abandoned: nil) }
        let count = JobClaim.count(of: state.path(StateName(entry.job.id, .claim, files.claim)))
        if count != entry.count || files.claim != entry.generation {
            (entry.count, entry.generation, entry.since) = (count, files.claim, now)
            return nil
        }
        let isLate = !isLocal && now - entry.since > Double(JobClaim.patience)
        return isLate ? .free(abandoned: files.claim) : nil
    }
}

/// Seconds of the clock that nobody sets.
func monotonicSeconds() -> Double {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}
