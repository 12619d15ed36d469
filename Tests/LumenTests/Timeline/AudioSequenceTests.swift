import Testing

@testable import Lumen

@Suite struct AudioSequenceTests {
    /// Numbers of packets in the order in which they are given; nil bytes are missing.
    private func placed(_ indices: [UInt32]) -> (
        order: [Int64], missing: [Int64], duplicates: Int, late: Int
    ) {
        var sequence = AudioSequence()
        var given: [AudioSequence.Placed] = []
        for index in indices {
            sequence.take([0xEC], CaptureStamp(index: index)) { given.append($0) }
        }
        sequence.flush { given.append($0) }
        return (
            given.map(\.number), given.filter { $0.bytes == nil }.map(\.number),
            sequence.duplicates, sequence.late
        )
    }

    @Test func `gaps are missing packets, one for each, and there is none before the first`() {
        #expect(placed([1, 2, 10]).missing == Array(2..<9))
        #expect(placed([500, 501]).missing.isEmpty)
        #expect(placed([0, 1001]).missing.count == 1000)
    }

    @Test func `copies and late ones add nothing, swapped ones are put back`() {
        let copies = placed([1, 2, 2, 3, 1, 4])
        #expect(copies.order == [0, 1, 2, 3] && copies.duplicates == 2 && copies.missing.isEmpty)
        let swapped = placed([1, 3, 2, 4, 7, 6, 5, 8])
        #expect(swapped.order == Array(0..<8) && swapped.missing.isEmpty)
        let late = placed([1, 3, 4, 5, 6, 7, 2, 8])
        #expect(late.missing == [1] && late.late == 1 && late.order == Array(0..<8))
    }

    @Test func `the count wraps`() {
        let wrapped = placed([.max - 1, .max, 0, 2])
        #expect(wrapped.order == Array(0..<5) && wrapped.missing == [3])
    }

    @Test func `a number far away begins anew`() {
        var sequence = AudioSequence()
        var given: [AudioSequence.Placed] = []
        for index in [10, 11, 4_000_000, 4_000_001] as [UInt32] {
            sequence.take([0xEC], CaptureStamp(index: index)) { given.append($0) }
        }
        #expect(given.map(\.number) == [0, 1, 2, 3])
        #expect(given.map(\.startsAnew) == [false, false, true, false])
    }

    @Test(
        arguments: [
            ([0xEC], 240), ([0xE8], 240), ([0xF8], 960), ([0x0B, 0x06], 5760), ([0x0B, 0x07], nil),
            ([0xFC], 960),
            ([0x00], 480), ([0x03, 0x03], 1440), ([0xFF], nil), ([0xFF, 0x3F], nil), ([], nil),
        ] as [([UInt8], Int?)]
    )
    func `a packet tells its length`(packet: [UInt8], count: Int?) {
        #expect(OpusPacket.sampleCount(packet[...]) == count)
    }
}
