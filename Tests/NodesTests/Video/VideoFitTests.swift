import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct VideoFitTests {
    private func fit(_ formats: [VideoFormat], _ parameters: [String: JSON.Value] = [:]) throws -> (
        pictures: [Packet<VideoFrame>], notices: Notices
    ) {
        let runner = try NodeRunner(
            VideoFit.self,
            parameters,
            inputs: [("video", StreamInfo(format: formats[0]))]
        )
        for (index, format) in formats.enumerated() {
            runner.feed(
                "video",
                Pictures.picture(index, format),
                at: MediaTime(Int64(index), 30),
                duration: MediaTime(1, 30)
            )
        }
        runner.endAll()
        try runner.run()
        return (runner.output("video"), runner.notices)
    }

    private func sample(_ picture: VideoFrame, _ x: Int, _ y: Int) -> UInt8 {
        picture.bytes.withSpan { $0[y * picture.format.width + x] }
    }

    @Test func `pictures of the size pass, others get black bars, and a change is told once`()
        throws
    {
        let formats = [(64, 48), (64, 48), (64, 20), (64, 20), (20, 48), (128, 96)].map {
            Pictures.format($0.0, $0.1, .yuv420p)
        }
        let (pictures, notices) = try fit(formats)
        #expect(pictures.allSatisfy { $0.payload.format == formats[0] })
        #expect(pictures.map(\.time) == (0..<6).map { MediaTime($0, 30) })
        let wide = pictures[2].payload
        #expect(sample(wide, 30, 2) == 16 && sample(wide, 30, 45) == 16)
        let high = pictures[4].payload
        #expect(sample(high, 2, 20) == 16 && sample(high, 61, 20) == 16)
        #expect(notices.warnings.count == 3)
        #expect(notices.warnings.allSatisfy { $0.contains("they stay 64x48") })
    }

    @Test func `a size that is given holds from the first picture on, odd ones become even`() throws
    {
        let odd = Pictures.format(65, 49, .yuv420p)
        #expect(try fit([odd]).pictures[0].payload.format.width == 64)
        let given = try fit([odd], ["size": "100x80"]).pictures[0].payload.format
        #expect(given.width == 100 && given.height == 80)
    }
}

@Suite struct VideoRateTests {
    private func steady(_ times: [Int64], rate: JSON.Value? = "10") throws -> [Packet<VideoFrame>] {
        let format = Pictures.format(16, 16, .yuv420p)
        let runner = try NodeRunner(
            VideoRate.self,
            rate.map { ["rate": $0] } ?? [:],
            inputs: [("video", StreamInfo(format: format))]
        )
        for (index, time) in times.enumerated() {
            runner.feed(
                "video",
                Pictures.picture(index, format),
                at: MediaTime(time, 1000),
                duration: MediaTime(40, 1000)
            )
        }
        runner.endAll()
        try runner.run()
        return runner.output("video")
    }

    @Test func `at each n of the rate stands the last picture by then`() throws {
        let found = try steady([0, 30, 110, 340])
        #expect(found.map(\.time) == (0..<4).map { MediaTime($0, 10) })
        let format = Pictures.format(16, 16, .yuv420p)
        let wanted = [0, 1, 2, 2].map { Pictures.picture($0, format).checksum }
        #expect(found.map(\.payload.checksum) == wanted)
    }

    @Test func `a gap of minutes is filled, and without a rate all pass`() throws {
        #expect(try steady([0, 300_000]).count == 3001)
        #expect(try steady([0, 7, 11], rate: nil).map(\.time.value) == [0, 7, 11])
    }
}
