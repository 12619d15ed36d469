import Graph

/// What the end of a job's process means.
public struct JobEnd: Sendable, Hashable {
    /// How a process ended.
    public enum Kind: Sendable, Hashable {
        /// By itself, with a code.
        case exited(Int)
        /// By a signal.
        case killed(Int)
        /// It ran for too long, and was ended.
        case timedOut
    }

    /// What follows.
    public enum Verdict: Sendable, Hashable {
        case done
        /// Done, and an input was damaged.
        case damaged
        /// Failed for good: why.
        case failed(String)
        /// To be tried again after so many seconds; `isAlone`: while nothing else runs.
        case again(after: Double, isAlone: Bool, String)
    }

    /// How it ended.
    public let kind: Kind

    /// Says how.
    ///
    /// - Parameter kind: how it ended.
    public init(_ kind: Kind) { self.kind = kind }

    /// Decides.
    ///
    /// - Parameters:
    ///   - tries: how often the job has been started by this runner, this time included.
    ///   - crashes: how often it has ended by a signal, this time included.
    ///   - wasAlone: whether nothing else ran beside it.
    ///   - limits: of the batch.
    /// - Returns: what follows.
    public func verdict(tries: Int, crashes: Int, wasAlone: Bool, limits: BatchFile.Limits)
        -> Verdict
    {
        let wait = min(3600, limits.backoff * Double(1 << min(20, tries - 1)))
        func again(_ reason: String) -> Verdict {
            tries <= limits.retries
                ? .again(after: wait, isAlone: false, reason) : .failed(reason)
        }
        switch kind {
        case .exited(0): return .done
        case .exited(4): return .damaged
        case .exited(75): return again("it could not be done for now")
        case .exited(130), .exited(143): return again("it was stopped")
        case .exited(137), .killed(9):
            if wasAlone { return .failed("it was killed, most likely for want of memory") }
            let reason = "it was killed, most likely for want of memory"
            return .again(after: 0, isAlone: true, reason)
        case .exited(let code): return .failed("exit code \(code)")
        case .killed(2), .killed(15): return again("it was stopped")
        case .killed(let signal):
            let reason = "it crashed with signal \(signal)"
            return crashes > 1
                ? .failed(reason) : .again(after: wait, isAlone: false, reason)
        case .timedOut:
            let time = limits.timeout.map { "\(shortText(of: $0)) s" } ?? "it may"
            return again("it took longer than \(time)")
        }
    }
}
