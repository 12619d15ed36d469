import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct WritePNGTests {
    private func graph(_ folder: TemporaryFolder, _ pattern: String, _ more: String = "") -> String
    {
        """
        { "foxfire": 1, "nodes": {
            "in": { "kind": "source.pictures", "count": 25 },
            "out": { "kind": "write.png", "from": "in", "path": "\(folder.file(pattern))"\(more) }
        } }
        """
    }

    private func rgb(_ path: String, _ layout: String = "rgb24") throws -> [UInt8] {
        Array(try Tools.ffmpeg("-i", path, "-f", "rawvideo", "-pix_fmt", layout, "-"))
    }

    @Test(arguments: [1, 3]) func `a sequence is numbered in order, whoever writes it`(
        threads: Int
    ) throws {
        let folder = try TemporaryFolder()
        let report = try GraphRun.run(
            graph(folder, "f-%03d.png", ", \"first\": 5"),
            nodes: [PictureSource.entry],
            options: RunOptions(threads: threads)
        )
        #expect(folder.names == (5..<30).map { "f-\($0 < 10 ? "00" : "0")\($0).png" })
        #expect(report.outputs.count == 25)
        for index in [0, 1, 13, 24] {
            let pixels = try rgb(folder.file(folder.names[index]))
            #expect(pixels == Pictures.bytes(Pictures.picture(index)))
        }
    }

    @Test func `a still is the first picture, and no more is read`() throws {
        let folder = try TemporaryFolder()
        let report = try GraphRun.run(
            graph(folder, "still.png").replacingOccurrences(
                of: "\"count\": 25",
                with: "\"count\": 100000"
            ),
            nodes: [PictureSource.entry]
        )
        #expect(folder.names == ["still.png"])
        #expect(try rgb(folder.file("still.png")) == Pictures.bytes(Pictures.picture(0)))
        let made = report.nodes.first { $0.name == "in" }?.packetsOut ?? 0
        #expect(made < 2000)
    }

    @Test(arguments: [PixelLayout.yuv420p, .yuv444p10, .rgba32, .gray8])
    func `other layouts are converted on the way or written as they are`(layout: PixelLayout) throws
    {
        let folder = try TemporaryFolder()
        let text = graph(folder, "still.png").replacingOccurrences(
            of: "\"count\": 25",
            with: "\"count\": 2, \"layout\": \"\(layout)\""
        )
        try GraphRun.run(text, nodes: [PictureSource.entry])
        let probe = try Tools.ffprobe(folder.file("still.png"), "stream=pix_fmt")
        let wanted = layout == .rgba32 ? "rgba" : layout == .gray8 ? "gray" : "rgb24"
        #expect(probe.first?["pix_fmt"] == wanted)
    }

    @Test func `sixteen bits keep every bit`() throws {
        let folder = try TemporaryFolder()
        let text = graph(folder, "still.png", ", \"bitDepth\": 16").replacingOccurrences(
            of: "\"count\": 25",
            with: "\"count\": 1, \"layout\": \"rgb48\""
        )
        try GraphRun.run(text, nodes: [PictureSource.entry])
        let wanted = Pictures.bytes(Pictures.picture(0, Pictures.format(64, 48, .rgb48)))
        #expect(try rgb(folder.file("still.png"), "rgb48le") == wanted)
    }

    @Test func `how it was made is stored, and no date`() throws {
        let folder = try TemporaryFolder()
        try GraphRun.run(graph(folder, "still.png"), nodes: [PictureSource.entry])
        let bytes = try folder.bytes("still.png")
        #expect(bytes.range(of: Data("tEXtfoxfire\0test".utf8)) != nil)
        #expect(bytes.range(of: Data("tIME".utf8)) == nil)
    }

    @Test func `thousands of files need few descriptors`() throws {
        let folder = try TemporaryFolder()
        let text = graph(folder, "%d.png").replacingOccurrences(
            of: "\"count\": 25",
            with: "\"count\": 1500, \"size\": \"4x4\""
        )
        try GraphRun.run(text, nodes: [PictureSource.entry])
        #expect(folder.names.count == 1500)
    }

    @Test func `a pattern without a number, or with two, and standard output are refused`() throws {
        let folder = try TemporaryFolder()
        for path in ["%d-%d.png", "%s.png"] {
            #expect(throws: GraphRun.Refused.self) {
                try GraphRun.plan(graph(folder, path), nodes: [PictureSource.entry])
            }
        }
        #expect(throws: Problem.self) {
            try NodeRunner(
                WritePNG.self,
                ["path": .string("-")],
                inputs: [("video", StreamInfo(format: Pictures.format()))]
            )
        }
    }

    @Test func `a folder that is not there is an error, and nothing is left`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: (any Error).self) {
            try GraphRun.run(graph(folder, "no/%d.png"), nodes: [PictureSource.entry])
        }
        #expect(folder.names.isEmpty)
    }
}
