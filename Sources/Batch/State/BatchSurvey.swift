import Dispatch
import Graph
public import Media

/// What is known of a batch's jobs before any runs, from names and from what tells that files are still the same.
public struct BatchSurvey: Sendable {
    /// What became of a job.
    public enum Standing: String, Sendable, CaseIterable {
        /// Never begun, or stopped.
        case waiting
        /// Runs, or was running when its process ended.
        case running
        /// Its outputs are there.
        case done
        /// Its outputs are there, and an input was damaged.
        case damaged
        /// It failed, and would fail again.
        case failed
    }

    private let state: StateFolder
    private let files: [JobID: JobFiles]
    private let isLocal: Bool

    /// Reads the names in a state folder: O(names).
    ///
    /// - Parameter state: the folder; it may be missing.
    /// - Throws: `FileError` when it cannot be read.
    public init(_ state: StateFolder) throws(FileError) {
        self.state = state
        isLocal = state.isLocal
        files = try state.survey()
    }

    /// What a job's names say; nothing is read.
    ///
    /// - Parameter job: the job.
    /// - Returns: where it stands.
    public func standing(_ job: JobID) -> Standing {
        guard let files = files[job] else { return .waiting }
        switch files.state?.word {
        case .done?: return files.isClaimed ? .running : .done
        case .damaged?: return files.isClaimed ? .running : .damaged
        case .failed?: return files.isClaimed ? .running : .failed
        case .running?, .claim?, .overtaken?: return .running
        case nil: return files.isClaimed ? .running : .waiting
        }
    }

    /// Whether a living process has a job, as far as locks tell.
    ///
    /// - Parameter job: the job.
    /// - Returns: whether its claim stands; on a shared file system also one that nobody counts on any more.
    public func isHeld(_ job: JobID) -> Bool {
        guard let files = files[job], files.isClaimed else { return false }
        let path = state.path(StateName(job, .claim, files.claim))
        return !(isLocal && JobClaim.isUnlocked(path))
    }

    /// Removes what killed processes left beside the ends of jobs.
    public func tidy() {
        for end in files.values.compactMap(\.untidyEnd) { state.removeNames(before: end) }
    }

    /// How often a job was started; 0: never.
    public func starts(_ job: JobID) -> Int { files[job]?.generation ?? 0 }

    /// The starts of a job whose outputs were dropped, since another had taken it over.
    public func overtaken(_ job: JobID) -> [Int] { files[job]?.overtaken.sorted() ?? [] }

    /// What is written down of a job; nil before its first start.
    public func state(_ job: JobID) -> JobState? { files[job]?.state.flatMap(state.state) }

    /// The jobs that have a state.
    public var jobs: some Collection<JobID> { files.keys }

    /// Whether a job need not run: it is done, or failed for good, and nothing that it depends on has changed since.
    ///
    /// Files are looked at, not read; what looks changed may yet be found the same by the run itself.
    ///
    /// - Parameters:
    ///   - job: the job.
    ///   - graphHash: of the graph file as it is now.
    /// - Returns: whether what is known of it holds.
    func holds(_ job: JobID, graphHash: String) -> Bool {
        let standing = standing(job)
        guard standing == .done || standing == .damaged || standing == .failed,
            let state = state(job)
        else { return false }
        let objects = LoadedObjects.current
        guard state.graphHash == graphHash, state.build == objects.build,
            state.libraries == objects.libraries,
            state.inputs.allSatisfy({ FileStamp($0.path)?.text == $0.stamp })
        else { return false }
        // What was worth trying again is tried again.
        if standing == .failed { return state.exitCode != 75 }
        return state.key != nil
            && state.outputs.allSatisfy { output in
                let stamp = FileStamp(output.path)
                return stamp?.size == output.bytes && stamp?.modified == output.modified
            }
    }

    /// Those of some jobs that must run: O(jobs), on all cores.
    ///
    /// What only the parts of a film read is made where the film is.
    ///
    /// - Parameters:
    ///   - jobs: which, in the order in which they are to begin; of films all that they need.
    ///   - graphHash: of a graph file as it is now, by the graph's name.
    ///   - evenFailed: whether what failed must run in any case.
    /// - Returns: those of which what is known does not hold, in their order; and the numbers of those that cannot run,
    ///   since one that they need has failed for good.
    public func due(
        _ jobs: [BatchPlan.Job],
        graphHash: [String: String],
        evenFailed: Bool
    ) -> (jobs: [BatchPlan.Job], blocked: Set<Int>) {
        let part = 256
        let count = (jobs.count + part - 1) / part
        let found = Locked([[Int]](repeating: [], count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let due = jobs[index * part..<min(jobs.count, (index + 1) * part)].filter { job in
                if evenFailed, standing(job.id) == .failed { return true }
                return !holds(job.id, graphHash: graphHash[job.graph] ?? "")
            }
            found.withLock { $0[index] = due.map(\.number) }
        }
        var due = Set(found.withLock { $0.flatMap(\.self) })
        var blocked: Set<Int> = []
        // Each comes after those that it needs.
        let intermediates = jobs.filter(\.isIntermediate).sorted { $0.number < $1.number }
        for job in intermediates + jobs.filter({ !$0.isIntermediate && $0.part != nil }) {
            let isDue = job.needs.contains(where: due.contains) || due.contains(job.number)
            guard due.contains(job.film), isDue else {
                due.remove(job.number)
                if standing(job.id) == .failed { blocked.insert(job.number) }
                continue
            }
            due.insert(job.number)
            if !blocked.isDisjoint(with: job.needs) { blocked.insert(job.number) }
        }
        return (
            jobs.filter { due.contains($0.number) && !blocked.contains($0.number) },
            blocked.filter(due.contains)
        )
    }

    /// What is wrong with a job that is done.
    ///
    /// - Parameter job: the job; its outputs are read.
    /// - Returns: sentences; none where all is well.
    public func faults(_ job: JobID) -> [String] {
        guard let state = state(job) else { return ["what was written down of it cannot be read"] }
        var faults: [String] = []
        for output in state.outputs {
            switch FileStamp(output.path) {
            case nil: faults.append("\(output.path) is gone")
            case let stamp? where stamp.size != output.bytes:
                faults.append("\(output.path) has \(stamp.size) bytes in place of \(output.bytes)")
            default:
                if JobHold.hash(output.path) != output.sha256 {
                    faults.append("\(output.path) is not as it was made")
                }
            }
        }
        for input in state.inputs where FileStamp(input.path)?.text != input.stamp {
            if let hash = input.sha256, JobHold.hash(input.path) == hash { continue }
            faults.append("\(input.path) has changed since")
        }
        let objects = LoadedObjects.current
        if state.build != objects.build || state.libraries != objects.libraries {
            faults.append("it was made by another build of Foxfire or of a library")
        }
        let processor = processorName()
        if state.processor != processor {
            faults.append(
                "it was made on another processor (\(state.processor)), where sound may be decoded to other bytes"
            )
        }
        return faults
    }
}

/// The hash by which a graph file is known again.
///
/// - Parameter text: its bytes.
/// - Returns: 64 hexadecimal digits.
public func graphHash(of text: [UInt8]) -> String {
    sha256(of: String(decoding: text, as: UTF8.self))
}
