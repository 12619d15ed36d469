import Foundation
import Testing

/// Films that are made in parts are those that are made at once.
@Suite struct BatchSplitTests {
    /// A film of small pictures with sound, cut every second.
    private static func film(
        segment: String = ", \"segment\": \"1s\"",
        look: String = "",
        pictures: String = "look",
        mould: String = ""
    ) -> String {
        """
        {"foxfire": 1, "variables": {
            "codec": {"type": "string", "default": "h264"}, "fps": {"type": "rate", "default": 30},
            "seconds": {"type": "time", "default": 4.5}, "crf": {"type": "number", "default": 30},
            "preset": {"type": "preset", "default": "Foxfire"}, "output": {"type": "output"}},
         "nodes": {
            "tone": {"kind": "source.tone", "duration": "$seconds", "sampleRate": 48000},
            "bands": {"kind": "analyze.bands", "from": "tone"},
            "base": {"kind": "source.parameters", "preset": "$preset"},
            "params": {"kind": "modulate.audio", "from": {"parameters": "base", "bands": "bands"}},
            "mould": {"kind": "simulate.physarum", "from": "params", "size": "64x48", "fps": "$fps",
                "agents": 500, "warmup": 10\(mould)},
            "look": {"kind": "render.physarum", "from": "mould"},\(look)
            "video": {"kind": "encode.video", "from": "\(pictures)", "codec": "$codec", "crf": "$crf",
                "preset": "ultrafast"\(segment)},
            "sound": {"kind": "encode.audio", "from": "tone", "codec": "aac"},
            "film": {"kind": "write.movie", "from": {"video": "video", "audio": "sound"},
                "path": "$output"}}}
        """
    }

    private static let films = """
        "graph": "./film.json", "output": "out/{codec}.mp4", "split": "1s",
        "jobs": [{"codec": "h264", "fps": "30000/1001"}, {"codec": "hevc"}]
        """
    private static let one = """
        "graph": "./film.json", "output": "out/film.mp4", "split": "1s", "jobs": [{}]
        """

    private static func with(
        _ batch: String,
        film: String = film(),
        _ body: (BatchFolder) throws -> Void
    ) throws {
        try BatchFolder.with(batch) { (folder) throws in
            try folder.write(film, "film.json")
            try body(folder)
        }
    }

    // MARK: The same film

    @Test func theJoinedFilmIsTheFilmMadeAtOnce() throws {
        try Self.with(Self.films) { (folder) throws in
            let result = try folder.run()
            #expect(result.code == 0, "\(result.error)")
            // Each: a track, three checkpoints, four parts, the film.
            #expect(result.error.contains("18 done, in "))
            #expect(result.error.contains("2 films in 8 parts"))
            for (codec, fps) in [("h264", "30000/1001"), ("hevc", "30")] {
                let line =
                    "$foxfire run film.json codec=\(codec) fps=\(fps) output=whole.mp4 -y --progress none"
                #expect(try folder.shell(line).code == 0)
                let whole = try #require(folder.contents("whole.mp4"))
                #expect(folder.contents("out/\(codec).mp4") == whole)
            }
            #expect(try folder.due() == [])
        }
    }

    @Test func aFilmThatWasMadeAtOnceIsNotMadeAgainInParts() throws {
        let whole = Self.one.replacing(", \"split\": \"1s\"", with: "")
        try Self.with(whole) { (folder) throws in
            #expect(try folder.run().code == 0)
            try folder.write("{\"foxfire-batch\": 1, \(Self.one)}", "batch.json")
            #expect(try folder.due() == [])
            let status = try folder.shell("$foxfire batch status batch.json --verify")
            #expect(status.code == 0, "\(status.output)")
            #expect(status.output.contains("9 of 9 done"))
        }
    }

    @Test func aFilmThatIsTooShortIsMadeAtOnce() throws {
        let short = Self.one.replacing("[{}]", with: "[{\"seconds\": 1.9}]")
        try Self.with(short) { (folder) throws in
            #expect(try folder.due() == [1])
            #expect(try folder.run().code == 0)
        }
    }

    // MARK: Once more

    @Test func onlyWhatAChangeTouchesIsMadeAgain() throws {
        try Self.with(Self.one) { (folder) throws in
            #expect(try folder.run().code == 0)
            let track = try #require(folder.path(of: "film.foxtrack"))
            let written = try folder.modified(track)
            let checkpoint = try folder.modified(try #require(folder.path(of: "2.checkpoint")))
            let pictures = try folder.modified(try #require(folder.path(of: "2.mp4")))
            try folder.write(
                Self.film().replacing(
                    "\"preset\": \"ultrafast\"",
                    with: "\"preset\": \"superfast\""
                ),
                "film.json"
            )
            #expect(try folder.run().code == 0)
            #expect(try folder.modified(track) == written)
            #expect(
                try folder.modified(try #require(folder.path(of: "2.checkpoint"))) == checkpoint
            )
            #expect(try folder.modified(try #require(folder.path(of: "2.mp4"))) != pictures)
        }
    }

    @Test func cleanRemovesWhatAFinishedFilmLeft() throws {
        try Self.with(Self.one) { (folder) throws in
            #expect(try folder.run().code == 0)
            #expect(folder.path(of: "film.foxtrack") != nil)
            #expect(try folder.shell("$foxfire batch clean batch.json").code == 0)
            #expect(folder.path(of: "film.foxtrack") == nil)
            #expect(try folder.due() == [])
            let status = try folder.shell("$foxfire batch status batch.json --verify")
            #expect(status.code == 0, "\(status.output)")
            #expect(status.output.contains("9 of 9 done"))
            // What is gone is made once more where the film has to be.
            #expect(try folder.shell("rm out/film.mp4").code == 0)
            #expect(try folder.due().count == 9)
            #expect(try folder.run().code == 0)
        }
    }

    @Test func aRunnerThatIsKilledLosesNothing() throws {
        try Self.with(Self.one) { (folder) throws in
            let whole = "$foxfire run film.json output=whole.mp4 --progress none"
            #expect(try folder.shell(whole).code == 0)
            for tenths in [3, 6, 9] {
                let line =
                    "setsid timeout -s KILL 0.\(tenths) $foxfire batch run batch.json --progress none; sleep 0.3"
                _ = try folder.shell(line)
            }
            let result = try folder.run()
            #expect(result.code == 0, "\(result.error)")
            #expect(folder.contents("out/film.mp4") == folder.contents("whole.mp4"))
            #expect(try folder.files("out") == ["film.mp4"])
            #expect(try folder.count("claim") == 0)
            #expect(try folder.files().allSatisfy { !$0.contains(".part-") })
        }
    }

    @Test func severalRunnersMakeAFilmTogether() throws {
        try Self.with(Self.one) { (folder) throws in
            let line = """
                for i in 1 2 3; do
                  $foxfire batch run batch.json --shard $i/3 --jobs 1 --progress none & all="$all $!"
                done
                for one in $all; do wait $one || exit 1; done
                $foxfire run film.json output=whole.mp4 --progress none
                """
            let result = try folder.shell(line)
            #expect(result.code == 0, "\(result.error)")
            #expect(folder.contents("out/film.mp4") == folder.contents("whole.mp4"))
            let status = try folder.shell("$foxfire batch status batch.json --verify")
            #expect(status.output.contains("9 of 9 done"))
            #expect(status.code == 0, "\(status.output)")
        }
    }

    // MARK: What goes wrong

    @Test func aPartThatFailsFailsTheFilmAndNoOther() throws {
        let two = Self.one.replacing("[{}]", with: "[{\"seconds\": 3.5}, {}]")
            .replacing("film.mp4", with: "{n}.mp4")
        try Self.with(two) { (folder) throws in
            // In the place of the first film's second checkpoint stands a file of somebody else.
            let id = try folder.shell("$foxfire batch status batch.json --json")
            let list = try JSONSerialization.jsonObject(with: Data(id.output.utf8))
            let jobs = try #require((list as? [String: Any])?["list"] as? [[String: Any]])
            let film = try #require(jobs[0]["id"] as? String)
            let parts = "batch.state/parts/\(film)"
            #expect(
                try folder.shell("mkdir -p \(parts); echo mine > \(parts)/2.checkpoint").code == 0
            )
            let result = try folder.run()
            #expect(result.code == 3)
            #expect(result.error.contains("out/1.mp4: checkpoint 2 of 2 failed: "))
            #expect(
                result.error.contains(
                    "out/1.mp4 failed: it was not begun, for checkpoint 2 of 2 failed"
                )
            )
            #expect(try folder.files("out") == ["2.mp4"])
            #expect(folder.contents("\(parts)/2.checkpoint") == Data("mine\n".utf8))
            // It is known to have failed, and is not tried again for nothing.
            let again = try folder.run()
            #expect(again.code == 3)
            #expect(again.error.contains("0 done"))
            let retry = try folder.shell(
                "rm \(parts)/2.checkpoint; $foxfire batch retry batch.json 1"
            )
            #expect(retry.code == 0, "\(retry.error)")
            #expect(try folder.files("out") == ["1.mp4", "2.mp4"])
        }
    }

    @Test(
        arguments: [
            (
                film(segment: ""),
                "node \"video\": the film cannot be split: the encoder has no \"segment\""
            ),
            (
                film(segment: ", \"segment\": \"1.5s\""),
                "1 s is no multiple of the encoder's \"segment\", 1.5 s"
            ),
            (
                film(
                    look: "\"rate\": {\"kind\": \"video.rate\", \"from\": \"look\", \"rate\": 25},",
                    pictures: "rate"
                ),
                "node \"rate\": the film cannot be split: a video.rate between the simulation"
            ),
            (
                film(
                    look:
                        "\"png\": {\"kind\": \"write.png\", \"from\": \"look\", \"path\": \"%05d.png\"},"
                ),
                "node \"png\": the film cannot be split: this reads the simulation, and not by way of"
            ),
            (
                film(mould: ", \"until\": 2"),
                "node \"mould\": the film cannot be split: \"until\" is set"
            ),
        ]
    )
    func whatCannotBeCutIsTold(_ graph: String, _ text: String) throws {
        try Self.with(Self.one, film: graph) { (folder) throws in
            let result = try folder.run()
            #expect(result.code == 2)
            #expect(result.error.contains("film.json:"))
            #expect(result.error.contains(text), "\(result.error)")
            #expect(try folder.shell("ls out").code != 0)
        }
    }

    @Test func aGraphWithoutASimulationCannotBeCut() throws {
        let tones = BatchRunTests.tones + ", \"split\": 60"
        try BatchFolder.with(tones) { (folder) throws in
            let result = try folder.run()
            #expect(result.code == 2)
            #expect(
                result.error.contains(
                    "tone.json: the graph cannot be split: it has no simulate.physarum"
                )
            )
            // It is told once, not for each job.
            #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
        }
    }

    @Test func aWrongSplitIsTold() throws {
        for (value, text) in [
            ("\"0.5s\"", "must be a time of 1 s or more, not \"0.5s\""), ("true", "not true"),
        ] {
            try Self.with(Self.one.replacing("\"1s\"", with: value)) { (folder) throws in
                let result = try folder.run()
                #expect(result.code == 2)
                #expect(result.error.contains("batch.json:1:"))
                #expect(result.error.contains(text), "\(result.error)")
            }
        }
    }
}

extension BatchFolder {
    /// The path of a file that lies between the parts of a film.
    fileprivate func path(of name: String) -> String? {
        (try? files("batch.state/parts"))?.first { $0.hasSuffix("/\(name)") }
            .map { "\(path)/batch.state/parts/\($0)" }
    }

    fileprivate func modified(_ path: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
}
