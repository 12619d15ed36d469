import Foundation
import Graph
import Testing

@testable import FoxfireCLI

/// The built command, run as people run it.
@Suite struct RunTests {
    /// A graph that writes the checksum of a tone of `seconds` to `sum.txt`.
    static let tone = """
        {"foxfire": 1, "variables": {
            "seconds": {"type": "time", "default": 1}, "output": {"type": "output", "default": "sum.txt"}},
         "nodes": {
            "tone": {"kind": "source.tone", "duration": "$seconds"},
            "gain": {"kind": "audio.gain", "from": "tone", "gain": -3},
            "sum": {"kind": "test.checksum", "from": "gain", "path": "$output", "detail": "packets"}}}
        """

    /// Runs lines of shell in a folder that holds `tone.json`.
    private func inShell(
        _ line: String,
        _ body: (Tool.Result, String) throws -> Void
    ) throws {
        try inTemporaryFolder { folder in
            try TextFile.write(Self.tone, to: folder + "/tone.json")
            try body(try Tool.shell(line, in: folder), folder)
        }
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    // MARK: Exit codes

    @Test(arguments: [
        ("--version", 0), ("help", 0), ("--help", 0), ("help run", 0), ("run --help", 0),
        ("run tone.json --help", 0), ("nodes", 0), ("nodes audio.gain", 0), ("nodes --json", 0),
        ("schema", 0), ("schema --of report", 0), ("graphs", 0), ("check tone.json", 0),
        ("dot tone.json", 0), ("run tone.json", 0), ("run - < tone.json", 0),
        ("run tone.json --dry-run", 0), ("check tone.json seconds=2", 0), ("completions zsh", 0),
        ("", 2), ("--nope", 2), ("nope", 2), ("run", 2), ("run nope", 2), ("run nope.json", 2),
        ("run tone.json nope=1", 2), ("run tone.json seconds=x", 2), ("nodes nope.nope", 2),
        ("check nope.json", 2), ("run tone.json -y -n", 2), ("run / -y", 2),
        ("run tone.json output=nope/sum.txt", 1), ("run tone.json output=.", 1),
        ("run tone.json output=/dev/null -y", 1), ("run tone.json output=tone.json -y", 2),
        ("run tone.json --report tone.json", 2), ("run tone.json --report sum.txt", 1),
        ("run tone.json --report nope/report.json", 1), ("check tone.json output=nope/sum.txt", 1),
        ("probe nope.ogg", 1), ("probe .", 1), ("probe tone.json", 1),
        ("--version > /dev/full", 75),
    ])
    func `the exit code says what came of it`(words: String, code: Int32) throws {
        try inShell("$foxfire \(words)") { result, folder in
            #expect(result.code == code, "\(result.error)")
            #expect(code == 0 || !result.error.isEmpty)
            #expect(code == 0 || result.output.isEmpty)
            // Nothing half done stays behind.
            let left = try names(in: folder).filter { !["sum.txt", "tone.json"].contains($0) }
            #expect(left.isEmpty)
        }
    }

    @Test(arguments: [
        "seconds=1", "seconds=x", "nope=1", "output=nope/x", "output=.", "output=tone.json",
    ])
    func `check and run agree`(words: String) throws {
        try inShell("$foxfire check tone.json \(words)") { check, folder in
            let run = try Tool.shell("$foxfire run tone.json \(words)", in: folder)
            #expect(check.code == run.code)
            if run.code != 0 { #expect(check.error == run.error) }
        }
    }

    @Test func `a wrong graph tells every fault with its place`() throws {
        let graph = """
            {"foxfire": 1, "nodes": {
              "tone": {"kind": "source.tome"},
              "gain": {"kind": "audio.gain", "from": "tone", "gain": 100},
              "sum": {"kind": "test.checksum", "from": "gian"}
            }}
            """
        try inTemporaryFolder { folder in
            try TextFile.write(graph, to: folder + "/wrong.json")
            let result = try Tool.shell("$foxfire run ./wrong.json", in: folder)
            #expect(result.code == 2)
            let lines = result.error.split(separator: "\n")
            #expect(lines.count == 4)
            for line in lines { #expect(line.hasPrefix("./wrong.json:")) }
            #expect(lines[0].hasPrefix("./wrong.json:2:20: node \"tone\": "))
            #expect(result.error.contains("did you mean \"source.tone\"?"))
            #expect(result.error.contains("\"gian\""))
        }
    }

    // MARK: Outputs that exist

    @Test func `an output that exists is refused, replaced or kept`() throws {
        try inShell("echo old > sum.txt; $foxfire run tone.json") { refused, folder in
            #expect(refused.code == 1)
            #expect(refused.error.contains("sum.txt exists (-y replaces, -n keeps what exists)"))
            let text = { try String(contentsOfFile: folder + "/sum.txt", encoding: .utf8) }
            try #expect(text() == "old\n")
            let kept = try Tool.shell("$foxfire run tone.json -n", in: folder)
            #expect(kept.code == 0)
            #expect(kept.error == "foxfire: warning: sum.txt exists and is kept\n")
            try #expect(text() == "old\n")
            let replaced = try Tool.shell("$foxfire run tone.json -y", in: folder)
            #expect(replaced.code == 0)
            try #expect(text().contains("total"))
        }
    }

    @Test func `with -n what is missing is made`() throws {
        let graph = """
            {"foxfire": 1, "nodes": {
              "tone": {"kind": "source.tone", "duration": 1},
              "a": {"kind": "test.checksum", "from": "tone", "path": "a.txt"},
              "b": {"kind": "test.checksum", "from": "tone", "path": "b.txt"}}}
            """
        try inTemporaryFolder { folder in
            try TextFile.write(graph, to: folder + "/two.json")
            let result = try Tool.shell("echo old > a.txt; $foxfire run two.json -n", in: folder)
            #expect(result.code == 0)
            try #expect(String(contentsOfFile: folder + "/a.txt", encoding: .utf8) == "old\n")
            #expect(
                try String(contentsOfFile: folder + "/b.txt", encoding: .utf8).contains("total")
            )
        }
    }

    @Test func `-o keeps to the same rules`() throws {
        try inTemporaryFolder { folder in
            try #expect(Tool.shell("$foxfire schema -o s.json", in: folder).code == 0)
            try #expect(Tool.shell("$foxfire schema -o s.json", in: folder).code == 1)
            try #expect(Tool.shell("$foxfire schema -o s.json -y", in: folder).code == 0)
            try #expect(names(in: folder) == ["s.json"])
        }
    }

    @Test func `a dry run says what would be written and writes nothing`() throws {
        try inShell("$foxfire run tone.json --dry-run --report r.json") { result, folder in
            #expect(result.output == "sum.txt  (node \"sum\")\n")
            try #expect(names(in: folder) == ["tone.json"])
        }
    }

    // MARK: Streams and signals

    @Test(arguments: ["$foxfire nodes | head -1", "$foxfire schema >&-", "$foxfire --version >&-"])
    func `a closed standard output ends quietly`(line: String) throws {
        let result = try Tool.shell("set -o pipefail; \(line)")
        #expect(result.code == 0)
        #expect(result.error == "")
    }

    @Test func `a closed standard output takes nothing of an output file`() throws {
        try inShell("$foxfire run tone.json --report - >&-; $foxfire nodes >&-") { _, folder in
            let text = try String(contentsOfFile: folder + "/sum.txt", encoding: .utf8)
            #expect(!text.contains("foxfire"))
        }
    }

    @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)] as [(String, Int32)])
    func `a signal ends the job and leaves the old file`(signal: String, code: Int32) throws {
        let line = """
            echo old > sum.txt
            $foxfire run tone.json -y seconds=100000000 --progress none &
            job=$!
            until ls .sum.txt.part-* >/dev/null 2>&1; do sleep 0.02; done
            kill -\(signal) $job
            wait $job
            """
        try inShell(line) { result, folder in
            #expect(result.code == code)
            #expect(result.error == "foxfire: stopped by SIG\(signal); nothing was written\n")
            try #expect(names(in: folder) == ["sum.txt", "tone.json"])
            try #expect(String(contentsOfFile: folder + "/sum.txt", encoding: .utf8) == "old\n")
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root can mount"))
    func `a full disk is worth trying again and leaves nothing`() throws {
        let line = """
            mkdir disk; mount -t tmpfs -o size=64k tmpfs disk || exit 99
            $foxfire run tone.json seconds=3600 output=disk/sum.txt
            code=$?
            ls -A disk; umount disk; exit $code
            """
        try inShell(line) { result, _ in
            if result.code == 99 { return }
            #expect(result.code == 75)
            #expect(result.error.contains("node \"sum\""))
            #expect(result.error.contains("the disk is full"))
            #expect(result.output == "")
        }
    }

    // MARK: JSON

    @Test func `errors as JSON are what their schema says`() throws {
        try inShell("$foxfire run tone.json --json nope=1 seconds=x") { result, _ in
            let lines = result.error.split(separator: "\n")
            #expect(lines.count == 2)
            for line in lines {
                try #expect(SchemaCheck(Schemas.error).faults(of: String(line)) == [])
            }
        }
    }

    @Test func `with --json all that is told is JSON`() throws {
        try inShell("$foxfire run tone.json --json seconds=120") { result, _ in
            let lines = result.error.split(separator: "\n")
            #expect(lines.last?.contains("\"event\": \"done\"") == true)
            for line in lines {
                #expect(throws: Never.self) {
                    try JSONSerialization.jsonObject(with: Data(line.utf8))
                }
            }
        }
    }

    @Test func `a report is what its schema says, and names what was written`() throws {
        let line = "$foxfire run tone.json --threads 3 --report r.json --trace t.json"
        try inShell(line) { result, folder in
            #expect(result.code == 0)
            let text = try String(contentsOfFile: folder + "/r.json", encoding: .utf8)
            try #expect(SchemaCheck(Schemas.report).faults(of: text) == [])
            let hash = try Tool.shell("sha256sum sum.txt", in: folder).output.prefix(64)
            #expect(text.contains("\"\(hash)\""))
            #expect(text.contains("\"worker 3\""))
            let trace = try Data(contentsOf: URL(filePath: folder + "/t.json"))
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: trace) }
        }
    }

    @Test(arguments: [("1", "64"), ("2", "1"), ("8", "3")])
    func `outputs are the same for any number of threads and any capacity`(
        threads: String,
        capacity: String
    ) throws {
        let line = """
            $foxfire run tone.json seconds=30 output=a --threads 2
            $foxfire run tone.json seconds=30 output=b --threads \(threads) --capacity \(capacity)
            cmp a b
            """
        try inShell(line) { result, _ in #expect(result.code == 0, "\(result.error)") }
    }
}
