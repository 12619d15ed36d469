import Codecs
import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct SourcePartsTests {
    private let format = Pictures.format(64, 48, .yuv420p)

    /// Encodes pictures of a range of numbers, in segments of a second.
    private func encoded(_ pictures: Range<Int64>, _ codec: String, _ rate: Rate) throws -> [Packet<
        EncodedPacket
    >] {
        let runner = try NodeRunner(
            EncodeVideo.self,
            ["codec": .string(codec), "preset": .string("fast"), "segment": .string("1s")],
            inputs: [("video", StreamInfo(format: format, rate: rate))]
        )
        for index in pictures {
            runner.feed("video", Pictures.picture(Int(index), format), at: rate.time(of: index))
        }
        runner.endAll()
        try runner.run()
        return runner.output("video", as: EncodedPacket.self)
    }

    private func movie(_ packets: [Packet<EncodedPacket>], to path: String) throws {
        let environment = NodeEnvironment()
        let format = try #require(packets.first?.payload.format)
        let runner = try NodeRunner(
            WriteMovie.self,
            ["path": .string(path)],
            inputs: [("video", StreamInfo(format: format))],
            environment: environment
        )
        for packet in packets {
            runner.feed(
                "video",
                packet.payload,
                at: packet.time,
                duration: packet.duration,
                flags: packet.flags
            )
        }
        runner.endAll()
        try runner.run()
        try environment.outputs.commit()
    }

    private func joined(_ paths: [String]) throws -> [Packet<EncodedPacket>] {
        let parts = paths.map { path -> JSON.Value in ["path": .string(path)] }
        let runner = try NodeRunner(SourceParts.self, ["parts": .list(parts)])
        try runner.run()
        #expect(runner.isDone)
        return runner.output("video", as: EncodedPacket.self)
    }

    @Test(arguments: ["h264", "hevc"], [Rate(30000, 1001), Rate(24), Rate(120)])
    func `the film of the parts is the film, byte for byte`(codec: String, rate: Rate) throws {
        let folder = try TemporaryFolder()
        // Parts begin at 0 s, 2 s and 3 s; the last one has one picture.
        let starts = [0, 2, 3].map { rate.count(before: MediaTime($0, 1)) }
        let end = starts[2] + 1
        try movie(encoded(0..<end, codec, rate), to: folder.file("whole.mp4"))
        var paths: [String] = []
        for (start, end) in zip(starts, starts.dropFirst() + [end]) {
            paths.append(folder.file("\(start).mp4"))
            try movie(encoded(start..<end, codec, rate), to: folder.file("\(start).mp4"))
        }
        let packets = try joined(paths)
        #expect(
            packets.map(\.payload.presentationTime).sorted() == (0..<end).map { rate.time(of: $0) }
        )
        try movie(packets, to: folder.file("joined.mp4"))
        #expect(try folder.bytes("joined.mp4") == folder.bytes("whole.mp4"))
    }

    @Test func `parts that do not follow each other are refused`() throws {
        let folder = try TemporaryFolder()
        let rate = Rate(10)
        let paths = ["0.mp4", "10.mp4", "20.mp4"].map { folder.file($0) }
        for (index, path) in paths.enumerated() {
            try movie(encoded(Int64(index) * 10..<Int64(index + 1) * 10, "h264", rate), to: path)
        }
        #expect(try joined(paths).count == 30)
        for wrong in [[paths[0], paths[2]], [paths[1]], [paths[0], paths[0]]] {
            let error = try #require(throws: (any Error).self) { _ = try joined(wrong) }
            #expect("\(error)".contains("begins at"))
        }
        let other = folder.file("other.mp4")
        try movie(encoded(10..<20, "hevc", rate), to: other)
        let error = try #require(throws: (any Error).self) { _ = try joined([paths[0], other]) }
        #expect("\(error)".contains("encoded unlike"))
    }

    @Test func `what is no movie is refused`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("none.mp4")
        try Data("no movie".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: (any Error).self) { _ = try joined([path]) }
        #expect(throws: (any Error).self) { _ = try joined([folder.file("missing")]) }
        #expect(throws: Problem.self) { _ = try joined(["-"]) }
    }
}
