import Glibc
public import Media

/// A failure of work on a fox: what happened, and what to do.
public struct FoxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public let text: String
    /// What to do.
    public let hint: String?
    /// Whether trying again may help: no room.
    public let isTemporary: Bool

    /// What happened.
    public var description: String { text }

    init(_ text: String, hint: String? = nil, isTemporary: Bool = false) {
        self.text = text
        self.hint = hint
        self.isTemporary = isTemporary
    }
}

/// A fox whose files are changed with care: nothing is overwritten that was not backed up and seen.
///
/// There is no transaction across files; renaming and reading back are no guarantee against pulling the
/// plug. Each file is old or new after a kill, but for one that had to be written in place: then the backup
/// is whole, and `restore` mends it.
public struct FoxDevice: Sendable {
    /// Where it is.
    public let volume: FoxVolume
    let state: FoxState

    /// Finds what is kept of a fox.
    ///
    /// - Parameters:
    ///   - volume: the fox.
    ///   - base: where the states of all foxes are; nil for the usual place of the user.
    /// - Throws: `FileError` when the state's folder cannot be made.
    public init(_ volume: FoxVolume, stateIn base: String? = nil) throws(FileError) {
        self.volume = volume
        state = try FoxState(of: volume, in: base)
    }

    /// What was there when it was opened; nil when it never was.
    public var snapshot: FoxSnapshot? { state.snapshot }

    /// The backup of a save that was broken off.
    public var brokenSave: FoxState.Backup? { state.brokenSave }

    /// Takes a snapshot.
    ///
    /// - Returns: the snapshot.
    /// - Throws: `FoxError` when it is no fox, or a save was broken off; `FileError`.
    public func open() throws -> FoxSnapshot {
        try refuseBroken()
        guard volume.isFox else {
            throw FoxError("\(volume.folder) is no fox: it has no settings.txt")
        }
        let snapshot = try FoxSnapshot(of: volume)
        try state.keep(snapshot)
        return snapshot
    }

    private func refuseBroken() throws {
        guard let broken = state.brokenSave else { return }
        throw FoxError(
            "a save of this fox was broken off; what was there is in \(broken.folder)",
            hint: "\"foxfire picofox device restore \(volume.folder)\" puts it back"
        )
    }

    // MARK: Saving

    /// A file that is to be on the fox.
    private struct Change {
        let name: String
        let bytes: [UInt8]
    }

    /// Replaces settings and audio.
    ///
    /// - Parameters:
    ///   - settings: the new settings.txt; nil leaves it.
    ///   - audio: the new audio files, in the firmware's order; empty leaves them.
    ///   - isForced: whether changes since the snapshot are overwritten (they are backed up all the same).
    ///   - tell: gets what the user should know meanwhile.
    /// - Throws: `FoxError`, `FileError`; before anything is touched wherever that can be known.
    public func save(
        settings: [UInt8]?,
        audio: [[UInt8]],
        isForced: Bool = false,
        tell: (String) -> Void = { _ in }
    ) throws {
        try refuseBroken()
        guard let snapshot = state.snapshot else {
            throw FoxError(
                "this fox was not opened",
                hint: "\"foxfire picofox device open \(volume.folder)\" comes first"
            )
        }
        guard snapshot.firmware == volume.firmware else {
            throw FoxError(
                "it was opened as \(snapshot.firmware.rawValue), not \(volume.firmware.rawValue)"
            )
        }
        var changes = try audioChanges(audio, snapshot)
        if let settings { changes.insert(Change(name: "settings.txt", bytes: settings), at: 0) }
        if changes.isEmpty { throw FoxError("nothing to save") }
        let differences = snapshot.differences(from: volume)
        if !differences.isEmpty, !isForced {
            throw FoxError(
                "the fox was changed since it was opened: \(differences.joined(separator: ", "))",
                hint: "open it again, or --force"
            )
        }
        let staleID = try settings.flatMap { try staleIdentification($0, snapshot) }
        let plan = try roomPlan(changes)

        let names = changes.map(\.name) + [staleID].compactMap { $0 }
        let backup: FoxState.Backup
        do { backup = try state.backUp(names, of: volume) } catch {
            throw FoxError("the backup failed, so nothing was changed: \(error)")
        }
        try state.begin(backup)
        var isTouched = false
        do {
            if let staleID {
                isTouched = true
                try Folder.remove(volume.path(staleID))
                tell("\(staleID) is removed, so that the fox makes its Morse ID anew")
            }
            for (change, isBeside) in zip(changes, plan) {
                if isBeside {
                    try FoxState.write(change.bytes, to: volume.path(change.name))
                } else {
                    tell(
                        "there is no room for \(change.name) beside the old one: it is written in place"
                    )
                    isTouched = true
                    try overwrite(volume.path(change.name), change.bytes)
                }
                isTouched = true
                try verify(change)
            }
        } catch {
            if !isTouched { try? state.end() }
            guard isTouched else { throw error }
            throw FoxError(
                "\(error); what was there is in \(backup.folder)",
                hint: "\"foxfire picofox device restore \(volume.folder)\" puts it back"
            )
        }
        try state.keep(FoxSnapshot(of: volume))
        try state.end()
    }

    private func audioChanges(_ audio: [[UInt8]], _ snapshot: FoxSnapshot) throws -> [Change] {
        let firmware = volume.firmware
        guard audio.count <= firmware.audioFileNames.count else {
            throw FoxError(
                firmware.playsFiles
                    ? "\(firmware.rawValue) plays \(firmware.audioFileNames.count) "
                        + "file\(firmware.audioFileNames.count == 1 ? "" : "s"), not \(audio.count)"
                    : "\(firmware.rawValue) never plays an audio file"
            )
        }
        return try zip(firmware.audioFileNames, audio).map { name, bytes in
            let file = PlayedFile(bytes.span, firmware)
            guard file.isGood else {
                throw FoxError(
                    bytes.count >= Firmware.counterLimit
                        ? "\(name) would have \(bytes.count) bytes, where the firmware's counter wraps at "
                            + "\(Firmware.counterLimit)"
                        : "the audio for \(name) would not be played as it is meant",
                    hint: "\"foxfire picofox inspect\" tells why, and \"prepare\" makes it well"
                )
            }
            if snapshot.entries[name] == .unreadable {
                throw FoxError(
                    "\(name) on the fox could not be read when it was opened, and is left alone"
                )
            }
            return Change(name: name, bytes: bytes)
        }
    }

    /// The file of the Morse ID when new settings would leave an old one on the air.
    private func staleIdentification(_ settings: [UInt8], _ snapshot: FoxSnapshot) throws -> String?
    {
        guard let name = volume.firmware.identificationFileName,
            Folder.kind(of: volume.path(name)) == .file
        else { return nil }
        let current = try FileStatus.contents(
            volume.path("settings.txt"),
            limit: SettingsReading.byteLimit
        )
        let (old, new) = (
            SettingsReading(current, volume.firmware).settings,
            SettingsReading(settings, volume.firmware).settings
        )
        let keys: [SettingsKey] = [
            .morseSpeed, .farnsworthSpeed, .morseTone, .morseVolume, .foxNumber,
        ]
        let isSame =
            old.callsign == new.callsign && keys.allSatisfy { old.number($0) == new.number($0) }
        return isSame ? nil : name
    }

    /// Of each change, whether it fits beside the old file; else it is written in place.
    private func roomPlan(_ changes: [Change]) throws -> [Bool] {
        guard var free = volume.freeBytes else { return changes.map { _ in true } }
        // The end of a cluster, and the folder's entry.
        func size(_ count: Int64) -> Int64 { (count + 1023) / 1024 * 1024 }
        return try changes.map { change in
            let old = size(FileStatus(volume.path(change.name))?.size ?? 0)
            let new = size(Int64(change.bytes.count))
            if new - old > free {
                throw FoxError(
                    "there is no room for \(change.name): \(change.bytes.count) bytes, and \(free + old) are free",
                    hint: "remove files that are not needed",
                    isTemporary: true
                )
            }
            defer { free -= new - old }
            return new + 1024 <= free
        }
    }

    private func overwrite(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw FileError(path: path, call: "open", code: errno) }
        defer { close(descriptor) }
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(
                    descriptor,
                    buffer.baseAddress.map { unsafe $0 + done },
                    bytes.count - done
                )
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 {
                throw FileError(path: path, call: "write", code: count == 0 ? ENOSPC : errno)
            }
            done += count
        }
        if ftruncate(descriptor, off_t(bytes.count)) != 0 || fsync(descriptor) != 0 {
            throw FileError(path: path, call: "fsync", code: errno)
        }
    }

    /// Reads a file back and compares; also makes sure that the device may open it for writing.
    private func verify(_ change: Change) throws {
        let path = volume.path(change.name)
        if let status = FileStatus(path), status.mode & 0o200 == 0 {
            _ = unsafe chmod(path, status.mode & 0o777 | 0o200)
        }
        let bytes = try FileStatus.contents(path, limit: PlayedFile.byteLimit, isFresh: true)
        if bytes != change.bytes {
            throw FoxError(
                "\(change.name) reads back otherwise than it was written: the medium is faulty"
            )
        }
    }

    // MARK: Restoring

    /// Puts back what a broken save, or else the last save, found.
    ///
    /// - Returns: the names that were put back or removed.
    /// - Throws: `FoxError` when there is no backup; `FileError`.
    public func restore() throws -> [String] {
        guard let backup = state.brokenSave ?? state.newestBackup else {
            throw FoxError("there is no backup of this fox")
        }
        removeTemporaries(of: backup.names)
        for name in backup.names {
            guard let copy = backup.copy(of: name) else {
                if Folder.kind(of: volume.path(name)) == .file {
                    try Folder.remove(volume.path(name))
                }
                continue
            }
            let bytes = try FileStatus.contents(copy, limit: PlayedFile.byteLimit)
            if (try? FileStatus.contents(volume.path(name), limit: PlayedFile.byteLimit)) == bytes {
                continue
            }
            let change = Change(name: name, bytes: bytes)
            if try roomPlan([change])[0] {
                try FoxState.write(bytes, to: volume.path(name))
            } else {
                try overwrite(volume.path(name), bytes)
            }
            try verify(change)
        }
        if volume.isFox { try state.keep(FoxSnapshot(of: volume)) }
        try state.end()
        return backup.names
    }

    /// Removes what a killed save wrote beside its files.
    private func removeTemporaries(of names: [String]) {
        for entry in Folder.entries(of: volume.folder)
        where names.contains(where: { entry.hasPrefix(".\($0).part-") }) {
            try? Folder.remove(volume.path(entry))
        }
    }
}
