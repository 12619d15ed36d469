import Glibc
import Graph
import Media

/// The two streams that the command writes: results, and all else.
enum StandardStreams {
    /// The reader of standard output has gone: what is left is for nobody.
    struct Closed: Error {}

    /// Opens `/dev/null` in the place of streams that the caller has closed.
    ///
    /// Else the first file that is opened would take the place of standard output, and get its text.
    static func repair() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is taken, which is the one just found free.
            _ = unsafe open("/dev/null", O_RDWR)
        }
        // A write to a closed pipe then says so, where the signal would leave unfinished outputs.
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Writes a result to standard output.
    ///
    /// - Throws: `Closed` when nobody reads it any more, `FileError` when it cannot be written.
    static func write(result text: String) throws { try write(result: Array(text.utf8)) }

    /// The same of bytes.
    static func write(result bytes: [UInt8]) throws {
        do {
            try write(bytes, to: STDOUT_FILENO)
        } catch  where error.code == EPIPE {
            throw Closed()
        }
    }

    /// Writes to standard error; that it cannot be written has nowhere to be told.
    static func write(log text: String) {
        try? write(Array(text.utf8), to: STDERR_FILENO)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileError) {
        let code: Int32 = unsafe bytes.withUnsafeBytes { bytes in
            var rest = unsafe bytes
            while unsafe !rest.isEmpty {
                let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
        if code != 0 { throw FileError(path: "standard output", call: "write", code: code) }
    }

    /// Tells messages on standard error, as lines of text or as JSON objects, one per line.
    static func tell(_ messages: [Message], asJSON: Bool) {
        guard !messages.isEmpty else { return }
        let lines = messages.map { message in
            asJSON ? JSON.compact(message.json) : message.line
        }
        write(log: lines.joined(separator: "\n") + "\n")
    }

    /// Whether a stream is a terminal that can move its cursor.
    static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && environment("TERM") != "dumb"
    }

    /// The width of the terminal behind standard error; 80 where that is not known.
    static var columns: Int {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return 80
        }
        return Int(size.ws_col)
    }

    /// The value of an environment variable.
    static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
