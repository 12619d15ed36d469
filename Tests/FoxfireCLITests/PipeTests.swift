import Foundation
import Testing

/// Media that goes through pipes, and media that is damaged.
@Suite struct PipeTests {
    /// A graph in which `from` and `path` stand for what the test reads and writes.
    private func graph(_ nodes: String) -> String {
        """
        { "foxfire": 1, "variables": {
            "input": { "type": "file", "default": "-" }, "output": { "type": "output" } },
          "nodes": { "in": { "kind": "source.media", "path": "$input" }, \(nodes) } }
        """
    }

    private var movie: String {
        graph(
            """
            "v": { "kind": "encode.video", "from": "in.video", "preset": "ultrafast" },
            "a": { "kind": "encode.audio", "from": "in.audio" },
            "out": { "kind": "write.movie", "from": { "video": "v", "audio": "a" },
                     "path": "$output" }
            """
        )
    }

    private var wave: String {
        graph(
            """
            "out": { "kind": "write.wav", "from": "in.audio", "path": "$output" }
            """
        )
    }

    private static let makeFilm =
        "ffmpeg -v error -f lavfi -i testsrc2=size=64x48:rate=25:duration=2 -f lavfi -i "
        + "sine=440:sample_rate=48000:duration=2 -c:v libx264 -c:a aac -movflags faststart in.mp4"

    @Test func `a film goes from standard input to standard output`() throws {
        try inTemporaryFolder { folder in
            try movie.write(toFile: folder + "/g.json", atomically: false, encoding: .utf8)
            let result = try Tool.shell(
                """
                set -e -o pipefail
                \(Self.makeFilm)
                cat in.mp4 | $foxfire run ./g.json output=- --progress none | cat > out.mkv
                ffmpeg -v error -xerror -i out.mkv -f null -
                ffprobe -v error -select_streams v -count_packets -show_entries \\
                    stream=nb_read_packets -of csv=p=0 out.mkv
                """,
                in: folder
            )
            #expect(result.code == 0, "\(result.error)")
            #expect(result.output == "50\n")
        }
    }

    @Test func `sound goes from standard input to standard output`() throws {
        try inTemporaryFolder { folder in
            try wave.write(toFile: folder + "/g.json", atomically: false, encoding: .utf8)
            let result = try Tool.shell(
                """
                set -e -o pipefail
                \(Self.makeFilm)
                cat in.mp4 | $foxfire run ./g.json output=- --progress none | cat > out.wav
                ffmpeg -v error -i out.wav -f s16le - | wc -c
                """,
                in: folder
            )
            #expect(result.code == 0, "\(result.error)")
            #expect(Int(result.output.filter(\.isNumber)) == 96_000 * 2)
        }
    }

    @Test func `a truncated film is used as far as it goes, and the loss is told by exit code 4`()
        throws
    {
        try inTemporaryFolder { folder in
            try wave.write(toFile: folder + "/g.json", atomically: false, encoding: .utf8)
            let result = try Tool.shell(
                """
                \(Self.makeFilm)
                head -c $(($(stat -c %s in.mp4) * 2 / 3)) in.mp4 > half.mp4
                $foxfire run ./g.json input=half.mp4 output=out.wav --progress none
                echo $?
                $foxfire run ./g.json input=half.mp4 output=strict.wav --progress none --strict
                echo $?
                ls *.wav
                """,
                in: folder
            )
            #expect(result.output == "4\n1\nout.wav\n", "\(result.error)")
            #expect(result.error.contains("damage"))
        }
    }
}
