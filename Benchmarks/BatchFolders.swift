import Batch
import Glibc
import Graph
import Media

/// What batches cost beside their jobs.
enum BatchFolders {
    /// As many jobs as the rows of planning and of status have.
    private static let jobs = 100_000
    private static let noop = """
        {"foxfire": 1, "variables": {"number": {"type": "integer"}, "output": {"type": "output"}},
         "nodes": {
           "tone": {"kind": "source.tone", "duration": 0, "frequency": "$number"},
           "sum": {"kind": "test.checksum", "from": "tone", "path": "$output"}}}
        """

    /// Finding that none of 100,000 jobs must run: their states are read, and their outputs looked at.
    @Sendable static func planning(_ program: String, runs: Int) throws -> Row {
        try overFolder(
            "batch run --dry-run of 100,000 jobs that are done, against find",
            ["run", "--dry-run"],
            program,
            runs,
            target: 0.03
        )
    }

    /// Counting 100,000 jobs by the names of their states.
    @Sendable static func status(_ program: String, runs: Int) throws -> Row {
        try overFolder(
            "batch status of 100,000 jobs, against find",
            ["status"],
            program,
            runs,
            target: 0.1
        )
    }

    /// 500 graphs that do nothing, against as many single runs, one after the other.
    @Sendable static func noOps(_ program: String, runs: Int) throws -> Row {
        try inTemporaryFolder { folder in
            try write(noop, to: folder + "/noop.json")
            try write(batch(500), to: folder + "/b.json")
            let foxfire = StartUp.folder(of: program) + "/foxfire"
            let single = """
                for i in $(seq 500); do
                    \(foxfire) run \(folder)/noop.json number=$i output=\(folder)/$i.txt -y --progress none || exit
                done
                """
            let (ours, peer) = try alternate(
                [
                    "sh", "-c",
                    "rm -rf \(folder)/b.state \(folder)/out; \(foxfire) batch run \(folder)/b.json --progress none",
                ],
                ["sh", "-c", single],
                runs: max(1, runs / 2)
            ) { $0.wall }
            return Row(
                name: "a batch of 500 graphs that do nothing, against 500 times foxfire run",
                unit: "s",
                ours: ours,
                peer: peer,
                ratio: peer / ours,
                target: 1 / 1.5
            )
        }
    }

    private static func batch(_ count: Int) -> String {
        let numbers = (1...count).map(String.init).joined(separator: ",")
        return """
            {"foxfire-batch": 1, "graph": "./noop.json", "matrix": {"number": [\(numbers)]},
             "output": "out/{number}.txt"}
            """
    }

    /// A batch of many jobs of which all are done, made out of one that has run.
    private static func overFolder(
        _ name: String,
        _ words: [String],
        _ program: String,
        _ runs: Int,
        target: Double
    ) throws -> Row {
        try inTemporaryFolder { folder in
            try write(noop, to: folder + "/noop.json")
            let text = batch(jobs)
            try write(text, to: folder + "/b.json")
            let foxfire = StartUp.folder(of: program) + "/foxfire"
            let run = [foxfire, "batch", "run", folder + "/b.json", "--only", "out/1.txt"]
            _ = try measure(run + ["--progress", "none"])
            guard let file = BatchFile.read(Array(text.utf8), file: "b.json").batch,
                let plan = BatchPlan.lay(file, file: "b.json", folder: "").plan,
                let state = try? FileContents.read(place(plan.jobs[0], folder), limit: 1 << 20),
                let stamp = FileStamp(folder + "/out/1.txt")
            else { throw ProcessError(description: "the first job left no state") }
            for part in 0..<256 {
                let digits = String(part, radix: 16)
                try Folder.create("\(folder)/b.state/\(digits.count == 1 ? "0" : "")\(digits)")
            }
            var times = [timespec(), timespec()]
            for index in times.indices {
                times[index].tv_sec = Int(stamp.modified / 1_000_000_000)
                times[index].tv_nsec = Int(stamp.modified % 1_000_000_000)
            }
            let content = try FileContents.read(folder + "/out/1.txt", limit: 1 << 20)
            let words1 = String(decoding: state, as: UTF8.self)
            for job in plan.jobs.dropFirst() {
                let path = "\(folder)/out/\(job.number).txt"
                try write(String(decoding: content, as: UTF8.self), to: path)
                unsafe utimensat(AT_FDCWD, path, times, 0)
                let own = words1.replacing("out/1.txt", with: "out/\(job.number).txt")
                try write(own, to: place(job, folder))
            }
            let ours = [foxfire, "batch", words[0], folder + "/b.json"] + words.dropFirst()
            let walk = ["find", folder + "/b.state", folder + "/out", "-type", "f"]
            let (a, b) = try alternate(ours, walk, runs: runs) { $0.wall }
            return Row(name: name, unit: "s", ours: a, peer: b, ratio: b / a, target: target)
        }
    }

    private static func place(_ job: BatchPlan.Job, _ folder: String) -> String {
        "\(folder)/b.state/\(job.id.description.prefix(2))/\(job.id).done.1"
    }
}
