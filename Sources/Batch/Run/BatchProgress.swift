public import Media

/// What happened.
public enum BatchEvent: Sendable {
    /// A job failed for good: why.
    case failed(BatchPlan.Job, String)
    /// A job is to be tried again: why.
    case again(BatchPlan.Job, String)
    /// A job is done, and an input of it was damaged.
    case damaged(BatchPlan.Job)
    /// Some time has passed.
    case tick(BatchCounts)
}

/// How many jobs are where.
public struct BatchCounts: Sendable, Hashable {
    /// All that were to run.
    public var total = 0
    /// Done, damaged ones among them.
    public var done = 0
    /// Done, and an input was damaged.
    public var damaged = 0
    /// Failed for good.
    public var failed = 0
    /// Run now.
    public var running = 0
    /// Run by other processes.
    public var elsewhere = 0
    /// Seconds of processors that children took.
    public var processorTime = 0.0
    /// Seconds since the beginning.
    public var elapsed = 0.0
    /// Seconds until fewer than as many as may run at once were left.
    public var fullTime = 0.0
    /// Seconds of processors of the children that had ended by then.
    public var fullProcessorTime = 0.0

    /// To be run yet.
    public var waiting: Int { total - done - failed - running - elsewhere }
}

/// Why a run ended before its end.
public enum BatchStop: Error, Sendable {
    /// A signal came, or `cancel` was called for.
    case asked
    /// The disk of a folder is full: which.
    case diskFull(String)
    /// The first job failed.
    case failFast
    /// A file of this process's own could not be used.
    case file(FileError)
    /// Slurm's tasks have ended, and jobs are left.
    case tasksEnded
}
