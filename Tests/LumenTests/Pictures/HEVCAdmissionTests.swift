import Codecs
import TestSupport
import Testing

@testable import Lumen

/// What is admitted of damaged streams decodes to the pictures of the whole one, and nothing is withheld
/// that could have come out.
@Suite struct HEVCAdmissionTests {
    private typealias Stream = HEVCFixture

    /// How many pictures come out of units in this order, and how many of them are wrong.
    private func result(_ stream: Stream, _ order: [Int]) throws -> (out: Int, wrong: Int) {
        let found = try Capture(order.flatMap { stream.units[$0].bytes }).decode()
        let wanted = found.map { picture in
            stream.units.firstIndex { $0.bytes == picture.unit }.map { stream.pictures[$0] }
        }
        let wrong = zip(found, wanted).count { $0.hash != $1 }
        return (found.count, wrong)
    }

    private static let infinite = Result { try Stream(frames: 120, "keyint=-1") }
    private static let periodic = Result {
        try Stream(frames: 120, "keyint=40:min-keyint=40:open-gop=0")
    }
    private static let sliced = Result {
        try Stream(frames: 60, size: "192x256", "keyint=-1:slices=2")
    }

    @Test func `whole streams come out whole`() throws {
        for (stream, count) in [(Self.infinite, 120), (Self.periodic, 120), (Self.sliced, 60)] {
            let stream = try stream.get()
            #expect(stream.units.count == count && stream.pictures.count == count)
            #expect(try result(stream, Array(0..<count)) == (count, 0))
        }
    }

    @Test(arguments: [
        "keyint=30:min-keyint=30:open-gop=1",
        "keyint=30:open-gop=1:bframes=4:b-pyramid=1:rc-lookahead=10",
        "keyint=-1:slices=4", "keyint=-1:ref=4", "keyint=-1:bframes=4:b-pyramid=1:rc-lookahead=10",
    ])
    func `open groups, pyramids and slices come out whole, and a drop lets nothing wrong out`(
        options: String
    )
        throws
    {
        let stream = try Stream(frames: 90, size: "192x256", options)
        #expect(stream.units.count == 90 && stream.pictures.count == 90)
        #expect(try set(stream, Array(0..<90)) == Set(stream.pictures))
        for place in [7, 29, 31, 45] {
            let found = try set(stream, (0..<90).filter { $0 != place })
            #expect(found.isSubset(of: stream.pictures))
            #expect(!found.isEmpty)
        }
    }

    /// The pictures that come out of units in this order, whatever their own order.
    private func set(_ stream: Stream, _ order: [Int]) throws -> Set<String> {
        Set(try Capture(order.flatMap { stream.units[$0].bytes }).decode().map(\.hash))
    }

    @Test(arguments: [1, 5, 17, 64, 119])
    func `a drop costs all up to the next refresh`(place: Int) throws {
        let infinite = try Self.infinite.get()
        let order = (0..<120).filter { $0 != place }
        #expect(try result(infinite, order) == (place, 0))
        let periodic = try Self.periodic.get()
        let next = (place / 40 + 1) * 40
        #expect(try result(periodic, order) == (place + 120 - next, 0))
    }

    @Test func `without the first picture nothing comes out`() throws {
        #expect(try result(Self.infinite.get(), Array(1..<120)) == (0, 0))
        #expect(try result(Self.periodic.get(), Array(1..<120)) == (80, 0))
    }

    @Test(arguments: [0, 1, 5, 39, 40, 41, 100, 118, 119], [1, 2, 3, 8])
    func `a copy costs nothing, however late`(place: Int, late: Int) throws {
        for stream in [Self.infinite, Self.periodic] {
            var order = Array(0..<120)
            order.insert(place, at: min(place + late, 120))
            #expect(try result(stream.get(), order) == (120, 0))
        }
    }

    @Test(arguments: [1, 5, 37, 38, 39, 60, 115], [1, 2, 3, 4])
    func `units that were swapped are put back`(place: Int, distance: Int) throws {
        guard place + distance < 120 else { return }
        for stream in [Self.infinite, Self.periodic] {
            var order = Array(0..<120)
            order.swapAt(place, place + distance)
            let found = try result(stream.get(), order)
            #expect(found == (120, 0), "\(found)")
        }
    }

    @Test func `random damage never lets a wrong picture out`() throws {
        var random = SeededGenerator(seed: 5)
        for stream in [Self.infinite, Self.periodic] {
            for _ in 0..<8 {
                var order = Array(0..<120)
                for _ in 0..<3 {
                    let place = Int.random(in: 1..<order.count - 5, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: order.remove(at: place)
                    case 1:
                        order.insert(
                            order[place],
                            at: place + Int.random(in: 1...5, using: &random)
                        )
                    default: order.swapAt(place, place + Int.random(in: 1...4, using: &random))
                    }
                }
                let found = try result(stream.get(), order)
                // What is before the first damage comes out in any case.
                let whole = zip(order, 0..<120).prefix { $0 == $1 }.count
                #expect(found.wrong == 0 && found.out >= whole, "\(order)")
            }
        }
    }

    @Test func `a lost slice damages its picture`() throws {
        let stream = try Self.sliced.get()
        let unit = stream.units[20]
        let slices = unit.units.filter { unit.kind($0) < 32 }
        #expect(slices.count == 2)
        for lost in slices {
            var sent = stream.units.flatMap(\.bytes)
            let base = stream.units[..<20].reduce(0) { $0 + $1.bytes.count }
            sent.removeSubrange(base + lost.lowerBound - 3..<base + lost.upperBound)
            let found = try Capture(sent).decode().map(\.hash)
            #expect(found == Array(stream.pictures[..<20]))
        }
    }

    @Test(arguments: [1, 3, 64, 4096])
    func `pieces of any size give the same units, and junk and zeros are passed over`(piece: Int)
        throws
    {
        let stream = try Self.sliced.get()
        let bytes = stream.units.prefix(10).flatMap(\.bytes)
        let junk: [UInt8] = [0x12, 0, 0, 2, 0xFF]
        let padded = junk + stream.units.prefix(10).flatMap { $0.bytes + [0, 0, 0, 0, 0] }
        let whole = try HEVCFixture.units(bytes)
        for (data, offset) in [(bytes, 0), (padded, 5)] {
            let units = try HEVCFixture.units(data, piece: piece)
            #expect(units.count == 10)
            #expect(units.first?.offset == Int64(offset))
            for (unit, other) in zip(units, whole) {
                #expect(
                    unit.units.map { Array(unit.bytes[$0]) }
                        == other.units.map { Array(other.bytes[$0]) }
                )
            }
        }
    }
}
