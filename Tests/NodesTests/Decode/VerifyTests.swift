import Codecs
import Foundation
import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

/// Cuts and flipped bits inside units, which no header tells.
@Suite struct VerifyTests {
    private static let flat = Result {
        try HEVCFixture(frames: 40, size: "192x128", "keyint=-1:wpp=0")
    }
    private static let waves = Result { try HEVCFixture(frames: 40, size: "192x128", "keyint=-1") }
    private static let sliced = Result {
        try HEVCFixture(frames: 40, size: "192x256", "keyint=-1:slices=4")
    }

    /// The hashes of what comes out, by the pictures' numbers.
    private func decoded(_ bytes: [UInt8], verifies: Bool = true) throws -> [Int: String] {
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: URL(filePath: folder.file("a.h265")))
        let source = try NodeRunner(
            SourceLumen.self,
            ["path": .string(folder.file("a.h265")), "fps": 30],
            readOutputs: ["video"]
        )
        try source.run()
        let decoder = try NodeRunner(
            DecodeVideo.self,
            ["verify": .boolean(verifies)],
            inputs: [("video", try #require(source.outputInfo("video")))]
        )
        let packets: [Packet<EncodedPacket>] = source.output("video")
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
        let pictures: [Packet<VideoFrame>] = decoder.output("video")
        var result: [Int: String] = [:]
        for picture in pictures {
            var hash = SHA256()
            picture.payload.bytes.withSpan { hash.update($0) }
            result[Int(picture.time.converted(to: 30).value)] = hash.hexDigest()
        }
        return result
    }

    private func wrong(_ found: [Int: String], _ fixture: HEVCFixture) -> Int {
        found.count { $0.key >= fixture.pictures.count || fixture.pictures[$0.key] != $0.value }
    }

    @Test func `what is whole comes out whole`() throws {
        for fixture in [Self.flat, Self.waves, Self.sliced] {
            let found = try decoded(fixture.get().bytes)
            #expect(try found.count == 40 && wrong(found, fixture.get()) == 0)
        }
    }

    @Test func `a cut that damages a picture is always found`() throws {
        var random = SeededGenerator(seed: 11)
        for fixture in [Self.flat, Self.waves, Self.sliced] {
            let fixture = try fixture.get()
            var (damaging, harmless) = (0, 0)
            for _ in 0..<12 {
                let place = Int.random(in: 1..<40, using: &random)
                let unit = fixture.units[place].bytes
                let length = Int.random(in: 8..<unit.count, using: &random)
                let sent =
                    fixture.units[..<place].flatMap(\.bytes) + unit[..<length]
                    + fixture.units[(place + 1)...].flatMap(\.bytes)
                let plain = try decoded(sent, verifies: false)
                let found = try decoded(sent)
                #expect(wrong(found, fixture) == 0, "unit \(place) cut to \(length)")
                if wrong(plain, fixture) > 0 || plain.count < 40 {
                    damaging += 1
                    #expect(found.count == place, "unit \(place) cut to \(length) of \(unit.count)")
                } else {
                    harmless += 1
                }
            }
            print("cuts: \(damaging) damaging, all found; \(harmless) harmless")
            #expect(damaging > 4)
        }
    }

    @Test func `of flipped bits those are found that make a slice end elsewhere`() throws {
        var random = SeededGenerator(seed: 3)
        for fixture in [Self.flat, Self.sliced] {
            let fixture = try fixture.get()
            var (damaging, hidden) = (0, 0)
            for _ in 0..<20 {
                let place = Int.random(in: 1..<40, using: &random)
                var unit = fixture.units[place].bytes
                let at = Int.random(in: 12..<unit.count, using: &random)
                unit[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                let sent =
                    fixture.units[..<place].flatMap(\.bytes) + unit
                    + fixture.units[(place + 1)...].flatMap(\.bytes)
                if try wrong(decoded(sent, verifies: false), fixture) == 0 { continue }
                damaging += 1
                if try wrong(decoded(sent), fixture) > 0 { hidden += 1 }
            }
            print("flips: \(damaging) damaging, \(damaging - hidden) found")
            #expect(hidden < damaging)
        }
    }
}
