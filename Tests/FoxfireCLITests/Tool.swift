import Foundation
import TestSupport

/// Programs that tests run.
enum Tool {
    struct Result {
        let code: Int32
        let output: String
        let error: String
    }

    /// The `foxfire` that was built beside the tests.
    static let foxfire: String = {
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: "foxfire").path()
    }()

    /// Where a program is; nil when it is not installed.
    static func path(of name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program to its end; what it reads from standard input is `input`.
    static func run(
        _ program: String,
        _ arguments: [String],
        in folder: String? = nil,
        input: String? = nil
    ) throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        // Files and not pipes: a pipe that nobody reads meanwhile would fill.
        let base = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let names = ["in", "out", "err"].map { base.path() + $0 }
        defer { for name in names { try? FileManager.default.removeItem(atPath: name) } }
        for name in names { try Data().write(to: URL(filePath: name)) }
        if let input { try input.write(toFile: names[0], atomically: false, encoding: .utf8) }
        process.standardInput = FileHandle(forReadingAtPath: names[0])
        process.standardOutput = FileHandle(forWritingAtPath: names[1])
        process.standardError = FileHandle(forWritingAtPath: names[2])
        try process.run()
        process.waitUntilExit()
        return Result(
            code: process.terminationReason == .exit
                ? process.terminationStatus : -process.terminationStatus,
            output: String(decoding: try Data(contentsOf: URL(filePath: names[1])), as: UTF8.self),
            error: String(decoding: try Data(contentsOf: URL(filePath: names[2])), as: UTF8.self)
        )
    }

    /// Runs a line of shell with `foxfire` as `$foxfire`.
    static func shell(_ line: String, in folder: String? = nil) throws -> Result {
        try run("/bin/bash", ["-c", "foxfire=\(foxfire)\n\(line)"], in: folder)
    }
}

/// Calls `body` with the path of a fresh folder, which is removed afterwards.
func inTemporaryFolder<T>(_ body: (String) throws -> T) throws -> T {
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) { try body($0.path) }
}
