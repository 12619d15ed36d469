import Codecs
import TestSupport
import Testing

@testable import Lumen

/// Every kind of loss on streams of 600 pictures: how many come out, and that none of them is wrong.
@Suite struct InjectorTests {
    private static let infinite = Result { try HEVCFixture(frames: 600, "keyint=-1") }
    private static let flat = Result { try HEVCFixture(frames: 600, "keyint=-1:wpp=0") }
    private static let periodic = Result {
        try HEVCFixture(frames: 600, "keyint=100:min-keyint=100:open-gop=0")
    }
    private static let sliced = Result {
        try HEVCFixture(frames: 600, size: "192x256", "keyint=-1:slices=4")
    }

    private func check(
        _ fixture: HEVCFixture,
        _ bytes: [UInt8],
        out count: Int,
        _ name: String
    ) throws {
        let found = try Capture(bytes).decode()
        let wrong = found.count { picture in
            let index = fixture.units.firstIndex { $0.bytes == picture.unit }
            return index.map { fixture.pictures[$0] != picture.hash } ?? true
        }
        print("| \(name) | \(found.count) | \(count) | \(wrong) |")
        #expect(found.count == count && wrong == 0, "\(name)")
    }

    private func check(_ fixture: HEVCFixture, _ order: [Int], out count: Int, _ name: String)
        throws
    {
        try check(fixture, order.flatMap { fixture.units[$0].bytes }, out: count, name)
    }

    @Test func `clean streams come out whole`() throws {
        for (fixture, name) in [
            (Self.infinite, "infinite"), (Self.flat, "no WPP"), (Self.periodic, "IDR every 100"),
            (Self.sliced, "4 slices"),
        ] {
            try check(fixture.get(), Array(0..<600), out: 600, "clean, \(name)")
        }
    }

    @Test(arguments: [1, 5, 6, 100, 300, 599])
    func `a drop costs all up to the next refresh`(place: Int) throws {
        let order = (0..<600).filter { $0 != place }
        try check(Self.infinite.get(), order, out: place, "unit \(place) dropped, infinite")
        try check(Self.flat.get(), order, out: place, "unit \(place) dropped, no WPP")
        try check(Self.sliced.get(), order, out: place, "unit \(place) dropped, 4 slices")
        let next = (place / 100 + 1) * 100
        let out = place % 100 == 0 ? 500 : place + max(0, 600 - next)
        try check(Self.periodic.get(), order, out: out, "unit \(place) dropped, IDR every 100")
    }

    @Test(arguments: [7, 59, 60, 61])
    func `periodic drops cost all up to the next refresh`(period: Int) throws {
        let order = (0..<600).filter { $0 % period != period - 1 }
        try check(
            Self.infinite.get(),
            order,
            out: period - 1,
            "every \(period)th dropped, infinite"
        )
    }

    @Test(arguments: [
        (0, 1), (5, 1), (5, 4), (5, 30), (100, 1), (100, 3), (99, 2), (598, 1), (300, 250),
    ])
    func `a copy costs nothing`(place: Int, late: Int) throws {
        for (fixture, name) in [(Self.infinite, "infinite"), (Self.periodic, "IDR every 100")] {
            var order = Array(0..<600)
            order.insert(place, at: min(600, place + late))
            try check(fixture.get(), order, out: 600, "unit \(place) again \(late) later, \(name)")
        }
    }

    @Test(arguments: [5, 97, 98, 99, 101, 594], [1, 2, 3, 4])
    func `two that were swapped are put back`(place: Int, distance: Int) throws {
        for (fixture, name) in [(Self.infinite, "infinite"), (Self.periodic, "IDR every 100")] {
            var order = Array(0..<600)
            order.swapAt(place, place + distance)
            try check(
                fixture.get(),
                order,
                out: 600,
                "units \(place) and \(place + distance) swapped, \(name)"
            )
        }
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a lost slice damages its picture`(slice: Int) throws {
        let fixture = try Self.sliced.get()
        let unit = fixture.units[50]
        let slices = unit.units.filter { unit.kind($0) < 32 }
        #expect(slices.count == 4)
        var sent = fixture.bytes
        let base = fixture.units[..<50].reduce(0) { $0 + $1.bytes.count }
        let lost = slices[slice]
        sent.removeSubrange(base + lost.lowerBound - 3..<base + lost.upperBound)
        try check(fixture, sent, out: 50, "slice \(slice) of unit 50 lost")
    }

    /// Exactly as many units as order counts come round: what follows fits, and is not what was sent.
    @Test func `a loss of a whole round is not seen without indices, and is with them`() throws {
        let fixture = try Self.infinite.get()
        let round = 1 << (fixture.units[0].sequence?.orderCountBits ?? 8)
        let order = (0..<600).filter { !(50..<50 + round).contains($0) }
        let found = try Capture(order.flatMap { fixture.units[$0].bytes }).decode()
        print("| \(round) units dropped, infinite | \(found.count) | 50 | not visible |")
        #expect(found.count == 600 - round)
        var log = CaptureLog.fileHeader(session: 1)
        log += CaptureLog.record(CaptureDescription(video: .init(codec: "hevc")))
        for number in order {
            let stamp = CaptureStamp(index: UInt32(number), time: UInt64(number) * 16_666_667)
            log += CaptureLog.record(unit: fixture.units[number].bytes[...], stamp)
        }
        try check(fixture, log, out: 50, "\(round) units dropped, with indices")
    }
}
