import Graph
import Media

/// What the files of a shared folder say at one moment; reading it writes nothing.
struct FolderSnapshot {
    /// What a slot's file is, where it cannot be used.
    enum Obstacle { case damaged, newer }

    /// One slot: its file, and the copies of it.
    struct Entry {
        /// What `slot-07.json` says.
        var primary: SlotVersion?
        /// Why it says nothing that can be used.
        var obstacle: Obstacle?
        /// What sync tools' conflict copies say, and their names.
        var copies: [(name: String, version: SlotVersion)] = []
    }

    let folder: String
    private(set) var entries: [Entry] = Array(repeating: Entry(), count: SlotID.count)
    private(set) var findings: [StoreFinding] = []

    /// Reads the folder; one that is not there yet is empty.
    ///
    /// - Parameters:
    ///   - folder: its path.
    ///   - titles: what conflict files hold, by name; those not known yet are added.
    /// - Throws: `FileError` when it may not be read.
    init(folder: String, titles: inout [String: String]) throws(FileError) {
        self.folder = folder
        var names: [String] = []
        do {
            names = try Folder.list(folder).sorted()
        } catch  where error.code == noEntry {}
        for name in names {
            switch SlotFileName(name) {
            case nil: break
            case .slot(let id):
                let (version, obstacle) = version(in: name, of: id)
                self[id].primary = version
                self[id].obstacle = obstacle
            case .copy(let id):
                if let version = version(in: name, of: id).0 {
                    self[id].copies.append((name, version))
                }
            case .conflict(let id):
                let other = titles[name] ?? Self.title(of: "\(folder)/\(name)", id)
                titles[name] = other
                find(
                    .conflict,
                    id,
                    name,
                    "\(id) was edited on two machines; \(other) lost against what is in the slot",
                    hint: "save the file to a slot, or remove it"
                )
            case .damaged(let id):
                find(
                    .setAside,
                    id,
                    name,
                    "it could not be read and had to make place for an edit of \(id)",
                    hint: "remove it, or mend it and save it to a slot"
                )
            case .outOfRange:
                find(.damaged, nil, name, "there is no such slot; slots are 00 to 23")
            case .stray(let id):
                find(
                    .stray,
                    id,
                    name,
                    "it looks like the file of \(id), but only \(id).json is read",
                    hint: "remove it, or save it to a slot"
                )
            }
        }
    }

    subscript(id: SlotID) -> Entry {
        get { entries[id.index] }
        set { entries[id.index] = newValue }
    }

    private mutating func find(
        _ kind: StoreFinding.Kind,
        _ id: SlotID?,
        _ name: String,
        _ text: String,
        hint: String? = nil,
        problems: [Problem] = []
    ) {
        findings.append(
            StoreFinding(kind, id, "\(folder)/\(name)", text, hint: hint, problems: problems)
        )
    }

    /// What a file holds that lost, for messages.
    private static func title(of path: String, _ id: SlotID) -> String {
        guard let bytes = try? FileContents.read(path, limit: JSONReader.byteLimit),
            let version = SlotVersion.read(bytes, file: path, of: id).version
        else { return "this edit" }
        return "\(version.title), edited on \(version.stamp.machine) at \(version.stamp.time),"
    }

    private mutating func version(in name: String, of id: SlotID) -> (SlotVersion?, Obstacle?) {
        let path = "\(folder)/\(name)"
        do throws(FileError) {
            let bytes = try FileContents.read(path, limit: JSONReader.byteLimit)
            let reading = SlotVersion.read(bytes, file: path, of: id)
            if let version = reading.version { return (version, nil) }
            if reading.isNewer {
                find(
                    .newer,
                    id,
                    name,
                    "a newer Foxfire wrote it; it is left alone",
                    problems: reading.problems
                )
                return (nil, .newer)
            }
            let other = reading.id.flatMap { $0 == id ? nil : $0 }
            find(
                .damaged,
                id,
                name,
                other.map { "it says that it is \($0), which has a file of its own" }
                    ?? "it cannot be read and is left alone",
                hint: name == "\(id).json"
                    ? "it may be half synced; an edit of \(id) moves it out of the way"
                    : "it may be half synced; else remove it",
                problems: reading.problems
            )
            return (nil, .damaged)
        } catch {
            // Gone since the folder was read.
            if error.code == noEntry { return (nil, nil) }
            find(
                .damaged,
                id,
                name,
                "it cannot be read and is left alone",
                problems: [Problem(.file, "\(error)")]
            )
            return (nil, .damaged)
        }
    }
}

extension SlotVersion {
    /// What it is, for messages.
    var title: String { preset.map { "the preset \(JSON.quoted($0.name))" } ?? "a cleared slot" }
}
