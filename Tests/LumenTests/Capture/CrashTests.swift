import Codecs
import Foundation
import Testing

@testable import Lumen

/// Every input that once broke the reading of captures is read again.
@Suite struct CrashTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/crashes")

    private static let names: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path())
        return (names ?? []).filter { $0.hasPrefix("log-") || $0.hasPrefix("hevc-") }.sorted()
    }()

    @Test(arguments: names)
    func `it is read to its end, and times go on`(name: String) throws {
        let bytes = Array(try Data(contentsOf: Self.folder.appending(path: name)))
        // As the fuzzer has it: whole, and as records with right checks.
        for input in [bytes, CaptureLog.fileHeader(session: 1) + bytes] {
            guard let capture = try? Capture(input, name: name) else { continue }
            _ = try? capture.items()
        }
    }

    @Test func `audio that is described anew begins behind what came before`() throws {
        var log = CaptureLog.fileHeader(session: 1)
        for (channels, time) in [(2, 5_000_000_000), (6, 1_000_000_000)] as [(Int, UInt64)] {
            log += CaptureLog.record(CaptureDescription(audio: .init(channels: channels)))
            for number in 0..<3 {
                let stamp = CaptureStamp(
                    index: UInt32(number),
                    time: time + UInt64(number) * 5_000_000
                )
                log += CaptureLog.record(packet: [0xEC, 0xFF, 0xFE], stamp)
            }
        }
        let packets = try Capture(log).packets()
        #expect(packets.map(\.audio.channels) == [2, 2, 2, 6, 6, 6])
        #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.position < $1.position })
    }
}
