import Media
import Testing
import TestSupport

@testable import Batch

/// Jobs begin after what they need, in the order of the list.
@Suite struct JobQueueTests {
    /// A film in parts among other jobs.
    private static func jobs(_ counts: [Int]) -> [BatchPlan.Job] {
        let films = counts.indices.map { index in
            BatchPlan.Job(
                number: index + 1,
                values: ["n": "\(index)"],
                output: "\(index).mp4",
                graph: "film.json"
            )
        }
        let plan = BatchPlan(jobs: films).split(
            into: counts,
            of: MediaTime(60, 1),
            state: StateFolder("state")
        )
        return plan.jobs
    }

    @Test func aFilmInPartsBeginsWithItsTrackAndEndsWithItself() throws {
        let jobs = Self.jobs([3])
        var queue = JobQueue(jobs)
        var titles: [String] = []
        while let job = queue.pop() {
            titles.append(job.title)
            queue.isDone(job)
        }
        #expect(
            titles == [
                "0.mp4: modulation track", "0.mp4: checkpoint 1 of 2", "0.mp4: part 1 of 3",
                "0.mp4: checkpoint 2 of 2", "0.mp4: part 2 of 3", "0.mp4: part 3 of 3", "0.mp4",
            ]
        )
        #expect(queue.isEmpty)
    }

    @Test func whatWaitsForAnotherIsNotGivenOut() {
        let jobs = Self.jobs([2, 1])
        var queue = JobQueue(jobs)
        #expect(queue.pop()?.title == "1.mp4")
        let track = queue.pop()
        #expect(track?.title == "0.mp4: modulation track")
        #expect(queue.pop() == nil)
        #expect(!queue.isEmpty)
        if let track { queue.isDone(track) }
        #expect(queue.pop()?.title == "0.mp4: checkpoint 1 of 1")
        #expect(queue.pop()?.title == "0.mp4: part 1 of 2")
        #expect(queue.pop() == nil)
    }

    @Test func whatNeedsAFailedOneIsTakenOut() throws {
        let jobs = Self.jobs([3])
        var queue = JobQueue(jobs)
        let track = queue.pop()
        queue.isDone(try #require(track))
        let next = queue.pop()
        let state = try #require(next)
        let lost = queue.hasFailed(state).map(\.title).sorted()
        #expect(
            lost == [
                "0.mp4", "0.mp4: checkpoint 2 of 2", "0.mp4: part 2 of 3", "0.mp4: part 3 of 3",
            ]
        )
        #expect(queue.pop()?.title == "0.mp4: part 1 of 3")
        #expect(queue.isEmpty)
    }

    @Test func inAnyOrderOfEndsEachBeginsOnceAfterAllThatItNeeds() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let counts = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                Int.random(in: 1...6, using: &random)
            }
            // Some are done already, and are not in the list: whole films, for those need all else.
            let gone = Int.random(in: 0...counts.count, using: &random)
            let jobs = Self.jobs(counts).filter { $0.film != gone }.shuffled(using: &random)
            var queue = JobQueue(jobs)
            var (running, done): ([BatchPlan.Job], Set<Int>) = ([], [])
            while !queue.isEmpty || !running.isEmpty {
                if running.count < 3, let job = queue.pop() {
                    #expect(done.isSuperset(of: job.needs))
                    running.append(job)
                } else if let job = running.randomElement(using: &random) {
                    running.removeAll { other in other == job }
                    #expect(done.insert(job.number).inserted)
                    queue.isDone(job)
                } else {
                    Issue.record("nothing runs, and something is left")
                    break
                }
            }
            #expect(done.count == jobs.count)
        }
    }
}
