import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct SourceSpeechTests {
    private func speech(_ parameters: [String: JSON.Value]) throws -> [Float] {
        let runner = try NodeRunner(SourceSpeech.self, parameters)
        try runner.run()
        #expect(runner.isDone)
        return runner.output("audio", as: AudioBlock.self).flatMap { $0.payload.channel(0) }
    }

    @Test func `a text is spoken, and faster when it is said to`() throws {
        let text = JSON.Value.string("This is a fox. N zero C A L L.")
        let first = try speech(["text": text])
        #expect(first.count > 30_000 && rootMeanSquare(first) > 0.01)
        let fast = try speech(["text": text, "speed": .number("300")])
        #expect(fast.count < first.count * 3 / 4)
    }

    @Test func `a long text is cut behind sentences, and nothing is lost`() {
        let text =
            String(repeating: "A sentence of some words, and then more. ", count: 100)
            + String(repeating: "x", count: 5000) + " end"
        let pieces = SourceSpeech.pieces(of: text)
        let letters = text.filter { !$0.isWhitespace }
        #expect(pieces.joined().filter { !$0.isWhitespace } == letters)
        #expect(pieces.count > 15 && pieces.allSatisfy { $0.count <= 2000 })
        #expect(pieces[0].hasSuffix("."))
    }

    @Test func `an unknown voice and an empty text are refused`() {
        #expect(throws: (any Error).self) {
            try speech(["text": .string("a"), "voice": .string("no-such-voice")])
        }
        #expect(throws: (any Error).self) { try speech(["text": .string(" \n")]) }
    }
}
