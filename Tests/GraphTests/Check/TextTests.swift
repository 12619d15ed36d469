import Graph
import Testing

/// What is printed and written of nodes and of plans.
@Suite struct TextTests {
    private func plan() throws -> GraphPlan {
        try #require(
            check(
                #"""
                { "foxfire": 1, "description": "Two \"tones\".", "nodes": {
                "high": { "kind": "test.source", "pitch": 880 },
                "both": { "kind": "test.mix", "from": {
                    "first": { "output": "high.tone", "capacity": 8 }, "second": "high" } },
                "file": { "kind": "test.sink", "from": "both", "path": "out.bin" }
                } }
                """#
            ).plan
        )
    }

    @Test func `a plan is described stream by stream`() throws {
        #expect(
            GraphCheck.describe(try plan(), capacity: 16, edgeBytes: 64) == """
                Two "tones".

                high                  test.source
                  .tone               Tone   pitch 880, 240 packets/s, 0:10.000 long, 8 bytes a packet
                    → high.tone>both.first (up to 8 packets, 64 bytes)
                  .light              Light  not read
                high.tone>both.first  test.shift (inserted)
                  .out                Tone   pitch 440, 240 packets/s, 8 bytes a packet
                    → both.first (up to 8 packets, 64 bytes)
                    → both.second (up to 8 packets, 64 bytes)
                both                  test.mix
                  .out                Tone   pitch 440, 240 packets/s
                    → file (up to 16 packets)
                file                  test.sink
                  writes out.bin

                4 edges, at most 256 bytes together (1 with packets of unknown size)

                """
        )
    }

    @Test func `a plan is drawn with its formats, inserted conversions dashed`() throws {
        #expect(
            DOT.text(try plan()) == #"""
                digraph foxfire {
                  rankdir=LR
                  node [shape=box style=rounded fontname="Helvetica" fontsize=11 margin="0.15,0.08"]
                  edge [fontname="Helvetica" fontsize=9 arrowsize=0.7 color="#555555"]
                  label="Two \"tones\"." labelloc=t fontname="Helvetica" fontsize=13
                  n0 [label="high\ntest.source"]
                  n1 [label="inserted\ntest.shift" style="rounded,dashed"]
                  n2 [label="both\ntest.mix"]
                  n3 [label="file\ntest.sink\nout.bin"]
                  n0 -> n1 [label="Tone\npitch 880" style=dashed]
                  n1 -> n2 [label="Tone\npitch 440" style=dashed]
                  n1 -> n2 [label="Tone\npitch 440" style=dashed]
                  n2 -> n3 [label="Tone\npitch 440"]
                }

                """#
        )
    }

    @Test func `a node's text is one screen with all that it declares`() throws {
        #expect(
            try NodeText.page("test.sink", testCatalogue) == """
                test.sink: Writes tones.

                Inputs
                  tones  Tones. (Tone, one or more, in order)
                  light  Lights. (Light, optional, in order, a new format starts again)

                Parameters
                  path             The file. (output, must be given)
                  title            A title. (string)
                  start            Where it starts. (time)
                  routes           Ways. (list)
                  routes[].target  Where to. (string, must be given)
                  routes[].depth   How much. (number from 0 to 4, default 1)

                Example
                  {
                    "foxfire": 1,
                    "nodes": {
                      "source": {"kind": "test.source"},
                      "sink": {"kind": "test.sink", "from": "source", "path": "output"}
                    }
                  }

                """
        )
        #expect(
            throws: Problem(
                .unknownKind,
                #"there is no kind of node "test.sinc""#,
                hint: #"did you mean "test.sink"?"#
            )
        ) { try NodeText.page("test.sinc", testCatalogue) }
        #expect(NodeText.list(testCatalogue).contains("test.mix     Mixes two tones.\n"))
    }

    @Test func `a node's page has a table for each of its parts`() throws {
        let pages = NodePages.all(testCatalogue)
        #expect(
            pages.map(\.fileName) == ["README.md"] + testCatalogue.map { "\($0.kind).md" }.sorted()
        )
        let page = try #require(pages.first { $0.fileName == "test.mix.md" }).text
        #expect(
            page == """
                # test.mix

                Mixes two tones.

                Exact.

                Execution: serial (one packet after another).

                ## Inputs

                | input | payload | read | when the format changes | meaning |
                | --- | --- | --- | --- | --- |
                | `first` | Tone | together | starts again | One. |
                | `second` | Tone | together | starts again | The other. |

                ## Outputs

                | output | payload | format | meaning |
                | --- | --- | --- | --- |
                | `out` | Tone | as input `first` | Both. |

                ## Parameters

                | parameter | type | range | default | meaning |
                | --- | --- | --- | --- | --- |
                | `pitch` | integer | from 1 to 20000 Hz | `440` | What it mixes at. |

                ## Example

                The smallest graph that holds it:

                ```json
                {
                  "foxfire": 1,
                  "nodes": {
                    "source": {"kind": "test.source"},
                    "mix": {"kind": "test.mix", "from": {"first": "source", "second": "source"}}
                  }
                }
                ```

                """
        )
    }

    @Test func `the schema has every kind with its parameters`() throws {
        let schema = JSON(JSONSchema.graph(testCatalogue))
        let definitions = try #require(schema["$defs"])
        for entry in testCatalogue {
            let definition = try #require(definitions[entry.kind])
            let properties = try #require(definition["properties"])
            for parameter in NodeDescription(entry).parameters {
                #expect(properties[parameter.name] != nil)
            }
        }
        let window = try #require(
            definitions["test.pass"]?["properties"]?["window"]
        ).value
        #expect(
            JSON.compact(window)
                == #"{"description": "How many at once. (in samples)", "anyOf": [{"type": "integer", "#
                + ##""minimum": 1, "maximum": 4096}, {"$ref": "#/$defs/reference"}], "default": 64}"##
        )
        // What is written is JSON that our own reader takes.
        for value in [schema.value, JSONSchema.nodes, NodeText.json(testCatalogue)] {
            #expect(JSONReader.read(Array(JSON.pretty(value).utf8)).problems == [])
        }
    }

    @Test func `JSON is written with the keys in order and numbers as they are`() {
        let value: JSON.Value = [
            "foxfire": 1, "text": "a\"b\\\n\u{1B}\u{85}é", "list": [1, true, .null, .real(0.5)],
            "empty": [:], "none": [], "deep": [["x": .integer(UInt64.max)]],
            "record": .record(["a": nil, "b": 2]), "infinite": .real(.infinity),
        ]
        #expect(
            JSON.pretty(value) == #"""
                {
                  "foxfire": 1,
                  "text": "a\"b\\\n\u001b\u0085é",
                  "list": [1, true, null, 0.5],
                  "empty": {},
                  "none": [],
                  "deep": [
                    {
                      "x": 18446744073709551615
                    }
                  ],
                  "record": {
                    "b": 2
                  },
                  "infinite": null
                }

                """#
        )
    }
}
