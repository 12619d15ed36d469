import Codecs
import Media
import TestSupport
import Testing

@testable import Lumen

@Suite struct CaptureKindTests {
    private static let fixture = Result { try HEVCFixture(frames: 12, "keyint=-1") }

    private func kind(_ bytes: [UInt8], _ name: String = "test") throws -> CaptureKind {
        try CaptureKind(CaptureBytes(MemorySource(bytes, name: name)))
    }

    private func refusal(_ bytes: [UInt8], _ name: String = "test.h265") -> String {
        #expect(throws: CodecError.self) { try kind(bytes, name) }?.description ?? ""
    }

    @Test func `each kind is known by its first bytes, whatever its name`() throws {
        let bytes = try Self.fixture.get().bytes
        #expect(try kind(bytes) == .video(codec: "hevc"))
        #expect(try kind([1, 2, 3, 0, 0] + bytes) == .video(codec: "hevc"))
        #expect(try kind([0, 0, 1, 0x67, 0x42, 0, 0x1E]) == .video(codec: "h264"))
        #expect(try kind([0x12, 0, 0x0A, 0x0B, 0, 0]) == .video(codec: "av1"))
        #expect(try kind(CaptureLog.fileHeader(session: 1)) == .log)
        let packet: [UInt8] = [0xEC] + Array(repeating: 7, count: 79)
        #expect(try kind(packet + packet + packet) == .opus)
        let datagram: [UInt8] = [15, 0, 0xC9] + Array(repeating: 0, count: 14)
        #expect(try kind(datagram + datagram) == .datagrams)
        // Slices alone are told apart by their headers, or by the file's name.
        #expect(try kind([0, 0, 1, 0x02, 0x01, 0xD0, 0, 0]) == .video(codec: "hevc"))
        #expect(try kind([0, 0, 1, 0x41, 0x9A, 0x02, 0, 0], "a.h264") == .video(codec: "h264"))
    }

    @Test func `what is no capture is refused, with what it is`() throws {
        #expect(refusal([]).contains("empty: there is no access unit"))
        #expect(refusal([0, 0, 0, 24] + Array("ftypisom".utf8)).contains("MP4"))
        #expect(refusal(Array("OggS".utf8) + [0, 2]).contains("Ogg"))
        #expect(refusal(Array("hello, world".utf8)).contains("no capture"))
        #expect(refusal([1, 2, 3], "a.pyrowave").contains("PyroWave"))
        let ramp: [UInt8] = [3, 0, 0, 0] + (0..<200).map { UInt8(truncatingIfNeeded: $0) }
        #expect(refusal(ramp).contains("transmission test"))
        // Behaviour 5b: access units behind lengths.
        let fixture = try Self.fixture.get()
        var prefixed: [UInt8] = []
        for unit in fixture.units {
            for range in unit.units {
                prefixed += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: range.count >> $0) }
                prefixed += unit.bytes[range]
            }
        }
        #expect(refusal(prefixed).contains("behind their lengths"))
    }

    @Test func `parameter sets alone, and slices alone, give no picture and say so`() throws {
        let fixture = try Self.fixture.get()
        let first = fixture.units[0]
        let sets = first.units.filter { (32...34).contains(first.kind($0)) }
        let capture = try Capture(sets.flatMap { [0, 0, 1] + first.bytes[$0] })
        #expect(try capture.items().isEmpty)
        #expect(capture.reader.report.emptiness == "there are parameter sets in it, and no picture")
        let headless = try Capture(fixture.units.dropFirst().flatMap(\.bytes))
        #expect(try headless.decode().isEmpty)
        #expect(headless.reader.report.emptiness.contains("no random access point"))
        let set = try Capture(
            sets.flatMap { [0, 0, 1] + first.bytes[$0] }
                + fixture.units.dropFirst().flatMap(\.bytes)
        )
        #expect(try set.decode().isEmpty)
        #expect(set.reader.report[.noStart] == 11)
    }
}
