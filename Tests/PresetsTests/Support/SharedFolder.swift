import Foundation
import Graph
import Media
import TestSupport

@testable import Presets

/// Folders of several machines, and a sync tool between them.
final class SharedFolder {
    let folder: TemporaryFolder
    let store: FolderStore
    let machine: String
    private let time = Locked<Int64>(1_000_000_000_000_000)

    init(_ machine: String, at seconds: Int64 = 0) throws {
        folder = try TemporaryFolder()
        self.machine = machine
        let time = time
        time.withLock { $0 += seconds * 1_000_000 }
        store = FolderStore(path: folder.path, machine: machine) {
            time.withLock { now in
                now += 1_000_000
                return UTCTime(microseconds: now)
            }
        }
    }

    var slots: PresetSlots { get throws { try store.read().slots } }

    func save(_ name: String, _ index: Int) throws {
        _ = try store.update { $0.overwrite(slot(index), with: preset(name)) }
    }

    func clear(_ index: Int) throws { _ = try store.update { $0.clear(slot(index)) } }

    func file(_ index: Int) throws -> String { try folder.text("\(slot(index)).json") }

    /// The conflict files of slots, as in `7:A`; a cleared slot has no name.
    func conflicts() throws -> [String] {
        try folder.visible.compactMap { name in
            guard case .conflict(let id)? = SlotFileName(name) else { return nil }
            let bytes = Array(try folder.bytes(name))
            let version = SlotVersion.read(bytes, file: name, of: id).version
            return "\(id.index):\(version?.preset?.name ?? "")"
        }.sorted()
    }

    /// Puts another machine's files here, as a sync tool does that has seen `before`: where both sides
    /// changed, the other's stands beside ours under a name made by `copy`.
    func sync(from other: SharedFolder, since before: [String: String], copy: (String) -> String)
        throws
    {
        for name in other.folder.visible {
            let theirs = try other.folder.text(name)
            let ours = try? folder.text(name)
            if ours == nil || ours == before[name] {
                try folder.write(theirs, to: name)
            } else if theirs != before[name], theirs != ours {
                try folder.write(theirs, to: copy(name))
            }
        }
    }

    func contents() throws -> [String: String] {
        var result: [String: String] = [:]
        for name in folder.visible { result[name] = try folder.text(name) }
        return result
    }
}

/// The names that sync tools give to the other side's file.
enum SyncTool: CaseIterable {
    case syncthing, nextcloud, dropbox

    func copy(of name: String) -> String {
        let base = name.dropLast(5)
        return switch self {
        case .syncthing: "\(base).sync-conflict-20260701-123456-ABCDEFG.json"
        case .nextcloud: "\(base) (conflicted copy 2026-07-01 123456).json"
        case .dropbox: "\(base) (anna's conflicted copy 2026-07-01).json"
        }
    }
}
