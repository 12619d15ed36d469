import Graph
import Physarum
import Testing

@testable import Presets

@Suite struct PresetSlotsTests {
    // MARK: Ids

    @Test func `there are 24 slots, slot-00 to slot-23`() {
        #expect(SlotID.all.count == 24)
        #expect(SlotID.all.first?.description == "slot-00")
        #expect(SlotID.all.last?.description == "slot-23")
        for id in SlotID.all { #expect(SlotID(id.description) == id) }
    }

    @Test(arguments: [
        "slot-24", "slot-7", "slot-007", "Slot-07", "slot-07 ", "slot--1", "07", "slot-٠٧", "",
    ])
    func `ids match exactly`(text: String) { #expect(SlotID(text) == nil) }

    @Test func `people may write a number alone`() {
        #expect(SlotID(written: "7") == slot(7))
        #expect(SlotID(written: "07") == slot(7))
        #expect(SlotID(written: "slot-7") == slot(7))
        #expect(SlotID(written: "24") == nil)
        #expect(SlotID(written: "-7") == nil)
    }

    // MARK: Editing

    @Test func `new slots are empty, nobody's own, and not seeded`() {
        let slots = PresetSlots()
        #expect(slots.filled.isEmpty && slots.owned.isEmpty && slots.pinned.isEmpty)
        #expect(slots.seedVersion == 0)
        #expect(slots.firstEmpty == slot(0))
    }

    @Test func `a preset in a slot has the slot's id, wherever it comes from`() {
        var slots = PresetSlots()
        slots.overwrite(slot(3), with: preset("A"))
        let moved = slots[slot(3)].preset
        slots.overwrite(slot(11), with: moved ?? preset("?"))
        #expect(slots[slot(3)].preset?.id == "slot-03")
        #expect(slots[slot(11)].preset?.id == "slot-11")
        #expect(slots[slot(11)].preset?.name == "A")
    }

    @Test func `fill takes an empty slot, and it is the user's own`() throws {
        var slots = PresetSlots()
        try slots.fill(slot(2), with: preset("A"))
        #expect(slots.summary == "2:A")
        #expect(slots.owned == [2])
        #expect(throws: SlotError.filled(slot(2), "A")) {
            try slots.fill(slot(2), with: preset("B"))
        }
        #expect(slots.summary == "2:A")
    }

    @Test func `overwrite marks a factory slot as the user's own, and keeps its pin`() throws {
        var slots = PresetSlots()
        slots.seed(factory(1, count: 3, pinned: [1]))
        #expect(slots.owned.isEmpty)
        slots.overwrite(slot(1), with: preset("A"))
        #expect(slots.summary == "0:F0 1:A 2:F2")
        #expect(slots.owned == [1])
        #expect(slots.pinned == [slot(1)])
    }

    @Test func `clear empties a slot and drops its pin`() throws {
        var slots = PresetSlots()
        try slots.fill(slot(5), with: preset("A"))
        try slots.pin(slot(5))
        slots.clear(slot(5))
        #expect(slots.filled.isEmpty && slots.pinned.isEmpty)
        #expect(slots.firstEmpty == slot(0))
        try slots.fill(slot(5), with: preset("B"))
        #expect(slots.pinned.isEmpty)
    }

    @Test func `the first empty slot is the lowest; there is none when all are filled`() {
        var slots = PresetSlots()
        for id in SlotID.all where id.index != 4 && id.index != 9 {
            slots.overwrite(id, with: preset("A"))
        }
        #expect(slots.firstEmpty == slot(4))
        slots.overwrite(slot(4), with: preset("A"))
        #expect(slots.firstEmpty == slot(9))
        slots.overwrite(slot(9), with: preset("A"))
        #expect(slots.firstEmpty == nil)
    }

    @Test func `when all are filled, the first factory slot that is not pinned may be replaced`() {
        var slots = PresetSlots()
        slots.seed(factory(1, count: 24, pinned: [0, 2]))
        #expect(slots.firstReplaceable == slot(1))
        slots.overwrite(slot(1), with: preset("A"))
        #expect(slots.firstReplaceable == slot(3))
        for id in SlotID.all { slots.overwrite(id, with: preset("A")) }
        #expect(slots.firstReplaceable == nil)
    }

    @Test func `only a filled slot can be pinned`() throws {
        var slots = PresetSlots()
        #expect(throws: SlotError.empty(slot(1))) { try slots.pin(slot(1)) }
        try slots.fill(slot(1), with: preset("A"))
        try slots.pin(slot(1))
        #expect(slots.pinned == [slot(1)])
        slots.unpin(slot(1))
        #expect(slots.pinned.isEmpty)
        #expect(slots.owned == [1])
    }

    @Test func `the rotation is the pinned slots in slot order, or all filled ones`() throws {
        var slots = PresetSlots()
        #expect(slots.rotation.isEmpty)
        for index in [9, 2, 5] { try slots.fill(slot(index), with: preset("P\(index)")) }
        #expect(slots.rotation.map(\.preset.name) == ["P2", "P5", "P9"])
        try slots.pin(slot(9))
        try slots.pin(slot(2))
        #expect(slots.rotation.map(\.preset.name) == ["P2", "P9"])
        slots.clear(slot(2))
        #expect(slots.rotation.map(\.preset.name) == ["P9"])
        slots.clear(slot(9))
        #expect(slots.rotation.map(\.preset.name) == ["P5"])
    }

    // MARK: Seeding

    @Test func `the first seed fills empty slots and pins what the factory says`() throws {
        var slots = PresetSlots()
        try slots.fill(slot(1), with: preset("Mine"))
        slots.seed(factory(3, count: 4, pinned: [1, 2, 20]))
        #expect(slots.summary == "0:F0 1:Mine 2:F2 3:F3")
        #expect(slots.owned == [1])
        #expect(slots.pinned == [slot(1), slot(2)])
        #expect(slots.seedVersion == 3)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `only newer factory presets are seeded`(version: Int) {
        var slots = PresetSlots()
        slots.seed(factory(2, count: 3))
        let before = slots
        let didSeed = slots.seed(factory(version, count: 5))
        #expect(didSeed == (version == 3))
        #expect((slots == before) == (version < 3))
        #expect(slots.seedVersion == max(2, version))
    }

    @Test func `a newer seed replaces factory presets and fills empty slots, and pins nothing`()
        throws
    {
        var slots = PresetSlots()
        slots.seed(factory(1, count: 4, pinned: [0]))
        slots.overwrite(slot(1), with: preset("Mine"))
        slots.clear(slot(2))
        slots.unpin(slot(0))
        slots.seed(factory(2, count: 6, pinned: [0, 3]))
        #expect(slots.summary == "0:F0 1:Mine 2:F2 3:F3 4:F4 5:F5")
        #expect(slots[slot(0)].preset?.preset.parameters[base: .moveSpeed] == 2)
        #expect(slots.owned == [1])
        #expect(slots.pinned.isEmpty)
    }

    @Test func `a store that keeps cleared slots seeds none of them`() {
        var slots = PresetSlots()
        slots.seed(factory(1, count: 3))
        slots.clear(slot(1))
        slots.seed(factory(2, count: 4), keepingCleared: true)
        #expect(slots.summary == "0:F0 2:F2 3:F3")
    }

    @Test func `a newer factory with fewer presets leaves the other slots`() {
        var slots = PresetSlots()
        slots.seed(factory(1, count: 4))
        slots.seed(factory(2, count: 2))
        #expect(slots.summary == "0:F0 1:F1 2:F2 3:F3")
    }

    @Test func `a missing factory is version 0 and seeds nothing`() {
        var slots = PresetSlots()
        let didSeed = slots.seed(.none)
        #expect(!didSeed)
        #expect(slots == PresetSlots())
    }

    @Test func `reset empties slots beyond the factory and clears ownership`() throws {
        var slots = PresetSlots()
        slots.seed(factory(5, count: 3, pinned: [0]))
        slots.overwrite(slot(1), with: preset("Mine"))
        try slots.fill(slot(20), with: preset("Mine too"))
        try slots.pin(slot(20))
        slots.clear(slot(2))
        slots.resetToFactory(factory(4, count: 3, pinned: [1, 2, 9]))
        #expect(slots.summary == "0:F0 1:F1 2:F2")
        #expect(slots.owned.isEmpty)
        #expect(slots.pinned == [slot(1), slot(2)])
        #expect(slots.seedVersion == 4)
    }

    // MARK: Migrating

    @Test func `migrated presets go to the lowest empty slots, and what is too much comes back`()
        throws
    {
        var slots = PresetSlots()
        slots.seed(factory(1, count: 20))
        slots.clear(slot(3))
        let customs = (0..<8).map { preset("C\($0)") }
        let rest = try slots.migrate(customs)
        #expect(slots[slot(3)].preset?.name == "C0")
        #expect((20..<24).map { slots[slot($0)].preset?.name } == ["C1", "C2", "C3", "C4"])
        #expect(slots.owned == [3, 20, 21, 22, 23])
        #expect(rest.map(\.name) == ["C5", "C6", "C7"])
    }

    @Test func `presets are migrated once per store, reset or not`() throws {
        var slots = PresetSlots()
        _ = try slots.migrate([])
        #expect(throws: SlotError.migrated) { try slots.migrate([preset("A")]) }
        slots.resetToFactory(factory(1, count: 1))
        #expect(throws: SlotError.migrated) { try slots.migrate([preset("A")]) }
        #expect(slots.summary == "0:F0")
    }
}
