import Glibc
import Media

/// Captures in 1080p, against ffmpeg doing the same.
enum LumenCaptures {
    /// What most of a screen looks like: flat areas, edges, text.
    private static let screen = "testsrc2=s=1920x1080:r=60:d=3"
    /// What a film looks like: something everywhere, and a little noise.
    private static let film = "mandelbrot=s=1920x1080:r=60,noise=alls=4:allf=t,trim=duration=2"

    /// Decoding to nothing.
    @Sendable static func decoding(_ program: String, runs: Int) throws -> Row {
        try inFolder(screen) { folder, capture in
            let graph = """
                {"foxfire": 1, "nodes": {
                  "capture": {"kind": "source.lumen", "path": "\(capture)"},
                  "pictures": {"kind": "decode.video", "from": "capture.video"},
                  "nothing": {"kind": "test.null", "from": "pictures"}}}
                """
            try write(graph, to: folder + "/graph.json")
            return try compare(
                "180 pictures of 1080p decoded to nothing, against ffmpeg -f null",
                ["run", folder + "/graph.json"],
                ["ffmpeg", "-v", "error", "-y", "-i", capture, "-f", "null", "-"],
                program,
                runs: runs,
                target: 0.97
            )
        }
    }

    /// PNG files of a screen.
    @Sendable static func screenFrames(_ program: String, runs: Int) throws -> Row {
        try frames(
            "180 pictures of a screen in 1080p as PNG, against ffmpeg",
            screen,
            program,
            runs,
            2
        )
    }

    /// PNG files of a film.
    @Sendable static func filmFrames(_ program: String, runs: Int) throws -> Row {
        try frames("120 pictures of a film in 1080p as PNG, against ffmpeg", film, program, runs, 3)
    }

    private static func frames(
        _ name: String,
        _ source: String,
        _ program: String,
        _ runs: Int,
        _ target: Double
    ) throws -> Row {
        try inFolder(source) { folder, capture in
            let (ours, peer) = (folder + "/ours", folder + "/peer")
            for path in [ours, peer] { unsafe mkdir(path, 0o755) }
            let row = try compare(
                name,
                ["run", "lumen-frames", "input=" + capture, "output=\(ours)/%06d.png"],
                ["ffmpeg", "-v", "error", "-y", "-i", capture, peer + "/%06d.png"],
                program,
                runs: runs,
                target: target
            )
            _ = try measure(["sh", "-c", "du -sb \(ours) \(peer) >&2"])
            return row
        }
    }

    /// A film without encoding it anew.
    @Sendable static func remuxing(_ program: String, runs: Int) throws -> Row {
        try inFolder(screen, copies: 20) { folder, capture in
            try compare(
                "3,600 pictures of 1080p into mp4, against ffmpeg -c copy",
                ["run", "lumen-remux", "input=" + capture, "output=\(folder)/a.mp4"],
                [
                    "ffmpeg", "-v", "error", "-y", "-i", capture, "-c", "copy", "-tag:v", "hvc1",
                    "-movflags", "+faststart", folder + "/b.mp4",
                ],
                program,
                runs: runs,
                target: 1
            )
        }
    }

    private static func compare(
        _ name: String,
        _ arguments: [String],
        _ peer: [String],
        _ program: String,
        runs: Int,
        target: Double
    ) throws -> Row {
        let binary =
            program.lastIndex(of: "/").map { String(program[..<$0]) + "/foxfire" } ?? "foxfire"
        let ours = [binary] + arguments + ["-y", "--progress", "none"]
        let (a, b) = try alternate(ours, peer, runs: runs) { $0.wall }
        return Row(name: name, unit: "s", ours: a, peer: b, ratio: b / a, target: target)
    }

    /// Makes a capture as hosts send them, in a folder that is removed afterwards.
    private static func inFolder(
        _ source: String,
        copies: Int = 1,
        _ body: (_ folder: String, _ capture: String) throws -> Row
    ) throws -> Row {
        try inTemporaryFolder { folder in
            try body(folder, try capture(source, copies, in: folder))
        }
    }

    private static func capture(_ source: String, _ copies: Int, in folder: String) throws -> String
    {
        let (one, capture) = (folder + "/one.h265", folder + "/capture.h265")
        _ = try measure([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-pix_fmt", "yuv420p", "-c:v",
            "libx265", "-preset", "ultrafast", "-tune", "zerolatency", "-crf", "20", "-x265-params",
            "log-level=error:repeat-headers=1:info=0:keyint=-1:scenecut=0", one,
        ])
        let list = String(repeating: one + " ", count: copies)
        _ = try measure(["sh", "-c", "cat \(list)> \(capture)"])
        return capture
    }
}
