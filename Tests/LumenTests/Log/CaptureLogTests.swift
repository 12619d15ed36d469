import Codecs
import Foundation
import Media
import TestSupport
import Testing

@testable import Lumen

@Suite struct CaptureLogTests {
    private static let fixture = Result { try HEVCFixture(frames: 30, "keyint=10:open-gop=0") }
    private static let start: UInt64 = 1_700_000_000_123_456_789
    private static let both = CaptureDescription(
        video: .init(codec: "hevc", rate: Rate(60)),
        audio: .init(channels: 2)
    )

    private static func packet(_ number: Int) -> [UInt8] {
        [0xEC] + Array(repeating: UInt8(truncatingIfNeeded: number), count: 79)
    }

    /// A log of all pictures at 60 a second, and of a packet of audio beside each.
    private static func records(session: UInt64 = 1) throws -> [[UInt8]] {
        var records = [CaptureLog.fileHeader(session: session), CaptureLog.record(both)]
        for (number, unit) in try fixture.get().units.enumerated() {
            let time = start + UInt64(number) * 16_666_667
            var stamp = CaptureStamp(
                flags: unit.isRandomAccess ? 5 : 1,
                index: UInt32(number) &- 3,
                time: time,
                received: 5_000_000_000 + UInt64(number) * 16_666_667
            )
            records.append(CaptureLog.record(unit: unit.bytes[...], stamp))
            stamp = CaptureStamp(index: UInt32(number), time: start + UInt64(number) * 5_000_000)
            records.append(CaptureLog.record(packet: packet(number)[...], stamp))
        }
        return records + [CaptureLog.endRecord]
    }

    private func hashes(_ bytes: [UInt8]) throws -> [String] {
        try Capture(bytes).decode().map(\.hash)
    }

    @Test func `the check is that of RFC 3720`() {
        #expect(CRC32C.check(Array("123456789".utf8)[...]) == 0xE306_9283)
        #expect(CRC32C.check(Array(repeating: 0, count: 32)[...]) == 0x8A91_36AA)
        #expect(CRC32C.check([]) == 0)
    }

    @Test func `a log gives back what was written, times to the nanosecond`() throws {
        let capture = try Capture(Self.records().flatMap(\.self))
        let items = try capture.items()
        let fixture = try Self.fixture.get()
        var pictures: [TimedPicture] = []
        var packets: [TimedPacket] = []
        for item in items {
            switch item {
            case .picture(let picture): pictures.append(picture)
            case .audio(let packet): packets.append(packet)
            }
        }
        #expect(pictures.map(\.picture.bytes) == fixture.units.map(\.bytes))
        #expect(
            pictures.map(\.time)
                == (0..<30).map { MediaTime(Int64($0) * 16_666_667, 1_000_000_000) }
        )
        #expect(pictures[0].picture.stamp.time == Self.start)
        #expect(packets.map(\.bytes) == (0..<30).map { Self.packet($0) })
        #expect(packets.map(\.position) == (0..<30).map { $0 * 240 })
        let report = capture.reader.report
        #expect(report.faultCount == 0 && report.intervalCount == 0 && report.sessions == 1)
        #expect(report.origin == Self.start && report.firstStamp == Self.start)
    }

    @Test func `a log that breaks off anywhere keeps every record before`() throws {
        let records = try Self.records()
        let bytes = records.flatMap(\.self)
        var ends: [Int] = []
        for record in records { ends.append((ends.last ?? 0) + record.count) }
        for cut in stride(from: 25, to: bytes.count, by: 997) {
            let whole = ends.count { $0 <= cut } - 2
            let capture = try Capture(Array(bytes[..<cut]))
            let items = try capture.items()
            let pictures = items.filter {
                if case .picture(let picture) = $0 {
                    picture.picture.verdict == .admitted
                } else {
                    false
                }
            }
            #expect(pictures.count == max(0, (whole + 1) / 2), "\(cut)")
        }
    }

    @Test func `behind damage reading goes on at the next record`() throws {
        let records = try Self.records()
        let fixture = try Self.fixture.get()
        // A header is damaged, then a payload.
        for (place, first) in [(10, true), (50, false)] {
            var bytes = records.flatMap(\.self)
            let unit = records[..<12].reduce(0) { $0 + $1.count }
            bytes[unit + place] ^= 0x40
            let capture = try Capture(bytes)
            let found = try capture.decode().map(\.hash)
            #expect(found == Array(fixture.pictures[..<5] + fixture.pictures[10...]), "\(first)")
            let report = capture.reader.report
            let text = report.intervals.map(\.text)
            #expect(
                report.intervals.first?.first == 5 && report.intervals.first?.last == 9,
                "\(text)"
            )
            #expect(report.faultCount == (first ? 1 : 0))
        }
        // A length that says 60 MiB is not believed.
        var bytes = records.flatMap(\.self)
        let unit = records[..<12].reduce(0) { $0 + $1.count }
        bytes[unit + 35] = 3
        #expect(try hashes(bytes).count == 25)
    }

    @Test func `a record that was torn off has the next session behind it`() throws {
        let first = try Self.records().flatMap(\.self)
        let second = try Self.records(session: 2).flatMap(\.self)
        let capture = try Capture(Array(first[..<(first.count / 2)]) + second)
        let pictures = try capture.pictures().filter { $0.picture.verdict == .admitted }
        #expect(capture.reader.report.sessions == 2)
        #expect(
            pictures.suffix(30).map(\.picture.bytes) == (try Self.fixture.get().units.map(\.bytes))
        )
        #expect(zip(pictures, pictures.dropFirst()).allSatisfy { $0.time < $1.time })
    }

    @Test func `the writer writes those bytes, and goes on behind a torn tail`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.lumencap")
        let writer = try CaptureLogWriter(creating: path, session: 1, description: Self.both)
        let records = try Self.records()
        for record in records.dropFirst(2).prefix(20) { try writer.write(record) }
        #expect(Array(try folder.bytes("a.lumencap")) == records.prefix(22).flatMap(\.self))
        #expect(throws: FileError.self) {
            try CaptureLogWriter(creating: path, description: Self.both)
        }
        // A kill in the middle of the next record.
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(records[22].dropLast(9)))
        try handle.close()
        let again = try CaptureLogWriter(appendingTo: path, description: Self.both)
        for record in records[22..<records.count - 1] { try again.write(record) }
        try again.close()
        let capture = try Capture(Array(try folder.bytes("a.lumencap")))
        #expect(try capture.decode().map(\.hash) == Self.fixture.get().pictures)
        #expect(capture.reader.report.faultCount == 0)
        #expect(throws: CodecError.self) {
            try Data("no log".utf8).write(to: URL(filePath: folder.file("b")))
            _ = try CaptureLogWriter(appendingTo: folder.file("b"), description: Self.both)
        }
    }

    @Test func `redundant copies stand in for what is missing, and only for that`() throws {
        var bytes = CaptureLog.fileHeader(session: 1)
        bytes += CaptureLog.record(CaptureDescription(audio: .init(channels: 2)))
        for number in 0..<12 where ![4, 7, 8].contains(number) {
            var body: [UInt8] = []
            body.append(littleEndian: UInt16(80))
            body += Self.packet(number) + (number > 0 ? Self.packet(number - 1) : [])
            bytes += CaptureLog.record(
                packet: body[...],
                CaptureStamp(index: UInt32(number), time: UInt64(number) * 5_000_000),
                hasRedundancy: true
            )
        }
        let capture = try Capture(bytes)
        let packets = try capture.packets()
        #expect(
            packets.map(\.bytes) == (0..<12).map { $0 == 7 ? nil : Self.packet($0) }
        )
        #expect(capture.reader.report.audio?.lost == 1 && capture.reader.report.audio?.gaps == 1)
    }

    @Test func `the page's dump is a log`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/lumencap.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        var bytes: [UInt8] = []
        for line in text.split(separator: "\n") where line.hasPrefix("    0") {
            let columns = line.dropFirst(4).split(separator: "  ")
            for word in columns[1].split(separator: " ") {
                bytes.append(try #require(UInt8(word, radix: 16)))
            }
        }
        var expected = CaptureLog.fileHeader(session: 0x0123_4567_89AB_CDEF)
        expected += CaptureLog.record(CaptureDescription(audio: .init(channels: 2)))
        expected += CaptureLog.record(
            packet: [0xEC, 0xFF, 0xFE],
            CaptureStamp(index: 7, time: 1_700_000_000_000_000_000, received: 42)
        )
        expected += CaptureLog.endRecord
        #expect(bytes == expected)
        #expect(try Capture(bytes).packets().map(\.bytes) == [[0xEC, 0xFF, 0xFE]])
    }

    @Test func `the writer in C gives the same records`() throws {
        let folder = try TemporaryFolder()
        let header = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/CLumenCap/include/lumencap.h").path()
        let json = String(
            decoding: LogDescription.write(Self.both, width: nil, height: nil),
            as: UTF8.self
        )
        let quoted = json.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let program = """
            #include "\(header)"
            #include <stdio.h>
            int main(void) {
                struct lumencap log;
                const char *json = "\(quoted)";
                if (lumencap_create(&log, "c.lumencap", 1, json)) return 1;
                if (lumencap_video(&log, "\\0\\0\\1abc", 6, 5, 9, 1700000000000000001ull, 7)) return 2;
                if (lumencap_audio(&log, "\\xEC", 1, 3, 1700000000000000002ull, 0, 0)) return 3;
                if (lumencap_close(&log)) return 4;
                if (lumencap_create(&log, "c.lumencap", 1, json) == 0) return 5;
                FILE *file = fopen("c.lumencap", "ab");
                fputs("LMCR torn", file);
                fclose(file);
                if (lumencap_append(&log, "c.lumencap", json)) return 6;
                return lumencap_close(&log);
            }
            """
        try Data(program.utf8).write(to: URL(filePath: folder.file("a.c")))
        try Tools.run(
            "sh",
            [
                "-c",
                "cd \(folder.path) && cc -std=c99 -D_GNU_SOURCE -Wall -Wextra -Werror -pedantic a.c -o a && ./a",
            ]
        )
        var expected = CaptureLog.fileHeader(session: 1) + CaptureLog.record(Self.both)
        expected += CaptureLog.record(
            unit: [0, 0, 1, 0x61, 0x62, 0x63],
            CaptureStamp(flags: 5, index: 9, time: 1_700_000_000_000_000_001, received: 7)
        )
        expected += CaptureLog.record(
            packet: [0xEC],
            CaptureStamp(index: 3, time: 1_700_000_000_000_000_002)
        )
        expected += CaptureLog.endRecord + CaptureLog.record(Self.both) + CaptureLog.endRecord
        #expect(Array(try folder.bytes("c.lumencap")) == expected)
    }
}
