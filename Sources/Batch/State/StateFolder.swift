import Glibc
import Graph
public import Media

/// The folder that holds what became of a batch's jobs: 256 folders by the first digits of their names.
public struct StateFolder: Sendable {
    /// Where it is.
    public let path: String

    /// Names the folder; it need not be there yet.
    ///
    /// - Parameter path: of the folder.
    public init(_ path: String) { self.path = path }

    /// The folder of a batch file: beside it, with its name.
    ///
    /// - Parameter file: the batch file's path.
    /// - Returns: the folder.
    public static func of(_ file: String) -> StateFolder {
        let base = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
        return StateFolder(base + ".state")
    }

    func folder(of job: JobID) -> String { "\(path)/\(job.description.prefix(2))" }

    func path(_ name: StateName) -> String { "\(folder(of: name.job))/\(name.text)" }

    /// Where the messages of a job's runs are.
    ///
    /// - Parameter job: the job.
    /// - Returns: the path of a text file, which may not be there.
    public func log(of job: JobID) -> String { "\(folder(of: job))/\(job).log" }

    var hashes: ContentHash { ContentHash(path + "/hashes") }

    /// What the names of one job's files say.
    func files(of job: JobID) -> JobFiles {
        var files = JobFiles()
        for name in names(of: job) { files.note(name) }
        return files
    }

    func names(of job: JobID) -> [StateName] {
        Folder.entries(of: folder(of: job)).compactMap { StateName($0) }.filter { $0.job == job }
    }

    /// Writes what a start of a job came to; names of it and of earlier starts go.
    ///
    /// - Parameters:
    ///   - name: says what; `running` replaces nothing.
    ///   - state: what is written down.
    ///   - isDurable: whether it is on the disk when this returns.
    /// - Throws: `FileError`; what was there is as it was.
    func put(_ name: StateName, _ state: JobState, isDurable: Bool = false) throws(FileError) {
        try AtomicText.write(JSON.compact(state.json), to: path(name), isDurable: isDurable)
        // What ran before is asked about until there is an end.
        if name.word != .running { removeNames(before: name) }
    }

    /// Removes what an end of a job replaces: all names of that start and of earlier ones.
    ///
    /// - Parameter end: the end.
    func removeNames(before end: StateName) {
        let folder = folder(of: end.job)
        for entry in Folder.entries(of: folder) {
            guard let other = StateName(written: entry), other.job == end.job,
                entry != end.text, other.generation <= end.generation, other.word != .overtaken
            else { continue }
            unsafe unlink("\(folder)/\(entry)")
        }
    }

    /// What the names of all jobs' files say.
    ///
    /// Reads folders and no file: O(names).
    ///
    /// - Throws: `FileError` when a folder is there and cannot be read.
    func survey() throws(FileError) -> [JobID: JobFiles] {
        var all: [JobID: JobFiles] = [:]
        for part in 0..<256 {
            let folder = "\(path)/\(hexDigits([UInt8(part)]))"
            let entries: [String]
            do throws(FileError) {
                entries = try Folder.list(folder)
            } catch {
                if error.code == ENOENT { continue }
                throw error
            }
            for entry in entries {
                if let name = StateName(entry) {
                    all[name.job, default: JobFiles()].note(name)
                } else if let name = StateName(written: entry) {
                    all[name.job, default: JobFiles()].count += 1
                }
            }
        }
        return all
    }

    /// Removes what is known of jobs; their outputs stay.
    ///
    /// - Parameters:
    ///   - jobs: which.
    ///   - all: whether the folder itself goes too, with the hashes of inputs.
    /// - Throws: `FileError` when something cannot be removed.
    public func forget(_ jobs: Set<JobID>, all: Bool) throws(FileError) {
        for folder in Set(jobs.map(folder(of:))) {
            for entry in Folder.entries(of: folder) {
                let job = JobID(entry.prefix { $0 != "." })
                if let job, jobs.contains(job) { try Folder.remove("\(folder)/\(entry)") }
            }
        }
        if all { try Self.removeTree(path) }
    }

    static func removeTree(_ path: String) throws(FileError) {
        for entry in Folder.entries(of: path) {
            let inner = "\(path)/\(entry)"
            if Folder.link(at: inner) == nil, Folder.kind(of: inner) == .folder {
                try removeTree(inner)
            } else {
                try Folder.remove(inner)
            }
        }
        try Folder.remove(path)
    }

    func remove(_ name: StateName) { unsafe unlink(path(name)) }

    /// Whether locks of files here are seen by all who use them: the folder lies on a disk of this machine.
    var isLocal: Bool {
        let real = unsafe realpath(path, nil)
        defer { unsafe free(real) }
        guard let place = unsafe real.map({ unsafe String(cString: $0) }),
            let mounts = try? FileContents.read("/proc/self/mountinfo", limit: 16 << 20)
        else { return false }
        let local: Set<Substring> = [
            "ext2", "ext3", "ext4", "xfs", "btrfs", "tmpfs", "overlay", "zfs", "f2fs", "ramfs",
            "bcachefs", "jfs", "reiserfs",
        ]
        var (longest, isLocal) = (0, false)
        for line in String(decoding: mounts, as: UTF8.self).split(separator: "\n") {
            // proc(5): the fifth field is where it is mounted, and the kind follows the field "-".
            let fields = line.split(separator: " ")
            guard fields.count > 6, let mark = fields.firstIndex(of: "-"), mark + 1 < fields.count
            else { continue }
            let mount = fields[4] == "/" ? "" : fields[4]
            // Of several at one place the last covers the others.
            if place == mount || place.hasPrefix(mount + "/"), mount.utf8.count >= longest {
                (longest, isLocal) = (mount.utf8.count, local.contains(fields[mark + 1]))
            }
        }
        return isLocal
    }
}
