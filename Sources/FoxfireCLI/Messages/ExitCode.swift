/// How the command ends.
struct ExitCode: Sendable, Hashable {
    let value: Int32

    static let done = ExitCode(value: 0)
    static let failed = ExitCode(value: 1)
    /// The command line or the graph is wrong.
    static let usage = ExitCode(value: 2)
    /// A batch finished with failed jobs.
    static let failedJobs = ExitCode(value: 3)
    static let damaged = ExitCode(value: 4)
    /// Worth trying again: the disk is full, memory is short, a device is busy.
    static let temporary = ExitCode(value: 75)

    /// Stopped by a signal.
    static func stopped(by signal: Int32) -> ExitCode { ExitCode(value: 128 + signal) }

    /// Whether it says that a signal stopped the command.
    var isStop: Bool { value > 128 }

    /// All of them with what they mean, for help and the manual page.
    static let meanings: [(code: String, meaning: String)] = [
        ("0", "done"),
        ("1", "the job failed: an input is missing, an output may not be written, a node failed"),
        ("2", "the command line or the graph is wrong"),
        ("3", "a batch finished with failed jobs"),
        ("4", "done, but an input was damaged or cut short: what was readable is written"),
        ("75", "worth trying again: the disk is full, memory is short, a device is busy"),
        ("128+n", "stopped by signal n: 130 for an interrupt, 143 when terminated"),
    ]
}
