import Foundation
import TestSupport
import Testing

@testable import Presets

/// Two programs of one machine that edit a shared folder at the same time.
@Suite struct TwoProcessTests {
    /// An edit as its process wrote it down: the slot, the new preset, and the one that it stood on.
    private struct Edit: Hashable {
        let slot: Int
        let name: String
        let base: String
    }

    /// Edits the folder `count` times, and writes down each edit once it is stored.
    private static func edit(_ path: String, _ machine: String, seed: UInt64, count: Int) throws {
        var random = SeededGenerator(seed: seed)
        let store = FolderStore(path: path + "/shared", machine: machine)
        var reading = try store.read()
        var log = ""
        for step in 0..<count {
            let id = slot(Int.random(in: 0..<6, using: &random))
            let name = "\(machine)-\(step)"
            // A reading may be some edits old: a person looks at it for a while.
            if Int.random(in: 0..<3, using: &random) > 0 { reading = try store.read() }
            var base = reading.slots[id].preset?.name ?? "-"
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                var slots = reading.slots
                slots.clear(id)
                reading = try store.write(slots, basedOn: reading)
                log += "\(id.index) - \(base)\n"
            case 1:
                reading = try store.update { slots in
                    base = slots[id].preset?.name ?? "-"
                    slots.overwrite(id, with: preset(name))
                }
                log += "\(id.index) \(name) \(base)\n"
            case 2:
                reading = try store.update { slots in
                    try? slots.pin(id)
                    slots.unpin(slot(5 - id.index))
                }
            default:
                var slots = reading.slots
                slots.overwrite(id, with: preset(name))
                reading = try store.write(slots, basedOn: reading)
                log += "\(id.index) \(name) \(base)\n"
            }
        }
        try log.write(toFile: "\(path)/\(machine).log", atomically: true, encoding: .utf8)
    }

    @Test
    func `of a thousand edits each is in its slot, in a conflict file, or was replaced knowingly`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path
        async let first = #expect(processExitsWith: .success) { [path = path as String] in
            try TwoProcessTests.edit(path, "one", seed: 1, count: 500)
        }
        async let second = #expect(processExitsWith: .success) { [path = path as String] in
            try TwoProcessTests.edit(path, "two", seed: 2, count: 500)
        }
        _ = await (first, second)

        var edits: [Edit] = []
        for log in ["one.log", "two.log"] {
            for line in try folder.text(log).split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                edits.append(
                    Edit(slot: try #require(Int(words[0])), name: words[1], base: words[2])
                )
            }
        }
        #expect(edits.count > 800)
        let store = FolderStore(path: path + "/shared")
        let reading = try store.read()
        var kept: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: path + "/shared") {
            guard case .conflict(let id)? = SlotFileName(name) else { continue }
            let bytes = try Data(contentsOf: URL(filePath: "\(path)/shared/\(name)"))
            let version = SlotVersion.read(Array(bytes), file: name, of: id).version
            #expect(version != nil, "\(name) is whole")
            kept.insert("\(id.index) \(version?.preset?.name ?? "-")")
        }
        let bases = Set(edits.map { "\($0.slot) \($0.base)" })
        for edit in edits {
            let key = "\(edit.slot) \(edit.name)"
            let isContent = (reading.slots[slot(edit.slot)].preset?.name ?? "-") == edit.name
            #expect(isContent || kept.contains(key) || bases.contains(key), "\(edit) is lost")
        }
        // There were conflicts, and all are told.
        #expect(kept.count > 10)
        let conflicts = reading.findings.filter { $0.kind == .conflict }
        #expect(Set(conflicts.map(\.path)).count == conflicts.count)
        #expect(reading.findings.allSatisfy { $0.kind == .conflict })
        #expect(conflicts.count >= kept.count)
    }
}
