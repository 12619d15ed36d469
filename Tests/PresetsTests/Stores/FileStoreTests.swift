import Foundation
import Graph
import TestSupport
import Testing

@testable import Presets

@Suite struct FileStoreTests {
    private let folder: TemporaryFolder
    private let store: FileStore

    init() throws {
        folder = try TemporaryFolder()
        store = FileStore(path: folder.file("s.json"))
    }

    @Test
    func `a file that is not there is an empty store; its folders are made by the first edit`()
        throws
    {
        let deep = FileStore(path: folder.file("a/b/s.json"))
        #expect(try deep.read().slots == PresetSlots())
        #expect(folder.names.isEmpty)
        _ = try deep.update(seeding: factory(1, count: 2)) {
            $0.overwrite(slot(5), with: preset("A"))
        }
        let again = FileStore(path: folder.file("a/b/s.json"))
        #expect(try again.read().slots.summary == "0:F0 1:F1 5:A")
        #expect(try again.read().slots.owned == [5])
    }

    @Test func `what is stored is the payload`() throws {
        let reading = try store.update { $0.overwrite(slot(5), with: preset("A")) }
        #expect(try folder.text("s.json") == JSON.pretty(reading.slots.payload))
        #expect(folder.names == [".s.json.lock", "s.json"])
    }

    @Test func `a link to a file stays one`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("dots"),
            withIntermediateDirectories: false
        )
        _ = try FileStore(path: folder.file("dots/s.json")).update { $0.clear(slot(1)) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("s.json"),
            withDestinationPath: "dots/s.json"
        )
        _ = try store.update { $0.overwrite(slot(5), with: preset("A")) }
        #expect(try FileStore(path: folder.file("dots/s.json")).read().slots.summary == "5:A")
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("s.json"))
        #expect(link == "dots/s.json")
    }

    @Test func `an edit that fails writes nothing`() throws {
        #expect(throws: SlotError.self) { try store.update { try $0.pin(slot(1)) } }
        #expect(folder.visible.isEmpty)
    }

    @Test func `changes of two readers merge; of one slot, the later edit counts`() throws {
        let base = try store.update { $0.overwrite(slot(0), with: preset("Both")) }
        var a = base.slots
        a.overwrite(slot(1), with: preset("A"))
        a.overwrite(slot(2), with: preset("A"))
        var b = base.slots
        b.overwrite(slot(2), with: preset("B"))
        try b.pin(slot(0))
        _ = try store.write(a, basedOn: base)
        let end = try store.write(b, basedOn: base)
        #expect(end.slots.summary == "0:Both 1:A 2:B")
        #expect(end.slots.pinned == [slot(0)])
    }

    @Test(arguments: [
        "", "junk", "{", "[]", "{\"foxfire\": 1, \"slots\": 3}", "\u{FEFF}", "{\"foxfire\": 1}",
    ])
    func `a file that cannot be read is told, left alone by seeds, and moved aside by an edit`(
        text: String
    ) throws {
        try folder.write(text, to: "s.json")
        let reading = try store.read()
        #expect(reading.slots.filled.isEmpty)
        #expect(reading.findings.map(\.kind) == [.damaged])
        #expect(reading.findings.first?.problems.isEmpty == false)
        _ = try store.update(seeding: factory(1, count: 3))
        #expect(try folder.text("s.json") == text)
        let edited = try store.update { $0.overwrite(slot(2), with: preset("A")) }
        #expect(edited.slots.summary == "2:A")
        #expect(edited.findings.map(\.kind) == [.setAside])
        #expect(try folder.text("s.damaged-1.json") == text)
        #expect(try store.read().findings.isEmpty)
    }

    @Test func `of a file that is wrong in parts the rest is read, and all of it is kept`() throws {
        let text = """
            {"foxfire": 1, "slots": [
              {"index": 1, "userOwned": true, "preset": {"name": "A", "params": {}}},
              {"index": 1, "preset": null}, {"index": 24, "preset": null},
              {"index": 2, "preset": {"name": "B"}}]}
            """
        try folder.write(text, to: "s.json")
        let reading = try store.read()
        #expect(reading.slots.summary == "1:A")
        #expect(reading.findings.first?.problems.count == 3)
        _ = try store.update(seeding: factory(1, count: 4))
        #expect(try folder.text("s.json") == text)
        let edited = try store.update(seeding: factory(1, count: 4)) { slots in
            slots.overwrite(slot(9), with: preset("C"))
        }
        #expect(edited.slots.summary == "0:F0 1:A 3:F3 9:C")
        #expect(try folder.text("s.damaged-1.json") == text)
    }

    @Test func `a newer Foxfire's file is left alone`() throws {
        let text = "{\"foxfire\": 2, \"slots\": []}"
        try folder.write(text, to: "s.json")
        #expect(try store.read().findings.map(\.kind) == [.newer])
        _ = try store.update(seeding: factory(1, count: 4))
        #expect(throws: StoreError.newer(store.name)) {
            try store.update { $0.overwrite(slot(9), with: preset("C")) }
        }
        #expect(try folder.text("s.json") == text)
    }

    @Test func `many threads that edit at once lose nothing`() throws {
        let path = store.name
        DispatchQueue.concurrentPerform(iterations: 24) { index in
            let own = FileStore(path: path)
            _ = try? own.update { $0.overwrite(slot(index), with: preset("P\(index)")) }
        }
        #expect(try store.read().slots.filled.count == 24)
    }
}

@Suite struct MemoryStoreTests {
    @Test func `it holds what was stored, as long as it lives`() throws {
        let store = MemoryStore()
        _ = try store.update(seeding: factory(1, count: 2)) {
            $0.overwrite(slot(5), with: preset("A"))
        }
        #expect(store.read().slots.summary == "0:F0 1:F1 5:A")
        #expect(throws: SlotError.self) {
            try store.update { slots in
                slots.clear(slot(5))
                try slots.pin(slot(5))
            }
        }
        #expect(store.read().slots.summary == "0:F0 1:F1 5:A")
        let base = store.read()
        var slots = base.slots
        slots.clear(slot(0))
        _ = store.update { $0.overwrite(slot(1), with: preset("B")) }
        #expect(store.write(slots, basedOn: base).slots.summary == "1:B 5:A")
    }
}

@Suite struct StoreLocationTests {
    @Test func `a path that is a file or ends in json is a file, another is a folder`() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "plain")
        #expect(StoreLocation.open(folder.file("plain")) is FileStore)
        #expect(StoreLocation.open(folder.file("new.json")) is FileStore)
        #expect(StoreLocation.open(folder.path) is FolderStore)
        #expect(StoreLocation.open(folder.file("new")) is FolderStore)
        #expect(StoreLocation.open(folder.path + "/").name == folder.path)
    }
}
