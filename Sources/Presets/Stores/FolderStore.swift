import Glibc
import Media

/// The system's number for a file that is not there.
let noEntry = ENOENT

/// Presets in a folder that several machines share: by Syncthing, Nextcloud, or on a network drive.
///
/// Each slot is a file, so that edits of different slots never meet. Where one slot was edited on two
/// machines, the newer edit is in the slot and the other is kept beside it, in a file that readings
/// report; copies that sync tools make are read as the other side. Only what the user owns is kept
/// this way: it always beats factory presets, which can be had anywhere. A cleared slot is an edit
/// like others and stays empty until a reset.
///
/// A file that cannot be read is reported and left alone; the first edit of its slot gives it another
/// name. Files appear when they are whole, and writers of one machine hold a lock file.
public final class FolderStore: PresetStore {
    /// The folder's path.
    public let name: String
    /// A slot that the user has emptied counts as the user's own.
    public var keepsCleared: Bool { true }

    private let machine: String
    private let clock: @Sendable () -> UTCTime
    private let state = Locked(State())

    private struct State {
        /// What this object wrote last, by slot: a sync tool that keeps no copies may overwrite it.
        var written: [SlotID: SlotVersion] = [:]
        /// What conflict files hold, by name: one never changes, and there may be many.
        var titles: [String: String] = [:]
        /// What the last reading said.
        var known: StoreReading?
    }

    /// Opens a folder, which is made by the first edit where it is missing.
    ///
    /// - Parameters:
    ///   - path: of the folder.
    ///   - machine: names this machine among those that share the folder.
    ///   - clock: tells the time of edits.
    public init(
        path: String,
        machine: String = Machine.name,
        clock: @escaping @Sendable () -> UTCTime = { .now }
    ) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        name = path
        self.machine = machine
        self.clock = clock
    }

    // MARK: Reading

    /// Reads the folder as it is now, with conflicts decided; writes nothing.
    public func read() throws -> StoreReading {
        let reading = try decided().reading
        state.withLock { $0.known = reading }
        return reading
    }

    /// The folder with every slot decided.
    private struct Decided {
        var snapshot: FolderSnapshot
        var reading: StoreReading
        /// User's content that lost and is in no file of its own yet.
        var losers: [(id: SlotID, version: SlotVersion)] = []
    }

    private func decided() throws -> Decided {
        let written = state.withLock { $0.written }
        var titles = state.withLock { $0.titles }
        let snapshot = try FolderSnapshot(folder: name, titles: &titles)
        state.withLock { $0.titles.merge(titles) { $1 } }
        var result = Decided(snapshot: snapshot, reading: StoreReading(PresetSlots()))
        var slots = PresetSlots()
        var findings: [StoreFinding] = []
        for id in SlotID.all {
            let entry = snapshot[id]
            guard entry.obstacle == nil else {
                slots[id].isUnreadable = true
                continue
            }
            var versions = entry.primary.map { [$0] } ?? []
            versions += entry.copies.map(\.version)
            // What this object wrote and is neither there nor replaced was overwritten from outside.
            // A file that is gone was removed by somebody.
            if let own = written[id], let primary = entry.primary, primary.edit != own.edit {
                versions.append(own)
            }
            guard !versions.isEmpty else { continue }
            let settlement = SlotVersion.settle(versions)
            let winner = settlement.winner
            result.reading.versions[id] = winner
            result.losers += settlement.losers.map { (id, $0) }
            findings += settlement.losers.map { conflict(id, winner, $0, entry) }
            slots.put(winner.preset, in: id)
            slots[id].isUserOwned = winner.isOwned
            slots[id].isPinned = winner.isPinned && winner.preset != nil
            slots.seedVersion = max(slots.seedVersion, winner.seedVersion)
            slots.hasMigrated = slots.hasMigrated || winner.hasMigrated
        }
        result.reading.slots = slots
        result.reading.findings = snapshot.findings + findings
        return result
    }

    private func conflict(
        _ id: SlotID,
        _ winner: SlotVersion,
        _ loser: SlotVersion,
        _ entry: FolderSnapshot.Entry
    ) -> StoreFinding {
        let copy = entry.copies.first { $0.version.edit == loser.edit }?.name
        let file = copy ?? SlotFileName.conflict(id, text: loser.text(id))
        return StoreFinding(
            .conflict,
            id,
            "\(name)/\(file)",
            "\(id) was edited on \(winner.stamp.machine) and on \(loser.stamp.machine); "
                + "the edit of \(winner.stamp.machine), \(winner.stamp.time), is in the slot",
            hint: "the other one, \(loser.title), is kept in this file"
        )
    }

    // MARK: Writing

    /// Reads the folder, changes the slots, and writes those that changed, while no other program of
    /// this machine does.
    public func update(_ edit: (inout PresetSlots) throws -> Void) throws -> StoreReading {
        let lock = try lock()
        let current = try decided()
        var slots = current.reading.slots
        try edit(&slots)
        let reading = try write(slots, current.reading, onto: current)
        _ = consume lock
        return reading
    }

    /// Writes what was changed since `base`; a slot that was also changed in the folder since then is
    /// a conflict.
    public func write(_ slots: PresetSlots, basedOn base: StoreReading) throws -> StoreReading {
        let lock = try lock()
        let reading = try write(slots, base, onto: try decided())
        _ = consume lock
        return reading
    }

    private func lock() throws(FileError) -> StoreLock {
        try Folder.create(name)
        return try StoreLock(path: name + "/.foxfire.lock")
    }

    private func write(
        _ slots: PresetSlots,
        _ base: StoreReading,
        onto current: Decided
    ) throws -> StoreReading {
        var losers = current.losers
        var new = current.reading.versions
        var damaged: [SlotID] = []
        for change in slots.changes(since: base.slots) {
            let id = change.id
            if let obstacle = current.snapshot[id].obstacle {
                if change.isSeed { continue }
                if obstacle == .newer { throw StoreError.newer("\(name)/\(id).json") }
                damaged.append(id)
            }
            var own = version(change, slots, replacing: base.versions[id])
            var others = new[id].map { [$0] } ?? []
            if damaged.last == id {
                // Nobody could see what stands in copies of a file that cannot be read.
                others = current.snapshot[id].copies.map(\.version)
                let newest = others.map(\.stamp.revision).max() ?? 0
                own.stamp.revision = max(own.stamp.revision, newest + 1)
            }
            let settlement = SlotVersion.settle([own] + others)
            new[id] = settlement.winner
            losers += settlement.losers.map { (id, $0) }
        }
        stampStore(slots, base.slots, &new)
        // What lost is safe before what won takes its place; copies go when both are there.
        for id in damaged { try setAside(id) }
        let conflicts = losers.map { id, version in
            let text = version.text(id)
            return (SlotFileName.conflict(id, text: text), text)
        }
        let primaries = SlotID.all.compactMap { id in
            new[id].flatMap { version in
                current.snapshot[id].primary == version ? nil : ("\(id).json", version.text(id))
            }
        }
        try put(conflicts)
        try put(primaries)
        state.withLock { $0.written.merge(new) { $1 } }
        for id in SlotID.all where current.snapshot[id].obstacle == nil || damaged.contains(id) {
            for copy in current.snapshot[id].copies { try? Folder.remove("\(name)/\(copy.name)") }
        }
        return try read()
    }

    private func put(_ files: [(name: String, text: String)]) throws(FileError) {
        var outputs: [OutputFile] = []
        for file in files {
            let output = try OutputFile(path: "\(name)/\(file.name)")
            try output.write(Array(file.text.utf8).span)
            outputs.append(output)
        }
        try OutputFile.commit(outputs)
    }

    /// The version that an edit makes of the one that it stands on.
    ///
    /// A seed makes the same bytes on every machine, so that sync tools see no conflict.
    private func version(
        _ change: PresetSlots.Change,
        _ slots: PresetSlots,
        replacing old: SlotVersion?
    ) -> SlotVersion {
        let isSeed = change.isSeed
        func stamp(_ revision: Int?) -> SlotVersion.Stamp {
            SlotVersion.Stamp(
                // What a first seed writes is older than any edit.
                revision: revision.map { $0 + 1 } ?? (isSeed ? 0 : 1),
                time: isSeed ? UTCTime(microseconds: 0) : clock(),
                machine: isSeed ? "factory" : machine
            )
        }
        guard var result = old else {
            let first = stamp(nil)
            return SlotVersion(
                stamp: first,
                edit: isSeed ? "factory-\(slots.seedVersion)" : Self.newEdit(),
                replaced: [],
                isOwned: change.new.isUserOwned,
                preset: change.new.preset,
                isPinned: change.new.isPinned,
                pinStamp: first,
                seedVersion: slots.seedVersion,
                hasMigrated: slots.hasMigrated
            )
        }
        if change.isContent {
            result.stamp = stamp(result.stamp.revision)
            result.replaced = Array(([result.edit] + result.replaced).prefix(SlotVersion.memory))
            result.edit = isSeed ? "factory-\(slots.seedVersion)" : Self.newEdit()
            result.isOwned = change.new.isUserOwned
            result.preset = change.new.preset
        }
        if change.isPin {
            result.isPinned = change.new.isPinned
            result.pinStamp = stamp(result.pinStamp.revision)
        }
        return result
    }

    /// Notes in every file what an edit changed about the whole store.
    private func stampStore(
        _ slots: PresetSlots,
        _ base: PresetSlots,
        _ versions: inout [SlotID: SlotVersion]
    ) {
        for id in versions.keys {
            if slots.seedVersion != base.seedVersion {
                versions[id]?.seedVersion = slots.seedVersion
            }
            if slots.hasMigrated { versions[id]?.hasMigrated = true }
        }
    }

    private static func newEdit() -> String {
        SlotFileName.hexadecimal(UInt64.random(in: .min ... .max))
    }

    /// Gives a file that cannot be read a name of its own.
    private func setAside(_ id: SlotID) throws(FileError) {
        var number = 1
        while Folder.kind(of: "\(name)/\(id).damaged-\(number).json") != .nothing { number += 1 }
        try Folder.rename("\(name)/\(id).json", to: "\(name)/\(id).damaged-\(number).json")
    }

    // MARK: Watching

    /// Notices what sync tools and other programs of this machine do to the folder.
    public func watch(_ changed: @escaping @Sendable (StoreReading) -> Void) throws -> StoreWatch? {
        let known = try read()
        state.withLock { $0.known = known }
        return try StoreWatch(folder: name) { [weak self] in
            guard let self, let reading = try? decided().reading else { return }
            let isNew = state.withLock { state in
                defer { state.known = reading }
                return state.known?.slots != reading.slots
                    || state.known?.findings != reading.findings
            }
            if isNew { changed(reading) }
        }
    }
}

/// What this machine is called among those that share a folder.
public enum Machine {
    /// The host's name.
    public static let name: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        let text = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return text.isEmpty ? "unknown" : String(decoding: text, as: UTF8.self)
    }()
}
