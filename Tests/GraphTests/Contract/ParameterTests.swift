import Media
import Testing

@testable import Graph

/// Declares parameters as a node would, with the values of a JSON object.
private func declare<T>(_ json: String, _ body: (inout Contract) -> T) -> (
    value: T, problems: [String]
) {
    let object = JSONReader.read(Array(json.utf8)).value
    var contract = Contract(Contract.Binding(node: "n", object: object))
    let value = body(&contract)
    contract.close()
    return (value, contract.problems.map(\.description))
}

@Suite struct ParameterTests {
    private enum Word: String, CaseIterable { case one, two }

    @Test(
        "times are read exactly",
        arguments: [
            ("1.5", MediaTime(3, 2)), ("\"1.5\"", MediaTime(3, 2)), ("\"90s\"", MediaTime(90, 1)),
            ("\"90 s\"", MediaTime(90, 1)), ("\"1:30.5\"", MediaTime(181, 2)),
            ("\"1:02:03\"", MediaTime(3723, 1)), ("\"250ms\"", MediaTime(1, 4)),
            ("0", MediaTime.zero), ("1e3", MediaTime(1000, 1)),
            ("0.123456789", MediaTime(123_456_789, 1_000_000_000)),
        ]
    )
    func time(json: String, expected: MediaTime) {
        let (value, problems) = declare("{\"t\": \(json)}") { $0.time("t", "When.") }
        #expect(problems == [])
        #expect(value == .time(expected))
    }

    @Test(
        "what is no time is refused",
        arguments: [
            "\"\"", "\"s\"", "-1", "\"-1s\"", "\"1:60\"", "\"1:2:3:4\"", "\"1.5 samples\"",
            "\"-3 samples\"",
            "\"NaN\"", "\"inf\"", "1e300", "true", "[1]", "\"1,5\"", "\"0x10\"", "\"1h\"",
        ]
    )
    func noTime(json: String) {
        let (_, problems) = declare("{\"t\": \(json)}") { $0.time("t", "When.") }
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix(#"1:7: node "n": "t" must be a time, as in 1.5, "90s","#))
    }

    @Test func `samples become a time with the stream's rate`() {
        let (value, problems) = declare(#"{"t": "12000 samples"}"#) { $0.time("t", "When.") }
        #expect(problems == [])
        #expect(value.resolved(sampleRate: 48_000) == MediaTime(1, 4))
    }

    @Test(
        "rates are exact",
        arguments: [
            ("60", Rate(60)), ("\"60\"", Rate(60)), ("\"30000/1001\"", Rate(30_000, 1001)),
            ("29.97", Rate(2997, 100)), ("\"24/2\"", Rate(12)),
        ]
    )
    func rate(json: String, expected: Rate) {
        let (value, problems) = declare("{\"r\": \(json)}") {
            $0.rate("r", in: Rate(1)...Rate(1000), .perSecond, "How often.")
        }
        #expect(problems == [])
        #expect(value == expected)
    }

    @Test(
        "what is no rate, or out of range, is refused",
        arguments: [
            "0", "-1", "\"1/0\"", "\"/\"", "\"1/2/3\"", "1001", "0.5", "\"x\"", "1e99", "null",
            "\"99999999999/1\"",
        ]
    )
    func noRate(json: String) {
        let (value, problems) = declare("{\"r\": \(json)}") {
            $0.rate("r", default: Rate(60), in: Rate(1)...Rate(1000), .perSecond, "How often.")
        }
        #expect(value == Rate(60))
        #expect(
            problems == [
                #"1:7: node "n": "r" must be a rate, as in 60 or "30000/1001", from 1 to 1000, "#
                    + #"not \#(json) (the default is 60)"#
            ]
        )
    }

    @Test(
        "sizes",
        arguments: [
            ("\"1920x1080\"", true), ("\"16×9\"", true), ("\"0x5\"", false),
            ("\"-4x4\"", false), ("\"1920\"", false), ("\"1x2x3\"", false), ("1920", false),
            ("\"99999x1\"", false),
            ("\"9999999999999999999x1\"", false),
        ]
    )
    func size(json: String, isRight: Bool) {
        let (_, problems) = declare("{\"s\": \(json)}") {
            $0.size("s", in: 1...8192, .pixels, "How big.")
        }
        #expect(problems.isEmpty == isRight)
    }

    @Test(
        "whole numbers",
        arguments: [
            ("5", 5), ("5.0", 5), ("1e1", 10), ("5.5", nil), ("\"5\"", nil), ("11", nil),
            ("-1", nil),
            ("1e400", nil), ("99999999999999999999", nil), ("true", nil),
        ] as [(String, Int?)]
    )
    func integer(json: String, expected: Int?) {
        let (value, problems) = declare("{\"i\": \(json)}") {
            $0.integer("i", in: 0...10, .none, "How many.")
        }
        #expect(problems.isEmpty == (expected != nil))
        if let expected { #expect(value == expected) }
    }

    @Test func `a level in decibels becomes a ratio`() {
        let (value, problems) = declare(#"{"g": -6.0206}"#) {
            $0.decibels("g", in: -60...0, "Level.")
        }
        #expect(problems == [])
        #expect(abs(value - 0.5) < 1e-6)
    }

    @Test func `one fault of a value is told once, and declaring goes on`() {
        let (_, problems) = declare(#"{"a": 300, "w": "three", "l": [{"x": -1}]}"#) { c in
            let a = c.integer("a", in: 0...255, .none, "A.")
            c.require(a % 2 == 0, "a", "must be even")
            let missing = c.integer("m", in: 3...9, .none, "M.")
            c.require(missing > 5, "m", "must be above 5")
            let word: Word = c.choice("w", default: .two, "W.")
            #expect(word == .two)
            let list = c.optionalList("l", "L.") {
                $0.number("x", default: 0.5, in: 0...1, .none, "X.")
            }
            #expect(list == [0.5])
            #expect(c.optionalList("none", "N.") { $0.string("s", "S.") } == nil)
            #expect(c.optionalTime("t", "T.") == nil)
        }
        #expect(
            problems == [
                #"1:7: node "n": "a" must be a whole number from 0 to 255, not 300"#,
                #"1:1: node "n": "m" is missing; it must be a whole number from 3 to 9"#,
                #"1:17: node "n": "w" must be one of "one", "two", not "three" (the default is "two")"#,
                #"1:38: node "n": "x" must be a number from 0 to 1, not -1 (the default is 0.5)"#,
            ]
        )
    }

    @Test func `paths are relative to the graph's folder, or absolute, or special`() {
        for (written, path) in [
            ("a.wav", "/graphs/a.wav"), ("../a.wav", "/graphs/../a.wav"), ("/a.wav", "/a.wav"),
            ("-", "-"), ("builtin:demo", "builtin:demo"),
        ] {
            #expect(InputFile.resolve(written, in: "/graphs") == path)
            #expect(InputFile.resolve(written, in: "/graphs/") == path)
            #expect(InputFile.resolve(written, in: "") == written)
        }
    }

    @Test(
        "numbered names",
        arguments: [
            ("f-%d.png", "f-7.png"), ("%04d", "0007"), ("100%%-%02d", "100%-07"), ("%d-%d", nil),
            ("plain", nil), ("%x", nil), ("%", nil), ("%0d", nil), ("%5d", nil), ("%010d", nil),
        ] as [(String, String?)]
    )
    func numbered(pattern: String, expected: String?) {
        #expect(OutputPath.name(of: 7, in: pattern) == expected)
    }

    @Test func `the nearest word is found, and none where all are far`() {
        #expect(
            suggestion(for: "pich", in: ["patch", "pitch", "size"]) == #"did you mean "pitch"?"#
        )
        #expect(suggestion(for: "PITCH", in: ["pitch"]) == #"did you mean "pitch"?"#)
        #expect(suggestion(for: "x", in: ["y", "pitch"]) == nil)
        #expect(suggestion(for: "", in: ["a"]) == nil)
        #expect(suggestion(for: String(repeating: "x", count: 100_000), in: ["xx"]) == nil)
    }
}
