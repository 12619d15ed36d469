import Glibc

/// What a finished child process cost.
struct ProcessCost {
    /// User and system seconds.
    let cpu: Double
    let wall: Double
    /// The most memory it had, in bytes.
    let peakMemory: Int
}

/// A command could not be started, or failed.
struct ProcessError: Error, CustomStringConvertible {
    let description: String
}

/// Runs a command with its output thrown away, and returns what it cost.
///
/// - Parameters:
///   - command: the program, found on PATH, and its arguments.
///   - core: the only core it may run on; nil for all.
/// - Returns: what it cost.
/// - Throws: `ProcessError` when it cannot be started or does not exit with 0.
func measure(_ command: [String], core: Int? = nil) throws(ProcessError) -> ProcessCost {
    let words = (core.map { ["taskset", "-c", "\($0)"] } ?? []) + command
    var arguments = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var child: pid_t = 0
    let begin = now()
    let code = unsafe posix_spawnp(&child, words[0], &actions, nil, arguments, environ)
    if code != 0 { throw ProcessError(description: "\(words[0]) cannot be started") }
    var status: Int32 = 0
    var usage = rusage()
    unsafe wait4(child, &status, 0, &usage)
    if status != 0 {
        throw ProcessError(description: "\(words.joined(separator: " ")) ended with \(status)")
    }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return ProcessCost(
        cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        wall: now() - begin,
        peakMemory: usage.ru_maxrss * 1024
    )
}

/// Monotonic seconds.
private func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Calls `body` with a new folder, which is removed afterwards.
func inTemporaryFolder(_ body: (_ folder: String) throws -> Row) throws -> Row {
    var template = Array("/tmp/foxfire-bench-XXXXXX".utf8CString)
    guard let made = unsafe mkdtemp(&template) else {
        throw ProcessError(description: "a folder in /tmp cannot be made")
    }
    let folder = unsafe String(cString: made)
    defer { _ = try? measure(["rm", "-r", folder]) }
    return try body(folder)
}

/// Writes a small text file.
func write(_ text: String, to path: String) throws {
    guard let file = unsafe fopen(path, "w") else {
        throw ProcessError(description: "\(path) cannot be written")
    }
    unsafe fputs(text, file)
    unsafe fclose(file)
}
