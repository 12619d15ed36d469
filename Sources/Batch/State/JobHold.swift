import Codecs
import Glibc
public import Graph
public import Media

/// A job of a batch in the hands of the process that runs it: what was there before it, and what it comes to.
///
/// The process takes the job, `settle`s what earlier runs left, runs the graph with `tag` in its temporary names, asks
/// `withholds` before its outputs get their names, and says how it ended. A process that is killed anywhere leaves
/// what the next one needs to go on.
public final class JobHold: Sendable {
    /// Why a job cannot be run now.
    public enum Refusal: Error, Sendable {
        /// Another process runs it: which.
        case held(String)
        /// The state folder cannot be used.
        case file(FileError)
    }

    /// What is to be done.
    public enum Decision: Sendable {
        /// Nothing: the outputs are there, made from the same. Whether an input was damaged then.
        case done(isDamaged: Bool)
        /// The graph must run.
        case run
    }

    private let claim: JobClaim
    private let previous: (name: StateName, state: JobState?)?
    private let state: Locked<JobState>

    /// A part of the names of this run's temporary files.
    public let tag: String

    /// Takes a job.
    ///
    /// - Parameters:
    ///   - job: which.
    ///   - folder: the state folder.
    ///   - graph: as the batch names it.
    ///   - values: of its variables.
    ///   - abandoned: a generation whose claim was seen to stand still for too long.
    /// - Throws: `Refusal`.
    public init(
        _ job: JobID,
        in folder: StateFolder,
        graph: String,
        values: [String: String],
        abandoned: Int? = nil
    ) throws(Refusal) {
        do throws(JobClaim.Refusal) {
            claim = try JobClaim(job, in: folder, abandoned: abandoned)
        } catch {
            switch error {
            case .held(let holder): throw .held(holder)
            case .file(let error): throw .file(error)
            }
        }
        previous = folder.files(of: job).state.map { ($0, folder.state($0)) }
        tag = "\(job).\(claim.generation)-\(getpid())-\(Self.short(hostName()))-"
        var state = JobState()
        (state.graph, state.values) = (graph, values)
        (state.host, state.process, state.begin) = (hostName(), Int(getpid()), secondsNow())
        (state.build, state.libraries) = (
            LoadedObjects.current.build, LoadedObjects.current.libraries
        )
        state.processor = processorName()
        state.slurmTask = Slurm.ownTask
        state.overtook = claim.overtook
        self.state = Locked(state)
        do throws(Refusal) {
            try put(.running)
        } catch {
            claim.release()
            throw error
        }
    }

    private static func short(_ host: String) -> String {
        String(host.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(16))
    }

    private func put(_ word: StateName.Word, isDurable: Bool = false) throws(Refusal) {
        do throws(FileError) {
            try claim.put(word, state.withLock { $0 }, isDurable: isDurable)
        } catch {
            throw .file(error)
        }
    }

    // MARK: What was there before

    /// Looks at what earlier runs left, and finishes or removes it.
    ///
    /// Outputs that are whole and were about to get their names get them; other temporary files of earlier runs go.
    ///
    /// - Parameters:
    ///   - plan: the checked graph.
    ///   - graphText: the graph file's bytes.
    ///   - watched: files that decide what the graph says and are no inputs of it, as a store of presets.
    /// - Returns: what is to be done.
    /// - Throws: `FileError` when an input cannot be read.
    public func settle(_ plan: GraphPlan, graphText: [UInt8], watched: [String]) throws -> Decision
    {
        let key = try JobKey(plan, hashes: claim.folder.hashes, watched: watched)
        state.withLock { state in
            state.graphHash = Batch.graphHash(of: graphText)
            state.key = key.text
            state.inputs = key.inputs
        }
        let isSame = key.text != nil && previous?.state?.key == key.text
        if isSame, let old = previous?.state, let name = previous?.name, name.word != .failed,
            name.word != .running || old.isPublishing, let outputs = completed(old.outputs)
        {
            state.withLock { state in
                state.outputs = outputs
                (state.nodes, state.peakMemory) = (old.nodes, old.peakMemory)
                (state.begin, state.end, state.messages) = (old.begin, old.end, old.messages)
                state.exitCode = old.exitCode
            }
            removeLeavings(plan)
            let isDamaged = name.word == .damaged || old.exitCode == 4
            try put(isDamaged ? .damaged : .done)
            return .done(isDamaged: isDamaged)
        }
        removeLeavings(plan)
        return .run
    }

    /// The outputs, where all of them have their names or can be given them; nil where one is missing.
    private func completed(_ outputs: [JobState.Output]) -> [JobState.Output]? {
        if outputs.isEmpty { return nil }
        var result: [JobState.Output] = []
        for output in outputs {
            if let whole = Self.whole(output) {
                result.append(whole)
                continue
            }
            var pending = output
            pending.modified = 0
            guard Self.hash(output.temporary) == output.sha256,
                let destination = try? OutputFile.destination(of: output.path),
                unsafe rename(output.temporary, destination) == 0,
                let whole = Self.whole(pending)
            else { return nil }
            OutputFile.flush(folder: Folder.parent(of: destination))
            result.append(whole)
        }
        return result
    }

    /// The hash of a file; nil where it cannot be read.
    static func hash(_ path: String) -> String? { try? SHA256.ofFile(path) }

    /// The output as it is under its name; nil where another file, or none, has that.
    static func whole(_ output: JobState.Output) -> JobState.Output? {
        guard let stamp = FileStamp(output.path), stamp.isRegular, stamp.size == output.bytes else {
            return nil
        }
        guard stamp.modified == output.modified || Self.hash(output.path) == output.sha256
        else { return nil }
        var whole = output
        whole.modified = stamp.modified
        return whole
    }

    /// Removes temporary files of earlier runs of this job.
    private func removeLeavings(_ plan: GraphPlan) {
        guard claim.generation > 1 else { return }
        var folders = Set(
            plan.outputs.filter { !$0.path.isStandardOutput }.map { output in
                let path = (try? OutputFile.destination(of: output.path.path)) ?? output.path.path
                return Folder.parent(of: path)
            }
        )
        folders.formUnion((previous?.state?.outputs ?? []).map { Folder.parent(of: $0.temporary) })
        for folder in folders {
            for name in Folder.entries(of: folder) where isLeaving(name) {
                try? Folder.remove("\(folder)/\(name)")
            }
        }
    }

    private func isLeaving(_ name: String) -> Bool {
        let mark = ".part-\(claim.job)."
        guard name.hasPrefix("."), name.contains(mark), !name.contains(".part-\(tag)") else {
            return false
        }
        // A later run may be at it already.
        let rest = name.components(after: mark)
        return Int(rest.prefix { $0.isNumber }).map { $0 < claim.generation } ?? false
    }

    /// Whether a file that exists was made by an earlier run of this job, and by nobody else since.
    ///
    /// - Parameter path: of an output.
    /// - Returns: whether it may be replaced.
    public func made(_ path: String) -> Bool {
        let outputs = previous?.state?.outputs ?? []
        return outputs.contains { $0.path == path && Self.whole($0) != nil }
    }

    // MARK: The end

    /// Writes down the outputs as they will be, and looks whether the job is still this process's.
    ///
    /// - Parameter files: whole, on the disk, without their names.
    /// - Returns: why they must not get their names; nil: they may.
    /// - Throws: `FileError` when that cannot be written down.
    public func withholds(_ files: [OutputFile]) throws(FileError) -> String? {
        for input in state.withLock({ $0.inputs }) where FileStamp(input.path)?.text != input.stamp
        {
            return "\(input.path) changed while the job ran"
        }
        var outputs: [JobState.Output] = []
        for file in files {
            outputs.append(
                JobState.Output(
                    path: file.path,
                    temporary: file.temporaryPath,
                    bytes: FileStamp(file.temporaryPath)?.size ?? -1,
                    sha256: (try? SHA256.ofFile(file.temporaryPath)) ?? ""
                )
            )
        }
        let state = state.withLock { state in
            (state.outputs, state.isPublishing) = (outputs, true)
            return state
        }
        try claim.put(.running, state, isDurable: true)
        if claim.isOwner { return nil }
        return "another process took the job over while it ran"
    }

    /// Says that the job is done.
    ///
    /// - Parameters:
    ///   - report: what was done.
    ///   - messages: what was told.
    /// - Throws: `Refusal` when that cannot be written down.
    public func finish(_ report: RunReport, messages: [String]) throws(Refusal) {
        state.withLock { state in
            end(&state, exitCode: report.hasDamage ? 4 : 0, messages)
            state.isPublishing = false
            state.outputs = state.outputs.map { output in
                var output = output
                output.modified = FileStamp(output.path)?.modified ?? 0
                return output
            }
            state.nodes = report.nodes.filter { !$0.isInserted }.map { node in
                JobState.NodeTime(name: node.name, kind: node.kind, busy: Double(node.busy) / 1e9)
            }
            state.peakMemory = report.peakMemory
        }
        try put(report.hasDamage ? .damaged : .done)
    }

    /// Says that the job failed, or, where another has taken it over, that this run was for nothing.
    ///
    /// - Parameters:
    ///   - exitCode: of the command.
    ///   - isDiskFull: whether that is why.
    ///   - messages: what was told.
    public func fail(exitCode: Int, isDiskFull: Bool, messages: [String]) {
        state.withLock { state in
            state.isDiskFull = isDiskFull
            end(&state, exitCode: exitCode, messages)
            (state.outputs, state.isPublishing) = (previous?.state?.outputs ?? [], false)
        }
        // A full disk may keep this from being written: whoever started the job sees the exit code.
        guard claim.isOwner else {
            try? put(.overtaken)
            return
        }
        if exitCode > 128 {
            // It was stopped, and is as if it had not been started.
            claim.release()
        } else {
            try? put(.failed)
        }
    }

    private func end(_ state: inout JobState, exitCode: Int, _ messages: [String]) {
        state.end = secondsNow()
        state.exitCode = exitCode
        state.messages = messages.prefix(20).map { String($0.prefix(1000)) }
    }
}

extension String {
    /// What follows the first place of `mark`; empty without one.
    fileprivate func components(after mark: String) -> Substring {
        var rest = self[...]
        while !rest.isEmpty, !rest.hasPrefix(mark) { rest = rest.dropFirst() }
        return rest.dropFirst(mark.count)
    }
}

/// Seconds since 1970.
func secondsNow() -> Double {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}
