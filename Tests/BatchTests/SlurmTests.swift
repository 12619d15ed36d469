import Testing

@testable import Batch

@Suite struct SlurmTests {
    private static func engine(_ members: String, sbatch: [String] = []) throws -> SlurmEngine {
        let text = "{\"foxfire-batch\": 1, \"graph\": \"g\", \(members)}"
        let batch = try #require(BatchFile.read(Array(text.utf8), file: "b.json").batch)
        let plan = try #require(BatchPlan.lay(batch, file: "b.json", folder: "").plan)
        return SlurmEngine(
            plan.jobs,
            of: batch,
            starts: { _ in 0 },
            state: StateFolder("/x/50% a/it's.state"),
            options: SlurmEngine.Options(
                program: "/opt/fox fire",
                file: "/x/50% a/it's.json",
                arguments: ["--only", "*'*"],
                sbatch: sbatch
            ),
            tell: { _ in }
        )
    }

    @Test func `a task's script quotes what it names`() throws {
        let script = try Self.engine("\"jobs\": [{}]").script(7)
        #expect(
            script == """
                #!/bin/sh
                exec '/opt/fox fire' 'batch' 'run' '/x/50% a/it'\\''s.json' '--jobs' '1' '--progress' 'plain' \
                '--only' '*'\\''*' --shard "$SLURM_ARRAY_TASK_ID/7"

                """
        )
    }

    @Test func `sbatch is asked for what the batch file says, and then for what the user says`()
        throws
    {
        let members = """
            "jobs": [{}], "threads": 3, "memory": 2000000000,
            "slurm": {"partition": "gpu x", "time": 3661, "tasks": 9}
            """
        let options = try Self.engine(members, sbatch: ["--qos=long"]).sbatchOptions(9)
        #expect(options.contains("--array=1-9"))
        #expect(options.contains("--output=/x/50%% a/it's.state/slurm/%A_%a.log"))
        #expect(options.contains("--signal=B:TERM@90"))
        #expect(options.contains("--cpus-per-task=3"))
        #expect(options.contains("--mem=2035M"))
        #expect(options.contains("--partition=gpu x"))
        #expect(options.contains("--time=62"))
        #expect(options.last == "--qos=long")
        let plain = try Self.engine("\"jobs\": [{}]").sbatchOptions(1)
        #expect(plain.contains("--cpus-per-task=1"))
        #expect(!plain.contains { $0.hasPrefix("--mem") || $0.hasPrefix("--time") })
    }

    @Test func `tasks are read from squeue's lines, and other lines are not`() {
        let tasks = Slurm.parse(
            """
            12|1|RUNNING|None|fox1|
            12|2|PENDING|Resources||
            12|3|NODE_FAIL|NodeDown|fox[2-3]|
            12|N/A|RUNNING|None|fox1|
            slurm_load_jobs error: no

            """
        )
        #expect(tasks.map(\.name) == ["12_1", "12_2", "12_3"])
        #expect(tasks.map(\.isAlive) == [true, true, false])
        #expect(tasks.map(\.nodes) == ["fox1", "", "fox[2-3]"])
    }
}
