import Foundation
import Graph
import TestSupport
import Testing

@testable import Batch

@Suite struct BatchFileTests {
    private static func read(_ text: String) -> (batch: BatchFile?, problems: [String]) {
        let (batch, problems) = BatchFile.read(Array(text.utf8), file: "b.json")
        return (batch, problems.map(\.description))
    }

    /// The jobs of a batch whose lists lie in a folder.
    private static func jobs(_ text: String, in folder: String = "") throws -> [BatchPlan.Job] {
        let (batch, problems) = read(text)
        #expect(problems == [])
        let (plan, faults) = BatchPlan.lay(try #require(batch), file: "b.json", folder: folder)
        #expect(faults.map(\.description) == [])
        return plan?.jobs ?? []
    }

    private static func fault(_ text: String, in folder: String = "") throws -> String {
        let batch = try #require(read(text).batch)
        let (plan, problems) = BatchPlan.lay(batch, file: "b.json", folder: folder)
        #expect(plan == nil && !problems.isEmpty)
        return problems.map(\.description).joined(separator: "\n")
    }

    @Test func `jobs are combined with the matrix, the first variable slowest`() throws {
        let jobs = try Self.jobs(
            """
            { "foxfire-batch": 1, "graph": "film", // comments are allowed
              "jobs": [{ "input": "a/x.ogg" }, { "input": "b/y.flac", "size": "160x90" }],
              "matrix": { "preset": ["Storm", "Foxfire"], "seed": [1, 2.5, true] },
              "exclude": [{ "preset": "Storm", "seed": 1 }, {}],
              "output": "out/{input.stem}-{preset}-{n}.mp4",
              "timeout": 60, "retries": 2, "backoff": 5, "threads": 2, "memory": 1e9 }
            """
        )
        #expect(jobs.count == 10)
        #expect(jobs.map(\.number) == Array(1...10))
        #expect(jobs[0].values["preset"] == "Storm" && jobs[0].values["seed"] == "2.5")
        #expect(jobs[0].output == "out/x-Storm-01.mp4")
        #expect(jobs[9].output == "out/y-Foxfire-10.mp4")
        #expect(jobs[9].values["size"] == "160x90" && jobs[9].values["seed"] == "true")
        #expect(jobs[9].values["output"] == jobs[9].output)
    }

    @Test func `limits are taken, and have defaults`() throws {
        let full = Self.read(
            "{\"foxfire-batch\": 1, \"graph\": \"g\", \"jobs\": [{}], \"timeout\": 60, \"retries\": 2, "
                + "\"backoff\": 5, \"threads\": 2, \"memory\": 1000000000}"
        ).batch?.limits
        #expect(full?.timeout == 60 && full?.retries == 2 && full?.backoff == 5)
        #expect(full?.threads == 2 && full?.memory == 1_000_000_000)
        let bare = Self.read("{\"foxfire-batch\": 1, \"graph\": \"g\", \"jobs\": [{}]}").batch
        #expect(bare?.limits == BatchFile.Limits())
    }

    @Test func `values come from folders and tables`() throws {
        let folder = try TemporaryFolder()
        for name in ["b.ogg", "a.ogg", "c.txt"] {
            try Data().write(to: URL(filePath: folder.file(name)))
        }
        try FileManager.default.createDirectory(
            atPath: folder.file("d.ogg"),
            withIntermediateDirectories: false
        )
        let table = "\u{FEFF}name,seed\r\n\"x, \"\"y\"\"\r\nz\",1\r\nq,2\r\n"
        try Data(table.utf8).write(to: URL(filePath: folder.file("t.csv")))
        let lines = "{\"seed\": 7}\n\n{\"seed\": \"8\", \"other\": null}\n"
        try Data(lines.utf8).write(to: URL(filePath: folder.file("t.jsonl")))
        func values(_ axis: String) throws -> [String] {
            try Self.jobs(
                "{\"foxfire-batch\": 1, \"graph\": \"g\", \"matrix\": {\"v\": \(axis)}}",
                in: folder.path
            ).compactMap { $0.values["v"] }
        }
        #expect(try values("\"glob:*.ogg\"") == ["a.ogg", "b.ogg"])
        #expect(
            try values("{\"csv\": \"t.csv\", \"column\": \"name\"}") == ["x, \"y\"\r\nz", "q"]
        )
        #expect(try values("{\"csv\": \"t.csv\", \"column\": \"seed\"}") == ["1", "2"])
        #expect(try values("{\"jsonl\": \"t.jsonl\", \"key\": \"seed\"}") == ["7", "8"])
    }

    @Test(
        arguments: [
            ("{\"csv\": \"t.csv\", \"column\": \"none\"}", "no column \"none\""),
            ("{\"csv\": \"u.csv\", \"column\": \"a\"}", "u.csv:3: 1 fields"),
            ("{\"csv\": \"v.csv\", \"column\": \"a\"}", "v.csv:2: a quote does not end"),
            ("{\"jsonl\": \"t.jsonl\", \"key\": \"a\"}", "t.jsonl:2: no string"),
            ("{\"jsonl\": \"none\", \"key\": \"a\"}", "none"),
            ("\"glob:*.none\"", "no file matches \"*.none\""),
        ]
    )
    func `what cannot be read is told with its place`(axis: String, text: String) throws {
        let folder = try TemporaryFolder()
        let files = [
            "t.csv": "a,b\n1,2\n", "u.csv": "a,b\n1,2\n3\n", "v.csv": "a\n\"x\n",
            "t.jsonl": "{\"a\": 1}\n{\"a\": []}\n",
        ]
        for (name, contents) in files {
            try Data(contents.utf8).write(to: URL(filePath: folder.file(name)))
        }
        let batch = "{\"foxfire-batch\": 1, \"graph\": \"g\",\n \"matrix\": {\"v\": \(axis)}}"
        let told = try Self.fault(batch, in: folder.path)
        #expect(told.hasPrefix("b.json:2:18: ") && told.contains(text), "\(told)")
    }

    @Test(
        arguments: [
            ("[]", "holds an object, not an array"), ("{}", "\"foxfire-batch\": 1 is missing"),
            ("{\"foxfire-batch\": 2}", "of version 2, and this Foxfire reads 1"),
            ("{\"foxfire-batch\": 1, \"graf\": \"g\"}", "did you mean \"graph\""),
            (
                "{\"foxfire-batch\": 1, \"graph\": \"g\", \"slurm\": 1}",
                "\"slurm\" must be an object"
            ),
            ("{\"foxfire-batch\": 1, \"graph\": \"g\"}", "\"jobs\" or \"matrix\" is missing"),
            ("{\"foxfire-batch\": 1, \"graph\": 3, \"jobs\": []}", "\"graph\" must be a string"),
            ("{\"foxfire-batch\": 1, \"graph\": \"g\", \"jobs\": {}}", "must be an array"),
            ("{\"foxfire-batch\": 1, \"graph\": \"g\", \"jobs\": [3]}", "object of variables"),
            ("{\"foxfire-batch\": 1, \"graph\": \"g\", \"jobs\": [{\"a\": []}]}", "not an array"),
            ("{\"foxfire-batch\": 1, \"graph\": \"g\", \"matrix\": {\"a\": []}}", "no value"),
            ("{\"foxfire-batch\": 1, \"graph\": \"g\", \"matrix\": {\"a\": \"b\"}}", "glob:"),
            (
                "{\"foxfire-batch\": 1, \"graph\": \"g\", \"jobs\": [{}], \"retries\": 1.5}",
                "a whole number from 0 to 100"
            ),
            (
                "{\"foxfire-batch\": 1, \"graph\": \"g\", \"jobs\": [{}], \"timeout\": 0}",
                "from 1 to 604800"
            ),
            (
                "{\"foxfire-batch\": 1, \"graph\": \"g\", \"jobs\": [{}], \"output\": \"a{b\"}",
                "a brace stands here without its other, at its character 2"
            ),
            (
                "{\"foxfire-batch\": 1, \"graph\": \"g\", \"jobs\": [{}], \"output\": \"{a.b}\"}",
                "none of {n}"
            ),
        ]
    )
    func `what is wrong in a file is told with its place`(text: String, words: String) {
        let (batch, problems) = Self.read(text)
        #expect(batch == nil)
        #expect(
            problems.contains { $0.hasPrefix("b.json:1:") && $0.contains(words) },
            "\(problems)"
        )
    }

    @Test func `two jobs that would write one file are refused before anything runs`() throws {
        let told = try Self.fault(
            """
            { "foxfire-batch": 1, "graph": "g", "matrix": { "a": [1, 2], "b": [1, 2] },
              "output": "{a}.wav" }
            """
        )
        #expect(told.contains("jobs 1 and 2 would both write 1.wav"))
        let same = try Self.fault(
            """
            { "foxfire-batch": 1, "graph": "g", "jobs": [{ "output": "x" }, { "output": "x" }] }
            """
        )
        #expect(same.contains("jobs 1 and 2 would both write x"))
    }

    @Test func `patterns name what a job has, and too many jobs are refused`() throws {
        let told = try Self.fault(
            "{\"foxfire-batch\": 1, \"graph\": \"g\", \"jobs\": [{\"a\": 1}], \"output\": \"{b}.wav\"}"
        )
        #expect(told.contains("names {b}, which job 1 gives no value"))
        let list = "[" + (0..<200).map(String.init).joined(separator: ",") + "]"
        let many = try Self.fault(
            "{\"foxfire-batch\": 1, \"graph\": \"g\", \"matrix\": {\"a\": \(list), \"b\": \(list), \"c\": \(list)}}"
        )
        #expect(many.contains("8000000 jobs"))
        let none = try Self.fault(
            "{\"foxfire-batch\": 1, \"graph\": \"g\", \"jobs\": [{\"a\": 1}], \"exclude\": [{\"a\": 1}]}"
        )
        #expect(none.contains("no job"))
    }

    @Test func `names of outputs take values apart`() throws {
        let pattern = try OutputPattern("{{x}}/{p.name}-{p.stem}-{p}-{n}")
        let path = pattern.path(["p": "in/a.b.ogg"], number: 7, of: 120)
        #expect(path == "{x}/a.b.ogg-a.b-in_a.b.ogg-007")
        #expect(try OutputPattern("{p.stem}").path(["p": ".hidden"], number: 1, of: 1) == ".hidden")
        for text in ["{", "}", "{}", "{1}", "{a.}", "{.a}", "{a.stem.b}", "{n.stem"] {
            #expect(throws: OutputPattern.Fault.self) { try OutputPattern(text) }
        }
    }

    @Test func `the page's example is a batch`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/batch.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let example = try #require(text.components(separatedBy: "```json\n").dropFirst().first)
        let (batch, problems) = Self.read(example.components(separatedBy: "```")[0])
        #expect(problems == [])
        #expect(batch?.limits.memory == 2_000_000_000)
        // Every key that the schema knows has a row.
        guard case .object(let members) = JSON(BatchFile.schema)["properties"]?.value else {
            return
        }
        for key in members.map(\.key)
        where !["$schema", "description", "foxfire-batch"].contains(key) {
            #expect(text.contains("| `\(key)` |"), "\(key)")
        }
    }

    @Test func `a job may name a graph of its own`() throws {
        let jobs = try Self.jobs(
            """
            {"foxfire-batch": 1, "graph": "a", "jobs": [{}, {"graph": "b"}, {"graph": "./c.json"}],
             "output": "{n}"}
            """
        )
        #expect(jobs.map(\.graph) == ["a", "b", "./c.json"])
        #expect(jobs.allSatisfy { $0.values["graph"] == nil })
        let mixed = try Self.jobs(
            "{\"foxfire-batch\": 1, \"matrix\": {\"graph\": [\"x/a.json\", \"b\"]}, \"output\": \"{graph.stem}\"}"
        )
        #expect(mixed.map(\.output) == ["a", "b"])
    }

    @Test(arguments: [
        ("\"jobs\": [{}]", "job 1 has no graph"),
        ("\"graph\": \"g\", \"jobs\": []", "there is no job in it"),
        ("\"graph\": \"-\", \"jobs\": [{}]", "would be standard input"),
        ("\"graph\": \"g\", \"jobs\": [{\"output\": \"-\"}]", "would write to standard output"),
        (
            "\"graph\": \"g\", \"jobs\": [{\"a\": 1}, {\"a\": \"1\"}]",
            "jobs 1 and 2 have the same values"
        ),
    ])
    func `jobs that cannot be run are told before any runs`(members: String, text: String) throws {
        let fault = try Self.fault("{\"foxfire-batch\": 1, \(members)}")
        #expect(fault.contains(text), "\(fault)")
    }

    @Test(arguments: [
        ("{\"partition\": 1}", "/slurm/partition"), ("{\"time\": 5}", "from 120 to"),
        ("{\"tasks\": 0}", "from 1 to"), ("{\"task\": 4}", "did you mean \"tasks\"?"),
    ])
    func `what a cluster is asked for is checked`(request: String, text: String) {
        let batch =
            "{\"foxfire-batch\": 1, \"graph\": \"g\", \"jobs\": [{}], \"slurm\": \(request)}"
        let (_, problems) = BatchFile.read(Array(batch.utf8), file: "b.json")
        let told = problems.map { "\($0) \($0.pointer ?? "")" }.joined()
        #expect(problems.count == 1 && told.contains(text), "\(told)")
    }
}
