import Codecs
import Media
import TestSupport
import Testing

@testable import Lumen

@Suite struct DatagramTests {
    private static let start: UInt64 = 1_700_000_000_000_000_000
    /// 5 ms of stereo.
    private static let packet: [UInt8] = [0xEC, 0xFF, 0xFE]

    private func datagram(_ tag: UInt8, _ index: UInt32, _ body: [UInt8], every: UInt64 = 5_000_000)
        -> [UInt8]
    {
        var bytes = [tag]
        bytes.append(littleEndian: index)
        bytes.append(littleEndian: Self.start + UInt64(index) * every)
        bytes += body
        var framed: [UInt8] = []
        framed.append(littleEndian: UInt16(bytes.count))
        return framed + bytes
    }

    private func redundant(_ primary: [UInt8], _ copy: [UInt8]) -> [UInt8] {
        var body: [UInt8] = []
        body.append(littleEndian: UInt16(primary.count))
        return body + primary + copy
    }

    @Test func `fields are little-endian, and 13 bytes alone are silence`() throws {
        let capture = try Capture(
            datagram(0xC9, 0x0102, Self.packet) + datagram(0xC9, 0x0103, [])
                + datagram(0xC9, 0x0104, Self.packet)
        )
        let packets = try capture.packets()
        #expect(packets.map(\.bytes) == [Self.packet, [], Self.packet])
        #expect(packets.map(\.sampleCount) == [240, 240, 240])
        #expect(packets[0].stamp.index == 0x0102)
        #expect(packets[0].stamp.time == Self.start + 0x0102 * 5_000_000)
        #expect(capture.reader.report.audio?.lost == 0)
    }

    @Test
    func `what is too short, or longer than it is, is damage, and other tags are passed over`()
        throws
    {
        let short: [UInt8] = [5, 0, 0xC9, 1, 2, 3, 4]
        let other: [UInt8] = [3, 0, 0xCE, 1, 2]
        let lying = datagram(0xD2, 2, [0xFF, 0xFF, 1, 2])
        let good = (0..<64).flatMap { datagram(0xC9, UInt32($0), Self.packet) }
        let capture = try Capture(
            good + other + short + lying + datagram(0xC9, 64, Self.packet) + [9]
        )
        #expect(try capture.packets().count == 65)
        let report = capture.reader.report
        #expect(report.faultCount == 3 && report.faults[2].text.contains("last 1 bytes"))
    }

    @Test func `a copy stands in for the packet before, only where that is missing`() throws {
        let other: [UInt8] = [0xEC, 1, 2]
        let capture = try Capture(
            datagram(0xD2, 0, redundant(Self.packet, []))
                + datagram(0xD2, 2, redundant(Self.packet, other))
                + datagram(0xD2, 3, redundant(Self.packet, other))
        )
        #expect(
            try capture.packets().map(\.bytes) == [Self.packet, other, Self.packet, Self.packet]
        )
    }

    @Test(arguments: [([0x70] as [UInt8], 480), ([0x48], 960)])
    func `a microphone's packets have their own length, and its pauses become gaps`(
        kind: [UInt8],
        length: Int
    ) throws {
        let every = UInt64(length) * 1_000_000_000 / 48_000
        let body = kind + [1, 2, 3]
        var bytes = (0..<3).flatMap { datagram(0xCB, UInt32($0), body, every: every) }
        // Muted for two seconds: numbers go on where they were.
        var late = datagram(0xCB, 3, body, every: every)
        let time = Self.start + 3 * every + 2_000_000_000
        for index in 0..<8 {
            late[7 + index] = UInt8(truncatingIfNeeded: time >> (8 * UInt64(index)))
        }
        bytes += late
        let packets = try Capture(bytes).packets()
        #expect(packets.map(\.sampleCount) == Array(repeating: length, count: 4))
        #expect(
            packets.map(\.position) == [0, 1, 2].map { Int64($0 * length) } + [
                Int64(3 * length) + 96_000
            ]
        )
        #expect(packets.allSatisfy { $0.audio.channels == 1 })
    }

    @Test func `bare packets of 80 bytes are cut, and what is left is told`() throws {
        let packets = try OpusFixture(channels: 2).packets(count: 10) { _, sample in
            Float(sample % 100) / 200
        }
        let capture = try Capture(packets.flatMap(\.self) + [0xEC, 1, 2])
        #expect(try capture.packets().map(\.bytes) == packets)
        #expect(
            capture.reader.report.faults.map(\.text) == ["the last 3 bytes are less than a packet"]
        )
    }

    @Test func `a stereo packet of another length than 5 ms is told, and counts as one`() throws {
        let long: [UInt8] = [0xFC, 1, 2]
        let capture = try Capture(
            datagram(0xC9, 0, Self.packet) + datagram(0xC9, 1, long)
                + datagram(0xC9, 2, Self.packet)
        )
        #expect(try capture.packets().map(\.position) == [0, 240, 480])
        #expect(capture.reader.report.audio?.broken == 1)
    }
}
