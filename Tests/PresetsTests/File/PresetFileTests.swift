import Graph
import Physarum
import Testing

@testable import Presets

@Suite struct PresetFileTests {
    private func read(_ text: String) -> PresetFile.Reading {
        PresetFile.read(Array(text.utf8), file: "p.json")
    }

    /// A preset file of a name and these parameters.
    private func text(_ params: String, _ more: String = "") -> String {
        "{\"name\": \"A\", \"params\": {\(params)}\(more)}"
    }

    @Test func `a preset that is written is read back, every parameter of it`() throws {
        var parameters = Parameters()
        for row in ParameterTable.rows {
            let part = 0.123_456_789_012_345_6
            let value = row.range.lowerBound * (1 - part) + row.range.upperBound * part
            parameters[base: row.parameter] = value
        }
        let wiring = AudioReactive(
            isEnabled: false,
            gain: 1.0 / 3,
            hasAutoGain: false,
            routes: Parameter.allCases.map { AudioReactive.Route(.high, $0, depth: -0.1) }
        )
        let species = [
            Species(palette: .ember, attraction: [1, -0.3], factors: [.moveSpeed: 1.0 / 3]),
            Species(share: 0.7, attraction: [0.1, 2]),
        ]
        let file = PresetFile(
            Preset(
                name: "Ünïcödé \"\n\u{7}",
                parameters: parameters,
                palette: .moonlight,
                background: OKLCh(0.25, 1.0 / 7, 300),
                species: species,
                spawn: .ring,
                audioReactive: wiring
            ),
            author: "somebody",
            tags: ["a", "b"],
            tagSignal: .each(["a": .mid, "b": .bass])
        )
        let found = try #require(read(file.text).preset)
        #expect(found == file)
        #expect(found.preset.parameters == parameters)
        #expect(found.preset.audioReactive == wiring)
        #expect(found.preset.species == species)
        #expect(found.preset.background == OKLCh(0.25, 1.0 / 7, 300))
        #expect(found.preset.spawn == .ring)
        #expect(found.text == file.text)
        for row in ParameterTable.rows { #expect(file.text.contains("\"\(row.name)\": ")) }
        #expect(file.text.hasPrefix("{\n  \"foxfire\": 1,\n  \"name\""))
    }

    @Test func `what is not said is the default, a route without mode is level`() throws {
        let route = #""audioReactive": {"routes": [{"source":"mid","target":"hue","depth":1}]}"#
        let preset = try #require(read(text(route)).preset).preset
        #expect(preset.parameters == Parameters())
        #expect(preset.palette == .foxfire)
        let expected = AudioReactive(routes: [AudioReactive.Route(.mid, .hue, depth: 1)])
        #expect(preset.audioReactive == expected)
        #expect(preset.audioReactive?.routes.first?.mode == .level)
        #expect(try #require(read(text("")).preset).preset.audioReactive == nil)
        let bare = try #require(read(text("\"audioReactive\": {}")).preset).preset
        #expect(bare.audioReactive == .standard)
    }

    @Test func `wiring beside the parameters is read too, and written inside`() throws {
        let wiring = #"{"gain": 2.50, "routes": [], "x": 1}"#
        let beside = try #require(read(text("", ", \"audioReactive\": \(wiring)")).preset)
        let inside = try #require(read(text("\"audioReactive\": \(wiring)")).preset)
        #expect(beside == inside)
        #expect(beside.preset.audioReactive?.gain == 2.5)
        #expect(beside.text.contains("\"gain\": 2.50"))
        let twice = text("\"audioReactive\": {\"gain\": 1}", ", \"audioReactive\": {\"gain\": 2}")
        #expect(read(twice).problems.map(\.code) == [.duplicateKey])
        let same = text("\"audioReactive\": {\"gain\": 1}", ", \"audioReactive\": {\"gain\": 1.0}")
        #expect(read(same).problems.isEmpty)
    }

    @Test func `unknown keys are kept at any level, and numbers keep their digits`() throws {
        let source = #"""
            {
              "z": [1.10, {"q": null}],
              "name": "A",
              "author": null,
              "params": {
                "decay": 0.1000,
                "future": {"deep": [true, 1e2]},
                "palette": [{"position": 0.0, "color": "#102030", "note": "night"}],
                "audioReactive": {
                  "gain": 1.0,
                  "routes": [{"source": "bass", "target": "hue", "depth": 0.50, "curve": "s"}],
                  "unheard": 7
                }
              }
            }

            """#
        var file = try #require(read(source).preset)
        #expect(read(file.text).preset == file)
        let json = try #require(JSONReader.read(Array(source.utf8)).value)
        #expect(file.json == json.unplaced.value)
        // An edit changes what it edits and nothing else.
        file.preset.parameters[base: .decay] = 0.25
        file.preset.name = "B"
        file.author = "me"
        file.preset.audioReactive?.routes.append(AudioReactive.Route(.mid, .gamma, depth: 1))
        let text = JSON.compact(file.json)
        for kept in [
            #""z": [1.10, {"q": null}]"#, #""future": {"deep": [true, 1e2]}"#,
            #""note": "night""#, #""gain": 1.0"#, #""curve": "s""#, #""unheard": 7"#,
            #""depth": 0.50"#, #""position": 0.0"#,
        ] {
            #expect(text.contains(kept), "\(kept)")
        }
        #expect(text.contains(#""decay": 0.25"#))
        #expect(text.contains(#""author": "me""#))
        #expect(!text.contains("vignette"))
        let again = try #require(read(file.text).preset)
        #expect(again == file)
        #expect(again.preset.parameters[base: .decay] == 0.25)
        #expect(again.preset.audioReactive?.routes.count == 2)
    }

    @Test func `the id of a slot is no part of a preset's file`() throws {
        var slots = PresetSlots()
        slots.overwrite(slot(7), with: preset("A"))
        let stored = try #require(slots[slot(7)].preset)
        #expect(stored.id == "slot-07")
        #expect(JSON.compact(stored.json).contains("\"id\": \"slot-07\""))
        #expect(!stored.text.contains("slot-07"))
        #expect(read(stored.text).preset == preset("A"))
    }

    @Test(
        arguments: [
            (#"{"params": {}}"#, "1:1", "\"name\" is missing"),
            (#"{"name": "A"}"#, "1:1", "\"params\" is missing"),
            (#"{"name": "", "params": {}}"#, "1:10", "must not be empty"),
            (#"{"name": 3, "params": {}}"#, "1:10", "must be a string, not 3"),
            (#"{"name": "A", "params": {"decay": 2}}"#, "1:35", "from 0.001 to 1, not 2"),
            (#"{"name": "A", "params": {"decay": null}}"#, "1:35", "from 0.001 to 1, not null"),
            (#"{"name": "A", "params": {"palette": "emper"}}"#, "1:37", "did you mean \"ember\"?"),
            (#"{"name": "A", "params": {"palette": []}}"#, "1:37", "from 1 to 256 colours"),
            (#"{"name": "A", "params": {"palette": ["red"]}}"#, "1:38", "as in \"#7fc8a0\""),
            (#"{"name": "A", "tags": ["a", 1], "params": {}}"#, "1:29", "must hold strings"),
            (#"{"name": "A", "tagSignal": "loud", "params": {}}"#, "1:28", "\"bass\", \"mid\""),
            (#"{"foxfire": 2, "name": "A", "params": {}}"#, "1:13", "must be 1, not 2"),
            (#"[]"#, "1:1", "must be an object, not an array"),
            (#"{"name": "A", "name": "B", "params": {}}"#, "1:15", "is there already"),
            (#"{"name": "A", "params": {"decay": .1}}"#, "1:35", "is no value"),
        ] as [(String, String, String)]
    )
    func `a fault is told with its place, what is allowed and what to do`(
        text: String,
        place: String,
        words: String
    ) {
        let reading = read(text)
        #expect(reading.preset == nil)
        #expect(reading.problems.count == 1, "\(reading.problems)")
        let told = reading.problems.first.map { "\($0)" } ?? ""
        #expect(told.hasPrefix("p.json:\(place): "), "\(told)")
        #expect(told.contains(words), "\(told)")
    }

    @Test func `all faults are told at once`() {
        let reading = read(
            #"""
            {"tags": 3,
             "params": {"moveSpeed": 99, "decay": "x", "palette": [{"color": "#123456"}, {"position": 2}],
              "audioReactive": {"gain": -1, "routes": [
                {"source": "bas", "target": "decoy", "depth": 1e9, "mode": "loud"}, 3, {}]}}}
            """#
        )
        #expect(
            reading.problems.map { "\($0.location?.description ?? "") \($0.pointer ?? "")" } == [
                "1:1 ", "1:10 /tags", "2:26 /params/moveSpeed", "2:39 /params/decay",
                "2:56 /params/palette/0", "2:78 /params/palette/1",
                "2:91 /params/palette/1/position",
                "3:29 /params/audioReactive/gain", "4:16 /params/audioReactive/routes/0/source",
                "4:33 /params/audioReactive/routes/0/target",
                "4:51 /params/audioReactive/routes/0/depth",
                "4:64 /params/audioReactive/routes/0/mode", "4:73 /params/audioReactive/routes/1",
                "4:76 /params/audioReactive/routes/2", "4:76 /params/audioReactive/routes/2",
                "4:76 /params/audioReactive/routes/2",
            ]
        )
    }

    @Test func `a name that is nearly a known one is kept, and warned of`() throws {
        let reading = read(text("\"moveSpead\": 3", ", \"tag\": []"))
        let preset = try #require(reading.preset)
        #expect(preset.text.contains("\"moveSpead\": 3"))
        #expect(
            reading.warnings.map(\.hint) == [
                "did you mean \"tags\"?", "did you mean \"moveSpeed\"?",
            ]
        )
        #expect(read(text("\"quux\": 3")).warnings.isEmpty)
    }

    @Test func `one band may be for all tags or for each`() throws {
        func signal(_ json: String) -> PresetFile.TagSignal? {
            read(text("", ", \"tagSignal\": \(json)")).preset?.tagSignal
        }
        #expect(signal("\"mid\"") == .all(.mid))
        #expect(signal("{\"a\": \"high\"}") == .each(["a": .high]))
        #expect(signal("null") == nil)
    }

    @Test func `what is out of range is clamped before it is written`() {
        let wild = Preset(
            name: "W",
            parameters: Parameters([.moveSpeed: 1e9, .decay: -.infinity]),
            palette: Palette(name: "mine", stops: [Palette.Stop(0, OKLCh(0.5, 0.1, 20))]),
            audioReactive: AudioReactive(
                gain: .nan,
                routes: [AudioReactive.Route(.bass, .hue, depth: .infinity)]
            )
        )
        let file = PresetFile(wild)
        #expect(read(file.text).preset == file)
        #expect(file.preset.parameters[base: .moveSpeed] == 8)
        #expect(file.preset.audioReactive?.gain == 0)
        #expect(file.preset.audioReactive?.routes.first?.depth == 100)
    }
}
