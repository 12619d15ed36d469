import Foundation
import TestSupport
import Testing

@testable import FoxfireCLI

/// Inputs and outputs that are not as they should be, given to the built command.
@Suite struct BadInputTests {
    /// A graph that turns any audio file into a WAV file.
    static let copy = """
        {"foxfire": 1, "variables": {
            "input": {"type": "file"}, "output": {"type": "output", "default": "out.wav"}},
         "nodes": {
            "track": {"kind": "source.media", "path": "$input"},
            "file": {"kind": "write.wav", "from": "track.audio", "path": "$output"}}}
        """

    private func inShell(
        _ line: String,
        _ body: (Tool.Result, String) throws -> Void
    ) throws {
        try inTemporaryFolder { folder in
            try TextFile.write(Self.copy, to: folder + "/copy.json")
            try body(try Tool.shell(line, in: folder), folder)
        }
    }

    /// A shell line that makes `seconds` of noise in `file`.
    private static func noise(_ seconds: Int, _ file: String) -> String {
        "ffmpeg -v error -nostdin -f lavfi -i anoisesrc=d=\(seconds):seed=1 -ac 2 -ar 48000 \(file)"
    }

    private static let noVideo = "ffmpeg -v error -nostdin -f lavfi -i testsrc=d=1:s=64x64 in.mp4"

    @Test(
        arguments: [
            (":", "in.ogg", 1, "there is no such file"),
            ("mkdir in.ogg", "in.ogg", 1, "it is a folder"),
            (": > in.ogg", "in.ogg", 1, "the file is empty"),
            ("echo just some text > in.mp3", "in.mp3", 1, "not a media file"),
            ("head -c 100000 /dev/zero > in.mp3", "in.mp3", 1, "not a media file"),
            (noVideo, "in.mp4", 1, "it has no audio"),
            ("\(noise(1, "in.flac")); chmod 0 in.flac", "in.flac", getuid() == 0 ? 0 : 1, ""),
            (noise(1, "in.flac"), "in.flac", 0, ""),
        ] as [(String, String, Int32, String)]
    )
    func `an input that cannot be used is told with its node`(
        preparation: String,
        input: String,
        code: Int32,
        text: String
    ) throws {
        try inShell("\(preparation); $foxfire run copy.json input=\(input)") { result, folder in
            #expect(result.code == code, "\(result.error)")
            #expect(text.isEmpty || result.error.contains(text))
            #expect(code == 0 || result.error.contains("node \"track\": \(input): "))
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.contains("out.wav") == (code == 0))
            #expect(!files.contains { $0.contains(".part-") })
        }
    }

    @Test(arguments: ["wav", "flac", "mp3", "ogg"])
    func `of a file that is cut short what is there is used, and the loss is told`(
        ending: String
    ) throws {
        let line = """
            \(Self.noise(4, "whole.\(ending)"))
            head -c $(($(stat -c %s whole.\(ending)) / 2)) whole.\(ending) > cut.\(ending)
            $foxfire run copy.json input=cut.\(ending) -y --report r.json
            """
        try inShell(line) { result, folder in
            #expect(result.code == 4, "\(result.error)")
            #expect(result.error.contains("foxfire: damage: node \"track\": "))
            let seconds = try Tools.ffprobe(folder + "/out.wav", "format=duration")
            let duration = try #require(seconds.first?["duration"].flatMap { Double($0) })
            // Half of the file, less what a container keeps together: an Ogg page is a second.
            #expect((0.9...2.5).contains(duration))
            let report = try String(contentsOfFile: folder + "/r.json", encoding: .utf8)
            #expect(report.contains(/"damageCount": [1-9]/))
            let strict = try Tool.shell(
                "rm out.wav; $foxfire run copy.json input=cut.\(ending) --strict --progress none",
                in: folder
            )
            #expect(strict.code == 1)
            #expect(strict.error.contains("nothing was written"))
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(!files.contains("out.wav"))
        }
    }

    @Test func `an output that is the input is refused`() throws {
        let line = """
            \(Self.noise(1, "in.wav")); ln in.wav same.wav; sha256sum in.wav > before
            $foxfire run copy.json input=in.wav output=in.wav -y; echo $?
            $foxfire run copy.json input=in.wav output=./in.wav -y; echo $?
            $foxfire run copy.json input=in.wav output=same.wav -y; echo $?
            sha256sum -c --quiet before && echo whole
            """
        try inShell(line) { result, _ in #expect(result.output == "2\n2\n2\nwhole\n") }
    }

    @Test func `a report never takes the place of an input or of the graph`() throws {
        let line = """
            \(Self.noise(1, "in.wav")); ln copy.json same.json; sha256sum in.wav copy.json > before
            for path in in.wav ./in.wav copy.json same.json; do
                $foxfire run copy.json input=in.wav -y --report $path; echo $?
                $foxfire run copy.json input=in.wav -y --trace $path; echo $?
            done
            sha256sum -c --quiet before && echo whole
            """
        try inShell(line) { result, _ in
            #expect(result.output == String(repeating: "2\n", count: 8) + "whole\n")
        }
    }

    @Test func `a link stays, and what it leads to is written`() throws {
        let line = """
            \(Self.noise(1, "in.wav")); mkdir away; $foxfire run copy.json input=in.wav
            echo old > away/there.wav; ln -s away/there.wav link.wav; ln -s link.wav twice.wav
            ln -s away/new.wav dangling.wav; ln -s circle.wav circle.wav
            for name in twice dangling circle; do
                $foxfire run copy.json input=in.wav output=$name.wav -y --progress none; echo $?
            done
            ls -A | tr '\\n' ' '; ls -A away | tr '\\n' ' '; echo
            readlink link.wav twice.wav dangling.wav circle.wav
            cmp out.wav away/there.wav && cmp out.wav away/new.wav && echo written
            """
        try inShell(line) { result, _ in
            #expect(
                result.output.split(separator: "\n") == [
                    "0", "0", "1",
                    "away circle.wav copy.json dangling.wav in.wav link.wav out.wav twice.wav "
                        + "new.wav there.wav ",
                    "away/there.wav", "link.wav", "away/new.wav", "circle.wav", "written",
                ]
            )
            #expect(result.error.contains("circle.wav: symbolic links lead in a circle"))
        }
    }

    @Test func `a link to what the program has open is refused`() throws {
        let line = """
            \(Self.noise(1, "in.wav")); ln -s /proc/self/fd/1 out.wav
            $foxfire run copy.json input=in.wav -y > file; echo $?
            test -L out.wav && test ! -s file && echo whole
            """
        try inShell(line) { result, _ in
            #expect(result.output == "1\nwhole\n")
            #expect(result.error.contains("\"-\" is standard output"))
        }
    }

    @Test func `a file that comes to exist while a job runs is kept, unless -y says else`() throws {
        let line = """
            \(Self.noise(20, "in.wav")); mkfifo pipe
            for option in "" -y; do
                rm -f out.wav
                $foxfire run copy.json input=- $option --progress none < pipe & job=$!
                exec 3> pipe
                head -c 3000000 in.wav >&3
                until ls .out.wav.part-* >/dev/null 2>&1; do sleep 0.05; done
                echo precious > out.wav
                tail -c +3000001 in.wav >&3
                exec 3>&-
                wait $job; echo $?
                head -c 4 out.wav; echo; ls -A | tr '\\n' ' '; echo
            done
            """
        try inShell(line) { result, _ in
            let files = "copy.json in.wav out.wav pipe "
            #expect(
                result.output.split(separator: "\n")
                    == ["1", "prec", files[...], "0", "RIFF", files[...]]
            )
            #expect(result.error.contains("out.wav: it came to exist while"))
        }
    }

    @Test func `a film with its index at the end does not come through a pipe, and that is told`()
        throws
    {
        let line = """
            \(Self.noise(9, "in.m4a")); cat in.m4a | $foxfire run copy.json input=- -y; echo $?; ls
            """
        try inShell(line) { result, _ in
            #expect(result.output == "1\ncopy.json\nin.m4a\n")
            #expect(result.error.contains("its index stands after its media"))
            #expect(result.error.contains("faststart") && !result.error.contains("damage"))
        }
    }

    @Test func `a track by standard input is the same as from its file`() throws {
        let line = """
            \(Self.noise(1, "in.wav"))
            $foxfire run copy.json input=in.wav output=file.wav
            $foxfire run copy.json input=- output=pipe.wav < in.wav
            cat in.wav | $foxfire run copy.json input=- -y --progress none
            cmp file.wav pipe.wav && cmp file.wav out.wav
            """
        try inShell(line) { result, _ in #expect(result.code == 0, "\(result.error)") }
    }

    @Test func `who stops reading a track ends the job quietly`() throws {
        let line = """
            \(Self.noise(20, "in.wav"))
            set -o pipefail
            $foxfire run copy.json input=in.wav output=- --progress none | head -c 100 > start
            """
        try inShell(line) { result, _ in
            #expect(result.code == 128 + SIGPIPE)
            #expect(result.error == "")
        }
    }

    @Test func `a track goes to standard output as it goes to a file`() throws {
        let line = """
            \(Self.noise(1, "in.wav"))
            $foxfire run copy.json input=in.wav
            $foxfire run copy.json input=in.wav output=- | ffmpeg -v error -i - -f s16le - | sha256sum
            ffmpeg -v error -i out.wav -f s16le - | sha256sum
            """
        try inShell(line) { result, _ in
            let sums = result.output.split(separator: "\n")
            #expect(sums.count == 2 && sums[0] == sums[1])
        }
    }

    @Test func `the graph and a track cannot both come by standard input`() throws {
        try inShell("$foxfire run - input=- < copy.json") { result, _ in
            #expect(result.code == 2)
            #expect(result.error.contains("both"))
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root can mount"))
    func `a folder that may not be written is told before the job runs`() throws {
        let line = """
            \(Self.noise(1, "in.wav"))
            mkdir disk; mount -t tmpfs -o ro tmpfs disk || exit 99
            $foxfire run copy.json input=in.wav output=disk/out.wav
            code=$?; umount disk; exit $code
            """
        try inShell(line) { result, _ in
            if result.code == 99 { return }
            #expect(result.code == 1)
            #expect(result.error.contains("disk/out.wav: the file system is read-only"))
        }
    }
}
