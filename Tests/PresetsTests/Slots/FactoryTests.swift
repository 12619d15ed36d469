import Graph
import Physarum
import TestSupport
import Testing

@testable import Presets

@Suite struct FactoryTests {
    private func read(_ text: String) -> FactoryPresets.Reading {
        FactoryPresets.read(Array(text.utf8), file: "f.json")
    }

    private let good = #"{"name": "A", "params": {}}"#

    @Test func `the installed factory is sound, and holds what is built in`() throws {
        let reading = FactoryPresets.installed()
        #expect(reading.problems.isEmpty, "\(reading.problems)")
        #expect(reading.factory.version >= 1)
        for built in Preset.builtIn {
            let preset = reading.factory.presets.first { $0.name == built.name }?.preset
            #expect(preset == built)
        }
        let names = reading.factory.presets.map(\.name)
        #expect(Set(names).count == names.count, "names tell presets apart")
    }

    @Test func `presets stand in slot order`() {
        let presets =
            "{\"name\": \"A\", \"params\": {}}, {\"id\": \"slot-01\", \"name\": \"B\", \"params\": {}}"
        let reading = read(
            "{\"version\": 3, \"pinnedSlotIDs\": [\"slot-01\"], \"presets\": [\(presets)]}"
        )
        #expect(reading.problems.isEmpty)
        #expect(reading.factory.version == 3)
        #expect(reading.factory.pinned == [slot(1)])
        #expect(reading.factory.presets.map(\.id) == ["slot-00", "slot-01"])
    }

    @Test(
        arguments: [
            ("", "nothing in the file"), ("{\"presets\": []}", "\"version\" is missing"),
            ("{\"version\": 1}", "\"presets\" is missing"),
            ("{\"version\": 0, \"presets\": []}", "from 1 to"),
            ("{\"version\": 1, \"presets\": [3]}", "must be an object"),
            (
                "{\"version\": 1, \"presets\": [], \"pinnedSlotIDs\": [\"slot-24\"]}",
                "not \"slot-24\""
            ),
            (
                "{\"version\": 1, \"presets\": [], \"pinnedSlotIDs\": [\"slot-7\"]}",
                "not \"slot-7\""
            ),
            (
                "{\"version\": 1, \"presets\": [{\"id\": \"slot-01\", \"name\": \"A\", \"params\": {}}]}",
                "must be \"slot-00\""
            ),
        ]
    )
    func `a broken factory is version 0 and told`(text: String, words: String) {
        let reading = read(text)
        #expect(reading.factory == .none)
        #expect(reading.problems.contains { "\($0)".contains(words) }, "\(reading.problems)")
        #expect(reading.problems.allSatisfy { $0.file == "f.json" })
    }

    @Test func `more than 24 presets are too many`() {
        func text(_ count: Int) -> String {
            let presets = Array(repeating: good, count: count).joined(separator: ",")
            return "{\"version\": 1, \"presets\": [\(presets)]}"
        }
        #expect(read(text(24)).factory.presets.count == 24)
        #expect(read(text(25)).factory == .none)
        #expect(read(text(25)).problems.count == 1)
    }

    @Test func `a missing factory is version 0 and told`() throws {
        let folder = try TemporaryFolder()
        let reading = FactoryPresets.read(folder.file("factory.json"))
        #expect(reading.factory == .none)
        #expect(reading.problems.map(\.code) == [.file])
    }
}
