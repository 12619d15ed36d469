import Codecs
import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct DecodeVideoTests {
    private static let fixture = Result { try HEVCFixture(frames: 60, "keyint=30:open-gop=0") }

    /// What comes out of units in this order.
    private func decoded(
        _ order: [Int],
        _ policy: String = "withhold",
        _ edit: ([UInt8]) -> [UInt8] = { $0 }
    ) throws -> (pictures: [Packet<VideoFrame>], notices: Notices) {
        let folder = try TemporaryFolder()
        let fixture = try Self.fixture.get()
        let bytes = edit(order.flatMap { fixture.units[$0].bytes })
        try Data(bytes).write(to: URL(filePath: folder.file("a.h265")))
        let source = try NodeRunner(
            SourceLumen.self,
            ["path": .string(folder.file("a.h265")), "fps": 30],
            readOutputs: ["video"]
        )
        try source.run()
        let packets: [Packet<EncodedPacket>] = source.output("video")
        let decoder = try NodeRunner(
            DecodeVideo.self,
            ["policy": .string(policy)],
            inputs: [("video", try #require(source.outputInfo("video")))]
        )
        for packet in packets {
            decoder.feed(
                "video",
                packet.payload,
                at: packet.time,
                duration: packet.duration,
                flags: packet.flags
            )
        }
        decoder.endAll()
        try decoder.run()
        return (decoder.output("video"), source.notices)
    }

    private func hashes(_ packets: [Packet<VideoFrame>]) -> [String] {
        packets.map { packet in
            var hash = SHA256()
            packet.payload.bytes.withSpan { hash.update($0) }
            return hash.hexDigest()
        }
    }

    @Test func `a whole stream gives every picture at its time`() throws {
        let (pictures, notices) = try decoded(Array(0..<60))
        #expect(try hashes(pictures) == Self.fixture.get().pictures)
        #expect(pictures.map(\.time) == (0..<60).map { MediaTime($0, 30) })
        #expect(pictures.allSatisfy { !$0.flags.contains(.damaged) })
        #expect(notices.damageCount == 0)
    }

    @Test func `withhold leaves a hole where pictures are not exact`() throws {
        let (pictures, notices) = try decoded((0..<60).filter { $0 != 5 })
        let wanted = Array(0..<5) + Array(30..<60)
        #expect(try hashes(pictures) == wanted.map { try Self.fixture.get().pictures[$0] })
        #expect(pictures.map(\.time) == wanted.map { MediaTime(Int64($0), 30) })
        #expect(notices.damageCount == 1)
        #expect(
            notices.damages == [
                "at 0:00.167: pictures 5 to 29: 24 not exact, 1 missing: a picture did not come; good "
                    + "again with a random access point"
            ]
        )
    }

    @Test func `hold shows the last good picture in the hole`() throws {
        let (pictures, _) = try decoded((0..<60).filter { $0 != 5 }, "hold")
        let fixture = try Self.fixture.get()
        let wanted = Array(0..<5) + Array(repeating: 4, count: 25) + Array(30..<60)
        #expect(hashes(pictures) == wanted.map { fixture.pictures[$0] })
        #expect(pictures.map(\.time) == (0..<60).map { MediaTime($0, 30) })
        #expect(
            pictures.map { $0.flags.contains(.damaged) } == (0..<60).map { (5..<30).contains($0) }
        )
    }

    @Test func `show decodes all, marks what is not exact, and does so twice alike`() throws {
        let order = (0..<60).filter { $0 != 5 }
        let (pictures, _) = try decoded(order, "show")
        let fixture = try Self.fixture.get()
        #expect(pictures.count == 59)
        for (packet, hash) in zip(pictures, hashes(pictures)) {
            let index = Int(packet.time.converted(to: 30).value)
            let isDamaged = (5..<30).contains(index)
            #expect(packet.flags.contains(.damaged) == isDamaged)
            #expect((hash == fixture.pictures[index]) == !isDamaged)
        }
        #expect(try hashes(decoded(order, "show").pictures) == hashes(pictures))
    }

    @Test func `damage at the very end neither hangs nor hides what is held`() throws {
        let (pictures, _) = try decoded(Array(0..<28) + [29], "hold")
        #expect(pictures.count == 30)
        let (withheld, _) = try decoded(Array(0..<28) + [29])
        #expect(withheld.count == 28)
    }
}
