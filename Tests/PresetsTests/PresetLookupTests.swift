import Foundation
import Graph
import Physarum
import TestSupport
import Testing

@testable import Presets

@Suite struct PresetLookupTests {
    private func lookup(_ store: (any PresetStore)?, _ factory: FactoryPresets = .none)
        -> PresetLookup
    {
        PresetLookup(factory: { FactoryPresets.Reading(factory) }, store: { store })
    }

    private func store(_ edit: (inout PresetSlots) throws -> Void) rethrows -> MemoryStore {
        let store = MemoryStore()
        _ = try store.update(edit)
        return store
    }

    @Test func `built-in presets win, then the factory's, then the lowest slot`() {
        let store = store { slots in
            slots.overwrite(slot(9), with: preset("Mine", speed: 1))
            slots.overwrite(slot(4), with: preset("Mine", speed: 2))
            slots.overwrite(slot(5), with: preset("F1", speed: 3))
            slots.overwrite(slot(6), with: preset("Foxfire", speed: 4))
        }
        let lookup = lookup(store, factory(7, count: 2))
        func speed(_ name: String) -> Double? {
            lookup.find(PresetName(name)).preset?.preset.parameters[base: .moveSpeed]
        }
        #expect(speed("Foxfire") == Preset.foxfire.parameters[base: .moveSpeed])
        #expect(speed("F1") == 7)
        #expect(speed("Mine") == 2)
        #expect(speed("slot-09") == 1)
        #expect(speed("9") == 1)
        #expect(speed("06") == 4)
        #expect(speed("mine") == nil)
    }

    @Test func `a store that was never seeded looks as if it were, and is not written`() {
        let store = MemoryStore()
        let lookup = lookup(store, factory(1, count: 3))
        #expect(lookup.find(PresetName("slot-02")).preset?.name == "F2")
        #expect(store.read().slots == PresetSlots())
    }

    @Test func `an empty slot, a slot of no store, and one that cannot be read are told`() throws {
        #expect(lookup(MemoryStore()).find(PresetName("3")).problems.map(\.code) == [.file])
        #expect(lookup(nil).find(PresetName("3")).problems.map(\.code) == [.file])
        let folder = try TemporaryFolder()
        try folder.write("junk", to: "slot-03.json")
        let found = lookup(FolderStore(path: folder.path)).find(PresetName("3"))
        #expect(found.problems.map(\.code) == [.file, .file])
        #expect(found.problems.first?.text.contains("cannot be read") == true)
    }

    @Test func `the rotation is the store's, seeded or not`() throws {
        let store = MemoryStore()
        #expect(lookup(store).rotation().problems.map(\.code) == [.file])
        #expect(lookup(nil).rotation().problems.map(\.code) == [.file])
        let seeded = lookup(store, factory(1, count: 3)).rotation()
        #expect(seeded.presets.map(\.name) == ["F0", "F1", "F2"])
        _ = try store.update { slots in
            slots.overwrite(slot(9), with: preset("Mine"))
            try slots.pin(slot(9))
        }
        #expect(lookup(store).rotation().presets.map(\.name) == ["Mine"])
    }

    @Test func `a name that is nearly one is suggested`() {
        let store = store { $0.overwrite(slot(4), with: preset("Slow rivers")) }
        let problems = lookup(store).find(PresetName("Slow river")).problems
        #expect(problems.map(\.hint) == ["did you mean \"Slow rivers\"?"])
    }

    @Test func `files of one preset are read, whatever their sort`() throws {
        let folder = try TemporaryFolder()
        let shared = FolderStore(path: folder.file("s"))
        _ = try shared.update { $0.overwrite(slot(3), with: preset("A")) }
        try folder.write(preset("A").text, to: "a.json")
        for path in ["s/slot-03.json", "a.json"] {
            let found = lookup(nil).find(PresetName(folder.file(path)))
            #expect(found.preset == preset("A"), "\(found.problems)")
        }
        try folder.write("[\(preset("A").text), \(preset("B").text)]", to: "two.json")
        let two = lookup(nil).find(PresetName(folder.file("two.json")))
        #expect(two.problems.first?.text.contains("holds 2 presets") == true)
        #expect(lookup(nil).find(PresetName("nix/a")).problems.map(\.code) == [.file])
    }
}
