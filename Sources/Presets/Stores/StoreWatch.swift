import Dispatch
import Glibc
import Media

/// Notices that files of a folder change, by inotify; ends when it is cancelled or gone.
///
/// Changes that other machines make on a network drive are not seen by the system, and so not here.
public final class StoreWatch: Sendable {
    /// Bursts of changes, as sync tools make them, are told once.
    private static let settling = DispatchTimeInterval.milliseconds(150)
    private static let retry = DispatchTimeInterval.seconds(1)

    private let folder: String
    private let descriptor: Int32
    private let queue: DispatchQueue
    private let state = Locked(State())

    private struct State {
        var isCancelled = false
        var isScheduled = false
        /// Kept in the lock, since the type is not known to be safe to share.
        var source: (any DispatchSourceRead)?
    }

    /// Starts to watch a folder, which is made where it is missing.
    ///
    /// - Parameters:
    ///   - folder: its path.
    ///   - changed: called on a queue of its own, after any file of the folder has changed.
    /// - Throws: `FileError` when the folder cannot be made or the system refuses.
    init(folder: String, _ changed: @escaping @Sendable () -> Void) throws(FileError) {
        try Folder.create(folder)
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        if descriptor < 0 { throw FileError(path: folder, call: "inotify_init1", code: errno) }
        let code = Self.add(folder, to: descriptor)
        if code != 0 {
            close(descriptor)
            throw FileError(path: folder, call: "inotify_add_watch", code: code)
        }
        self.folder = folder
        self.descriptor = descriptor
        queue = DispatchQueue(label: "foxfire.presets.watch")
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.drain(changed) }
        source.setCancelHandler { close(descriptor) }
        state.withLock { $0.source = source }
        source.activate()
    }

    deinit { cancel() }

    /// Ends the watch; a call that runs already runs to its end.
    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.source?.cancel()
            state.source = nil
        }
    }

    /// The system's error number, or 0.
    private static func add(_ folder: String, to descriptor: Int32) -> Int32 {
        let events =
            IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
        return unsafe inotify_add_watch(descriptor, folder, UInt32(events)) < 0 ? errno : 0
    }

    private func drain(_ changed: @escaping @Sendable () -> Void) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe read(descriptor, bytes.baseAddress, bytes.count)
            }
            if count > 0 || count < 0 && errno == EINTR { continue }
            break
        }
        schedule(changed)
    }

    /// Tells of changes once no more come for a moment.
    private func schedule(_ changed: @escaping @Sendable () -> Void) {
        let isNew = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isNew else { return }
        queue.asyncAfter(deadline: .now() + Self.settling) { [weak self] in
            guard let self else { return }
            let isOver = state.withLock { state in
                state.isScheduled = false
                return state.isCancelled
            }
            if isOver { return }
            follow(changed)
            changed()
        }
    }

    /// Watches the folder of that name again, should the one before be gone.
    private func follow(_ changed: @escaping @Sendable () -> Void) {
        if state.withLock({ $0.isCancelled }) { return }
        // Adding a watch that is there changes nothing.
        if Self.add(folder, to: descriptor) == 0 { return }
        queue.asyncAfter(deadline: .now() + Self.retry) { [weak self] in
            guard let self, !state.withLock({ $0.isCancelled }) else { return }
            if Self.add(folder, to: descriptor) == 0 {
                schedule(changed)
            } else {
                follow(changed)
            }
        }
    }
}
