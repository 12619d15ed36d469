import Foundation
import Media
import Testing

@testable import Graph

/// A folder that is gone after the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "foxfire-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String = "x") throws -> String {
        try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
        return "\(path)/\(name)"
    }
}

@Suite struct RightGraphTests {
    private func text(_ nodes: String, variables: String = "") -> String {
        "{ \"foxfire\": 1, \"variables\": {\(variables)}, \"nodes\": {\n\(nodes)\n} }"
    }

    // MARK: Paths

    @Test func `a file in the graph is relative to its folder, one from the command line is not`()
        throws
    {
        let folder = try TemporaryFolder()
        let file = try folder.write("tone.bin")
        let graph = text(
            #"""
            "a": { "kind": "test.file", "path": "tone.bin" },
            "b": { "kind": "test.file", "path": "$in" },
            "c": { "kind": "test.file", "path": "$dir/tone.bin" },
            "z": { "kind": "test.sink", "from": ["a", "b", "c"], "path": "$out" }
            """#,
            variables: #"""
                "in": { "type": "file", "default": "tone.bin" },
                "dir": { "type": "string", "default": "." },
                "out": { "type": "output", "default": "out.bin" }
                """#
        )
        let name = "\(folder.path)/g.json"
        let plan = try #require(check(graph, file: name).plan)
        #expect(plan.inputFiles.map(\.path) == [file, file, "\(folder.path)/./tone.bin"])
        #expect(plan.outputs.map(\.path.path) == ["out.bin"])
        #expect(plan.outputs.map(\.node) == ["z"])

        let given = check(graph, file: name, ["in": "nope.bin", "dir": "nowhere", "out": "-"])
        #expect(
            given.problems.map(\.description) == [
                #"\#(name):5:37: node "b": nope.bin: there is no such file or folder (open)"#,
                #"\#(name):6:37: node "c": nowhere/tone.bin: there is no such file or folder (open)"#,
            ]
        )
        #expect(given.isOnlyFiles)
        let absolute = check(graph, file: name, ["in": file, "dir": folder.path])
        #expect(absolute.plan?.inputFiles.map(\.path) == [file, file, file])
    }

    @Test func `an output that is an input under any name is refused`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("tone.bin")
        let link = "\(folder.path)/link.bin"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let hard = "\(folder.path)/hard.bin"
        try FileManager.default.linkItem(atPath: file, toPath: hard)
        for output in [
            file, link, hard,
            "\(folder.path)/../\(folder.path.split(separator: "/").last ?? "")/tone.bin",
        ] {
            let outcome = check(
                text(
                    #"""
                    "a": { "kind": "test.file", "path": "\#(file)" },
                    "z": { "kind": "test.sink", "from": "a", "path": "\#(output)" }
                    """#
                )
            )
            #expect(
                outcome.problems.map(\.text)
                    == ["the output \"\(output)\" is also the input of node \"a\""]
            )
            #expect(outcome.problems.map(\.code) == [.output])
        }
        let numbered = try folder.write("f-0007.bin")
        let outcome = check(
            text(
                #"""
                "a": { "kind": "test.file", "path": "\#(numbered)" },
                "z": { "kind": "test.sink", "from": "a", "path": "\#(folder.path)/f-%04d.bin" },
                "y": { "kind": "test.sink", "from": "a", "path": "\#(folder.path)/f-%05d.bin" }
                """#
            )
        )
        #expect(outcome.problems.map(\.node) == ["z"])
    }

    @Test func `an output's folder must be there`() {
        let outcome = check(
            text(
                #"""
                "a": { "kind": "test.source" },
                "y": { "kind": "test.sink", "from": "a", "path": "/dev/null" },
                "z": { "kind": "test.sink", "from": "a", "path": "/no/where/out.bin" }
                """#
            )
        )
        #expect(
            outcome.problems.map(\.description) == [
                #"g.json:4:50: node "z": the output cannot be written: /no/where: "#
                    + "there is no such file or folder (stat) (make the folder first)"
            ]
        )
        #expect(outcome.isOnlyFiles)
    }

    // MARK: Formats

    @Test func `standard input is looked into only for a run, and its format may stay unknown`()
        throws
    {
        let graph = text(
            #"""
            "a": { "kind": "test.file", "path": "-" },
            "b": { "kind": "test.mix", "from": { "first": "a", "second": "a" } },
            "z": { "kind": "test.sink", "from": "b", "path": "o" }
            """#
        )
        let checked = try #require(check(graph).plan)
        #expect(checked.nodes.map(\.name) == ["a", "b", "z"])
        #expect(checked.nodes[1].formats.inputs.allSatisfy { $0 == nil })
        #expect(GraphCheck.describe(checked).contains("not known before it runs"))
        let run = try #require(
            check(graph, options: GraphCheck.Options(mayReadStandardInput: true)).plan
        )
        #expect(run.nodes.map(\.name) == ["a", "a>b.first", "b", "z"])
        #expect("\(try #require(run.nodes[1].formats.outputs[0]?.format))" == "pitch 440")
    }

    @Test func `readers that want one format share its conversion, others get their own`() throws {
        let plan = try #require(
            check(
                text(
                    #"""
                    "s": { "kind": "test.source", "pitch": 880 },
                    "a": { "kind": "test.mix", "from": { "first": "s.tone", "second": "s" } },
                    "b": { "kind": "test.mix", "from": { "first": "s", "second": "s" }, "pitch": 880 },
                    "c": { "kind": "test.mix", "from": { "first": "s", "second": "s" }, "pitch": 220 },
                    "z": { "kind": "test.sink", "from": ["a", "b", "c"], "path": "o" }
                    """#
                )
            ).plan
        )
        #expect(
            plan.nodes.map(\.name)
                == ["s", "s.tone>a.first", "a", "b", "s.tone>c.first", "c", "z"]
        )
        #expect(plan.nodes.filter(\.isInserted).map(\.kind) == ["test.shift", "test.shift"])
        // Writers come before readers.
        #expect(plan.edges.allSatisfy { $0.fromNode < $0.toNode })
        // Every slot of every node has one edge.
        let slots = plan.nodes.enumerated().flatMap { index, node in
            node.schema.slots.indices.map { [index, $0] }
        }
        #expect(Set(plan.edges.map { [$0.toNode, $0.toSlot] }) == Set(slots))
        #expect(plan.edges.count == slots.count)
    }

    @Test func `sources without an input's name go where their payload fits`() throws {
        let plan = try #require(
            check(
                text(
                    #"""
                    "s": { "kind": "test.source" },
                    "z": { "kind": "test.sink", "path": "o",
                           "from": ["s.light", "s.tone", { "output": "s.tone", "capacity": 3 }] }
                    """#
                )
            ).plan
        )
        let ports = plan.edges.map { edge in
            let reader = plan.nodes[edge.toNode].schema
            return "\(reader.inputs[reader.slots[edge.toSlot]].name) \(edge.capacity ?? 0)"
        }
        #expect(ports == ["tones 0", "tones 3", "light 0"])
    }

    @Test func `nodes may stand in any order, and the plan is in the file's where it can be`()
        throws
    {
        let plan = try #require(
            check(
                text(
                    #"""
                    "z": { "kind": "test.sink", "from": ["c", "d"], "path": "o" },
                    "b": { "kind": "test.pass", "from": "a" }, "c": { "kind": "test.pass", "from": "b" },
                    "a": { "kind": "test.source" }, "d": { "kind": "test.pass", "from": "a" }
                    """#
                )
            ).plan
        )
        #expect(plan.nodes.map(\.name) == ["a", "b", "c", "d", "z"])
    }

    // MARK: Warnings

    @Test func `what is idle or unused is a warning`() throws {
        let outcome = check(
            text(
                #"""
                "a": { "kind": "test.source" }, "b": { "kind": "test.pass", "from": "a" },
                "z": { "kind": "test.sink", "from": "a", "path": "o" }
                """#,
                variables: #""x": { "type": "string", "default": "" }"#
            )
        )
        #expect(outcome.plan != nil)
        #expect(
            outcome.warnings.map(\.description) == [
                #"g.json:1:31: variable "x" is never used (write $x where its value should stand)"#,
                #"g.json:2:38: node "b": has no effect: nothing reads what it makes (name it in another node's "from", or take it out)"#,
            ]
        )
        #expect(outcome.plan?.warnings == outcome.warnings)
    }

    // MARK: Variables

    @Test(
        "values become what parameters read",
        arguments: [
            ("integer", "440", "440"), ("integer", "4.4e2", "440"), ("number", "440.0", "440.0"),
            ("rate", "440", "440"), ("string", "440", nil), ("enum", "440", nil),
            ("time", "440", "440"),
        ]
    )
    func typed(type: String, value: String, expected: String?) throws {
        let values = type == "enum" ? #", "values": ["440"]"# : ""
        let outcome = check(
            text(
                #"""
                "a": { "kind": "test.source", "pitch": "$p" },
                "z": { "kind": "test.sink", "from": "a", "path": "o" }
                """#,
                variables: "\"p\": { \"type\": \"\(type)\"\(values) }"
            ),
            ["p": value]
        )
        #expect((outcome.plan != nil) == (expected != nil))
        if let plan = outcome.plan {
            #expect("\(try #require(plan.nodes[0].formats.outputs[0]?.format))" == "pitch 440")
        }
    }

    @Test func `dollars in text are inserted, and two are one`() throws {
        let plan = try #require(
            check(
                text(
                    #"""
                    "a": { "kind": "test.source" },
                    "z": { "kind": "test.sink", "from": "a", "path": "x-${n}_$s$$$b.bin", "title": "$l" }
                    """#,
                    variables: #"""
                        "n": { "type": "number", "default": 1.50 }, "s": { "type": "size", "default": "10×20" },
                        "b": { "type": "boolean", "default": true },
                        "l": { "type": "preset", "default": 3 }
                        """#
                )
            ).plan
        )
        #expect(plan.outputs[0].path.path == "x-1.50_10x20$true.bin")
    }

    // MARK: Provenance

    private func hash(
        _ nodes: String,
        variables: String = "",
        _ values: [String: String] = [:]
    ) throws -> [String: String] {
        let options = GraphCheck.Options(version: "1.2") { bytes in
            var sum: UInt64 = 14_695_981_039_346_656_037
            for index in bytes.indices { sum = (sum ^ UInt64(bytes[index])) &* 1_099_511_628_211 }
            return String(sum, radix: 16)
        }
        let plan = try #require(
            check(text(nodes, variables: variables), values, options: options).plan
        )
        return Dictionary(uniqueKeysWithValues: plan.provenance.map { ($0.key, $0.value) })
    }

    @Test func `a graph's hash knows what changes the outputs, and no paths`() throws {
        let variables = #"""
            "seed": { "type": "integer", "default": 1 }, "preset": { "type": "preset", "default": "a" },
            "out": { "type": "output", "default": "o" }
            """#
        func nodes(_ path: String, pitch: String = "440", from: String = "\"s\"") -> String {
            #"""
            "s": { "kind": "test.source", "pitch": \#(pitch) },
            "z": { "kind": "test.sink", "title": "$seed $preset", "from": \#(from), "path": "\#(path)" }
            """#
        }
        let base = try hash(nodes("$out"), variables: variables)
        #expect(base["foxfire"] == "1.2")
        #expect(base["seed"] == "1")
        #expect(base["preset"] == "a")
        for same in [
            try hash(nodes("$out"), variables: variables, ["out": "other"]),
            try hash(nodes("third$$$out"), variables: variables),
            try hash(
                nodes("$out", from: #"[{ "output": "s.tone", "capacity": 3 }]"#),
                variables: variables
            ),
            try hash(nodes("$out", pitch: "4.4e2"), variables: variables),
        ] {
            #expect(same["graph"] == base["graph"])
        }
        for other in [
            try hash(nodes("$out", pitch: "441"), variables: variables),
            try hash(nodes("$out"), variables: variables, ["seed": "2"]),
            try hash(nodes("$out", from: #"["s", "s"]"#), variables: variables),
        ] {
            #expect(other["graph"] != base["graph"])
        }
        let filed = try hash(nodes("$out"), variables: variables, ["preset": "/home/x/slime.json"])
        #expect(filed["preset"] == "slime.json")
    }
}
