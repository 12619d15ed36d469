import Glibc
import Media

/// Turns SIGINT, SIGTERM and SIGHUP into a quiet end of the job.
///
/// The first one calls what was registered, or ends the process where nothing is; another SIGINT ends
/// it at once. A thread of its own waits for them, so that no code runs in a signal handler.
final class Interruption: Sendable {
    private struct State {
        var signal: Int32?
        var action: (@Sendable () -> Void)?
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    private let state = Locked(State())

    /// Begins to listen; threads that are made from now on leave these signals to it.
    init() {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in Self.signals where !Self.isLeftAlone(signal) {
            // A shell lets its background jobs ignore interrupts; one that is sent is meant.
            _ = Glibc.signal(signal, SIG_DFL)
            unsafe sigaddset(&set, signal)
        }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let code = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<Interruption>.fromOpaque(context).takeRetainedValue().listen()
                }
                return nil
            },
            context
        )
        if code != 0 {
            unsafe Unmanaged<Interruption>.fromOpaque(context).release()
            unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        }
    }

    /// The signal that came first; nil as long as none has.
    var signal: Int32? { state.withLock { $0.signal } }

    /// Lets the first signal call `action` in place of ending the process.
    ///
    /// Calls it now when that signal has come already.
    func onSignal(_ action: @escaping @Sendable () -> Void) {
        let came = state.withLock { state in
            state.action = action
            return state.signal != nil
        }
        if came { action() }
    }

    /// Lets the first signal end the process again.
    func clear() { state.withLock { $0.action = nil } }

    private func listen() {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in Self.signals { unsafe sigaddset(&set, signal) }
        while true {
            var signal: Int32 = 0
            guard unsafe sigwait(&set, &signal) == 0 else { return }
            let received = signal
            let (isFirst, action) = state.withLock { state in
                defer { if state.signal == nil { state.signal = received } }
                return (state.signal == nil, state.action)
            }
            if !isFirst, received == SIGINT { _exit(128 + received) }
            guard isFirst else { continue }
            guard let action else { _exit(128 + received) }
            action()
        }
    }

    /// Whether the caller wants a hang-up ignored, as `nohup` does.
    private static func isLeftAlone(_ number: Int32) -> Bool {
        guard number == SIGHUP else { return false }
        let old = Glibc.signal(number, SIG_DFL)
        _ = Glibc.signal(number, old)
        return unsafe unsafeBitCast(old, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
