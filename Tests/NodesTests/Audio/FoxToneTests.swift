import Foundation
import Graph
import TestSupport
import Testing

@testable import Nodes

/// The graph fox-tone: behaviour 33 of the facts.
@Suite struct FoxToneTests {
    private static let graph: String = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "graphs/fox-tone.json")
        return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
    }()

    private func made(_ values: [String: String]) throws -> [Double] {
        let folder = try TemporaryFolder()
        try GraphRun.run(
            Self.graph,
            values: values.merging(["output": folder.file("a.wav"), "duration": "2s"]) { $1 }
        )
        let words = try folder.bytes("a.wav").dropFirst(44)
        return stride(from: words.startIndex, to: words.endIndex, by: 2).map {
            Double(Int16(bitPattern: UInt16(words[$0]) | UInt16(words[$0 + 1]) << 8))
        }
    }

    @Test(arguments: [100, 123.4, 600, 1000, 1999.5, 2000])
    func `33 a tone has its frequency and level, no offset, and silent ends`(frequency: Double)
        throws
    {
        for (firmware, rate, peak) in [("r3", 5000.0, 16_383.0), ("kg", 8000, 32_766.5)] {
            let samples = try made(["frequency": "\(frequency)", "firmware": firmware])
            #expect(samples.count == Int(2 * rate))
            #expect(samples.first == 0 && samples.last == 0)
            // Away from the fades, the phase against that of the wanted frequency at two places.
            func part(_ start: Int) -> (amplitude: Double, phase: Double) {
                let range = start..<start + Int(rate / 2)
                return Signals.component(frequency, of: samples[range], sampleRate: rate)
            }
            let (first, second) = (part(Int(rate / 8)), part(Int(rate)))
            // Of 0.875 s: 0.001 Hz would be 0.0055.
            #expect(abs(first.phase - second.phase) < 0.005)
            #expect(abs(first.amplitude / peak - 1) < 0.001)
            #expect(samples.map(\.magnitude).max() ?? .infinity <= peak.rounded(.up))
            let mean = samples.reduce(0, +) / Double(samples.count)
            #expect(abs(mean) < 10, "\(mean)")
        }
    }

    @Test(arguments: ["99", "2001", "2499"])
    func `33 what is beyond 100 to 2000 Hz is refused`(frequency: String) {
        for name in ["frequency", "second"] {
            let refused = #expect(throws: GraphRun.Refused.self) {
                try GraphRun.plan(Self.graph, values: [name: frequency])
            }
            #expect(refused?.description.contains("from 100 to 2000") == true)
        }
    }
}
