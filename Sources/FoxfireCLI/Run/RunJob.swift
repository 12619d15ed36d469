import Batch
import Codecs
import Glibc
import Graph
import Media

/// One `foxfire run`, from the command line to its exit code.
struct RunJob {
    private let arguments: Arguments
    private let interruption = Interruption()
    let loaded: LoadedGraph
    private let policy: OutputPolicy
    private let targets: [OutputPolicy.Target]
    private let report: OutputPolicy.Target?
    private let trace: OutputPolicy.Target?
    /// Of a batch's job, the right to run it.
    private let hold: JobHold?

    private var asJSON: Bool { arguments.has(.errorsAsJSON) }

    /// Loads and checks the graph, and looks at the places of its outputs.
    ///
    /// - Parameters:
    ///   - arguments: of the command line.
    ///   - hold: of a batch's job, the right to run it.
    /// - Throws: `Failure` and `UsageError`.
    init(_ arguments: Arguments, _ hold: JobHold? = nil) throws {
        self.arguments = arguments
        self.hold = hold
        policy = try OutputPolicy(arguments)
        loaded = try LoadedGraph(arguments, willRun: !arguments.has(.dryRun))
        targets = loaded.targets
        report = arguments.text(.report).map { OutputPolicy.Target(path: $0) }
        trace = arguments.text(.trace).map { OutputPolicy.Target(path: $0) }
        StandardStreams.tell(loaded.warnings, asJSON: asJSON)
        let extra = [report, trace].compactMap { $0 }
        let isStandardOutputTaken = loaded.plan.outputs.contains(where: \.path.isStandardOutput)
        if extra.filter({ $0.path == "-" }).count + (isStandardOutputTaken ? 1 : 0) > 1 {
            throw UsageError(text: "two things cannot both be written to standard output")
        }
        let inputs = Set(loaded.plan.inputFiles.compactMap { FileIdentity($0.path) })
        let graph = FileIdentity(loaded.file)
        for target in extra {
            guard let identity = FileIdentity(target.path) else { continue }
            if inputs.contains(identity) {
                throw UsageError(text: "\(target.path) is an input: it cannot be written too")
            }
            if identity == graph {
                throw UsageError(text: "\(target.path) is the graph file: it cannot be written too")
            }
        }
        let faults = OutputPolicy.faults(of: targets + extra.filter { $0.path != "-" })
        if !faults.isEmpty { throw Failure(.failed, faults) }
    }

    func perform() throws -> ExitCode {
        if let hold, case .done(let isDamaged) = try settle(hold) {
            return isDamaged ? .damaged : .done
        }
        let extra = [report, trace].compactMap { $0 }.filter { $0.path != "-" }
        let existing = Set((targets + extra).filter(\.exists))
        let kept =
            if let hold {
                try policy.settle(
                    targets + extra,
                    isOwn: hold.made,
                    hint: "it is not of this batch: move it away, or replace it with -y"
                )
            } else {
                try policy.settle(targets + extra)
            }
        for target in targets + extra where kept.contains(target) {
            tell(Message(.warning, "exists", "\(target.path) exists and is kept"))
        }
        let isAllKept = !targets.isEmpty && targets.count == loaded.plan.outputs.count
        if isAllKept, targets.allSatisfy(kept.contains) { return .done }
        if arguments.has(.dryRun) { return try describe(kept) }

        let display = ProgressDisplay(
            ProgressDisplay.style(arguments),
            pictureNodes: loaded.pictureNodes
        )
        let engine = Engine(loaded.plan, options(keeping: kept, replacing: existing, display))
        interruption.onSignal { if !engine.endLiveSources() { engine.cancel() } }
        display.start { engine.progress() }
        let result: RunReport
        do throws(RunFailure) {
            result = try engine.run()
        } catch {
            display.stop()
            throw Failure(error, stoppedBy: interruption.signal)
        }
        interruption.clear()
        display.stop()
        try finish(result, engine, kept)
        return result.hasDamage ? .damaged : .done
    }

    private func options(
        keeping kept: Set<OutputPolicy.Target>,
        replacing existing: Set<OutputPolicy.Target>,
        _ display: ProgressDisplay
    ) -> RunOptions {
        var options = RunOptions(threads: min(256, MachineLimits.cores))
        if let threads = arguments.integer(.threads) { options.threads = threads }
        if let capacity = arguments.integer(.capacity) { options.capacity = capacity }
        options.memoryLimit = arguments.integer(.memoryLimit) ?? MachineLimits.memory
        options.isTracing = trace != nil
        options.isStrict = arguments.has(.strict)
        if let depth = arguments.text(.verifyOutput).flatMap(OutputVerification.init) {
            options.verification = depth
        }
        options.keeps = { path in kept.contains { $0.covers(path) } }
        // Nobody agreed to replace a file that comes to exist while the job runs.
        let replacesAll = policy.choice == .replace
        options.replaces = { path in replacesAll || existing.contains { $0.covers(path) } }
        if let hold {
            options.temporaryTag = hold.tag
            options.withholds = { (files) throws(FileError) in try hold.withholds(files) }
        }
        if report != nil { options.digest = { path in try SHA256.ofFile(path) } }
        let asJSON = asJSON
        options.stalled = { states in
            let text = "no packet has moved for 10 seconds:\n\(states)"
            display.tell([Message(.warning, "stalled", text)], asJSON: asJSON)
        }
        return options
    }

    /// Says what would be done.
    private func describe(_ kept: Set<OutputPolicy.Target>) throws -> ExitCode {
        var text = ""
        for output in loaded.plan.outputs
        where !kept.contains(where: { $0.path == output.path.path }) {
            let place = output.path.isStandardOutput ? "standard output" : output.path.path
            text += "\(place)  (node \"\(output.node)\")\n"
        }
        try StandardStreams.write(result: text)
        return .done
    }

    // MARK: After a run

    private func finish(
        _ result: RunReport,
        _ engine: Engine,
        _ kept: Set<OutputPolicy.Target>
    ) throws {
        StandardStreams.tell(result.messages, asJSON: asJSON)
        for target in targets where !kept.contains(target) {
            try removeBeyondEnd(of: target, written: result.outputs.map(\.path))
        }
        try hold?.finish(result, messages: result.messages.map(\.line))
        if let report, !kept.contains(report) {
            let isPage = report.path.lowercased().hasSuffix(".html")
            let text =
                isPage
                ? RunPage.text(result, graph: loaded.file)
                : JSON.pretty(result.json(graph: loaded.file))
            try write(text, to: report)
        }
        if let trace, !kept.contains(trace) { try write(engine.trace(), to: trace) }
        if ProgressDisplay.style(arguments) != .none { summarize(result) }
    }

    /// Removes files of a replaced sequence that the new one does not reach.
    private func removeBeyondEnd(of target: OutputPolicy.Target, written: [String]) throws {
        guard let files = target.numberedFiles else { return }
        let last = written.filter(target.covers).compactMap(files.number).max() ?? -1
        for number in files.existing() where number > last {
            if let path = files.path(of: number) { try Folder.remove(path) }
        }
    }

    private func write(_ text: String, to target: OutputPolicy.Target) throws {
        if target.path == "-" { return try StandardStreams.write(result: text) }
        try TextFile.write(text, to: target.path)
    }

    private func summarize(_ result: RunReport) {
        let elapsed = Double(result.elapsed) / 1e9
        if asJSON {
            let done: JSON.Value = [
                "foxfire": 1, "event": "done", "elapsed": .number(fixed(elapsed, digits: 3)),
                "outputs": .list(
                    result.outputs.map {
                        ["path": .string($0.path), "bytes": .integer($0.bytes)]
                    }
                ),
            ]
            StandardStreams.write(log: JSON.compact(done) + "\n")
            return
        }
        var text = ""
        for target in targets {
            let files = result.outputs.filter { target.covers($0.path) }
            guard !files.isEmpty else { continue }
            let size = byteText(files.reduce(0) { $0 + $1.bytes })
            let count = target.isSequence ? "\(files.count) files, " : ""
            text += "foxfire: wrote \(target.path) (\(count)\(size))\n"
        }
        StandardStreams.write(log: text + "foxfire: done in \(durationText(elapsed))\n")
    }

    private func tell(_ message: Message) { StandardStreams.tell([message], asJSON: asJSON) }
}
