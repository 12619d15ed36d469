import Foundation
import Testing

/// Batches run as people run them: to their ends, once more, and after changes.
@Suite struct BatchRunTests {
    static let tones = """
        "graph": "./tone.json", "matrix": {"frequency": [440, 550, 660]}, "output": "out/{frequency}.wav"
        """

    // MARK: Once more

    @Test func aSecondRunDoesNothing() throws {
        try BatchFolder.with(Self.tones) { (folder) throws in
            let first = try folder.run()
            #expect(first.code == 0, "\(first.error)")
            #expect(first.error.contains("3 done, in "))
            #expect(try folder.files("out") == ["440.wav", "550.wav", "660.wav"])
            let again = try folder.run()
            #expect(again.error.contains("0 done, 3 done before"))
            #expect(try folder.count("done") == 3)
            #expect(try folder.count("claim") == 0)
            let names = try folder.files("batch.state")
            #expect(names.allSatisfy { !$0.contains("done.2") })
            #expect(try folder.shell("$foxfire batch status batch.json --verify").code == 0)
        }
    }

    @Test func theOutputsAreThoseOfFoxfireRun() throws {
        try BatchFolder.with(Self.tones) { (folder) throws in
            #expect(try folder.run().code == 0)
            let single =
                "$foxfire run tone.json --set frequency=550 --set output=one.wav --progress none"
            #expect(try folder.shell(single).code == 0)
            #expect(folder.contents("one.wav") == folder.contents("out/550.wav"))
        }
    }

    @Test func aBatchFileIsRunFromAnyFolder() throws {
        try BatchFolder.with(Self.tones) { (folder) throws in
            let line = "mkdir else && cd else && $foxfire batch run ../batch.json"
            #expect(try folder.shell(line).code == 0)
            #expect(try folder.files("out").count == 3)
            #expect(try folder.due() == [])
        }
    }

    @Test func whatIsGoneIsMadeAgain() throws {
        try BatchFolder.with(Self.tones) { (folder) throws in
            #expect(try folder.run().code == 0)
            let whole = folder.contents("out/550.wav")
            #expect(try folder.shell("rm out/550.wav").code == 0)
            #expect(try folder.due() == [2])
            #expect(try folder.run().code == 0)
            #expect(folder.contents("out/550.wav") == whole)
        }
    }

    @Test func aTouchedOutputIsReadAndKept() throws {
        try BatchFolder.with(Self.tones) { (folder) throws in
            #expect(try folder.run().code == 0)
            #expect(try folder.shell("ls -i out > before; touch -d 2001-01-01 out/*").code == 0)
            #expect(try folder.due() == [1, 2, 3])
            #expect(try folder.run().code == 0)
            #expect(try folder.shell("ls -i out | cmp - before").code == 0)
            #expect(try folder.due() == [])
        }
    }

    // MARK: Changes

    @Test func aChangedGraphRunsAgainWhatItChanges() throws {
        try BatchFolder.with(Self.tones) { (folder) throws in
            #expect(try folder.run().code == 0)
            // Other words, the same graph: its jobs begin, find that, and leave the outputs.
            #expect(try folder.shell("ls -i out > before; echo >> tone.json").code == 0)
            #expect(try folder.run().code == 0)
            #expect(try folder.shell("ls -i out | cmp - before").code == 0)
            #expect(
                try folder.shell("sed -i 's/\"default\": 1}/\"default\": 2}/' tone.json").code == 0
            )
            let size = try #require(folder.contents("out/440.wav")).count
            #expect(try folder.run().code == 0)
            #expect(try #require(folder.contents("out/440.wav")).count > size * 3 / 2)
        }
    }

    @Test func aChangedInputRunsItsJobAgain() throws {
        let batch = """
            "graph": "./louder.json", "matrix": {"input": "glob:in/*.wav"}, "output": "out/{input.stem}.wav"
            """
        try BatchFolder.with(batch) { (folder) throws in
            let make = "$foxfire run tone.json --progress none --set output=in/"
            let line = "mkdir in && \(make)a.wav && \(make)b.wav --set frequency=600"
            #expect(try folder.shell(line).code == 0)
            #expect(try folder.run().code == 0)
            // Another file of the same size and time is another input.
            let other =
                "touch -r in/a.wav mark && \(make)a.wav -y --set frequency=700 && touch -r mark in/a.wav"
            #expect(try folder.shell(other).code == 0)
            #expect(try folder.due() == [1])
            let old = folder.contents("out/a.wav")
            #expect(try folder.run().code == 0)
            #expect(folder.contents("out/a.wav") != old)
            // The same content under a new inode is the same input.
            #expect(
                try folder.shell("ls -i out > before; cp in/b.wav c && mv c in/b.wav").code == 0
            )
            #expect(try folder.due() == [2])
            #expect(try folder.run().code == 0)
            #expect(try folder.shell("ls -i out | cmp - before").code == 0)
            #expect(try folder.due() == [])
        }
    }

    @Test func jobsComeAndGoWithTheFile() throws {
        try BatchFolder.with(Self.tones) { (folder) throws in
            #expect(try folder.run().code == 0)
            #expect(try folder.shell("sed -i 's/550, 660/660, 770/' batch.json").code == 0)
            #expect(try folder.due() == [3])
            #expect(try folder.run().code == 0)
            let status = try folder.shell("$foxfire batch status batch.json").output
            #expect(status.contains("batch.json: 3 of 3 done"))
            #expect(status.contains("1 more are not in the file any more"))
            #expect(try folder.shell("$foxfire batch clean batch.json").code == 0)
            #expect(try folder.count("done") == 3)
            #expect(try folder.files("out").count == 4)
            #expect(try folder.shell("$foxfire batch clean batch.json --all").code == 0)
            #expect(folder.contents("batch.state") == nil)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/batch.state"))
        }
    }

    // MARK: Files of others

    @Test func aFileOfSomebodyElseIsNotReplaced() throws {
        try BatchFolder.with(Self.tones) { (folder) throws in
            #expect(try folder.shell("mkdir out && echo mine > out/550.wav").code == 0)
            let result = try folder.run()
            #expect(result.code == 3)
            #expect(result.error.contains("out/550.wav failed: "))
            #expect(
                result.error.contains(
                    "it is not of this batch: move it away, or replace it with -y"
                )
            )
            #expect(result.error.contains("2 done, 1 failed"))
            #expect(folder.contents("out/550.wav") == Data("mine\n".utf8))
            #expect(
                try folder.shell("$foxfire batch logs batch.json 2").output.contains(
                    "550.wav exists"
                )
            )
            // It failed for good, until somebody says otherwise.
            #expect(try folder.run().code == 3)
            #expect(try folder.shell("$foxfire batch retry batch.json -y").code == 0)
            #expect(folder.contents("out/550.wav")?.count ?? 0 > 1000)
            #expect(try folder.due() == [])
        }
    }

    @Test func anOutputThatSomebodyChangedIsNotLost() throws {
        try BatchFolder.with(Self.tones) { (folder) throws in
            #expect(try folder.run().code == 0)
            #expect(try folder.shell("echo mine > out/660.wav").code == 0)
            let verified = try folder.shell("$foxfire batch status batch.json --verify")
            #expect(verified.code == 3)
            #expect(
                verified.output.contains("not as made  3  out/660.wav has 5 bytes in place of ")
            )
            #expect(try folder.run().code == 3)
            #expect(folder.contents("out/660.wav") == Data("mine\n".utf8))
        }
    }

    // MARK: Parts

    @Test func partsOfABatch() throws {
        try BatchFolder.with(Self.tones) { (folder) throws in
            #expect(try folder.due("--only '*550*'") == [2])
            #expect(try folder.due("--only 660") == [3])
            #expect(try folder.due("--shard 1/2") == [1, 3])
            #expect(try folder.due("--shard 2/2") == [2])
            let array = "SLURM_ARRAY_TASK_COUNT=3 $foxfire batch run batch.json --dry-run --shard 3"
            #expect(try folder.shell(array).output == "run     3  out/660.wav\n")
            let grid = "SGE_TASK_LAST=3 $foxfire batch run batch.json --dry-run --shard 2"
            #expect(try folder.shell(grid).output == "run     2  out/550.wav\n")
            for (shard, words) in [
                ("0/2", "they count from 1"), ("3/2", "they count from 1"),
                ("1", "does not say how many there are"), ("one/2", "must be I/N"),
                ("1/2/3", "must be I/N"),
            ] {
                let result = try folder.run("--dry-run --shard \(shard)")
                #expect(result.code == 2)
                #expect(result.error.contains(words), "\(result.error)")
            }
            #expect(try folder.run("--only 'x*'").code == 2)
        }
    }

    @Test func anInputChangedWhileTheJobRunsIsNoticed() throws {
        let batch = """
            "graph": "./slow.json", "retries": 1, "backoff": 0, "output": "out/{n}.wav",
            "jobs": [{"input": "in.wav"}]
            """
        try BatchFolder.with(batch) { (folder) throws in
            let slow = BatchFolder.louder.replacingOccurrences(
                of: "\"gain\": -6}",
                with:
                    "\"gain\": -6}, \"slow\": {\"kind\": \"test.delay\", \"from\": \"gain\", \"work\": \"40ms\"}"
            ).replacingOccurrences(
                of: "\"write.wav\", \"from\": \"gain\"",
                with: "\"write.wav\", \"from\": \"slow\""
            )
            try folder.write(slow, "slow.json")
            let line = """
                $foxfire run tone.json --progress none --set output=in.wav
                $foxfire batch run batch.json --progress none & runner=$!
                for i in $(seq 3000); do ls batch.state/*/*.running.1 > /dev/null 2>&1 && break; sleep 0.01; done
                sleep 0.3
                $foxfire run tone.json --progress none -y --set output=in.wav --set frequency=880
                wait $runner
                """
            let result = try folder.shell(line)
            #expect(result.error.contains("in.wav changed while the job ran"), "\(result.error)")
            let single =
                "$foxfire run louder.json --progress none --set input=in.wav --set output=one.wav"
            #expect(try folder.shell(single).code == 0)
            #expect(folder.contents("one.wav") == folder.contents("out/1.wav"))
        }
    }
}
