import Media
import TestSupport
import Testing

@testable import Graph
@testable import Nodes

@Suite struct VideoScaleTests {
    private func scaled(
        _ parameters: [String: JSON.Value],
        _ pictures: [VideoFrame]
    ) throws -> (format: VideoFormat, pictures: [VideoFrame]) {
        let runner = try NodeRunner(
            VideoScale.self,
            parameters,
            inputs: [("video", StreamInfo(format: pictures[0].format, rate: Rate(30)))]
        )
        let info = try #require(runner.formats.outputs[0])
        #expect(info.rate == Rate(30))
        for (index, picture) in pictures.enumerated() {
            runner.feed("video", picture, at: Rate(30).time(of: Int64(index)))
        }
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        let format = try #require(info.format as? VideoFormat)
        return (format, runner.output("video", as: VideoFrame.self).map(\.payload))
    }

    /// A picture of one colour.
    private func plain(_ rgb: [UInt8], _ width: Int = 16, _ height: Int = 16) -> VideoFrame {
        let format = Pictures.format(width, height)
        return VideoFrame(
            format: format,
            bytes: Writable(copying: (0..<width * height).flatMap { _ in rgb })
        )
    }

    @Test(
        arguments: [
            (["longEdge": .integer(32)], 32, 24), (["longEdge": .integer(129)], 129, 97),
            (["longEdge": .integer(129), "even": .boolean(true)], 128, 96),
            (["longEdge": .integer(1)], 1, 1), (["even": .boolean(true)], 64, 48),
            (["size": .string("40x40"), "fit": .string("contain")], 40, 40),
            (["size": .string("40x40"), "fit": .string("cover")], 40, 40),
            (["size": .string("41x41"), "even": .boolean(true)], 40, 40),
        ] as [([String: JSON.Value], Int, Int)]
    )
    func `sides become what was asked for`(
        parameters: [String: JSON.Value],
        width: Int,
        height: Int
    ) throws {
        let made = try scaled(parameters, [Pictures.picture(0)])
        #expect(made.format.width == width && made.format.height == height)
        #expect(made.pictures[0].format == made.format)
    }

    @Test(arguments: [PixelLayout.rgb24, .yuv420p, .rgb48])
    func `contain shows all between black bars, cover fills and cuts off`(layout: PixelLayout)
        throws
    {
        // White, twice as wide as high, with one dark column at each end.
        let format = Pictures.format(80, 40)
        let row = (0..<80).flatMap { [UInt8](repeating: $0 < 8 || $0 >= 72 ? 100 : 255, count: 3) }
        let picture = VideoFrame(
            format: format,
            bytes: Writable(copying: (0..<40).flatMap { _ in row })
        )
        func lights(_ fit: String) throws -> [[Int]] {
            let made = try scaled(
                [
                    "size": .string("40x40"), "fit": .string(fit),
                    "layout": .string(layout.rawValue), "filter": .string("bilinear"),
                ],
                [picture]
            )
            let rgb = try scaled(["layout": .string("rgb24")], made.pictures).pictures[0]
            let bytes = Pictures.bytes(rgb).map(Int.init)
            return (0..<40).map { row in (0..<40).map { bytes[(row * 40 + $0) * 3] } }
        }
        let contained = try lights("contain")
        #expect(contained[4].allSatisfy { $0 <= 2 } && contained[35].allSatisfy { $0 <= 2 })
        #expect(contained[20][20] >= 253 && abs(contained[20][1] - 100) <= 3)
        let covered = try lights("cover")
        #expect(covered.allSatisfy { $0.allSatisfy { $0 >= 250 } })
    }

    @Test(
        arguments: [
            ([255, 255, 255], [235, 128, 128]), ([0, 0, 0], [16, 128, 128]),
            ([255, 0, 0], [63, 102, 240]), ([0, 255, 0], [173, 42, 26]),
            ([0, 0, 255], [32, 240, 118]),
        ] as [([UInt8], [Int])]
    )
    func `colours become BT.709 in limited range`(rgb: [UInt8], yuv: [Int]) throws {
        let made = try scaled(["layout": .string("yuv420p")], [plain(rgb)])
        #expect(made.format == Pictures.format(16, 16, .yuv420p, color: .video709))
        let bytes = Pictures.bytes(made.pictures[0])
        for (plane, value) in zip(made.format.planes, yuv) {
            #expect(abs(Int(bytes[plane.offset]) - value) <= 1)
        }
    }

    @Test(arguments: [PixelLayout.yuv444p, .yuv444p10])
    func `colours survive the way there and back`(
        layout: PixelLayout
    ) throws {
        let picture = Pictures.picture(3)
        let there = try scaled(["layout": .string(layout.rawValue)], [picture])
        let back = try scaled(["layout": .string("rgb24")], there.pictures)
        let format = picture.format
        #expect(back.format == format)
        let worst = zip(Pictures.bytes(picture), Pictures.bytes(back.pictures[0])).map {
            abs(Int($0) - Int($1))
        }.max()
        #expect(worst ?? 255 <= 3)
    }

    @Test func `a size is stretched to, and colours stay`() throws {
        let made = try scaled(["size": .string("40x10")], [plain([200, 100, 50], 64, 48)])
        #expect(made.format == Pictures.format(40, 10))
        let bytes = Pictures.bytes(made.pictures[0])
        let isPlain = stride(from: 0, to: bytes.count, by: 3).allSatisfy {
            abs(Int(bytes[$0]) - 200) <= 1 && abs(Int(bytes[$0 + 1]) - 100) <= 1
                && abs(Int(bytes[$0 + 2]) - 50) <= 1
        }
        #expect(isPlain)
    }

    @Test func `what is right already is passed on as it is`() throws {
        let picture = Pictures.picture(0)
        let made = try scaled(["layout": .string("rgb24")], [picture])
        let isSame = made.pictures[0] === picture
        #expect(isSame)
    }

    @Test func `another size in the middle is followed`() throws {
        let pictures = [Pictures.picture(0), Pictures.picture(1, Pictures.format(32, 24))]
        let made = try scaled(["size": .string("16x16")], pictures)
        let formats = made.pictures.map(\.format)
        #expect(formats == [Pictures.format(16, 16), Pictures.format(16, 16)])
    }

    @Test(arguments: [
        ["layout": JSON.Value.string("rgb24"), "matrix": .string("bt709")],
        ["layout": .string("yuv420p"), "matrix": .string("rgb")],
        ["matrix": .string("bt601")],
    ])
    func `a matrix that does not fit the layout is refused`(parameters: [String: JSON.Value]) {
        #expect(throws: Problem.self) { try scaled(parameters, [Pictures.picture(0)]) }
    }

    @Test func `the engine's conversions make just what is wanted`() throws {
        let conversion = try #require(VideoScale.conversion)
        let ranges: [ColorInfo.Range] = [.full, .limited]
        func formats(_ width: Int) -> [VideoFormat] {
            PixelLayout.allCases.flatMap { layout in
                ranges.map { range in
                    var color = Pictures.format(width, 16, layout).color
                    color.range = range
                    return Pictures.format(width, 16, layout, color: color)
                }
            }
        }
        for source in formats(16) {
            for wanted in formats(16) {
                let parameters = try #require(conversion.parameters(source, wanted))
                let runner = try NodeRunner(
                    VideoScale.self,
                    parameters,
                    inputs: [("video", StreamInfo(format: source))]
                )
                let made = runner.formats.outputs[0]?.format as? VideoFormat
                #expect(made == wanted)
            }
        }
        let otherSize = conversion.parameters(Pictures.format(16, 16), Pictures.format(32, 16))
        #expect(otherSize == nil)
    }

    @Test func `it keeps what every node keeps`() throws {
        try NodeRunner.checkInvariants(
            VideoScale.self,
            ["size": .string("20x20")],
            streams: [
                .packets(
                    "video",
                    (0..<4).map { Pictures.picture($0) },
                    rate: Rate(30),
                    then: [Pictures.picture(4, Pictures.format(30, 30))]
                )
            ]
        )
    }
}
