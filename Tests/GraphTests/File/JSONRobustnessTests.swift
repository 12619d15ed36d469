import Graph
import Testing

/// A small generator of random numbers, the same everywhere (SplitMix64).
struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

let exampleGraph = """
    {
      "foxfire": 1, // the version
      "description": "Two tönes 🦊 \\u00e9\\ud83e\\udd8a.",
      "variables": {
        "pitch": { "type": "integer", "default": 220, "help": "How high." },
        "out": { "type": "output", "default": "out.bin" },
        "list": { "type": "list", "default": [{ "target": "a" }] },
      },
      "nodes": {
        "high": { "kind": "test.source", "pitch": 880, "rate": "240/1" },
        "low": { "kind": "test.source", "pitch": "$pitch" },
        "both": { "kind": "test.mix", "from": { "first": "high", "second": { "output": "low.tone", "capacity": 8 } } },
        "pass": { "kind": "test.pass", "from": "both", "window": 1e2 },
        "file": { "kind": "test.sink", "from": ["both", "pass", "high.light"], "path": "x${out}$$", "start": "1:30.5", "routes": "$list" },
      }
    }
    """

@Suite struct JSONRobustnessTests {
    private func examine(_ bytes: [UInt8]) {
        let reading = JSONReader.read(bytes)
        #expect(reading.problems.count <= JSONReader.problemLimit)
        #expect(reading.isWhole || !reading.problems.isEmpty)
        for problem in reading.problems {
            let place = problem.location
            #expect(place == nil || place.map { $0.line >= 1 && $0.column >= 1 } == true)
        }
        if reading.isWhole, reading.problems.isEmpty, let value = reading.value {
            let again = JSONReader.read(Array(JSON.pretty(value.value).utf8))
            #expect(again.problems == [])
            #expect(again.value.map { JSON.compact($0.value) } == JSON.compact(value.value))
        }
        // The whole check takes any bytes, too.
        let outcome = GraphCheck.plan(text: bytes, file: "g.json", catalogue: testCatalogue)
        #expect(outcome.problems.count <= JSONReader.problemLimit)
        #expect((outcome.plan == nil) == !outcome.problems.isEmpty)
    }

    @Test(arguments: 0..<8) func `random bytes are told, never trapped on`(seed: Int) {
        var random = Seeded(state: UInt64(seed))
        for _ in 0..<100 {
            let count = Int.random(in: 0...120, using: &random)
            examine((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test(arguments: 0..<8) func `random marks of JSON are told, never trapped on`(seed: Int) {
        var random = Seeded(state: UInt64(seed) + 100)
        let marks = Array("{}[]:,\"\\/u0019dD8.-+eE '\n\t*$x=".utf8)
        for _ in 0..<200 {
            let count = Int.random(in: 0...60, using: &random)
            examine((0..<count).map { _ in marks.randomElement(using: &random) ?? 0 })
        }
    }

    @Test(arguments: 0..<8) func `a graph with random changes is told, never trapped on`(seed: Int)
    {
        var random = Seeded(state: UInt64(seed) + 200)
        let original = Array(exampleGraph.utf8)
        for _ in 0..<60 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 2: bytes.insert(bytes.randomElement(using: &random) ?? 0, at: place)
                default:
                    let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
                    let part = Array(bytes[place..<end])
                    bytes.insert(
                        contentsOf: part,
                        at: Int.random(in: 0..<bytes.count, using: &random)
                    )
                }
                if bytes.isEmpty { break }
            }
            examine(bytes)
        }
    }

    @Test func `a graph cut anywhere is told, never trapped on`() {
        let original = Array(exampleGraph.utf8)
        for end in stride(from: 0, to: original.count, by: 3) { examine(Array(original[..<end])) }
    }

    @Test func `deep, long and broken texts end with a problem`() {
        let deep = JSONReader.read(Array(repeating: UInt8(ascii: "["), count: 1_000_000))
        #expect(
            deep.problems.map(\.description) == [
                "1:129: values lie more than 128 deep in each other"
            ]
        )
        let right = JSONReader.read(
            Array((String(repeating: "[", count: 128) + String(repeating: "]", count: 128)).utf8)
        )
        #expect(right.problems == [])
        let long = JSONReader.read(Array(repeating: UInt8(ascii: " "), count: (16 << 20) + 1))
        #expect(
            long.problems.map(\.description)
                == ["the file has 16777217 bytes; at most 16777216 are read"]
        )
        let many = JSONReader.read(Array(("[" + String(repeating: "x,", count: 1000) + "]").utf8))
        #expect(many.problems.count == JSONReader.problemLimit)
        #expect(!many.isWhole)
    }

    @Test func `bytes that are no UTF-8 are told where they stand`() {
        let reading = JSONReader.read(
            Array("[\"é".utf8) + [0xFF, 0xC3] + Array("\",\n".utf8) + [0x80, 0x5D]
        )
        #expect(
            reading.problems.map(\.description) == [
                "1:4: these bytes are not UTF-8 (save the file as UTF-8)",
                "1:5: these bytes are not UTF-8 (save the file as UTF-8)",
                "2:1: these bytes are not UTF-8 (save the file as UTF-8)",
                "2:1: \"\u{FFFD}\" is no value (a string stands in double quotes)",
            ]
        )
        #expect(
            JSONReader.read([0xFF, 0xFE, 0x7B, 0]).problems.map(\.description)
                == ["1:1: the file is UTF-16 (save the file as UTF-8)"]
        )
    }

    @Test func `a long line is read in linear time`() {
        let text = "[" + String(repeating: "1,", count: 200_000) + "]"
        #expect(JSONReader.read(Array(text.utf8)).problems == [])
        let keys = (0..<20_000).map { "\"k\($0)\": 1" }.joined(separator: ",")
        #expect(JSONReader.read(Array("{\(keys)}".utf8)).problems == [])
    }
}
