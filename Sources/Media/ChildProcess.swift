import Glibc

/// Another program that runs: it is given bytes, and its output is read.
package final class ChildProcess: Sendable {
    /// How it ended.
    package enum End: Sendable, Equatable {
        /// By itself, with a code.
        case exited(Int32)
        /// By a signal.
        case killed(Int32)
    }

    private let identifier: pid_t
    private let input: Int32
    private let output: Int32
    private let errors: Int32
    private let end = Locked<End?>(nil)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: a path, or a name that is looked for in PATH.
    ///   - arguments: what follows its name.
    /// - Throws: `FileError` when it cannot be started.
    package init(_ program: String, _ arguments: [String]) throws(FileError) {
        let streams = try (0..<3).map { (_) throws(FileError) in try Self.pair(program) }
        defer { for stream in streams { close(stream.theirs) } }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, stream.theirs, Int32(number))
        }
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var identifier: pid_t = 0
        let code = unsafe posix_spawnp(&identifier, program, &actions, nil, &words, environ)
        guard code == 0 else {
            for stream in streams { close(stream.ours) }
            throw FileError(path: program, call: "posix_spawn", code: code)
        }
        self.identifier = identifier
        (input, output, errors) = (streams[0].ours, streams[1].ours, streams[2].ours)
    }

    deinit {
        close(input)
        close(output)
        close(errors)
        // One that nobody reads from any more would stay as a dead entry else.
        if end.withLock({ $0 == nil }) {
            kill(identifier, SIGKILL)
            _ = wait()
        }
    }

    /// Sockets rather than pipes: writing to one whose other end is gone need not end this program.
    private static func pair(_ program: String) throws(FileError) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        if unsafe socketpair(AF_UNIX, kind, 0, &ends) != 0 {
            throw FileError(path: program, call: "socketpair", code: errno)
        }
        return (ends[0], ends[1])
    }

    /// Gives it its standard input and reads both of its outputs to their ends.
    ///
    /// - Parameters:
    ///   - bytes: the whole of its standard input.
    ///   - limit: bytes of standard output; more are not kept.
    /// - Returns: standard output, and the first 4096 bytes of standard error as text.
    package func exchange(_ bytes: [UInt8], limit: Int) -> (output: [UInt8], errors: String) {
        var (sent, found, text) = (0, [UInt8](), [UInt8]())
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var waiting = [
            pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
        ]
        while waiting.contains(where: { $0.fd >= 0 }) {
            if unsafe poll(&waiting, nfds_t(waiting.count), -1) < 0 {
                if errno == EINTR { continue }
                break
            }
            for index in waiting.indices where waiting[index].revents != 0 {
                let count =
                    index == 0 ? send(bytes, from: sent) : receive(waiting[index].fd, &buffer)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                switch index {
                case 0: sent += max(0, count)
                case 1: found += buffer.prefix(max(0, min(count, limit - found.count)))
                default: text += buffer.prefix(max(0, min(count, 4096 - text.count)))
                }
                if count <= 0 || index == 0 && sent == bytes.count {
                    shutdown(waiting[index].fd, Int32(SHUT_WR))
                    waiting[index].fd = -1
                }
            }
        }
        return (found, String(decoding: text, as: UTF8.self))
    }

    private func send(_ bytes: [UInt8], from start: Int) -> Int {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            return unsafe Glibc.send(input, base + start, buffer.count - start, flags)
        }
    }

    private func receive(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        unsafe buffer.withUnsafeMutableBytes { target in
            unsafe Glibc.read(descriptor, target.baseAddress, target.count)
        }
    }

    /// Waits for its end.
    package func wait() -> End {
        end.withLock { end in
            if let end { return end }
            var status: Int32 = 0
            while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            let found = signal == 0 ? End.exited(status >> 8 & 0xFF) : .killed(signal)
            end = found
            return found
        }
    }
}
