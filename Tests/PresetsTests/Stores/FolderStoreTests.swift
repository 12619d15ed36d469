import Foundation
import Graph
import Physarum
import TestSupport
import Testing

@testable import Presets

/// One machine's view of a shared folder.
@Suite struct FolderStoreTests {
    @Test func `a folder that is not there is an empty store, and reading makes none`() throws {
        let folder = try TemporaryFolder()
        let store = FolderStore(path: folder.file("a/b"))
        #expect(try store.read().slots == PresetSlots())
        #expect(folder.names.isEmpty)
        _ = try store.update { $0.overwrite(slot(3), with: preset("A")) }
        #expect(try store.read().slots.summary == "3:A")
    }

    @Test func `each slot is a file that says what is to be known of it`() throws {
        let a = try SharedFolder("anna")
        try a.save("A", 7)
        _ = try a.store.update { try $0.pin(slot(7)) }
        try a.save("B", 7)
        #expect(a.folder.visible == ["slot-07.json"])
        let json = try #require(JSONReader.read(Array(try a.file(7).utf8)).value)
        #expect(json["index"]?.value == 7)
        #expect(json["revision"]?.value == 2)
        #expect(json["time"]?.string == "2001-09-09T01:46:43.000000Z")
        #expect(json["machine"]?.string == "anna")
        #expect(json["owned"]?.value == true)
        #expect(json["pinned"]?.value == true)
        #expect(json["preset"]?["name"]?.string == "B")
        #expect(try a.slots.pinned == [slot(7)])
    }

    @Test func `slots of any history are read as they were written`() throws {
        var random = SeededGenerator(seed: 5)
        let a = try SharedFolder("anna")
        for step in 0..<100 {
            let id = slot(Int.random(in: 0..<24, using: &random))
            let reading = try a.store.update { slots in
                switch Int.random(in: 0..<5, using: &random) {
                case 0: slots.clear(id)
                case 1: try? slots.pin(id)
                case 2: slots.unpin(id)
                default: slots.overwrite(id, with: preset("P\(step)"))
                }
            }
            #expect(try a.slots == reading.slots)
        }
        #expect(try a.conflicts() == [])
    }

    @Test func `an edit that fails, or changes nothing, writes nothing`() throws {
        let a = try SharedFolder("anna")
        try a.save("A", 1)
        let before = try a.file(1)
        #expect(throws: SlotError.self) {
            _ = try a.store.update { slots in
                slots.overwrite(slot(2), with: preset("B"))
                try slots.pin(slot(9))
            }
        }
        _ = try a.store.update { $0.unpin(slot(1)) }
        #expect(a.folder.visible == ["slot-01.json"])
        #expect(try a.file(1) == before)
    }

    @Test func `what Foxfire does not know in a slot's file is kept`() throws {
        let a = try SharedFolder("anna")
        try a.save("A", 1)
        let text = try a.file(1).replacingOccurrences(
            of: "\"owned\"",
            with: "\"mood\": 1.50, \"owned\""
        )
        try a.folder.write(text, to: "slot-01.json")
        try a.save("B", 1)
        #expect(try a.file(1).contains("\"mood\": 1.50"))
        #expect(try a.slots.summary == "1:B")
    }

    // MARK: The factory

    @Test func `a seed fills the folder once, with the same bytes on every machine`() throws {
        let a = try SharedFolder("anna")
        let b = try SharedFolder("berta", at: 500)
        for machine in [a, b] {
            _ = try machine.store.update(seeding: factory(1, count: 24, pinned: [2]))
        }
        #expect(try a.contents() == b.contents())
        #expect(a.folder.visible.count == 24)
        #expect(try a.slots.pinned == [slot(2)])
        #expect(try a.slots.seedVersion == 1)
        for machine in [a, b] { _ = try machine.store.update(seeding: factory(2, count: 24)) }
        #expect(try a.contents() == b.contents())
        #expect(try a.slots[slot(3)].preset?.preset.parameters[base: .moveSpeed] == 2)
    }

    @Test func `a cleared slot stays empty until a reset, whatever is seeded`() throws {
        let a = try SharedFolder("anna")
        _ = try a.store.update(seeding: factory(1, count: 3))
        try a.clear(1)
        _ = try a.store.update(seeding: factory(2, count: 3))
        #expect(try a.slots.summary == "0:F0 2:F2")
        #expect(try a.slots.owned == [1])
        #expect(try a.store.read(seeding: factory(3, count: 3)).slots.summary == "0:F0 2:F2")
        _ = try a.store.update { $0.resetToFactory(factory(2, count: 3)) }
        #expect(try a.slots.summary == "0:F0 1:F1 2:F2")
        #expect(try a.slots.owned == [])
    }

    @Test func `a reset to an older factory is remembered`() throws {
        let a = try SharedFolder("anna")
        _ = try a.store.update(seeding: factory(5, count: 4, pinned: [1]))
        try a.save("A", 20)
        _ = try a.store.update { $0.resetToFactory(factory(3, count: 4, pinned: [0])) }
        #expect(try a.slots.seedVersion == 3)
        #expect(try a.slots.pinned == [slot(0)])
        #expect(try a.slots.summary == "0:F0 1:F1 2:F2 3:F3")
    }

    @Test func `presets are migrated once, however often the folder is opened`() throws {
        let a = try SharedFolder("anna")
        _ = try a.store.update { _ = try $0.migrate([preset("A")]) }
        try a.save("B", 0)
        let again = FolderStore(path: a.folder.path)
        #expect(throws: SlotError.migrated) {
            try again.update { _ = try $0.migrate([preset("C")]) }
        }
    }

    // MARK: Damage

    private static let faulty: [(text: String, words: String)] = [
        ("", "nothing in the file"), ("not json", "is no value"),
        ("{\"foxfire\": 1, \"ind", "no end"),
        ("[1]", "must be an object"), ("{\"foxfire\": 1, \"index\": 24}", "from 0 to 23"),
        ("{\"foxfire\": 1, \"index\": 99999999999999999999}", "from 0 to 23"),
        ("{\"foxfire\": 1, \"index\": 7, \"revision\": -1}", "from 0 to"),
        ("{\"foxfire\": 1, \"index\": 8}", "must be 7, as the file's name says"),
        ("{\"index\": 7}", "\"foxfire\" is missing"), (String(repeating: "[", count: 9999), "deep"),
        ("\u{0}\u{0}\u{0}", "is no value"),
    ]

    @Test(arguments: faulty.indices)
    func `a damaged file is told, left alone by seeds, and moved aside by an edit`(index: Int)
        throws
    {
        let (text, words) = Self.faulty[index]
        let a = try SharedFolder("anna")
        try a.save("A", 3)
        try a.folder.write(text, to: "slot-07.json")
        let reading = try a.store.read()
        #expect(reading.slots.summary == "3:A")
        #expect(reading.findings.map(\.kind) == [.damaged])
        #expect(reading.findings.first?.slot == slot(7))
        let told = reading.findings[0].problems.map(\.description).joined(separator: "\n")
        #expect(told.contains(words) && told.contains("slot-07.json:"), "\(told)")
        _ = try a.store.update(seeding: factory(1, count: 24))
        #expect(try a.file(7) == text)
        #expect(try a.slots.filled.count == 23)
        #expect(try a.slots.firstEmpty == nil)
        try a.save("B", 7)
        #expect(try a.folder.text("slot-07.damaged-1.json") == text)
        #expect(try a.slots[slot(7)].preset?.name == "B")
        #expect(try a.store.read().findings.map(\.kind) == [.setAside])
    }

    @Test func `a file that was half synced heals by itself`() throws {
        let a = try SharedFolder("anna")
        try a.save("A", 7)
        let whole = try a.file(7)
        try a.folder.write(String(whole.prefix(whole.count / 2)), to: "slot-07.json")
        #expect(try a.slots.filled.isEmpty)
        _ = try a.store.update(seeding: factory(1, count: 9))
        try a.folder.write(whole, to: "slot-07.json")
        #expect(try a.slots[slot(7)].preset?.name == "A")
        #expect(try a.store.read().findings.isEmpty)
    }

    @Test func `a newer Foxfire's file is left alone by all`() throws {
        let a = try SharedFolder("anna")
        let newer = "{\"foxfire\": 2, \"index\": 7, \"content\": {}}"
        try a.folder.write(newer, to: "slot-07.json")
        _ = try a.store.update(seeding: factory(1, count: 24))
        #expect(try a.store.read().findings.map(\.kind) == [.newer])
        #expect(throws: StoreError.self) { try a.save("B", 7) }
        #expect(throws: StoreError.self) { try a.clear(7) }
        try a.save("C", 8)
        #expect(try a.file(7) == newer)
        #expect(try a.slots[slot(8)].preset?.name == "C")
    }

    @Test func `files of no slot, and second files of one, are told and left alone`() throws {
        let a = try SharedFolder("anna")
        try a.save("A", 3)
        let text = try a.file(3)
        for name in ["slot-24.json", "slot-03 (1).json", "slot-05.json"] {
            try a.folder.write(text, to: name)
        }
        for name in ["readme.txt", ".slot-09.json.tmp", "slot-x.json", "slot-04.json~"] {
            try a.folder.write("x", to: name)
        }
        let reading = try a.store.read()
        #expect(reading.slots.summary == "3:A")
        #expect(
            reading.findings.map { "\($0.path.split(separator: "/").last ?? "") \($0.kind)" } == [
                "slot-03 (1).json stray", "slot-05.json damaged", "slot-24.json damaged",
            ]
        )
        #expect(reading.findings[1].text.contains("slot-03"))
    }

    @Test(.enabled(if: getuid() != 0, "root may read all"))
    func `a file that may not be read is told`() throws {
        let a = try SharedFolder("anna")
        try a.save("A", 3)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0],
            ofItemAtPath: a.folder.file("slot-03.json")
        )
        #expect(try a.store.read().findings.map(\.kind) == [.damaged])
    }

    @Test func `a folder in a slot's place is told, and an edit moves it`() throws {
        let a = try SharedFolder("anna")
        try FileManager.default.createDirectory(
            atPath: a.folder.file("slot-03.json"),
            withIntermediateDirectories: false
        )
        #expect(try a.store.read().findings.map(\.kind) == [.damaged])
        try a.save("A", 3)
        #expect(try a.slots.summary == "3:A")
    }

    @Test func `a file in the folder's place is an error`() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "store")
        let store = FolderStore(path: folder.file("store"))
        #expect(throws: (any Error).self) { try store.read() }
        #expect(throws: (any Error).self) { try store.update { $0.clear(slot(1)) } }
    }

    // MARK: Whole files

    @Test func `no unfinished file is left, whatever was written`() throws {
        let a = try SharedFolder("anna")
        _ = try a.store.update(seeding: factory(1, count: 24))
        try a.save("A", 3)
        #expect(a.folder.names.filter { $0.hasPrefix(".") } == [".foxfire.lock"])
    }

    @Test func `readers never see a file that is half written`() throws {
        let a = try SharedFolder("anna")
        try a.save("A0", 3)
        let path = a.folder.path
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let reader = FolderStore(path: path)
            for _ in 0..<300 {
                let reading = try? reader.read()
                #expect(reading?.findings == [])
                #expect(reading?.slots.filled.count == 1)
            }
            done.signal()
        }
        for step in 0..<30 { try a.save("A\(step)", 3) }
        done.wait()
    }
}
