import CLibAV
import Glibc
import Media

/// Keeps what libav logs off the terminal, and its last errors for our messages.
enum LibraryLog {
    private struct Line {
        let thread: UInt
        let text: String
    }

    /// The latest error lines, oldest first; bounded, since a damaged file can log one per packet.
    private static let lines = Locked<[Line]>([])
    private static let kept = 16

    /// Installs the callback; done once, by every handle that is opened.
    static let installed: Void = {
        unsafe av_log_set_callback { _, level, format, arguments in
            guard level <= AV_LOG_ERROR, let format = unsafe format else { return }
            LibraryLog.keep(unsafe formatted(format, arguments))
        }
    }()

    /// The last line that this thread's calls logged since it was last asked.
    static func takeLast() -> String? {
        let thread = UInt(pthread_self())
        return lines.withLock { lines in
            let last = lines.last { $0.thread == thread }
            lines.removeAll { $0.thread == thread }
            return last?.text
        }
    }

    private static func keep(_ text: String) {
        let trimmed = text.last == "\n" ? String(text.dropLast()) : text
        if trimmed.isEmpty { return }
        let line = Line(thread: UInt(pthread_self()), text: trimmed)
        lines.withLock { lines in
            if lines.count >= kept { lines.removeFirst() }
            lines.append(line)
        }
    }

    private static func formatted(
        _ format: UnsafePointer<CChar>,
        _ arguments: CVaListPointer?
    ) -> String {
        guard let arguments = unsafe arguments else { return unsafe String(cString: format) }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            unsafe vsnprintf(base, buffer.count, format, arguments)
            return unsafe String(cString: base)
        }
    }
}
