import Foundation
import Physarum
import TestSupport
import Testing

@testable import Presets

/// Several machines that share a folder by a sync tool.
@Suite struct MergeTests {
    /// Two machines with the same files, in which each then edits.
    private func machines(_ prepare: (SharedFolder) throws -> Void = { _ in }) throws
        -> (a: SharedFolder, b: SharedFolder, before: [String: String])
    {
        let a = try SharedFolder("anna")
        let b = try SharedFolder("berta", at: 100)
        try prepare(a)
        try b.sync(from: a, since: [:]) { $0 }
        return (a, b, try a.contents())
    }

    private func sync(
        _ a: SharedFolder,
        _ b: SharedFolder,
        since before: [String: String],
        by tool: SyncTool = .syncthing
    ) throws {
        try a.sync(from: b, since: before, copy: tool.copy)
        // The tool puts its copy on the other machine too.
        for (name, text) in try a.contents() { try b.folder.write(text, to: name) }
    }

    @Test func `edits of different slots merge`() throws {
        let (a, b, before) = try machines { try $0.save("Both", 0) }
        try a.save("A", 1)
        try b.save("B", 2)
        _ = try b.store.update { try $0.pin(slot(0)) }
        try sync(a, b, since: before)
        for machine in [a, b] {
            #expect(try machine.slots.summary == "0:Both 1:A 2:B")
            #expect(try machine.slots.pinned == [slot(0)])
            #expect(try machine.store.read().findings.isEmpty)
        }
    }

    @Test(arguments: SyncTool.allCases)
    func `of a slot edited on both the newer stays, the other is a file that is told`(
        tool: SyncTool
    ) throws {
        let (a, b, before) = try machines { try $0.save("Old", 7) }
        try a.save("A", 7)
        try b.save("B", 7)
        try sync(a, b, since: before, by: tool)
        for machine in [a, b] {
            // Before anybody writes, readings know it already, and nothing is written.
            let names = machine.folder.names
            let reading = try machine.store.read()
            #expect(reading.slots.summary == "7:B")
            #expect(reading.findings.map(\.kind) == [.conflict])
            #expect(reading.findings.first?.text.contains("anna") == true)
            #expect(machine.folder.names == names)
            _ = try machine.store.update { _ in }
            #expect(try machine.slots.summary == "7:B")
            #expect(try machine.conflicts() == ["7:A"])
            #expect(try machine.store.read().findings.map(\.kind) == [.conflict])
            #expect(machine.folder.visible.count == 2, "the tool's copy is gone")
        }
        #expect(try a.contents() == b.contents(), "both machines decide alike")
    }

    @Test func `more edits beat a later one, then the time decides, then the machine`() throws {
        func winner(_ edit: (SharedFolder, SharedFolder) throws -> Void, at seconds: Int64 = 100)
            throws
            -> String
        {
            let a = try SharedFolder("anna")
            let b = try SharedFolder("berta", at: seconds)
            try edit(a, b)
            try sync(a, b, since: [:])
            #expect(try a.slots == b.slots)
            return try a.slots.summary
        }
        #expect(
            try winner { a, b in
                try a.save("A1", 7)
                try a.save("A2", 7)
                try b.save("B", 7)
            } == "7:A2"
        )
        #expect(
            try winner { a, b in
                try a.save("A", 7)
                try b.save("B", 7)
            } == "7:B"
        )
        #expect(
            try winner(
                { a, b in
                    try a.save("A", 7)
                    try b.save("B", 7)
                },
                at: -100
            ) == "7:A"
        )
        #expect(
            try winner(
                { a, b in
                    try a.save("A", 7)
                    try b.save("B", 7)
                },
                at: 0
            ) == "7:B"
        )
    }

    @Test func `an edit that knew the other is no conflict, whatever comes back as a copy`() throws
    {
        let (a, _, _) = try machines { try $0.save("Old", 7) }
        let old = try a.file(7)
        for step in 0..<10 { try a.save("A\(step)", 7) }
        try a.folder.write(old, to: SyncTool.syncthing.copy(of: "slot-07.json"))
        #expect(try a.store.read().findings.isEmpty)
        _ = try a.store.update { _ in }
        #expect(try a.slots.summary == "7:A9")
        #expect(a.folder.visible == ["slot-07.json"])
    }

    @Test func `the same content on both sides is no conflict`() throws {
        let (a, b, before) = try machines()
        try a.save("Same", 7)
        try b.save("Same", 7)
        try sync(a, b, since: before)
        for machine in [a, b] {
            _ = try machine.store.update { _ in }
            #expect(try machine.slots.summary == "7:Same")
            #expect(try machine.conflicts() == [])
        }
        #expect(try a.contents() == b.contents())
    }

    @Test func `a clear is an edit: it wins or is kept as a file`() throws {
        let (a, b, before) = try machines { try $0.save("Old", 7) }
        try a.save("A", 7)
        try b.clear(7)
        try sync(a, b, since: before)
        _ = try a.store.update { _ in }
        #expect(try a.slots.filled.isEmpty)
        #expect(try a.slots.owned == [7])
        #expect(try a.conflicts() == ["7:A"])

        let (c, d, base) = try machines { try $0.save("Old", 7) }
        try c.clear(7)
        try d.save("D", 7)
        try sync(c, d, since: base)
        _ = try c.store.update { _ in }
        #expect(try c.slots.summary == "7:D")
        #expect(try c.conflicts() == ["7:"])
    }

    @Test func `copies of a file that cannot be read are kept, and told when the slot is edited`()
        throws
    {
        let a = try SharedFolder("anna")
        for name in ["B1", "B2", "B3"] { try a.save(name, 7) }
        try a.folder.write(try a.file(7), to: SyncTool.syncthing.copy(of: "slot-07.json"))
        try a.folder.write("{", to: "slot-07.json")
        try a.save("Other", 8)
        #expect(a.folder.names.contains { $0.contains("sync-conflict") })
        let fresh = FolderStore(path: a.folder.path)
        _ = try fresh.update { $0.overwrite(slot(7), with: preset("A")) }
        #expect(try a.slots.summary == "7:A 8:Other")
        #expect(try a.conflicts() == ["7:B3"])
        #expect(a.folder.names.contains("slot-07.damaged-1.json"))
        #expect(!a.folder.names.contains { $0.contains("sync-conflict") })
    }

    // MARK: Ownership

    @Test func `a machine that seeds before its first sync takes nothing away`() throws {
        let a = try SharedFolder("anna")
        _ = try a.store.update(seeding: factory(1, count: 24, pinned: [0, 1]))
        try a.save("Mine", 3)
        try a.clear(4)
        _ = try a.store.update { $0.unpin(slot(1)) }
        let b = try SharedFolder("berta", at: 1000)
        // A newer factory even, and an edit of its own.
        _ = try b.store.update(seeding: factory(2, count: 24, pinned: [0, 1, 2]))
        try b.save("B", 9)
        try sync(a, b, since: [:])
        for machine in [a, b] {
            _ = try machine.store.update { _ in }
            let slots = try machine.slots
            #expect(slots[slot(3)].preset?.name == "Mine")
            #expect(slots[slot(4)].preset == nil)
            #expect(slots[slot(9)].preset?.name == "B")
            #expect(slots.owned == [3, 4, 9])
            #expect(slots[slot(0)].preset?.preset.parameters[base: .moveSpeed] == 2)
            #expect(!slots[slot(1)].isPinned)
            #expect(try machine.conflicts() == [], "factory content is kept nowhere")
        }
        #expect(try a.contents() == b.contents())
    }

    @Test func `the user's own beats a factory edit of any revision that did not know it`() throws {
        let (a, b, before) = try machines()
        try a.save("Mine", 5)
        for version in 1...9 { _ = try b.store.update(seeding: factory(version, count: 24)) }
        try sync(a, b, since: before)
        for machine in [a, b] { #expect(try machine.slots[slot(5)].preset?.name == "Mine") }
    }

    @Test func `a reset that knew the user's edit stands, though an old copy comes back`() throws {
        let (a, _, _) = try machines { try $0.save("Mine", 1) }
        let mine = try a.file(1)
        _ = try a.store.update { $0.resetToFactory(factory(1, count: 3)) }
        try a.folder.write(mine, to: SyncTool.nextcloud.copy(of: "slot-01.json"))
        _ = try a.store.update { _ in }
        #expect(try a.slots.summary == "0:F0 1:F1 2:F2")
        #expect(try a.slots.owned == [])
    }

    @Test func `a pin and an edit of one slot do not meet`() throws {
        let (a, b, before) = try machines { try $0.save("Old", 7) }
        _ = try a.store.update { try $0.pin(slot(7)) }
        try b.save("B", 7)
        try sync(a, b, since: before)
        for machine in [a, b] {
            _ = try machine.store.update { _ in }
            #expect(try machine.slots.summary == "7:B")
            #expect(try machine.slots.pinned == [slot(7)])
            #expect(try machine.conflicts() == [])
        }
    }

    // MARK: Without copies

    @Test func `an edit that a simple tool overwrites is remembered by who made it`() throws {
        let (a, b, _) = try machines { try $0.save("Old", 7) }
        try a.save("A", 7)
        try b.save("B", 7)
        try a.folder.write(try b.file(7), to: "slot-07.json")
        #expect(try a.store.read().findings.map(\.kind) == [.conflict])
        _ = try a.store.update { _ in }
        #expect(try a.slots.summary == "7:B")
        #expect(try a.conflicts() == ["7:A"])
    }

    @Test func `a file that was changed by hand is as it was changed`() throws {
        let a = try SharedFolder("anna")
        try a.save("Typed", 7)
        let text = try a.file(7).replacingOccurrences(of: "\"Typed\"", with: "\"By hand\"")
        try a.folder.write(text, to: "slot-07.json")
        let reading = try a.store.read()
        #expect(reading.slots.summary == "7:By hand")
        #expect(reading.findings.isEmpty)
    }

    @Test func `a file that was removed is gone`() throws {
        let a = try SharedFolder("anna")
        try a.save("A", 7)
        try FileManager.default.removeItem(atPath: a.folder.file("slot-07.json"))
        #expect(try a.slots == PresetSlots())
        try a.save("B", 8)
        #expect(try a.slots.summary == "8:B")
    }

    // MARK: At random

    @Test(arguments: 0..<8)
    func `three machines that edit and sync at random end alike, and lose nothing`(seed: Int) throws
    {
        var random = SeededGenerator(seed: UInt64(seed))
        let machines = try ["anna", "berta", "carla"].map { try SharedFolder($0) }
        var known: [Set<String>: [String: String]] = [:]
        /// Each edit with its slot and the content that it replaced.
        var edits: [(name: String, slot: Int, base: String?)] = []
        func meet(_ a: SharedFolder, _ b: SharedFolder) throws {
            let pair: Set<String> = [a.machine, b.machine]
            try sync(a, b, since: known[pair] ?? [:])
            for machine in [a, b] { _ = try machine.store.update { _ in } }
            known[pair] = try a.contents()
            #expect(try a.contents() == b.contents())
        }
        for step in 0..<30 {
            let index = Int.random(in: 0..<3, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                try meet(machines[index], machines[(index + 1) % 3])
            } else {
                let place = Int.random(in: 0..<3, using: &random)
                let base = try machines[index].slots[slot(place)].preset?.name
                edits.append(("E\(step)", place, base))
                try machines[index].save("E\(step)", place)
            }
        }
        for _ in 0..<2 {
            for index in 0..<3 { try meet(machines[index], machines[(index + 1) % 3]) }
        }
        let slots = try machines[0].slots
        let conflicts = try machines[0].conflicts()
        for machine in machines { #expect(try machine.contents() == machines[0].contents()) }
        for edit in edits {
            let isContent = slots[slot(edit.slot)].preset?.name == edit.name
            let isKept = conflicts.contains("\(edit.slot):\(edit.name)")
            let isBase = edits.contains { $0.slot == edit.slot && $0.base == edit.name }
            #expect(isContent || isKept || isBase, "\(edit) is lost")
        }
    }
}
