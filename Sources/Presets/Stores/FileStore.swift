import Glibc
import Graph
import Media

/// Presets in one JSON file, for one machine.
///
/// A file that cannot be read, or only in part, is reported and left alone; the first edit gives it
/// another name. The file appears when it is whole, and writers hold a lock file beside it.
public final class FileStore: PresetStore {
    /// The file's path.
    public let name: String
    /// Cleared slots are filled again by newer factory presets.
    public var keepsCleared: Bool { false }

    /// What the last reading said.
    private let known = Locked<StoreReading?>(nil)

    /// Opens a file, which is made by the first edit where it is missing.
    public init(path: String) { name = path }

    /// The file that is written: where `name` is a link, what it leads to.
    private var target: String {
        guard let path = unsafe realpath(name, nil) else { return name }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// The file as it is now.
    private struct Contents {
        var reading: StoreReading
        /// Some of it cannot be read, and would be lost if the file were replaced.
        var isDamaged = false
        /// A newer Foxfire wrote it.
        var isNewer = false
    }

    private func contents() throws -> Contents {
        do {
            let bytes = try FileContents.read(name, limit: JSONReader.byteLimit)
            return contents(PresetSlots.read(bytes, file: name))
        } catch  where error.code == noEntry {
            return Contents(reading: StoreReading(PresetSlots()))
        }
    }

    private func contents(_ reading: PresetSlots.PayloadReading) -> Contents {
        var slots = reading.slots ?? PresetSlots()
        if reading.slots == nil {
            for id in SlotID.all { slots[id].isUnreadable = true }
        }
        var result = Contents(reading: StoreReading(slots))
        guard !reading.problems.isEmpty else { return result }
        result.isNewer = reading.isNewer
        result.isDamaged = true
        let finding =
            reading.isNewer
            ? StoreFinding(
                .newer,
                nil,
                name,
                "a newer Foxfire wrote it; it is left alone",
                problems: reading.problems
            )
            : StoreFinding(
                .damaged,
                nil,
                name,
                reading.slots == nil
                    ? "it cannot be read and is left alone"
                    : "some of it cannot be read and is left out",
                hint: "the first edit moves it out of the way",
                problems: reading.problems
            )
        result.reading.findings = [finding]
        return result
    }

    /// Reads the file as it is now; writes nothing.
    public func read() throws -> StoreReading {
        let reading = try contents().reading
        known.withLock { $0 = reading }
        return reading
    }

    /// Reads the file, changes the slots, and writes them, while no other program does.
    public func update(_ edit: (inout PresetSlots) throws -> Void) throws -> StoreReading {
        try locked { current in
            var slots = current.reading.slots
            try edit(&slots)
            return slots
        }
    }

    /// Makes the changes since `base` to what the file holds now; of what both sides changed, these
    /// count.
    public func write(_ slots: PresetSlots, basedOn base: StoreReading) throws -> StoreReading {
        try locked { current in slots.rebased(from: base.slots, onto: current.reading.slots) }
    }

    private func locked(_ edit: (Contents) throws -> PresetSlots) throws -> StoreReading {
        let target = target
        let folder = Folder.parent(of: target)
        let file = target.split(separator: "/").last ?? ""
        try Folder.create(folder)
        let lock = try StoreLock(path: "\(folder)/.\(file).lock")
        let current = try contents()
        let slots = try edit(current)
        let aside = slots == current.reading.slots ? nil : try write(slots, over: current)
        var reading = try read()
        if let aside { reading.findings.append(aside) }
        _ = consume lock
        return reading
    }

    /// Writes the slots, and says what had to make place for them.
    private func write(_ slots: PresetSlots, over current: Contents) throws -> StoreFinding? {
        var aside: StoreFinding?
        if current.isDamaged {
            // A seed alone is no reason to move what its user may mend.
            let changes = slots.changes(since: current.reading.slots)
            if changes.allSatisfy(\.isSeed), slots.hasMigrated == current.reading.slots.hasMigrated
            {
                return nil
            }
            if current.isNewer { throw StoreError.newer(name) }
            aside = try setAside()
        }
        let output = try OutputFile(path: target)
        try output.write(Array(JSON.pretty(slots.payload).utf8).span)
        try output.commit()
        return aside
    }

    /// Gives a file that cannot be read a name of its own.
    private func setAside() throws(FileError) -> StoreFinding {
        let target = target
        let base = target.hasSuffix(".json") ? String(target.dropLast(5)) : target
        var number = 1
        while Folder.kind(of: "\(base).damaged-\(number).json") != .nothing { number += 1 }
        let path = "\(base).damaged-\(number).json"
        try Folder.rename(target, to: path)
        return StoreFinding(
            .setAside,
            nil,
            path,
            "what \(name) held could not be read and had to make place for an edit"
        )
    }

    /// Notices what other programs of this machine do to the file.
    public func watch(_ changed: @escaping @Sendable (StoreReading) -> Void) throws -> StoreWatch? {
        _ = try read()
        return try StoreWatch(folder: Folder.parent(of: target)) { [weak self] in
            guard let self, let reading = try? contents().reading else { return }
            let isNew = known.withLock { known in
                defer { known = reading }
                return known?.slots != reading.slots || known?.findings != reading.findings
            }
            if isNew { changed(reading) }
        }
    }
}
