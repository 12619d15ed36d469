import Graph
import Media
import Physarum
import TestSupport
import Testing

@testable import Nodes

@Suite struct RenderPhysarumTests {
    private func field(_ width: Int, _ height: Int, lit: Float) -> TrailField {
        var map = Writable<Float>(repeating: 0, count: width * height)
        map.withMutableSpan { span in
            for index in stride(from: 0, to: span.count, by: 5) { span[index] = lit }
        }
        return TrailField(
            format: TrailFormat(width: width, height: height),
            map: map,
            parameters: ParameterSet(
                format: ParameterFormat(rate: Rate(240)),
                parameters: Parameters(),
                palette: .foxfire
            )
        )
    }

    private func render(
        _ parameters: [String: JSON.Value],
        _ fields: [TrailField]
    ) throws -> [Packet<VideoFrame>] {
        let runner = try NodeRunner(
            RenderPhysarum.self,
            parameters,
            inputs: [("field", StreamInfo(format: fields[0].format, rate: Rate(30)))]
        )
        for (index, field) in fields.enumerated() {
            runner.feed(
                "field",
                field,
                at: Rate(30).time(of: Int64(index)),
                duration: Rate(30).interval
            )
        }
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        let out = try #require(runner.formats.outputs[0])
        #expect(out.rate == Rate(30))
        let pictures = runner.output("video", as: VideoFrame.self)
        let formats = Set(pictures.map(\.payload.format))
        #expect(formats == [try #require(out.format as? VideoFormat)])
        return pictures
    }

    private func mean(_ picture: VideoFrame) -> Double {
        picture.bytes.withSpan { span in
            var sum = 0
            for index in span.indices { sum += Int(span[index]) }
            return Double(sum) / Double(span.count)
        }
    }

    @Test func `pictures have the map's size unless another is given`() throws {
        let plain = try render([:], [field(64, 48, lit: 20), field(64, 48, lit: 0)])
        #expect(plain.count == 2)
        let format = plain[0].payload.format
        #expect(format == VideoFormat(width: 64, height: 48, layout: .rgb24, color: .rgb709))
        let (time, duration) = (plain[1].time, plain[1].duration)
        #expect(time == MediaTime(1, 30) && duration == MediaTime(1, 30))
        let scaled = try render(["size": .string("32x20")], [field(64, 48, lit: 20)])
        let small = scaled[0].payload.format
        #expect(small.width == 32 && small.height == 20)
    }

    @Test func `more trail is more light`() throws {
        let dark = try render([:], [field(64, 48, lit: 0)])
        let light = try render([:], [field(64, 48, lit: 100)])
        let (low, high) = (mean(dark[0].payload), mean(light[0].payload))
        #expect(low + 5 < high)
    }

    @Test func `sixteen bits are the same picture`() throws {
        let coarse = try render([:], [field(64, 48, lit: 30)])[0].payload
        let fine = try render(["bitDepth": .number("16")], [field(64, 48, lit: 30)])[0].payload
        let layout = fine.format.layout
        #expect(layout == .rgb48)
        let worst = coarse.bytes.withSpan { eight in
            fine.bytes.withSpan { sixteen in
                eight.indices.map { index in
                    let value = Double(sixteen[2 * index]) + 256 * Double(sixteen[2 * index + 1])
                    return abs(value / 257 - Double(eight[index]))
                }.max() ?? 0
            }
        }
        #expect(worst < 3)
    }

    @Test func `another map's size in the middle is rendered as well`() throws {
        let runner = try NodeRunner(
            RenderPhysarum.self,
            ["size": .string("32x32")],
            inputs: [("field", StreamInfo(format: TrailFormat(width: 64, height: 48)))]
        )
        runner.feed("field", field(64, 48, lit: 5), at: .zero)
        runner.feed("field", field(48, 64, lit: 5), at: MediaTime(1, 30))
        runner.endAll()
        try runner.run()
        let count = runner.output("video", as: VideoFrame.self).count
        #expect(count == 2)
    }

    @Test func `bit depths between are refused`() {
        #expect(throws: Problem.self) {
            try NodeRunner(
                RenderPhysarum.self,
                ["bitDepth": .number("10")],
                inputs: [("field", StreamInfo(format: TrailFormat(width: 64, height: 48)))]
            )
        }
    }
}
