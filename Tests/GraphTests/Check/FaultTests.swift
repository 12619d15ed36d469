import Foundation
import Graph
import Testing

/// A graph file and the whole report of what is wrong with it.
struct FaultyGraph: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let values: [String: String]
    let report: String
    var testDescription: String { name }

    init(_ name: String, given values: [String: String] = [:], _ text: String, _ report: String) {
        self.name = name
        self.values = values
        self.text = text
        self.report = report
    }

    /// Nodes with the rest of a graph around them, on lines 2 and on.
    static func nodes(_ name: String, _ nodes: String, _ report: String) -> FaultyGraph {
        FaultyGraph(name, "{ \"foxfire\": 1, \"nodes\": {\n\(nodes)\n} }", report)
    }

    /// Variables, and a sink that names them, on lines 2 and on.
    static func variables(
        _ name: String,
        given values: [String: String] = [:],
        _ variables: String,
        _ sink: String,
        _ report: String
    ) -> FaultyGraph {
        FaultyGraph(
            name,
            given: values,
            """
            { "foxfire": 1, "variables": {
            \(variables)
            }, "nodes": { "a": { "kind": "test.source" },
            "z": { "kind": "test.sink", "from": "a", "path": "o", \(sink) }
            } }
            """,
            report
        )
    }
}

@Suite struct FaultTests {
    @Test(
        "every fault is told in one run, where it stands",
        arguments: files + nodes + connections + variables
    )
    func report(graph: FaultyGraph) {
        let outcome = check(graph.text, graph.values)
        #expect(outcome.plan == nil)
        #expect(outcome.problems.map(\.description).joined(separator: "\n") == graph.report)
        #expect(!outcome.isOnlyFiles)
    }

    private static let files: [FaultyGraph] = [
        FaultyGraph(
            "eight faults",
            """
            {
              "foxfire": 1,
              "variables": { "rate": { "type": "rate", "default": 60 } },
              "nodes": {
                "a": { "kind": "test.sauce" },
                "b": { "kind": "test.source", "rate": "$rat", "pitch": 50000 },
                "c": { "kind": "test.pass", "from": "b.light" },
                "d": { "kind": "test.mix", "from": { "first": "b.tone" } },
                "e": { "kind": "test.pass", "from": "f" },
                "f": { "kind": "test.pass", "from": "e" },
                "g": { "kind": "test.sink", "from": ["d"], "path": "x", "path": "y" },
              }
            } and more
            """,
            """
            g.json:5:20: node "a": unknown kind "test.sauce" (did you mean "test.source"?)
            g.json:6:44: node "b": unknown variable "rat" (did you mean "rate"?)
            g.json:6:60: node "b": "pitch" must be a whole number from 1 to 20000, not 50000 (the default is 440)
            g.json:7:41: node "c": input "tone" takes Tone, but "b.light" makes Light
            g.json:8:10: node "d": input "second" is not connected (name where it comes from in "from")
            g.json:9:41: node "e": nodes feed each other in a circle: e → f → e (a graph leads from sources to ends)
            g.json:11:61: the key "path" is there already, at 11:48
            g.json:13:3: there is more after the end: "and" (a file holds one value)
            """
        ),
        FaultyGraph(
            "no object",
            "[1]",
            """
            g.json:1:1: a graph file holds an object, not an array (as in {"foxfire": 1, "nodes": {}})
            """
        ),
        FaultyGraph(
            "nothing",
            "{}",
            """
            g.json:1:1: "foxfire": 1 is missing (it says that this is a graph file, and of which version)
            g.json:1:1: "nodes" is missing (a graph has at least one node)
            """
        ),
        FaultyGraph(
            "newer",
            #"{"foxfire": 2, "knots": {}}"#,
            """
            g.json:1:13: this is a graph file of version 2; this Foxfire reads version 1 (a newer Foxfire reads it)
            """
        ),
        FaultyGraph(
            "older",
            #"{"foxfire": 0, "nodes": {"a": {"kind": "test.source"}}}"#,
            """
            g.json:1:13: this is a graph file of version 0; this Foxfire reads version 1
            """
        ),
        FaultyGraph(
            "no number",
            #"{"foxfire": "1", "nodes": {"a": {"kind": "test.source"}}}"#,
            """
            g.json:1:13: "foxfire" must be 1, not "1"
            """
        ),
        FaultyGraph(
            "unknown keys",
            #"{"foxfire": 1, "node": {}, "x": 1, "description": 2, "nodes": []}"#,
            """
            g.json:1:16: unknown key "node" (did you mean "nodes"?)
            g.json:1:28: unknown key "x" (a graph has foxfire, description, variables and nodes)
            g.json:1:51: "description" must be a string, not a number
            g.json:1:63: "nodes" must be an object, not an array
            """
        ),
        FaultyGraph(
            "no nodes",
            #"{"foxfire": 1, "variables": [], "nodes": {}}"#,
            """
            g.json:1:29: "variables" must be an object, not an array
            g.json:1:42: there are no nodes (foxfire nodes lists them)
            """
        ),
        FaultyGraph(
            "a cut key",
            "{\"foxfire\": 1, \"nodes\": {\n\"a\": {\"kind: 1,\n\"pitch\": 2},\n\"b\": {\"kind\": \"test.pass\", \"from\": \"a\", \"x\": 1}}}",
            """
            g.json:2:7: the string that starts here has no end on its line (a " is missing; a line break is written \\n)
            g.json:4:41: node "b": unknown parameter "x" (known are window)
            """
        ),
    ]

    private static let nodes: [FaultyGraph] = [
        .nodes(
            "names and kinds",
            """
            "9a": { "kind": "test.source" }, "b": 1, "c": {}, "d": { "kind": 1 }, "e": { "kind": "nothing" },
            "f": { "kind": "test.fille" }
            """,
            """
            g.json:2:1: "9a" cannot be a node's name (names are a letter, then letters, digits, _ and -)
            g.json:2:39: node "b": must be an object, not a number (as in {"kind": "test.null"})
            g.json:2:47: node "c": "kind" is missing (it says what the node does; foxfire nodes lists all)
            g.json:2:66: node "d": "kind" must be a string, not a number
            g.json:2:86: node "e": unknown kind "nothing" (foxfire nodes lists all)
            g.json:3:16: node "f": unknown kind "test.fille" (did you mean "test.file"?)
            """
        ),
        .nodes(
            "parameters",
            """
            "a": { "kind": "test.source", "pitch": "high", "rate": 0, "pich": 1, "x": 1 },
            "b": { "kind": "test.pass", "from": "a", "window": 63 },
            "c": { "kind": "test.pass", "from": "a", "window": 0 },
            "d": { "kind": "test.shift", "from": "a.tone" },
            "e": { "kind": "test.sink", "from": "a", "path": "", "start": "soon", "routes": [{}, 1, { "target": "x", "depth": 5, "deep": 1 }] },
            "f": { "kind": "test.sink", "from": "a", "path": "%d-%d.png", "routes": {} }
            """,
            """
            g.json:2:40: node "a": "pitch" must be a whole number from 1 to 20000, not "high" (the default is 440)
            g.json:2:56: node "a": "rate" must be a rate, as in 60 or "30000/1001", from 1 to 1000, not 0 (the default is 240)
            g.json:2:59: node "a": unknown parameter "pich" (did you mean "pitch"?)
            g.json:2:70: node "a": unknown parameter "x" (known are pitch, rate)
            g.json:3:52: node "b": "window" must be a power of two
            g.json:4:52: node "c": "window" must be a whole number from 1 to 4096, not 0 (the default is 64)
            g.json:5:6: node "d": "pitch" is missing; it must be a whole number from 1 to 20000
            g.json:6:50: node "e": "path" must be a path, not ""
            g.json:6:63: node "e": "start" must be a time, as in 1.5, "90s", "1:30.5", "250ms" or "12000 samples", not "soon"
            g.json:6:82: node "e": "target" is missing; it must be a string
            g.json:6:86: node "e": "routes" must hold objects, not a number
            g.json:6:115: node "e": "depth" must be a number from 0 to 4, not 5 (the default is 1)
            g.json:6:118: node "e": unknown parameter "deep" (known are target, depth)
            g.json:7:50: node "f": "path" must hold exactly one number, as in "frame-%06d.png"
            g.json:7:73: node "f": "routes" must be an array of objects, not an object
            """
        ),
    ]

    private static let connections: [FaultyGraph] = [
        .nodes(
            "forms of from",
            """
            "a": { "kind": "test.source", "from": "b" },
            "b": { "kind": "test.pass", "from": 1 },
            "c": { "kind": "test.pass", "from": ["a", "a"] },
            "d": { "kind": "test.pass", "from": [] },
            "e": { "kind": "test.pass", "from": { "tones": "a" } },
            "f": { "kind": "test.mix", "from": { "first": { "output": "a", "capacity": 0, "x": 1 }, "second": { "output": 1 } } },
            "g": { "kind": "test.mix", "from": "a" },
            "h": { "kind": "test.mix", "from": { "first": null } }
            """,
            """
            g.json:2:39: node "a": takes no input (a test.source makes its own; leave "from" out)
            g.json:3:37: node "b": a source is a string, not a number (as in "node", "node.port" or {"output": "node.port", "capacity": 8})
            g.json:4:37: node "c": input "tone" takes one source, not 2
            g.json:5:37: node "d": an array of sources needs at least one
            g.json:6:39: node "e": has no input "tones" (did you mean "tone"?)
            g.json:7:76: node "f": "capacity" must be a whole number from 1 to 1000000, not 0
            g.json:7:79: node "f": unknown key "x" of a source (a source has output and capacity)
            g.json:7:111: node "f": "output" must be a string, not a number (as in "node" or "node.port")
            g.json:8:36: node "g": it is not clear which input this goes to (name it, as in {"first": …}; inputs are "first", "second")
            g.json:9:6: node "h": input "second" is not connected (name where it comes from in "from")
            g.json:9:47: node "h": a source is a string, not null (as in "node", "node.port" or {"output": "node.port", "capacity": 8})
            """
        ),
        .nodes(
            "what is not there",
            """
            "source": { "kind": "test.source" },
            "a": { "kind": "test.pass", "from": "sorce" },
            "b": { "kind": "test.pass", "from": "source.ton" },
            "c": { "kind": "test.pass", "from": "source.sound" },
            "d": { "kind": "test.pass", "from": "z" },
            "e": { "kind": "test.mix", "from": "nobody" },
            "f": { "kind": "test.pass" },
            "z": { "kind": "test.sink", "from": { "light": "source" }, "path": "o" }
            """,
            """
            g.json:3:37: node "a": there is no node "sorce" (did you mean "source"?)
            g.json:4:37: node "b": node "source" has no output "ton" (did you mean "tone"?)
            g.json:5:37: node "c": node "source" has no output "sound" (outputs of a test.source are tone, light)
            g.json:6:37: node "d": node "z" has no outputs: a test.sink is an end
            g.json:7:36: node "e": there is no node "nobody"
            g.json:8:6: node "f": input "tone" is not connected (name where it comes from in "from")
            g.json:9:6: node "z": input "tones" is not connected (name where it comes from in "from")
            """
        ),
        .nodes(
            "what does not fit",
            """
            "source": { "kind": "test.source" },
            "a": { "kind": "test.pass", "from": "source.light" },
            "b": { "kind": "test.sink", "from": { "tones": "source", "light": "a" }, "path": "o" },
            "c": { "kind": "test.twins" },
            "d": { "kind": "test.pass", "from": "c" }
            """,
            """
            g.json:3:37: node "a": input "tone" takes Tone, but "source.light" makes Light
            g.json:4:67: node "b": input "light" takes Light, but "a.out" makes Tone
            g.json:6:37: node "d": node "c" has 2 outputs that fit input "tone" (write "c.left" or "c.right")
            """
        ),
        .nodes(
            "cycles",
            """
            "s": { "kind": "test.source" },
            "a": { "kind": "test.pass", "from": "a" },
            "c": { "kind": "test.pass", "from": "b" },
            "b": { "kind": "test.mix", "from": { "first": "c", "second": "s" } },
            "d": { "kind": "test.pass", "from": "b" },
            "e": { "kind": "test.mix", "from": { "first": "d", "second": "f" } },
            "f": { "kind": "test.pass", "from": "e", "window": 3 },
            "z": { "kind": "test.sink", "from": ["a", "b", "f"], "path": "o" }
            """,
            """
            g.json:3:37: node "a": nodes feed each other in a circle: a → a (a graph leads from sources to ends)
            g.json:4:37: node "c": nodes feed each other in a circle: c → b → c (a graph leads from sources to ends)
            g.json:7:62: node "e": nodes feed each other in a circle: e → f → e (a graph leads from sources to ends)
            g.json:8:52: node "f": "window" must be a power of two
            """
        ),
        .nodes(
            "rates",
            """
            "a": { "kind": "test.source", "rate": 60 }, "b": { "kind": "test.source", "rate": "30000/1001" },
            "c": { "kind": "test.mix", "from": { "first": "a", "second": "b" } }
            """,
            """
            g.json:3:62: node "c": input "second" has 30000/1001 packets a second, but "first" has 60 (inputs that are read together need one rate)
            """
        ),
        .nodes(
            "a conversion that nothing does",
            """
            "a": { "kind": "test.source" },
            "c": { "kind": "test.mix", "from": { "first": "a", "second": "a" }, "pitch": 15000 }
            """,
            """
            g.json:3:47: node "c": input "first" needs pitch 15000, but gets pitch 440 (test.shift cannot convert this; set the node before to make it)
            """
        ),
        .nodes(
            "a node that cannot do what it is asked for",
            """
            "a": { "kind": "test.refuse", "mode": "plain" }, "b": { "kind": "test.refuse", "mode": "located" }
            """,
            """
            g.json:2:6: node "a": this cannot be done
            g.json:2:88: node "b": this mode does not go (take another)
            """
        ),
        .nodes(
            "outputs",
            """
            "a": { "kind": "test.source" },
            "b": { "kind": "test.sink", "from": "a", "path": "out.bin" },
            "c": { "kind": "test.sink", "from": "a", "path": "./out.bin" },
            "d": { "kind": "test.sink", "from": "a", "path": "-" },
            "e": { "kind": "test.sink", "from": "a", "path": "-" },
            "f": { "kind": "test.sink", "from": "a", "path": "g.json" },
            "g": { "kind": "test.sink", "from": "a", "path": "%d.bin" },
            "h": { "kind": "test.sink", "from": "a", "path": "7.bin" },
            "i": { "kind": "test.file", "path": "-" },
            "j": { "kind": "test.file", "path": "-" }
            """,
            """
            g.json:4:50: node "c": the output "./out.bin" is also written by node "b" (give it another path)
            g.json:6:50: node "e": writes to standard output, as node "d" does already (give it another path)
            g.json:7:50: node "f": the output "g.json" is the graph file (give it another path)
            g.json:9:50: node "h": the output "7.bin" is also written by node "g" (give it another path)
            g.json:11:37: node "j": reads standard input, as node "i" does already (one node can read it; connect others to that one)
            """
        ),
    ]

    private static let variables: [FaultyGraph] = [
        .variables(
            "declarations",
            """
            "1x": { "type": "string", "default": "" }, "b": 1, "c": {}, "d": { "type": "intger" },
            "e": { "type": "integer", "default": "x", "value": 1 }, "f": { "type": "enum" },
            "g": { "type": "string", "values": ["a"], "help": 1, "default": 2 },
            "h": { "type": 3 }, "i": { "type": "size", "default": "0x5" }, "j": { "type": "enum", "values": ["a", "b"], "default": "c" }
            """,
            #""title": "$b$c$d$e$f$g$h$i$j""#,
            """
            g.json:2:1: variable "1x" has a name that cannot be written after a dollar (names are a letter, then letters, digits and _)
            g.json:2:49: variable "b" must be an object, not a number (as in {"type": "string"})
            g.json:2:57: variable "c" has no "type" (types are string, number, integer, boolean, time, rate, size, file, output, preset, enum, list)
            g.json:2:76: variable "d" has an unknown type "intger" (did you mean "integer"?)
            g.json:3:38: variable "e" has a default that must be a whole number, not "x"
            g.json:3:43: variable "e" has an unknown key "value" (did you mean "values"?)
            g.json:3:62: variable "f" needs "values", an array of the words it may be
            g.json:4:36: variable "g" has "values", which only an enum has
            g.json:4:51: variable "g" must have a string as "help"
            g.json:4:65: variable "g" has a default that must be a string, not 2
            g.json:5:16: variable "h" must have a string as "type", not a number (types are string, number, integer, boolean, time, rate, size, file, output, preset, enum, list)
            g.json:5:55: variable "i" has a default that must be a size, as in "1920x1080", not "0x5"
            g.json:5:120: variable "j" has a default that must be one of "a", "b", not "c"
            """
        ),
        .variables(
            "places of unknown variables",
            #""name": { "type": "string", "default": "" }"#,
            #""title": "é\u00e9\ud83e\udd8a🦊\n$nam ${name} ${nome} $$ $ ${name 5$""#,
            """
            g.json:4:87: node "z": unknown variable "nam" (did you mean "name"?)
            g.json:4:100: node "z": unknown variable "nome" (did you mean "name"?)
            g.json:4:111: node "z": a dollar stands here without a variable's name (a dollar itself is written $$)
            g.json:4:113: node "z": a dollar stands here without a variable's name (a dollar itself is written $$)
            g.json:4:121: node "z": a dollar stands here without a variable's name (a dollar itself is written $$)
            """
        ),
        .variables(
            "required",
            #""in": { "type": "time" }, "un": { "type": "integer" }"#,
            #""start": "$in""#,
            """
            g.json:2:1: variable "in" has no default and must be given (as in=VALUE; it must be a time, as in 1.5, "90s", "1:30.5", "250ms" or "12000 samples")
            g.json:2:27: variable "un" has no default and must be given (as un=VALUE; it must be a whole number)
            """
        ),
        .variables(
            "given",
            given: [
                "i": "1.5", "n": "1e", "b": "yes", "t": "soon", "r": "x", "s": "10", "f": "",
                "e": "c", "l": "[1", "nope": "1", "ii": "2",
            ],
            """
            "i": { "type": "integer" }, "n": { "type": "number" }, "b": { "type": "boolean" }, "t": { "type": "time" },
            "r": { "type": "rate" }, "s": { "type": "size" }, "f": { "type": "file" }, "l": { "type": "list" },
            "e": { "type": "enum", "values": ["a", "b"] }
            """,
            #""title": "$i$n$b$t$r$s$f$l$e""#,
            """
            variable "i" must be a whole number, not "1.5" (given on the command line)
            variable "n" must be a number, not "1e" (given on the command line)
            variable "b" must be true or false, not "yes" (given on the command line)
            variable "t" must be a time, as in 1.5, "90s", "1:30.5", "250ms" or "12000 samples", not "soon" (given on the command line)
            variable "r" must be a rate, as in 60 or "30000/1001", not "x" (given on the command line)
            variable "s" must be a size, as in "1920x1080", not "10" (given on the command line)
            variable "f" must be a path, not "" (given on the command line)
            variable "l" must be an array, not "[1" (given on the command line)
            variable "e" must be one of "a", "b", not "c" (given on the command line)
            the graph has no variable "ii", which is given as "2" (did you mean "i"?)
            the graph has no variable "nope", which is given as "1" (it has i, n, b, t, r, s, f, l, e)
            """
        ),
        .variables(
            "values that do not fit",
            given: ["d": "7"],
            #""d": { "type": "number" }, "s": { "type": "integer", "default": 4 }, "l": { "type": "list", "default": [{ "depth": 1 }] }"#,
            #""routes": [{ "target": "x", "depth": "$d" }], "title": "$s", "start": "in $s""#,
            """
            g.json:4:92: node "z": "depth" must be a number from 0 to 4, not 7 (the default is 1; the value of variable "d", from the command line)
            g.json:4:110: node "z": "title" must be a string, not 4 (the value of variable "s")
            g.json:4:125: node "z": "start" must be a time, as in 1.5, "90s", "1:30.5", "250ms" or "12000 samples", not "in 4"
            """
        ),
        .variables(
            "a list from the command line",
            given: ["l": #"[{"target": "a"}, {"depth": 9}]"#],
            #""l": { "type": "list" }"#,
            #""routes": "$l""#,
            """
            g.json:4:65: node "z": "target" is missing; it must be a string (the value of variable "l", from the command line)
            g.json:4:65: node "z": "depth" must be a number from 0 to 4, not 9 (the default is 1; the value of variable "l", from the command line)
            """
        ),
    ]
}
