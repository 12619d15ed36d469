import Dispatch
import Glibc
import Graph
import Media

/// The right to run a job and to say what became of it, held by the process that runs it.
///
/// A file `<job>.claim.<generation>` that is made whole under another name and linked to this one, so that only one
/// process can have it. The highest generation owns. Its first line counts up as long as its holder lives; on a disk
/// of this machine the holder also has a lock on it, which ends with it.
final class JobClaim: Sendable {
    /// Why a claim cannot be had.
    enum Refusal: Error, Hashable {
        /// It is held; by whom.
        case held(String)
        case file(FileError)
    }

    /// Seconds between two counts.
    static let heartbeat = 10
    /// A claim whose count has stood for so many seconds is nobody's any more.
    static let patience = 3 * (heartbeat + 60)

    let folder: StateFolder
    let job: JobID
    let generation: Int
    /// The generation that it took over from; nil: none was held.
    let overtook: Int?
    private let descriptor: Int32
    private let timer: Locked<any DispatchSourceTimer>

    /// Takes a job.
    ///
    /// - Parameters:
    ///   - job: the job.
    ///   - folder: the state folder.
    ///   - abandoned: a generation that was seen to stand still for `patience`; on a disk of this machine its lock
    ///     tells at once.
    ///   - isLocal: whether locks tell.
    /// - Throws: `Refusal`.
    init(_ job: JobID, in folder: StateFolder, abandoned: Int? = nil, isLocal: Bool? = nil)
        throws(Refusal)
    {
        do throws(FileError) {
            try Folder.create(folder.folder(of: job))
        } catch {
            throw .file(error)
        }
        let isLocal = isLocal ?? folder.isLocal
        let text = Self.holder
        for _ in 0..<16 {
            let files = folder.files(of: job)
            var overtook: Int?
            if files.isClaimed {
                let name = folder.path(StateName(job, .claim, files.claim))
                let isDead = isLocal ? Self.isUnlocked(name) : files.claim == abandoned
                if !isDead { throw .held(Self.holder(of: name) ?? "another process") }
                overtook = files.claim
            }
            let generation = files.generation + 1
            guard let descriptor = try Self.make(job, generation, folder, text) else { continue }
            self.folder = folder
            self.job = job
            self.generation = generation
            self.overtook = overtook
            self.descriptor = descriptor
            timer = Locked(Self.beat(descriptor))
            return
        }
        throw .held("another process")
    }

    deinit {
        // Closes the file, when no count is being written.
        timer.withLock { $0.cancel() }
    }

    /// Makes the file under a name of its own, locks it, and gives it the claim's name; nil when another was first.
    private static func make(_ job: JobID, _ generation: Int, _ folder: StateFolder, _ text: String)
        throws(Refusal) -> Int32?
    {
        let name = folder.path(StateName(job, .claim, generation))
        let own = AtomicText.temporaryPath(name)
        let descriptor = unsafe open(own, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw .file(FileError(path: own, call: "open", code: errno)) }
        defer { unsafe unlink(own) }
        var code = FileContents.write(Array((counter(0) + text).utf8).span, to: descriptor)
        if code == 0 {
            // Where there are no locks, the count tells.
            _ = flock(descriptor, LOCK_EX | LOCK_NB)
            if unsafe link(own, name) == 0 { return descriptor }
            code = errno
        }
        close(descriptor)
        // Where it is gone, a later start came to its end and cleared away behind it.
        if code == EEXIST || code == ENOENT { return nil }
        throw .file(FileError(path: own, call: "link", code: code))
    }

    private static func beat(_ descriptor: Int32) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "claim"))
        let count = Locked(UInt64(0))
        timer.schedule(deadline: .now() + .seconds(heartbeat), repeating: .seconds(heartbeat))
        timer.setEventHandler {
            let now = count.withLock { count in
                count += 1
                return count
            }
            var text = counter(now)
            text.withUTF8 { bytes in
                _ = unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, 0)
            }
        }
        timer.setCancelHandler { close(descriptor) }
        timer.activate()
        return timer
    }

    private static func counter(_ count: UInt64) -> String {
        let digits = "\(count)"
        return String(repeating: "0", count: 20 - digits.count) + digits + "\n"
    }

    // MARK: Those of others

    /// Whether nobody holds the lock on a claim.
    ///
    /// A shared lock is tried, so that two who look do not see each other.
    static func isUnlocked(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return errno == ENOENT }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) == 0
    }

    /// What a claim's first line says now; it is opened anew, so that a shared file system looks too.
    static func count(of path: String) -> String? {
        (try? FileContents.read(path, limit: 4096)).map {
            String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }

    /// Whether a claim is that of a process of this machine.
    static func isHeld(_ path: String, by process: pid_t) -> Bool {
        holder(of: path) == "process \(process) on \(hostName())"
    }

    private static func holder(of path: String) -> String? {
        guard let bytes = try? FileContents.read(path, limit: 4096) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.count > 1 ? String(lines[1]) : nil
    }

    private static var holder: String { "process \(getpid()) on \(hostName())\n" }

    // MARK: Its end

    /// Whether no higher generation is there, claimed or ended.
    var isOwner: Bool { folder.files(of: job).generation <= generation }

    /// Writes what the job came to; what it replaces goes, and so do claims up to this one.
    ///
    /// - Parameters:
    ///   - word: what it came to; `running` keeps the claim.
    ///   - state: what is written down.
    ///   - isDurable: whether it is on the disk when this returns.
    /// - Throws: `FileError`; what was there is as it was.
    func put(_ word: StateName.Word, _ state: JobState, isDurable: Bool = false) throws(FileError) {
        try folder.put(StateName(job, word, generation), state, isDurable: isDurable)
    }

    /// Lets go of the job as if it had not been started.
    func release() {
        folder.remove(StateName(job, .running, generation))
        folder.remove(StateName(job, .claim, generation))
    }
}

/// This machine's name.
func hostName() -> String {
    var name = utsname()
    guard unsafe uname(&name) == 0 else { return "?" }
    return unsafe withUnsafeBytes(of: &name.nodename) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
