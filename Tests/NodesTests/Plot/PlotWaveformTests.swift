import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct PlotWaveformTests {
    @Test func `36 every sample is in its column, however long the sound`() {
        for count in [1, 3, 700, 1000, 65_536, 65_537, 300_000] {
            for columns in [1, 7, 1000] {
                for place in [0, count / 3, count - 1] {
                    var samples = [Float](repeating: 0.25, count: count)
                    samples[place] = -2
                    var wave = Waveform()
                    wave.append(samples.span.extracting(0..<count / 2))
                    wave.append(samples.span.extracting(count / 2..<count))
                    let all = (0..<columns).map { wave.column($0, of: columns, total: count) }
                    let hit = all.indices.filter { all[$0]?.least == -2 }
                    #expect(!hit.isEmpty)
                    #expect(
                        hit.contains { $0 * count <= place * columns + columns }
                            && hit.contains { ($0 + 2) * count >= place * columns }
                    )
                    #expect(all.allSatisfy { $0 != nil })
                    #expect(wave.fullCount == 1)
                }
            }
        }
    }

    @Test func `the root mean square is that of the samples`() throws {
        let sine = Signals.sine(100, amplitude: 0.5, seconds: 1)
        var wave = Waveform()
        wave.append(sine.span)
        let stretch = try #require(wave.column(3, of: 10, total: sine.count))
        #expect(abs(stretch.rootMeanSquare - 0.35355) < 1e-3)
        #expect(abs(stretch.greatest - 0.5) < 1e-6 && abs(stretch.least + 0.5) < 1e-6)
    }

    @Test func `a picture is written, of nothing too`() throws {
        for samples in [Signals.sine(3, amplitude: 1.2, seconds: 2), []] {
            let folder = try TemporaryFolder()
            let environment = NodeEnvironment()
            let block = AudioBlock(sampleRate: 48_000, channels: [samples, samples])
            let runner = try NodeRunner(
                PlotWaveform.self,
                ["path": .string(folder.file("w.png")), "title": .string("A sine")],
                inputs: [("audio", StreamInfo(format: block.format))],
                environment: environment
            )
            runner.feed("audio", blocks: block.cut(into: 1000))
            runner.endAll()
            try runner.run()
            try environment.outputs.commit()
            let streams = try Tools.ffprobe(folder.file("w.png"), "stream=width,height")
            #expect(streams == [["width": "1920", "height": "\(60 + 2 * 250 + 36)"]])
        }
    }
}
