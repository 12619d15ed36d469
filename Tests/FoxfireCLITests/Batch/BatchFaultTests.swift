import Foundation
import Testing

/// Batches whose jobs, disks and runners fail.
@Suite struct BatchFaultTests {
    /// Eight jobs that take about two thirds of a second each.
    private static let slow = """
        "graph": "./tone.json", "matrix": {"frequency": [300, 400, 500, 600, 700, 800, 900, 1000]},
        "jobs": [{"work": "15ms"}], "output": "out/{frequency}.wav", "backoff": 0, "retries": 1
        """
    /// One that takes about two seconds.
    private static let long = """
        "graph": "./tone.json", "jobs": [{"work": "50ms", "seconds": 1}], "output": "out.wav",
        "backoff": 0, "retries": 1
        """

    /// Waits until a shell's condition holds, for at most a minute.
    private static func wait(until condition: String) -> String {
        "for i in $(seq 6000); do \(condition) && break; sleep 0.01; done"
    }

    /// Kills the running child with a signal as soon as it has begun its `start`-th start.
    private static func kill(_ signal: String, start: Int) -> String {
        """
        \(wait(until: "ls batch.state/*/*.running.\(start) >/dev/null 2>&1"))
        pkill -\(signal) -P $runner
        """
    }

    private static let begin =
        "export SWIFT_BACKTRACE=enable=no; $foxfire batch run batch.json --progress plain & runner=$!"

    // MARK: Children

    @Test(arguments: [
        ("SEGV", "it crashed with signal 11"), ("ABRT", "it crashed with signal 6"),
        ("KILL", "it was killed, most likely for want of memory"),
    ])
    func aCrashCostsATry(signal: String, reason: String) throws {
        try BatchFolder.with(Self.long) { (folder) throws in
            let once = "\(Self.begin)\n\(Self.kill(signal, start: 1))\nwait $runner"
            let result = try folder.shell(once)
            #expect(result.code == 0, "\(result.error)")
            #expect(result.error.contains("out.wav will be tried again: \(reason)"))
            #expect(try folder.files("batch.state").count { $0.contains(".done.2") } == 1)
            #expect(try folder.shell("$foxfire batch clean batch.json --all; rm out.wav").code == 0)
            let twice =
                "\(Self.begin)\n\(Self.kill(signal, start: 1))\n\(Self.kill(signal, start: 2))\nwait $runner"
            let failed = try folder.shell(twice)
            #expect(failed.code == 3)
            #expect(failed.error.contains("out.wav failed: \(reason)"), "\(failed.error)")
            let status = try folder.shell("$foxfire batch status batch.json")
            #expect(status.code == 3)
            #expect(status.output.contains("failed   1  out.wav  (start 2): \(reason)"))
            #expect(try folder.shell("$foxfire batch retry batch.json 1").code == 0)
            let names = try folder.files()
            #expect(names.allSatisfy { !$0.contains("part-") && !$0.contains("claim") })
        }
    }

    @Test func aJobThatIsAskedToStopIsTriedAgain() throws {
        try BatchFolder.with(Self.long) { (folder) throws in
            let result = try folder.shell(
                "\(Self.begin)\n\(Self.kill("TERM", start: 1))\nwait $runner"
            )
            #expect(result.code == 0, "\(result.error)")
            #expect(result.error.contains("will be tried again: it was stopped"))
        }
    }

    @Test func aTimeoutEndsAJob() throws {
        let batch = """
            "graph": "./tone.json", "timeout": 1, "retries": 1, "backoff": 0, "output": "{n}.wav",
            "jobs": [{"work": 0}, {"work": "500ms", "seconds": 10}]
            """
        try BatchFolder.with(batch) { (folder) throws in
            let result = try folder.run()
            #expect(result.code == 3)
            #expect(result.error.contains("2.wav will be tried again: it took longer than 1 s"))
            #expect(result.error.contains("2.wav failed: it took longer than 1 s"))
            #expect(try folder.files().filter { $0.hasSuffix(".wav") } == ["1.wav"])
        }
    }

    @Test func failFastBeginsNothingMore() throws {
        let batch = """
            "graph": "./tone.json", "output": "{n}.wav", "matrix": {"frequency": [-1, -5, 440, 441, 442, 443]}
            """
        try BatchFolder.with(batch) { (folder) throws in
            let result = try folder.run("--fail-fast --jobs 1")
            #expect(result.code == 3)
            #expect(result.error.contains("a job failed, and nothing more was begun; "))
            #expect(try folder.count("done") < 3)
            #expect(try folder.run("--keep-going --fail-fast").code == 2)
            // What failed would fail again, so that it is not run.
            #expect(try folder.run().code == 3)
            #expect(try folder.count("failed") == 2)
            #expect(try folder.count("done") == 4)
        }
    }

    // MARK: Runners

    @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
    func aStoppedBatchGoesOn(signal: String, code: Int32) throws {
        try BatchFolder.with(Self.slow) { (folder) throws in
            let line = """
                \(Self.begin)
                \(Self.wait(until: "ls batch.state/*/*.done.1 >/dev/null 2>&1"))
                kill -\(signal) $runner
                wait $runner
                """
            let stopped = try folder.shell(line)
            #expect(stopped.code == code, "\(stopped.error)")
            #expect(stopped.error.contains("the same command goes on"))
            let state = try folder.files("batch.state")
            #expect(state.allSatisfy { $0.contains(".done.1") || $0.hasSuffix(".log") }, "\(state)")
            let made = try folder.files("out")
            #expect(made.count < 8 && made.allSatisfy { !$0.contains("part") }, "\(made)")
            #expect(try folder.run().code == 0)
            #expect(try folder.files("out").count == 8)
            #expect(try folder.files("batch.state").count { $0.contains(".done.1") } == 8)
        }
    }

    @Test func cancelStopsWhoeverRunsTheBatch() throws {
        try BatchFolder.with(Self.slow) { (folder) throws in
            let line = """
                \(Self.begin)
                $foxfire batch run batch.json --progress none & other=$!
                \(Self.wait(until: "ls batch.state/*/*.running.1 >/dev/null 2>&1"))
                sleep 0.3
                $foxfire batch cancel batch.json
                wait $other; echo $?
                wait $runner; echo $?
                """
            let result = try folder.shell(line)
            #expect(result.output == "143\n143\n", "\(result.error)")
            #expect(try folder.count("running") == 0)
            #expect(try folder.run().code == 0)
        }
    }

    @Test func twoRunnersShareABatch() throws {
        try BatchFolder.with(Self.slow) { (folder) throws in
            let line = """
                \(Self.begin)
                $foxfire batch run batch.json --progress none & other=$!
                wait $other && wait $runner
                """
            let result = try folder.shell(line)
            #expect(result.code == 0, "\(result.error)")
            #expect(try folder.files("out").count == 8)
            let state = try folder.files("batch.state")
            #expect(state.count { $0.contains(".done.1") } == 8, "\(state)")
            #expect(state.allSatisfy { $0.contains(".done.1") || $0.hasSuffix(".log") }, "\(state)")
        }
    }

    @Test func killedAtRandomMoments() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../scripts/kill-batch").standardized.path()
        let result = try Tool.run(script, [Tool.foxfire, "10", "1"])
        #expect(result.code == 0, "\(result.error)")
        #expect(result.output.hasPrefix("10 kills, "))
    }

    // MARK: Disks

    @Test(.enabled(if: getuid() == 0, "only root can mount"), arguments: ["out", "batch.state"])
    func aFullDiskStopsTheBatchUntilThereIsRoom(place: String) throws {
        try BatchFolder.with(Self.slow) { (folder) throws in
            let line = """
                mkdir \(place); mount -t tmpfs -o size=300k tmpfs \(place) || exit 99
                head -c \(place == "out" ? "100k" : "4k") /dev/zero >\(place)/filler
                [ \(place) = out ] || cat /dev/zero >>\(place)/filler 2>/dev/null
                $foxfire batch run batch.json --progress none; echo $?
                find \(place) -name '*part*'
                rm \(place)/filler; mount -o remount,size=20m \(place)
                $foxfire batch run batch.json --progress none; echo $?
                ls out; ls \(place)/*/* | grep -v '\\.log$'; umount \(place)
                """
            let result = try folder.shell(line)
            if result.code == 99 { return }
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.prefix(2) == ["75", "0"], "\(result.output) \(result.error)")
            #expect(result.error.contains("the disk of "), "\(result.error)")
            #expect(
                result.error.contains("/\(place) is full; ")
                    || result.error.contains("of \(place) is full; ")
            )
            #expect(result.error.contains("make room, and give the same command again"))
            #expect(lines.count { $0.hasSuffix(".wav") } == 8)
            #expect(lines.allSatisfy { !$0.contains("claim") && !$0.contains("running") })
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root can mount"))
    func aLogThatCannotGrowStopsTheBatch() throws {
        try BatchFolder.with(Self.slow) { (folder) throws in
            // All inodes are taken when the first log is to be made.
            let line = """
                mkdir batch.state; mount -t tmpfs -o nr_inodes=5 tmpfs batch.state || exit 99
                touch batch.state/a batch.state/b
                $foxfire batch run batch.json --progress none; echo $?
                mount -o remount,nr_inodes=1000 batch.state
                $foxfire batch run batch.json --progress none; echo $?
                umount batch.state; ls out
                """
            let result = try folder.shell(line)
            if result.code == 99 { return }
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.prefix(2) == ["75", "0"], "\(result.output) \(result.error)")
            #expect(lines.count == 10)
        }
    }
}

/// Batches on a Slurm of two nodes, and jobs that another machine has taken over.
@Suite struct BatchClusterTests {
    private static func has(_ programs: String...) -> Bool {
        // Debian has daemons in a folder that not every PATH names.
        programs.allSatisfy { name in
            Tool.path(of: name) != nil
                || FileManager.default.isExecutableFile(atPath: "/usr/sbin/\(name)")
        }
    }

    @Test(
        .enabled(if: getuid() == 0, "only root can run Slurm's daemons"),
        .enabled(
            if: has("slurmctld", "slurmd", "sbatch", "munged"),
            "slurmctld, slurmd, slurm-client and munge are not installed"
        )
    )
    func aNodeIsLost() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../scripts/slurm-batch").standardized.path()
        let result = try Tool.run(script, [Tool.foxfire, "busy", "lost"])
        #expect(result.code == 0, "\(result.output) \(result.error)")
        #expect(result.output.contains("busy: all whole, 4 starts"))
        #expect(result.output.contains("lost: all whole, "))
    }

    @Test func withoutSlurmItIsSaid() throws {
        try BatchFolder.with("\"graph\": \"./tone.json\", \"jobs\": [{\"output\": \"a.wav\"}]") {
            (folder) throws in
            let result = try folder.shell(
                "PATH=/nowhere $foxfire batch run batch.json --engine slurm"
            )
            #expect(result.code == 1)
            #expect(result.error.contains("it is not in PATH: is Slurm installed here?"))
            let status = try folder.shell("PATH=/nowhere $foxfire batch status batch.json")
            #expect(status.code == 0)
            for (options, text) in [
                ("--detach", "\"--detach\" goes with \"--engine slurm\""),
                ("--sbatch=--qos=x", "\"--sbatch\" goes with \"--engine slurm\""),
                ("--engine slurm --jobs 2", "\"--jobs\" does not go with \"--engine slurm\""),
                ("--engine slurm --shard 1/2", "\"--shard\" does not go with \"--engine slurm\""),
            ] {
                let refused = try folder.run(options)
                #expect(refused.code == 2 && refused.error.contains(text), "\(refused.error)")
            }
        }
    }

    @Test(
        .enabled(if: getuid() == 0, "only root can mount"),
        .enabled(
            if: has("bindfs") && FileManager.default.fileExists(atPath: "/dev/fuse"),
            "bindfs is not installed, or there is no FUSE"
        )
    )
    func aJobThatWasTakenOverDropsItsWork() throws {
        let batch =
            "\"graph\": \"./tone.json\", \"jobs\": [{\"work\": \"40ms\"}], \"output\": \"out.wav\""
        try BatchFolder.with(batch) { (folder) throws in
            let line = """
                mkdir shared; bindfs . shared || exit 99
                cd shared
                run() { $foxfire run ./tone.json --job "$PWD/batch.state/$1" --set work=40ms --set output=out.wav \\
                    --progress none; }
                id=$($foxfire batch status batch.json --json | sed -n 's/.*"id": "\\(.*\\)".*/\\1/p')
                run $id 2>late & late=$!
                for i in $(seq 6000); do ls batch.state/*/*.running.1 >/dev/null 2>&1 && break; sleep 0.01; done
                # Nobody may have it yet; then its claim is said to have stood still.
                run $id 2>held; echo $?
                (export FOXFIRE_ABANDONED=1; run $id); echo $?
                wait $late; echo $?
                cat held late
                $foxfire batch status batch.json --verify; echo $?
                cd ..; umount shared
                ls -A . batch.state/*
                """
            let result = try folder.shell(line)
            if result.code == 99 { return }
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.prefix(3) == ["75", "0", "75"], "\(result.output) \(result.error)")
            #expect(result.output.contains("the job is being run by process "))
            #expect(result.output.contains("another process took the job over while it ran"))
            #expect(result.output.contains("1 of 1 done"))
            #expect(result.output.contains("start 1 came too late and was dropped"))
            #expect(lines.count { $0.hasSuffix(".overtaken.1") } == 1)
            #expect(lines.count { $0.hasSuffix(".done.2") } == 1)
            #expect(lines.allSatisfy { !$0.contains("part-") && !$0.contains(".claim.") })
        }
    }
}
