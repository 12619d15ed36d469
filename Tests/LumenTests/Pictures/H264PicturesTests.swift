import Codecs
import Media
import TestSupport
import Testing

@testable import Lumen

@Suite struct H264PicturesTests {
    private struct Stream {
        let units: [H264AccessUnit]
        let pictures: [String]

        init(_ options: String..., size: String = "96x64") throws {
            let folder = try TemporaryFolder()
            let path = folder.file("a.h264")
            try Tools.run(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=30:d=3", "-c:v",
                    "libx264",
                ]
                    + options + ["-pix_fmt", "yuv420p", path]
            )
            units = try Self.units(Array(try folder.bytes("a.h264")))
            pictures = try HEVCFixture.pictures(path)
        }

        static func units(_ bytes: [UInt8], piece: Int = 1 << 20) throws -> [H264AccessUnit] {
            var reader = H264AccessUnitReader()
            var units: [H264AccessUnit] = []
            for start in stride(from: 0, to: bytes.count, by: piece) {
                reader.append(bytes[start..<min(start + piece, bytes.count)])
                while let unit = try reader.next() { units.append(unit) }
            }
            reader.finish()
            while let unit = try reader.next() { units.append(unit) }
            return units
        }
    }

    private static let plain = Result {
        try Stream(
            "-tune",
            "zerolatency",
            "-g",
            "30",
            "-x264-params",
            "scenecut=0:sliced-threads=0"
        )
    }

    private func found(_ stream: Stream, _ order: [Int]) throws -> (
        hashes: [String], report: CaptureReport
    ) {
        let capture = try Capture(order.flatMap { stream.units[$0].bytes }, name: "a.h264")
        let hashes = try capture.decode().map(\.hash)
        return (hashes, capture.reader.report)
    }

    @Test func `whole streams come out whole, in slices and with pictures out of order too`() throws
    {
        for stream in [
            try Self.plain.get(), try Stream("-tune", "zerolatency", "-x264-params", "slices=4"),
            try Stream("-bf", "3", "-g", "25"),
        ] {
            #expect(stream.units.count == 90 && stream.pictures.count == 90)
            let (hashes, report) = try found(stream, Array(0..<90))
            #expect(hashes == stream.pictures)
            #expect(report.intervalCount == 0 && report[.admitted] == 90)
            #expect(report.changes.first?.form.format.width == 96 && report.rate?.numerator == 30)
        }
    }

    @Test(arguments: [1, 5, 29, 31, 60, 89])
    func `a drop costs all up to the next refresh`(place: Int) throws {
        let stream = try Self.plain.get()
        let (hashes, report) = try found(stream, (0..<90).filter { $0 != place })
        let next = place % 30 == 0 ? place + 30 : (place / 30 + 1) * 30
        #expect(hashes == Array(stream.pictures[..<place] + stream.pictures[min(90, next)...]))
        #expect(report.intervalCount == (place % 30 == 29 ? 0 : 1))
    }

    @Test func `copies and late ones are dropped, and the first refresh is waited for`() throws {
        let stream = try Self.plain.get()
        var order = Array(0..<90)
        order.insert(40, at: 41)
        #expect(try found(stream, order).hashes == stream.pictures)
        order = Array(0..<90)
        order.insert(40, at: 46)
        let late = try found(stream, order)
        #expect(late.hashes == stream.pictures && late.report[.straggler] == 1)
        let headless = try found(stream, Array(1..<90))
        #expect(headless.hashes == Array(stream.pictures[30...]))
        #expect(headless.report[.noStart] + headless.report[.damaged] == 29)
    }

    @Test(arguments: [1, 7, 4096])
    func `pieces of any size give the same units`(piece: Int) throws {
        let stream = try Self.plain.get()
        let bytes = stream.units.prefix(12).flatMap(\.bytes)
        let whole = stream.units.prefix(12).map(\.bytes)
        #expect(try Stream.units(bytes, piece: piece).map(\.bytes) == whole)
    }

    @Test func `odd sizes, full range and colours are those of the stream`() throws {
        let stream = try Stream(
            "-tune",
            "zerolatency",
            "-color_range",
            "pc",
            "-colorspace",
            "bt470bg",
            "-color_primaries",
            "bt709",
            "-color_trc",
            "bt709",
            size: "98x70"
        )
        let capture = try Capture(stream.units.flatMap(\.bytes), name: "a.h264")
        let first = try #require(try capture.decode().first)
        #expect(first.format.width == 98 && first.format.height == 70)
        #expect(first.format.color.range == .full && first.format.color.matrix == .bt470bg)
    }
}
