import Foundation
import Graph
import Media
import Sound
import TestSupport
import Testing

@testable import Nodes

@Suite struct SourceMorseTests {
    private func samples(_ parameters: [String: JSON.Value]) throws -> [Float] {
        let runner = try NodeRunner(SourceMorse.self, parameters)
        try runner.run()
        #expect(runner.isDone)
        let samples = runner.output("audio", as: AudioBlock.self).flatMap { $0.payload.channel(0) }
        let format = AudioFormat(sampleRate: 8000, channels: 1)
        #expect(runner.outputInfo("audio")?.duration == format.time(of: Int64(samples.count)))
        return samples
    }

    @Test func `a standard word lasts fifty dots, with the pause behind it`() {
        for speed in [5.0, 15, 25] {
            let keying = MorseKeying("paris PARIS", speed: speed, overall: speed)
            // Two words without the seven dots behind the last.
            #expect(abs(keying.duration - 93 * 1.2 / speed) < 1e-9)
            let slow = MorseKeying("PARIS PARIS", speed: 2 * speed, overall: speed)
            let first = slow.marks[slow.marks.count / 2].lowerBound
            #expect(abs(first - 60 / speed) < 1e-9)
        }
    }

    @Test func `signs run letters together, and what has no code is named`() {
        let sign = MorseKeying("<SK>", speed: 12, overall: 12)
        #expect(
            sign.marks.map { ($0.upperBound - $0.lowerBound) * 10 }.map { Int($0.rounded()) }
                == [1, 1, 1, 3, 1, 3]
        )
        #expect(abs(sign.duration - 1.5) < 1e-9)
        #expect(MorseKeying.unknown(in: "a#b ü# <SK> <x") == ["#", "Ü", "<"])
    }

    @Test func `the tone is there while the key is down, and rises and falls softly`() throws {
        let samples = try samples([
            "text": .string("ET"), "speed": .number("12"), "frequency": .number("1000"),
            "sampleRate": .number("8000"), "level": .number("0"), "ramp": .string("10ms"),
        ])
        // E is 0.1 s, the gap 0.3 s, T 0.3 s.
        #expect(samples.count == 5600)
        #expect(samples[800..<3200].allSatisfy { $0 == 0 })
        #expect(abs(rootMeanSquare(samples[3400..<5400]) - 0.7071) < 1e-3)
        #expect(samples[0] == 0 && samples[3200] == 0 && abs(samples[5599]) < 1e-6)
        let peak = samples[3200..<3240].map(\.magnitude).max() ?? 0
        #expect(peak > 0.3 && peak < 0.6)
    }

    @Test func `what cannot be keyed is refused`() {
        func refusal(_ parameters: [String: JSON.Value]) -> String {
            do {
                _ = try samples(parameters)
                return ""
            } catch { return "\(error)" }
        }
        #expect(refusal(["text": .string("a#")]).contains("without a Morse code: #"))
        #expect(refusal(["text": .string(" ")]).contains("nothing to key"))
        #expect(
            refusal(["text": .string("a"), "overall": .number("20")]).contains("at most \"speed\"")
        )
    }
}
