import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct EncodeVideoTests {
    private let yuv = Pictures.format(64, 48, .yuv420p)

    private func runner(
        _ parameters: [String: JSON.Value],
        _ format: VideoFormat,
        rate: Rate? = Rate(30)
    ) throws -> NodeRunner {
        try NodeRunner(
            EncodeVideo.self,
            parameters,
            inputs: [("video", StreamInfo(format: format, rate: rate))]
        )
    }

    @Test(arguments: [
        (["codec": JSON.Value.string("h264")], PixelLayout.yuv420p, "h264"),
        (["codec": .string("hevc")], .yuv420p, "hevc"),
        (["bitDepth": .number("10")], .yuv420p10, "h264"),
        (["codec": .string("hevc"), "bitDepth": .number("10")], .yuv420p10, "hevc"),
        (["quality": .string("best"), "threads": .number("1")], .yuv420p, "h264"),
    ])
    func `every picture becomes a packet of the format that was told`(
        parameters: [String: JSON.Value],
        layout: PixelLayout,
        codec: String
    ) throws {
        let format = Pictures.format(64, 48, layout)
        let runner = try runner(parameters, format)
        let told = try #require(runner.formats.outputs[0]?.format as? EncodedFormat)
        #expect(told.codec == codec)
        for index in 0..<40 {
            runner.feed(
                "video",
                Pictures.picture(index, format),
                at: Rate(30).time(of: Int64(index))
            )
        }
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        let packets = runner.output("video", as: EncodedPacket.self)
        let formats = Set(packets.map(\.payload.format))
        #expect(formats == [told])
        let times = packets.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        let shown = packets.map(\.payload.presentationTime).sorted()
        #expect(shown == (0..<40).map { Rate(30).time(of: $0) })
        let isKey = packets[0].flags.contains(.key)
        #expect(isKey)
        #expect(packets.allSatisfy { $0.duration == MediaTime(1, 30) })
    }

    @Test func `RGB is asked for as BT.709 in limited range, and ten bits when they are wanted`()
        throws
    {
        let runner = try runner(["bitDepth": .number("10")], Pictures.format(64, 48, .rgb48))
        let wanted = runner.formats.requests[0] as? VideoFormat
        #expect(wanted == Pictures.format(64, 48, .yuv420p10, color: .video709))
    }

    @Test func `a matrix that video has already is kept`() throws {
        let color = ColorInfo(matrix: .bt601, range: .full, primaries: .bt601, transfer: .bt601)
        let runner = try runner([:], Pictures.format(64, 48, .yuv444p, color: color))
        let wanted = runner.formats.requests[0] as? VideoFormat
        #expect(wanted?.color.matrix == .bt601 && wanted?.color.range == .limited)
    }

    @Test(arguments: ["h264", "hevc"])
    func `without a constant rate pictures keep their times`(codec: String) throws {
        let runner = try runner(["codec": .string(codec)], yuv, rate: nil)
        let times = (0..<50).map { index in
            MediaTime(Int64(index) * 16_666_667 + Int64(index % 7) * 1_000_003, 1_000_000_000)
                .advanced(by: index > 20 ? 5_000_000_000 : 0)
        }
        for (index, time) in times.enumerated() {
            runner.feed("video", Pictures.picture(index, yuv), at: time, duration: MediaTime(1, 70))
        }
        runner.endAll()
        try runner.run()
        let packets = runner.output("video", as: EncodedPacket.self)
        #expect(packets.map(\.payload.presentationTime).sorted() == times)
        #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.time < $1.time })
        #expect(packets.allSatisfy { $0.time <= $0.payload.presentationTime })
        #expect(packets.allSatisfy { $0.duration == MediaTime(1, 70) })
    }

    private struct Unit: Equatable {
        let decoding: MediaTime
        let shown: MediaTime
        let isKey: Bool
        let hash: Int
    }

    /// What pictures of a range of numbers become.
    private func units(
        _ pictures: Range<Int>,
        _ parameters: [String: JSON.Value],
        at rate: Rate
    ) throws -> [Unit] {
        let runner = try runner(parameters, yuv, rate: rate)
        for index in pictures {
            runner.feed("video", Pictures.picture(index, yuv), at: rate.time(of: Int64(index)))
        }
        runner.endAll()
        try runner.run()
        return runner.output("video", as: EncodedPacket.self).map { packet in
            var hasher = Hasher()
            packet.payload.bytes.withSpan { bytes in
                for index in bytes.indices { hasher.combine(bytes[index]) }
            }
            return Unit(
                decoding: packet.time,
                shown: packet.payload.presentationTime,
                isKey: packet.flags.contains(.key),
                hash: hasher.finalize()
            )
        }
    }

    @Test(arguments: ["h264", "hevc"], [1, 2, 3, 29])
    func `a film in segments is its segments`(codec: String, last: Int) throws {
        // 1.5 s: begins at pictures 0, 45 and 90 (29.97 a second: the third at 3.003 s, not at 2.97).
        let rate = Rate(30000, 1001)
        let count = 90 + last
        let parameters: [String: JSON.Value] = ["codec": .string(codec), "preset": .string("fast")]
        let cut = parameters.merging(["segment": .string("1.5s")]) { $1 }
        let whole = try units(0..<count, cut, at: rate)
        let parts = try [0..<45, 45..<90, 90..<count].map { try units($0, parameters, at: rate) }
        #expect(whole == parts.flatMap(\.self))
        let begins: Set<Int64> = [0, 45, 90]
        let keys = Set(whole.filter(\.isKey).map { rate.index(nearest: $0.shown) })
        #expect(keys.isSuperset(of: begins))
        #expect(zip(whole, whole.dropFirst()).allSatisfy { $0.decoding < $1.decoding })
        #expect(whole.allSatisfy { $0.decoding <= $0.shown })
        let uncut = try units(0..<count, parameters, at: rate)
        #expect(uncut != whole)
    }

    @Test(arguments: [
        (JSON.Value.string("0.5s"), "1 s or more"), (.string("48000 samples"), "no samples"),
    ])
    func `a segment is of a second or more`(segment: JSON.Value, words: String) throws {
        let problem = try #require(throws: Problem.self) { try runner(["segment": segment], yuv) }
        #expect(problem.text.contains(words) && problem.pointer == "/segment")
    }

    @Test func `segments need a constant rate`() throws {
        let problem = try #require(throws: Problem.self) {
            try runner(["segment": .string("2s")], yuv, rate: nil)
        }
        #expect(problem.hint?.contains("video.rate") == true)
    }

    @Test func `odd sides are refused with what to do`() {
        let odd = #expect(throws: Problem.self) {
            try runner([:], Pictures.format(65, 48, .yuv420p))
        }
        #expect(odd?.description.contains("65x48") == true)
        #expect(odd?.hint?.contains("video.scale") == true)
    }

    @Test(arguments: [
        ["crf": JSON.Value.number("52")], ["preset": .string("warp")], ["threads": .number("0")],
        ["bitDepth": .number("9")], ["codec": .string("vp9")], ["keyInterval": .number("0")],
    ])
    func `values out of range are refused`(parameters: [String: JSON.Value]) {
        #expect(throws: Problem.self) { try runner(parameters, yuv) }
    }

    @Test func `it keeps what every node keeps`() throws {
        try NodeRunner.checkInvariants(
            EncodeVideo.self,
            ["threads": .number("1")],
            streams: [
                .packets(
                    "video",
                    (0..<6).map { Pictures.picture($0, yuv) },
                    rate: Rate(30),
                    then: [Pictures.picture(6, Pictures.format(32, 32, .yuv420p))]
                )
            ]
        )
    }
}
