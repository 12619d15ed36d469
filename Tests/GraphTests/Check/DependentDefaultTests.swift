import Media
import Testing

@testable import Graph

@Suite struct DependentDefaultTests {
    private func graph(_ variables: String, _ nodes: String) -> String {
        "{ \"foxfire\": 1, \"variables\": {\n\(variables)\n}, \"nodes\": {\n\(nodes)\n} }"
    }

    private static let variables = #"""
        "profile": { "type": "enum", "values": ["speech", "music", "tone"], "default": "speech" },
        "width": { "type": "enum", "values": ["wide", "narrow"], "default": "wide" },
        "pitch": { "type": "integer", "default": { "by": "profile", "speech": 300,
            "music": { "by": "width", "wide": 100, "narrow": 200 }, "*": 1000 } }
        """#
    private static let nodes = #"""
        "a": { "kind": "test.source", "pitch": "$pitch", "rate": 100 },
        "z": { "kind": "test.sink", "from": "a", "path": "$width-$profile" }
        """#

    private func pitch(_ given: [String: String]) throws -> Int {
        let plan = try #require(check(graph(Self.variables, Self.nodes), given).plan)
        let format = plan.nodes[0].formats.outputs[0]?.format as? ToneFormat
        return try #require(format).pitch
    }

    @Test func `it follows from one enum, from two, or from what stands for all others`() throws {
        #expect(try pitch([:]) == 300)
        #expect(try pitch(["profile": "music"]) == 100)
        #expect(try pitch(["profile": "music", "width": "narrow"]) == 200)
        #expect(try pitch(["profile": "tone", "width": "narrow"]) == 1000)
    }

    @Test func `a value that is given goes before it`() throws {
        #expect(try pitch(["profile": "music", "pitch": "77"]) == 77)
    }

    @Test func `what is wrong with it is told where it stands`() {
        let faulty = #"""
            "profile": { "type": "enum", "values": ["speech", "music"], "default": "speech" },
            "b": { "type": "integer", "default": { "by": "profil", "*": 1 } },
            "c": { "type": "integer", "default": { "by": "profile", "speech": 1, "musik": 2 } },
            "d": { "type": "integer", "default": { "by": "profile", "speech": 1 } },
            "e": { "type": "integer", "default": { "by": "profile", "speech": 1, "music": "x" } },
            "f": { "type": "integer", "default": { "by": "h", "*": 1 } },
            "g": { "type": "integer", "default": { "by": 7 } },
            "h": { "type": "integer", "default": 1 }
            """#
        let sink = #"""
            "a": { "kind": "test.source" },
            "z": { "kind": "test.sink", "from": "a", "path": "$profile$b$c$d$e$f$g$h" }
            """#
        let outcome = check(graph(faulty, sink))
        #expect(
            outcome.problems.map(\.description) == [
                #"g.json:3:46: variable "b" follows from an unknown variable "profil" (did you mean "profile"?)"#,
                #"g.json:4:38: variable "c" has a default for "musik", which "profile" never is (did you mean "music"?)"#,
                #"g.json:4:38: variable "c" has no default for "profile" being "music" ("*" stands for all others)"#,
                #"g.json:5:38: variable "d" has no default for "profile" being "music" ("*" stands for all others)"#,
                #"g.json:6:79: variable "e" has a default that must be a whole number, not "x""#,
                #"g.json:7:46: variable "f" follows from "h", which is no enum with a plain default"#,
                #"g.json:8:46: variable "g" must name a variable after "by", not 7"#,
            ]
        )
    }

    @Test func `a variable whose value is null leaves out the parameters that name it`() throws {
        let text = graph(
            #""rate": { "type": "rate", "default": null }"#,
            #"""
            "a": { "kind": "test.source", "rate": "$rate" },
            "z": { "kind": "test.sink", "from": "a", "path": "o" }
            """#
        )
        #expect(try #require(check(text).plan).nodes[0].formats.outputs[0]?.rate == Rate(240))
        let given = try #require(check(text, ["rate": "60"]).plan)
        #expect(given.nodes[0].formats.outputs[0]?.rate == Rate(60))
    }

    @Test func `a number's range holds for what is given, and is told`() throws {
        let variables = #"""
            "pitch": { "type": "integer", "range": [100, 2000], "default": 440 }
            """#
        let nodes = #"""
            "a": { "kind": "test.source", "pitch": "$pitch", "rate": 100 },
            "z": { "kind": "test.sink", "from": "a", "path": "out" }
            """#
        #expect(check(graph(variables, nodes), ["pitch": "2000"]).plan != nil)
        for pitch in ["99", "2001"] {
            let problems = check(graph(variables, nodes), ["pitch": pitch]).problems
            #expect(problems.count == 1)
            let text = problems.first?.description ?? ""
            #expect(text.contains("must be a whole number from 100 to 2000, not"))
        }
        let faulty = #"""
            "pitch": { "type": "integer", "range": [1, 100], "default": 440 },
            "b": { "type": "number", "range": [5, 1], "default": 3 },
            "c": { "type": "number", "range": 7, "default": 3 },
            "d": { "type": "string", "range": [1, 2], "default": "x" }
            """#
        let sink = #"""
            "a": { "kind": "test.source", "pitch": "$pitch", "rate": 100 },
            "z": { "kind": "test.sink", "from": "a", "path": "$b$c$d" }
            """#
        #expect(
            check(graph(faulty, sink)).problems.map(\.description) == [
                #"g.json:2:61: variable "pitch" has a default that must be a whole number from 1 to 100, not 440"#,
                #"g.json:3:35: variable "b" needs a "range" of two numbers, the least and the greatest (as in [100, 2000])"#,
                #"g.json:4:35: variable "c" needs a "range" of two numbers, the least and the greatest (as in [100, 2000])"#,
                #"g.json:5:35: variable "d" has "range", which only a number or an integer has"#,
            ]
        )
    }
}
