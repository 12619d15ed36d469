import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct VideoPickTests {
    /// What a pick of ten pictures at 30 a second gives, and what is told.
    private func pick(_ parameters: String, count: Int = 10) throws -> (
        picture: [UInt8]?, warnings: [String], made: Int64
    ) {
        let folder = try TemporaryFolder()
        let graph = """
            { "foxfire": 1, "nodes": {
                "in": { "kind": "source.pictures", "count": \(count) },
                "pick": { "kind": "video.pick", "from": "in", \(parameters) },
                "out": { "kind": "write.png", "from": "pick", "path": "\(folder.file("a.png"))" }
            } }
            """
        let report = try GraphRun.run(graph, nodes: [PictureSource.entry])
        let rgb = try? Tools.ffmpeg(
            "-i",
            folder.file("a.png"),
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
            "-"
        )
        let source = report.nodes.first { $0.name == "in" }
        return (
            rgb.map { Array($0) }, report.nodes.flatMap(\.notices.warnings), source?.packetsOut ?? 0
        )
    }

    @Test(
        arguments: [
            ("\"at\": 0", 0), ("\"at\": 0.1", 3), ("\"at\": 0.13", 3), ("\"at\": 0.3", 9),
            ("\"at\": 0.333", 9), ("\"index\": 0", 0), ("\"index\": 7", 7),
        ]
    )
    func `the picture that is shown then, or has that number, is taken`(
        parameters: String,
        index: Int
    ) throws {
        let result = try pick(parameters)
        #expect(result.picture == Pictures.bytes(Pictures.picture(index)))
        #expect(result.warnings.isEmpty)
    }

    @Test(arguments: ["\"at\": 0.34", "\"at\": 100", "\"index\": 10"])
    func `beyond the end it is the last one, which is told`(parameters: String) throws {
        let result = try pick(parameters)
        #expect(result.picture == Pictures.bytes(Pictures.picture(9)))
        #expect(result.warnings.first?.contains("the last one") == true)
    }

    @Test func `nothing is read beyond it`() throws {
        let result = try pick("\"at\": 0.1", count: 100_000)
        #expect(result.picture == Pictures.bytes(Pictures.picture(3)))
        #expect(result.made < 2000)
    }

    @Test func `time and number together are refused`() {
        #expect(throws: GraphRun.Refused.self) { try pick("\"at\": 0, \"index\": 0") }
    }
}
