import Foundation
import Graph
import Media
import Physarum
import TestSupport
import Testing

@testable import Nodes

@Suite struct PlotModulationTests {
    private static let rate = Rate(100)

    private func bands(level: Double, transient: Double) -> AudioBands {
        AudioBands(
            format: AudioBandsFormat(rate: Self.rate),
            level: BandValues(bass: level, mid: 0, high: 0),
            transient: BandValues(bass: transient, mid: 0, high: 0)
        )
    }

    /// Red, green and blue of a pixel.
    private func pixel(_ canvas: Canvas, _ x: Int, _ y: Int) -> [UInt8] {
        canvas.frame.bytes.withSpan { bytes in
            (0..<3).map { bytes[3 * (y * canvas.width + x) + $0] }
        }
    }

    /// Ten seconds: a level of 0.5, a hit at 5 s, and an exposure that rises from 1 to 3.
    private func plot() -> ModulationPlot {
        var plot = ModulationPlot()
        for index in 0..<1000 {
            let time = Self.rate.time(of: Int64(index))
            let hit = index == 500 ? 1.0 : 0
            plot.add(bands(level: 0.5, transient: hit), from: time, Self.rate.interval)
            let exposure = 1 + 2 * Double(index) / 999
            plot.add(Parameters([.exposure: exposure]), from: time, Self.rate.interval)
        }
        return plot
    }

    @Test func `a level is filled up to its height, and a hit is a spike`() {
        let canvas = plot().drawn(width: 1280, title: "", show: nil)
        // Lanes begin at row 84 and are 96 high; the area is 1000 wide from column 250 on.
        let dark = pixel(canvas, 300, 84 + 20)
        let filled = pixel(canvas, 300, 84 + 80)
        #expect(filled[0] > dark[0] + 40 && filled[0] > filled[2])
        let spike = pixel(canvas, 750, 84 + 2)
        let beside = pixel(canvas, 745, 84 + 2)
        #expect(spike[0] > beside[0] + 100)
    }

    @Test func `what changes has a lane, and a rise goes from its least to its greatest`() {
        let all = plot().drawn(width: 1280, title: "", show: nil)
        // Three bands and one parameter, 106 each, with 84 above and 44 below.
        #expect(all.height == 84 + 4 * 106 + 44)
        let top = 84 + 3 * 106
        #expect(pixel(all, 252, top + 94)[1] > 150 && pixel(all, 252, top + 4)[1] < 60)
        #expect(pixel(all, 1247, top + 1)[1] > 150 && pixel(all, 1247, top + 90)[1] < 60)
        let chosen = plot().drawn(width: 1280, title: "", show: [.hue, .exposure, .decay])
        #expect(chosen.height == 84 + 6 * 106 + 44)
    }

    @Test func `a long signal takes no more memory, and keeps its extremes`() {
        var buckets = Buckets(length: 1.0 / 240)
        for index in 0..<1_000_000 {
            buckets.add(index == 777_777 ? 9 : Double(index % 2), at: Double(index) / 240)
        }
        #expect(buckets.buckets.count <= 16_384)
        #expect(buckets.range == 0...9)
        let around = buckets.all(777_700.0 / 240..<777_800.0 / 240)
        #expect(around?.greatest == 9 && around?.least == 0)
        #expect(buckets.all(0..<100)?.mean == 0.5)
        #expect(buckets.all(5000..<6000) == nil)
    }

    @Test func `a picture of every kind of input can be read`() throws {
        let folder = try TemporaryFolder()
        let environment = NodeEnvironment()
        let runner = try NodeRunner(
            PlotModulation.self,
            [
                "path": .string(folder.file("a.png")), "width": .integer(640),
                "title": .string("Ünknown \"letters\" & more"),
            ],
            inputs: [
                ("bands", StreamInfo(format: AudioBandsFormat(rate: Self.rate))),
                ("beats", StreamInfo(format: BeatFormat())),
                ("parameters", StreamInfo(format: ParameterFormat(rate: Self.rate))),
            ],
            environment: environment
        )
        let set = ParameterSet(format: ParameterFormat(rate: Self.rate), preset: .foxfire)
        for index in 0..<50 {
            let time = Self.rate.time(of: Int64(index))
            runner.feed("bands", bands(level: 0.2, transient: 0.1), at: time)
            runner.feed("parameters", set, at: time, duration: Self.rate.interval)
        }
        runner.feed("beats", Beat(number: 0, tempo: 120, strength: 1), at: MediaTime(1, 4))
        runner.endAll()
        try runner.run()
        try environment.outputs.commit()
        let streams = try Tools.ffprobe(folder.file("a.png"), "stream=width,height,pix_fmt")
        #expect(
            streams == [["width": "640", "height": "\(84 + 4 * 106 + 44)", "pix_fmt": "rgb24"]]
        )
    }

    @Test func `nothing at all is drawn too`() throws {
        let canvas = ModulationPlot().drawn(width: 480, title: "", show: nil)
        #expect(canvas.height == 84 + 106 + 44)
    }

    @Test func `every letter that plots use has its own shape`() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:-+/%()=°*_ "
        let shapes = letters.map { BitmapFont.rows(of: $0) }
        #expect(shapes.allSatisfy { $0.count == 8 && $0.allSatisfy { $0 < 32 } })
        #expect(Set(shapes).count == letters.count)
        #expect(!shapes.contains(BitmapFont.rows(of: "\u{1F600}")))
    }
}
