import Codecs
import Glibc
import Media

/// Stills against the programs that write them elsewhere.
enum Stills {
    /// A picture as photographs are: something everywhere, and a little noise.
    private static let photo = "mandelbrot=s=4032x3024,noise=alls=4:allf=t"

    /// A HEIC of 12 megapixels from a PNG.
    @Sendable static func photograph(_ program: String, runs: Int) throws -> Row {
        try inTemporaryFolder { folder in
            _ = try measure(
                [
                    "ffmpeg", "-v", "error", "-f", "lavfi", "-i", photo, "-frames:v", "1",
                    folder + "/photo.png",
                ]
            )
            let graph = """
                {"foxfire": 1, "nodes": {
                  "photo": {"kind": "source.image", "path": "\(folder)/photo.png"},
                  "still": {"kind": "write.heic", "from": "photo", "preset": "fast", "path": "\(folder)/a.heic"}}}
                """
            try write(graph, to: folder + "/graph.json")
            let row = try compare(
                "a picture of 4032x3024 as HEIC, against heif-enc at the same preset and quality",
                run(folder, program),
                [
                    "heif-enc", "-q", "90", "-p", "preset=fast", folder + "/photo.png", "-o",
                    folder + "/b.heic",
                ],
                runs: runs,
                target: 1
            )
            _ = try measure(["sh", "-c", "du -b \(folder)/?.heic >&2"])
            return row
        }
    }

    /// A hundred stills in one run, against a hundred runs.
    @Sendable static func burst(_ program: String, runs: Int) throws -> Row {
        try inTemporaryFolder { folder in
            for (name, count) in [("many", "100"), ("one", "1")] {
                _ = try measure(
                    [
                        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=1920x1080",
                        "-frames:v", count, "-c:v", "libx264", "-preset", "ultrafast", "-qp", "4",
                        "\(folder)/\(name).mkv",
                    ]
                )
                let graph = """
                    {"foxfire": 1, "nodes": {
                      "film": {"kind": "source.media", "path": "\(folder)/\(name).mkv"},
                      "stills": {"kind": "write.heic", "from": "film.video", "preset": "fast",
                        "path": "\(folder)/\(name)-%03d.heic"}}}
                    """
                try write(graph, to: "\(folder)/\(name).json")
            }
            let single = run(folder, program, "one").joined(separator: " ")
            return try compare(
                "100 stills of 1080p as HEIC in one run, against 100 runs of one",
                run(folder, program, "many"),
                ["sh", "-c", "for i in $(seq 100); do \(single) || exit; done"],
                runs: runs,
                target: 1.3
            )
        }
    }

    /// PNG files in memory, on one core each, against libpng's fastest way that is any good.
    @Sendable static func fastPNG(_ program: String, runs: Int) throws -> Row {
        try inTemporaryFolder { folder in
            let raw = folder + "/photo.rgb"
            _ = try measure(
                [
                    "ffmpeg", "-v", "error", "-f", "lavfi", "-i", photo, "-frames:v", "1",
                    "-pix_fmt", "rgb24", "-f", "rawvideo", raw,
                ]
            )
            let words = [raw, "4032", "3024", "10"]
            let peer = program.lastIndex(of: "/").map { program[..<$0] + "/pngyardstick" } ?? ""
            return try compare(
                "10 pictures of 4032x3024 as PNG on one core, against libpng (level 1, UP)",
                [program, "--child", "png"] + words,
                [String(peer)] + words,
                runs: runs,
                target: 1.3,
                core: 0
            )
        }
    }

    /// What the child of `fastPNG` does.
    static func encode(_ path: String, width: Int, height: Int, times: Int) throws {
        let format = VideoFormat(width: width, height: height, layout: .rgb24, color: .sRGB)
        guard let file = unsafe fopen(path, "r") else {
            throw ProcessError(description: "\(path) cannot be read")
        }
        defer { unsafe fclose(file) }
        var pixels = Writable<UInt8>(uninitialized: format.byteCount)
        let count = unsafe pixels.withUnsafeMutablePointer {
            unsafe fread($0, 1, format.byteCount, file)
        }
        guard count == format.byteCount else { throw ProcessError(description: "\(path) is short") }
        let picture = VideoFrame(format: format, bytes: pixels)
        var encoder = try PNGEncoder(level: 1)
        var size = 0
        for _ in 0..<times {
            var bytes: [UInt8] = []
            try encoder.encode(picture, into: &bytes)
            size = bytes.count
        }
        let text = "ours: \(size) bytes\n"
        _ = unsafe write(2, text, text.utf8.count)
    }

    private static func run(_ folder: String, _ program: String, _ name: String = "graph")
        -> [String]
    {
        let binary =
            program.lastIndex(of: "/").map { String(program[..<$0]) + "/foxfire" } ?? "foxfire"
        return [binary, "run", "\(folder)/\(name).json", "-y", "--progress", "none"]
    }

    private static func compare(
        _ name: String,
        _ ours: [String],
        _ peer: [String],
        runs: Int,
        target: Double,
        core: Int? = nil
    ) throws -> Row {
        let (a, b) = try alternate(ours, peer, runs: runs, core: core) { $0.wall }
        return Row(name: name, unit: "s", ours: a, peer: b, ratio: b / a, target: target)
    }
}
