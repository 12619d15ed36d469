import Glibc
import Media

/// What the commands of a Slurm cluster do and tell.
public enum Slurm {
    /// Why Slurm did not do what it was asked for.
    public struct Failure: Error, Sendable, Hashable {
        /// The command.
        public let command: String
        /// What it told.
        public let text: String
    }

    /// A task of an array.
    public struct Task: Sendable, Hashable {
        /// The array's job number.
        public let job: Int
        /// Counts from 1.
        public let index: Int
        /// Slurm's word, as RUNNING, PENDING, COMPLETED, NODE_FAIL.
        public let state: String
        /// Why it waits; "None" where it does not.
        public let reason: String
        /// Where it runs; empty where it does not.
        public let nodes: String

        /// As Slurm writes it.
        public var name: String { "\(job)_\(index)" }
        /// Whether it is or will be run.
        public var isAlive: Bool {
            let words = [
                "PENDING", "RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "REQUEUED",
                "REQUEUE_HOLD", "REQUEUE_FED", "RESIZING", "SIGNALING", "STAGE_OUT", "STOPPED",
                "SPECIAL_EXIT",
            ]
            return words.contains(state)
        }
    }

    /// The task that this process belongs to.
    static var ownTask: String? {
        guard let job = variable("SLURM_ARRAY_JOB_ID"), let task = variable("SLURM_ARRAY_TASK_ID")
        else { return nil }
        return "\(job)_\(task)"
    }

    private static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// Runs a command, and returns what it printed.
    private static func run(_ command: String, _ arguments: [String], input: String = "")
        throws(Failure) -> String
    {
        let child: ChildProcess
        do throws(FileError) {
            child = try ChildProcess(command, arguments)
        } catch {
            let isMissing = error.code == ENOENT
            throw Failure(
                command: command,
                text: isMissing ? "it is not in PATH: is Slurm installed here?" : error.reason
            )
        }
        let (output, errors) = child.exchange(Array(input.utf8), limit: 256 << 20)
        let end = child.wait()
        if end == .exited(0) { return String(decoding: output, as: UTF8.self) }
        let told = errors.split(separator: "\n").map(String.init)
        throw Failure(command: command, text: told.last ?? "it ended with \(end)")
    }

    /// Submits an array.
    ///
    /// - Parameters:
    ///   - script: what each task runs.
    ///   - options: of `sbatch`.
    /// - Returns: the array's job number.
    /// - Throws: `Failure`.
    static func submit(_ script: String, _ options: [String]) throws(Failure) -> Int {
        let output = try run("sbatch", ["--parsable"] + options, input: script)
        // `12` or `12;cluster`.
        guard let number = Int(output.prefix { $0.isNumber }) else {
            throw Failure(command: "sbatch", text: "it printed no job number: \(output)")
        }
        return number
    }

    /// The most tasks that an array may have.
    static func arrayLimit() throws(Failure) -> Int {
        let output = try run("scontrol", ["show", "config"])
        for line in output.split(separator: "\n") where line.hasPrefix("MaxArraySize") {
            let value = line.split(separator: "=").last.map { $0.filter(\.isNumber) } ?? ""
            // Indices must be less than it, and ours begin with 1.
            if let limit = Int(value) { return max(1, limit - 1) }
        }
        return 1000
    }

    /// The tasks of arrays, as far as Slurm remembers them: for some minutes after their end.
    ///
    /// - Parameter jobs: numbers of arrays.
    /// - Returns: their tasks, by job and index.
    /// - Throws: `Failure`.
    public static func tasks(of jobs: [Int]) throws(Failure) -> [Task] {
        var tasks: [Task] = []
        for job in jobs {
            let format = "--Format=ArrayJobID:|,ArrayTaskID:|,State:|,Reason:|,NodeList:|"
            do throws(Failure) {
                let output = try run(
                    "squeue",
                    ["--noheader", "--array", "--states=all", "--jobs=\(job)", format]
                )
                tasks += parse(output)
            } catch {
                // It is so long over that it has been forgotten.
                if error.text.contains("Invalid job id") { continue }
                throw error
            }
        }
        return tasks.sorted { ($0.job, $0.index) < ($1.job, $1.index) }
    }

    /// Reads lines of five fields, each followed by `|`.
    static func parse(_ output: String) -> [Task] {
        output.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "|", omittingEmptySubsequences: false)
            guard fields.count >= 5, let job = Int(fields[0]), let index = Int(fields[1]) else {
                return nil
            }
            return Task(
                job: job,
                index: index,
                state: String(fields[2]),
                reason: String(fields[3]),
                nodes: String(fields[4])
            )
        }
    }

    /// Ends arrays.
    ///
    /// - Parameter jobs: numbers of arrays; what is over already stays so.
    /// - Throws: `Failure`.
    public static func cancel(_ jobs: [Int]) throws(Failure) {
        if jobs.isEmpty { return }
        _ = try run("scancel", ["--quiet"] + jobs.map(String.init))
    }
}
