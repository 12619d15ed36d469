import Dispatch
import Glibc
import Media

/// A running child process of a batch.
final class JobProcess: Sendable {
    /// How one ended, and what it took.
    struct End: Sendable {
        let kind: JobEnd.Kind
        /// Seconds of all its threads.
        let processorTime: Double
        /// The most resident memory, in bytes.
        let peakMemory: Int
    }

    let identifier: pid_t
    private let end = Locked<End?>(nil)

    /// Starts a program in a process group of its own, so that an interrupt from the terminal does not reach it.
    ///
    /// - Parameters:
    ///   - program: its path.
    ///   - arguments: what follows its name.
    ///   - environment: variables beside those of this process.
    ///   - log: what it tells is appended to this file.
    ///   - pipe: it gets this as descriptor 3.
    ///   - finished: is signalled when it ends.
    /// - Throws: `FileError` when it cannot be started.
    init(
        _ program: String,
        _ arguments: [String],
        environment: [String],
        log: String,
        pipe: Int32,
        finished: DispatchSemaphore
    ) throws(FileError) {
        let output = unsafe open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        if output < 0 { throw FileError(path: log, call: "open", code: errno) }
        defer { close(output) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 2)
        unsafe posix_spawn_file_actions_adddup2(&actions, pipe, 3)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var variables =
            unsafe Self.inherited(without: environment).map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var identifier: pid_t = 0
        let code = unsafe posix_spawn(
            &identifier,
            program,
            &actions,
            &attributes,
            &words,
            &variables
        )
        if code != 0 { throw FileError(path: program, call: "posix_spawn", code: code) }
        self.identifier = identifier
        // A queue of its own, for it blocks until the end.
        DispatchQueue(label: "child \(identifier)").async { [self] in
            let end = wait()
            self.end.withLock { $0 = end }
            finished.signal()
        }
    }

    /// This process's environment with other values for some variables.
    private static func inherited(without changed: [String]) -> [String] {
        var all: [String] = []
        var place = unsafe environ
        while let entry = unsafe place.pointee {
            all.append(unsafe String(cString: entry))
            unsafe place += 1
        }
        let names = changed.map { $0.prefix { $0 != "=" } }
        return all.filter { !names.contains($0.prefix { $0 != "=" }) } + changed
    }

    private func wait() -> End {
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
        let signal = Int(status & 0x7F)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return End(
            kind: signal == 0 ? .exited(Int(status >> 8 & 0xFF)) : .killed(signal),
            processorTime: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            peakMemory: usage.ru_maxrss * 1024
        )
    }

    /// How it ended; nil as long as it runs.
    var ended: End? { end.withLock { $0 } }

    /// Sends a signal to it and to what it has started.
    func send(_ signal: Int32) {
        // One that has ended is not sent to: its number may be another's.
        end.withLock { end in
            if end == nil { kill(-identifier, signal) }
        }
    }
}
