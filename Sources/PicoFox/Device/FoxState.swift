import Glibc
public import Media

/// What is kept on the host for one fox: the snapshot, backups, and the journal of a save under way.
public struct FoxState: Sendable {
    /// Its folder.
    public let folder: String

    /// The state of a fox.
    ///
    /// - Parameters:
    ///   - volume: the fox.
    ///   - base: where the states of all are; nil for `foxfire/picofox` in `XDG_STATE_HOME` or
    ///     `~/.local/state`.
    /// - Throws: `FileError` when there is no home, or the folder cannot be made.
    init(of volume: FoxVolume, in base: String?) throws(FileError) {
        guard let base = base ?? Self.usualBase else {
            throw FileError(path: "XDG_STATE_HOME", call: "getenv", code: ENOENT)
        }
        let key = FoxSnapshot.digest(Array(volume.identity.utf8)).prefix(16)
        folder = "\(base)/\(key)"
        try Folder.create(folder)
        try Self.write(Array("\(volume.identity)\n".utf8), to: "\(folder)/identity")
    }

    private static var usualBase: String? {
        func variable(_ name: String) -> String? {
            unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        // A relative path is to be ignored, the XDG specification says.
        let bases = [variable("XDG_STATE_HOME"), variable("HOME").map { "\($0)/.local/state" }]
        return bases.compactMap { $0 }.first { $0.hasPrefix("/") }.map { "\($0)/foxfire/picofox" }
    }

    private var snapshotPath: String { "\(folder)/snapshot" }
    var journalPath: String { "\(folder)/journal" }

    /// The snapshot; nil where the fox was never opened.
    public var snapshot: FoxSnapshot? {
        guard let bytes = try? FileStatus.contents(snapshotPath, limit: 1 << 20) else { return nil }
        return FoxSnapshot(bytes)
    }

    /// Keeps a snapshot.
    public func keep(_ snapshot: FoxSnapshot) throws(FileError) {
        try Self.write(snapshot.bytes, to: snapshotPath)
    }

    static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let file = try OutputFile(path: path)
        try file.write(bytes.span)
        try file.commit()
    }

    // MARK: Backups

    /// Names of the files that are backed up, with where the copies are; nil of one that was not there.
    public struct Backup: Sendable, Equatable {
        /// The folder of the copies.
        public let folder: String
        /// All names of the save.
        public let names: [String]

        /// A name's copy; nil where the fox had no such file.
        public func copy(of name: String) -> String? {
            let path = "\(folder)/\(name)"
            return Folder.kind(of: path) == .file ? path : nil
        }
    }

    /// Copies files of a fox, and makes sure that the copies are on the disk.
    func backUp(_ names: [String], of volume: FoxVolume) throws(FileError) -> Backup {
        var now = time(nil)
        var parts = unsafe tm()
        unsafe gmtime_r(&now, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date =
            "\(unsafe parts.tm_year + 1900)" + two(unsafe parts.tm_mon + 1)
            + two(unsafe parts.tm_mday)
        let clock = two(unsafe parts.tm_hour) + two(unsafe parts.tm_min) + two(unsafe parts.tm_sec)
        let stamp = "\(date)T\(clock)Z"
        var place = "\(folder)/backups/\(stamp)"
        var number = 1
        while Folder.kind(of: place) != .nothing {
            number += 1
            place = "\(folder)/backups/\(stamp)-\(number)"
        }
        try Folder.create(place)
        for name in names where Folder.kind(of: volume.path(name)) == .file {
            let bytes = try FileStatus.contents(volume.path(name), limit: PlayedFile.byteLimit)
            try Self.write(bytes, to: "\(place)/\(name)")
        }
        try Self.write(Array(names.map { "\($0)\n" }.joined().utf8), to: "\(place)/names")
        return Backup(folder: place, names: names)
    }

    /// The newest backup; nil where there is none.
    public var newestBackup: Backup? {
        // By time, then by number: 20261202T100000Z, …Z-2, …Z-10.
        let names = Folder.entries(of: "\(folder)/backups")
        let newest = names.max {
            ($0.prefix(16), $0.utf8.count, $0) < ($1.prefix(16), $1.utf8.count, $1)
        }
        return newest.flatMap { backup("\(folder)/backups/\($0)") }
    }

    private func backup(_ place: String) -> Backup? {
        guard let list = try? FileStatus.contents("\(place)/names", limit: 1 << 20) else {
            return nil
        }
        let names = String(decoding: list, as: UTF8.self).split(separator: "\n").map(String.init)
        return Backup(folder: place, names: names)
    }

    // MARK: Journal

    /// The backup of a save that was broken off; nil where there was none.
    public var brokenSave: Backup? {
        guard let bytes = try? FileStatus.contents(journalPath, limit: 1 << 16) else { return nil }
        return backup(String(decoding: bytes.filter { $0 != 0x0A }, as: UTF8.self))
    }

    /// Takes note of a save that begins.
    func begin(_ backup: Backup) throws(FileError) {
        try Self.write(Array("\(backup.folder)\n".utf8), to: journalPath)
    }

    /// Takes note that it is done.
    func end() throws(FileError) {
        if Folder.kind(of: journalPath) == .file { try Folder.remove(journalPath) }
    }
}
