public import Graph
import Media

/// The jobs of a batch, in their order: what each runs with, and what it writes.
public struct BatchPlan: Sendable {
    /// One run of a graph.
    public struct Job: Sendable, Hashable {
        /// Counts from 1.
        public let number: Int
        /// What it runs: a path that starts from the batch file's folder, or the name of an installed graph.
        public let graph: String
        /// Values of the graph's variables, the output's among them.
        public let values: [String: String]
        /// What it writes, where the batch names it.
        public let output: String?
        /// Names it for good.
        public let id: JobID
        /// What it makes of a film that is split; nil where it runs the graph as it is.
        public let part: FilmPart?
        /// The number of the job that makes the whole film: its own, unless it makes a part of one.
        public let film: Int
        /// The numbers of the jobs whose outputs it reads.
        public let needs: [Int]

        init(number: Int, values: [String: String], output: String?, graph: String) {
            (self.number, self.graph) = (number, graph)
            (self.values, self.output) = (values, output)
            id = JobID(graph: graph, values: values)
            (part, film, needs) = (nil, number, [])
        }

        /// One of the jobs that together make a film.
        init(_ number: Int, _ part: FilmPart, of film: Job, needs: [Int]) {
            (self.number, graph, values) = (number, film.graph, film.values)
            (output, self.film) = (film.output, film.number)
            id = JobID(graph: graph, values: values, part: part)
            (self.part, self.needs) = (part, needs)
        }

        /// Whether it makes what only other jobs of the batch read.
        public var isIntermediate: Bool { film != number }

        /// What it is called for people.
        public var title: String {
            let film = output ?? "job \(film)"
            return part?.title.map { "\(film): \($0)" } ?? film
        }

        /// The folder of what it writes, where that is known.
        var folder: String? {
            if isIntermediate, let part { return part.folder }
            return output.map { Folder.parent(of: $0) }
        }
    }

    /// The most jobs of a batch.
    public static let jobLimit = 1_000_000

    /// All of them, in the order of their numbers.
    public let jobs: [Job]

    /// Lays out the jobs of a batch.
    ///
    /// Each of `jobs` is combined with each combination of the matrix, whose first variable changes slowest. What
    /// `exclude` names is left out. Time and memory: O(jobs).
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - file: its name for messages.
    ///   - folder: where patterns and tables start from.
    /// - Returns: the plan, or all that is wrong.
    public static func lay(_ batch: BatchFile, file: String, folder: String) -> (
        plan: BatchPlan?, problems: [Problem]
    ) {
        var layout = Layout(batch: batch, folder: folder)
        let plan = layout.plan()
        for index in layout.problems.indices { layout.problems[index].file = file }
        return (layout.problems.isEmpty ? plan : nil, layout.problems)
    }
}

/// The laying out of one batch.
private struct Layout {
    let batch: BatchFile
    let folder: String
    var problems: [Problem] = []

    mutating func plan() -> BatchPlan? {
        var axes: [(variable: String, values: [String])] = []
        for axis in batch.matrix {
            do {
                axes.append((axis.variable, try AxisReader(folder).values(axis.values)))
            } catch {
                let pointer = "/matrix/" + JSON.escapedPointer(axis.variable)
                problems.append(
                    Problem(.file, "\(error)", at: axis.location, pointer: pointer)
                )
            }
        }
        if !problems.isEmpty { return nil }
        let bases = batch.jobs?.map(\.texts) ?? [[]]
        var count = bases.count
        for axis in axes {
            let (product, isOver) = count.multipliedReportingOverflow(by: axis.values.count)
            count = isOver ? Int.max : product
        }
        guard count <= BatchPlan.jobLimit else {
            problems.append(
                Problem(
                    .range,
                    "these are \(count) jobs, and a batch holds at most \(BatchPlan.jobLimit)",
                    at: batch.location,
                    hint: "split it"
                )
            )
            return nil
        }
        let all = bases.flatMap { combined($0, axes[...]) }.filter { !isExcluded($0) }
        if all.isEmpty {
            problems.append(
                Problem(.range, "there is no job in it", at: batch.location)
            )
        }
        return BatchPlan(jobs: numbered(all))
    }

    private func combined(
        _ base: [(name: String, text: String)],
        _ axes: ArraySlice<(variable: String, values: [String])>
    ) -> [[String: String]] {
        var result = [Dictionary(base.map { ($0.name, $0.text) }, uniquingKeysWith: { $1 })]
        for axis in axes {
            result = result.flatMap { values in
                axis.values.map { value in
                    var longer = values
                    longer[axis.variable] = value
                    return longer
                }
            }
        }
        return result
    }

    private func isExcluded(_ values: [String: String]) -> Bool {
        batch.exclude.contains { entry in
            !entry.texts.isEmpty && entry.texts.allSatisfy { values[$0.name] == $0.text }
        }
    }

    private mutating func numbered(_ all: [[String: String]]) -> [BatchPlan.Job] {
        var jobs: [BatchPlan.Job] = []
        var (writers, twins): ([String: Int], [JobID: Int]) = ([:], [:])
        for (index, given) in all.enumerated() {
            let number = index + 1
            var values = given
            if let pattern = batch.output {
                if let missing = pattern.variables.first(where: { values[$0] == nil }) {
                    tell(
                        "\"output\" names {\(missing)}, which job \(number) gives no value",
                        hint: "give it in \"jobs\" or \"matrix\""
                    )
                    return jobs
                }
                values[batch.outputVariable] = pattern.path(values, number: number, of: all.count)
            }
            guard let graph = values.removeValue(forKey: "graph") ?? batch.graph else {
                problems.append(
                    Problem(
                        .missingParameter,
                        "job \(number) has no graph",
                        at: batch.location,
                        hint: "give it \"graph\", or give that for all jobs"
                    )
                )
                return jobs
            }
            if graph == "-" {
                problems.append(
                    Problem(
                        .file,
                        "the graph of job \(number) would be standard input",
                        at: batch.location,
                        hint: "name a file or an installed graph"
                    )
                )
                return jobs
            }
            let job = BatchPlan.Job(
                number: number,
                values: values,
                output: values[batch.outputVariable],
                graph: graph
            )
            jobs.append(job)
            if job.output == "-" {
                tell(
                    "job \(number) would write to standard output",
                    hint: "a job of a batch writes files"
                )
            } else if let output = job.output,
                let other = writers.updateValue(number, forKey: output)
            {
                tell(
                    "jobs \(other) and \(number) would both write \(output)",
                    hint: "name what differs in \"output\", or count with {n}"
                )
            } else if let other = twins.updateValue(number, forKey: job.id) {
                tell(
                    "jobs \(other) and \(number) have the same values",
                    hint: "leave one out, or number their outputs with {n}"
                )
            }
        }
        return jobs
    }

    private mutating func tell(_ text: String, hint: String) {
        guard problems.count < JSONReader.problemLimit else { return }
        problems.append(
            Problem(.output, text, at: batch.location, pointer: "/output", hint: hint)
        )
    }
}
