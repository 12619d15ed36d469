/// The jobs that are still to begin, each after all that it needs.
///
/// Those that others made free come first, then those that were free from the start, both in the order of the list.
struct JobQueue {
    private let jobs: [BatchPlan.Job]
    private let positions: [Int: Int]
    /// Of each job, those that need it.
    private var readers: [Int: [Int]] = [:]
    /// Of each job, how many that it needs are not done.
    private var unmet: [Int]
    /// The next one that was not looked at.
    private var next = 0
    /// Positions of those that became free behind `next`, the first at the end.
    private var freed: [Int] = []
    private var isGone: [Bool]
    private var left: Int

    init(_ jobs: [BatchPlan.Job]) {
        self.jobs = jobs
        let positions = Dictionary(
            jobs.enumerated().map { ($1.number, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        self.positions = positions
        (unmet, isGone) = (Array(repeating: 0, count: jobs.count), jobs.map { _ in false })
        left = jobs.count
        for (position, job) in jobs.enumerated() {
            // What is not in the list is done.
            for need in job.needs.compactMap({ positions[$0] }) {
                readers[need, default: []].append(position)
                unmet[position] += 1
            }
        }
    }

    /// Whether all have begun, or never will.
    var isEmpty: Bool { left == 0 }

    /// The next job that may begin now.
    mutating func pop() -> BatchPlan.Job? {
        if let position = freed.popLast() { return take(position) }
        while next < jobs.count {
            defer { next += 1 }
            if unmet[next] == 0, !isGone[next] { return take(next) }
        }
        return nil
    }

    private mutating func take(_ position: Int) -> BatchPlan.Job {
        isGone[position] = true
        left -= 1
        return jobs[position]
    }

    /// Lets those begin that needed this one last.
    mutating func isDone(_ job: BatchPlan.Job) {
        for reader in positions[job.number].flatMap({ readers[$0] }) ?? [] {
            unmet[reader] -= 1
            guard unmet[reader] == 0, reader < next, !isGone[reader] else { continue }
            let place = freed.firstIndex { $0 < reader } ?? freed.endIndex
            freed.insert(reader, at: place)
        }
    }

    /// Takes out those that need this one, or one that needs it.
    ///
    /// - Returns: them.
    mutating func hasFailed(_ job: BatchPlan.Job) -> [BatchPlan.Job] {
        var lost: [BatchPlan.Job] = []
        var open = positions[job.number].map { [$0] } ?? []
        while let position = open.popLast() {
            for reader in readers[position] ?? [] where !isGone[reader] {
                lost.append(take(reader))
                open.append(reader)
            }
        }
        return lost
    }
}
