import Codecs
import Media
import TestSupport
import Testing

@testable import Lumen

/// Sizes, colours and entries of byte streams, as hosts change them.
@Suite struct CaptureReaderTests {
    private static let colors =
        ":colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:range=limited"

    @Test func `a size that changes at a refresh is told once, and both come out`() throws {
        let small = try HEVCFixture(frames: 12, "keyint=6:min-keyint=6:open-gop=0")
        let large = try HEVCFixture(frames: 12, size: "160x120", "keyint=-1")
        let capture = try Capture(small.bytes + large.bytes)
        let found = try capture.decode()
        #expect(found.map(\.hash) == small.pictures + large.pictures)
        #expect(
            found.map(\.format.width) == Array(repeating: 96, count: 12)
                + Array(repeating: 160, count: 12)
        )
        let changes = capture.reader.report.changes
        #expect(changes.map(\.form.format.width) == [96, 160] && changes.map(\.number) == [0, 12])
        #expect(found.map(\.time) == (0..<24).map { MediaTime($0, 30) })
    }

    @Test func `without the refresh of the new size nothing of the old one comes out`() throws {
        let small = try HEVCFixture(frames: 12, "keyint=-1")
        let large = try HEVCFixture(frames: 12, size: "160x120", "keyint=-1")
        let capture = try Capture(small.bytes + large.units.dropFirst().flatMap(\.bytes))
        #expect(try capture.decode().map(\.hash) == small.pictures)
        #expect(capture.reader.report.withheld == 11)
    }

    @Test(arguments: [("98x70", 98, 70), ("1280x720", 1280, 720), ("192x136", 192, 136)])
    func `what is only coded is not shown`(size: String, width: Int, height: Int) throws {
        let fixture = try HEVCFixture(frames: 3, size: size, "keyint=-1")
        let found = try Capture(fixture.bytes).decode()
        #expect(found.map(\.hash) == fixture.pictures)
        #expect(found.allSatisfy { $0.format.width == width && $0.format.height == height })
    }

    @Test func `SDR that becomes PQ in the middle changes depth and colours picture by picture`()
        throws
    {
        let plain = try HEVCFixture(frames: 8, "keyint=-1")
        let deep = try HEVCFixture(frames: 8, pixels: "yuv420p10le", "keyint=-1" + Self.colors)
        let found = try Capture(plain.bytes + deep.bytes).decode()
        #expect(found.map(\.hash) == plain.pictures + deep.pictures)
        #expect(found.first?.format.layout == .yuv420p && found.last?.format.layout == .yuv420p10)
        // Nothing is told of the first: BT.709, limited, at any size.
        #expect(found.first?.format.color == .video709)
        #expect(
            found.last?.format.color
                == ColorInfo(matrix: .bt2020, range: .limited, primaries: .bt2020, transfer: .pq)
        )
    }

    @Test(arguments: [
        ("range=full:colormatrix=bt709", ColorInfo.Matrix.bt709, ColorInfo.Range.full),
        ("colormatrix=bt470bg", .bt470bg, .limited), ("colormatrix=smpte170m", .bt601, .limited),
        ("colormatrix=bt2020nc", .bt2020, .limited), ("colormatrix=unknown", .bt709, .limited),
    ])
    func `matrix and range are the stream's`(
        options: String,
        matrix: ColorInfo.Matrix,
        range: ColorInfo.Range
    ) throws {
        let fixture = try HEVCFixture(frames: 2, "keyint=-1:" + options)
        let color = try #require(try Capture(fixture.bytes).decode().first).format.color
        #expect(color.matrix == matrix && color.range == range)
    }

    @Test(arguments: [("yuv444p", PixelLayout.yuv444p), ("yuv444p10le", .yuv444p10)])
    func `4 to 4 to 4 is kept, and hdr messages do no harm`(pixels: String, layout: PixelLayout)
        throws
    {
        let hdr =
            ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)"
        let fixture = try HEVCFixture(
            frames: 4,
            pixels: pixels,
            "keyint=-1:max-cll=1000,400" + hdr + Self.colors
        )
        let found = try Capture(fixture.bytes).decode()
        #expect(found.map(\.hash) == fixture.pictures && found[0].format.layout == layout)
    }

    @Test func `a random access point that is no refresh begins, and what leads it is skipped`()
        throws
    {
        let options = "keyint=10:open-gop=1:bframes=3:rc-lookahead=10:b-adapt=0"
        let fixture = try HEVCFixture(frames: 40, options)
        let start = try #require(
            fixture.units.indices.dropFirst().first { fixture.units[$0].isRandomAccess }
        )
        let capture = try Capture(fixture.units[start...].flatMap(\.bytes))
        let found = Set(try capture.decode().map(\.hash))
        #expect(found.isSubset(of: fixture.pictures) && found.count >= 25)
        #expect(capture.reader.report[.skipped] > 0)
        #expect(capture.reader.report.intervalCount == 0)
    }

    @Test func `filler is never decoded, and indices wrap`() throws {
        let fixture = try HEVCFixture(frames: 20, "keyint=-1")
        var log = CaptureLog.fileHeader(session: 1)
        for (number, unit) in fixture.units.enumerated() {
            let time = UInt64(number) * 16_000_000
            let probe = CaptureStamp(flags: 8, index: 7, time: time)
            log += CaptureLog.record(unit: [0, 0, 1, 2, 1, 9, 9, 9], probe)
            let stamp = CaptureStamp(flags: 1, index: UInt32(number) &- 5, time: time)
            log += CaptureLog.record(unit: unit.bytes[...], stamp)
        }
        let capture = try Capture(log)
        #expect(try capture.decode().map(\.hash) == fixture.pictures)
        #expect(capture.reader.report[.filler] == 20 && capture.reader.report.missing == 0)
    }

    @Test func `what is read in pieces through a pipe is what is read at once`() throws {
        let fixture = try HEVCFixture(frames: 30, "keyint=10:open-gop=0")
        let slow = try CaptureReader(Trickle(fixture.bytes))
        var found: [[UInt8]] = []
        while let item = try slow.next() {
            if case .picture(let picture) = item { found.append(picture.picture.bytes) }
        }
        #expect(found == fixture.units.map(\.bytes))
    }

    /// Gives a few bytes at a time and has no length.
    private final class Trickle: ByteSource {
        let name = "pipe"
        let length: Int64? = nil
        private var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        func read(into bytes: inout MutableSpan<UInt8>) -> Int {
            let count = min(rest.count, 997, bytes.count)
            for index in 0..<count { bytes[index] = rest[rest.startIndex + index] }
            rest = rest.dropFirst(count)
            return count
        }

        func seek(to offset: Int64) {}
    }

    @Test func `a frame rate is the one given, told or assumed, and never 25 in silence`() throws {
        let fixture = try HEVCFixture(frames: 4, "keyint=-1:no-vui-timing-info=1")
        let assumed = try Capture(fixture.bytes)
        let times = try assumed.pictures().map(\.time)
        if assumed.reader.report.rateIsAssumed {
            #expect(times[1] == MediaTime(1, 60))
            #expect(assumed.reader.report.notes.contains { $0.contains("taken as 60") })
        } else {
            #expect(times[1] == MediaTime(1, 30))
        }
        let given = try Capture(fixture.bytes, rate: Rate(120_000, 1001))
        #expect(try given.pictures()[1].time == MediaTime(1001, 120_000))
    }
}
