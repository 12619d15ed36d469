import Foundation
import Graph
import TestSupport
import Testing

@testable import FoxfireCLI

/// Every graph of `graphs/`, run small.
@Suite struct InstalledGraphTests {
    /// Values that make a graph quick; a graph that is not here fails the tests.
    private static let small = [
        "film": ["input=track.wav", "output=film.mp4", "size=160x90", "fps=10"],
        "rotation": [
            "input=track.wav", "output=film.mp4", "size=160x90", "fps=10", "each=1s",
            "crossfade=0.5s",
        ],
        "fox-audio": ["input=track.wav"],
        "fox-edit": ["input=track.wav"],
        "fox-tone": ["second=1000", "duration=1s"],
        "lumen-frames": ["input=capture.h265"],
        "lumen-film": ["input=capture.h265"],
        "lumen-remux": ["input=capture.h265", "report=report.json"],
        "lumen-sound": ["input=capture.opus"],
        "still": ["at=0.1", "size=96x64", "longEdge=97", "output=still.heic"],
        "still-png": ["at=0.1", "size=96x64", "longEdge=97", "output=still.png"],
        "live-photo": [
            "input=track.wav", "at=0.5", "duration=0.5", "size=96x64", "fps=10", "output=pair",
        ],
        "live-photo-from-video": ["input=video.mp4", "output=pair"],
        "motion-photo": ["input=video.mp4", "output=pair.MP.jpg"],
        "modulation": ["input=track.wav", "output=plot.png", "table=table.csv"],
    ]

    /// Graphs that record: a test of their own has a device for them.
    private static let live: Set = ["record"]

    private static let names: [String] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "graphs")
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path())
        return (files ?? []).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    }()

    @Test func `there are graphs, and the command lists them`() throws {
        #expect(!Self.names.isEmpty)
        let result = try Tool.shell("$foxfire graphs --names")
        #expect(result.output.split(separator: "\n").map(String.init) == Self.names.sorted())
    }

    @Test(arguments: names)
    func `a graph says what it and its variables are for`(name: String) throws {
        let source = try GraphLocation.read(graphFolder + "/\(name).json")
        let (graph, problems) = GraphFile.read(source.text, file: source.file)
        #expect(problems == [])
        #expect(graph?.description?.hasSuffix(".") == true)
        for variable in graph?.variables ?? [] { #expect(variable.help.hasSuffix(".")) }
        let help = try Tool.shell("$foxfire run \(name) --help").output
        for variable in graph?.variables ?? [] { #expect(help.contains("  \(variable.name)=")) }
    }

    @Test(arguments: names.filter { !live.contains($0) })
    func `a graph runs, and twice gives the same bytes`(name: String) throws {
        let values = try #require(Self.small[name]).joined(separator: " ")
        try inTemporaryFolder { folder in
            let line = """
                ffmpeg -v error -nostdin -f lavfi -i sine=f=110:d=2 -ac 2 track.wav
                ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=96x64:d=1 -c:v libx265 \
                    -x265-params log-level=none:repeat-headers=1 capture.h265
                ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=97x64:d=2 video.mp4
                for i in 1 2 3; do printf '\\354\\377\\376%077d' 0; done > capture.opus
                $foxfire run \(name) \(values) --threads 1 && mkdir first
                for file in *.*; do case $file in track.wav | video.mp4 | capture.*) ;; *) mv $file first ;; esac; done
                $foxfire run \(name) \(values) --threads 8 --capacity 1
                for file in first/*; do cmp "$file" "${file#first/}" || exit 1; done
                """
            let result = try Tool.shell(line, in: folder)
            #expect(result.code == 0, "\(result.error)")
            guard values.contains("film.mp4") else { return }
            let streams = try Tools.ffprobe(folder + "/film.mp4", "stream=codec_name")
            #expect(streams.compactMap { $0["codec_name"] } == ["h264", "aac"])
        }
    }

    private var graphFolder: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "graphs").path()
    }
}
