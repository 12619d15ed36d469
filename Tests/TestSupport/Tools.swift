public import Foundation

/// A folder for one test's files, removed when the test is over.
public final class TemporaryFolder {
    /// Where it is.
    public let path: String

    /// Makes an empty folder.
    public init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("foxfire-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    public func file(_ name: String) -> String { path + "/" + name }

    /// The names of what it holds, hidden files too, in order.
    public var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    /// What a file in it holds.
    public func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: file(name)))
    }
}

/// A tool that ended badly.
public struct ToolFailure: Error, CustomStringConvertible {
    /// What was run, and what it said.
    public let description: String
}

/// Runs installed programs as independent judges.
public enum Tools {
    /// Runs a program to its end.
    ///
    /// - Returns: what it wrote to standard output.
    /// - Throws: `ToolFailure` with what it wrote to standard error when it fails.
    @discardableResult
    public static func run(_ name: String, _ arguments: [String], input: Data? = nil) throws -> Data
    {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        // Files rather than pipes: a pipe that nobody empties in time would hold the program.
        for file in ["out", "err"] {
            _ = FileManager.default.createFile(atPath: folder.file(file), contents: nil)
        }
        process.standardOutput = FileHandle(forWritingAtPath: folder.file("out"))
        process.standardError = FileHandle(forWritingAtPath: folder.file("err"))
        process.standardInput = FileHandle.nullDevice
        if let input {
            try input.write(to: URL(fileURLWithPath: folder.file("in")))
            process.standardInput = FileHandle(forReadingAtPath: folder.file("in"))
        }
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let text = String(decoding: try folder.bytes("err"), as: UTF8.self)
            throw ToolFailure(description: "\(name) \(arguments.joined(separator: " ")): \(text)")
        }
        return try folder.bytes("out")
    }

    /// Runs ffmpeg quietly, replacing outputs.
    @discardableResult
    public static func ffmpeg(_ arguments: String...) throws -> Data {
        try run("ffmpeg", ["-v", "error", "-y", "-nostdin"] + arguments)
    }

    /// Entries of a container, of a stream, or of its packets, as ffprobe has them: a dictionary for
    /// each line of its table.
    public static func ffprobe(
        _ path: String,
        _ entries: String,
        stream: String? = nil
    ) throws -> [[String: String]] {
        var arguments = ["-v", "error", "-of", "compact=print_section=0"]
        if let stream { arguments += ["-select_streams", stream] }
        let out = try run("ffprobe", arguments + ["-show_entries", entries, path])
        return String(decoding: out, as: UTF8.self).split(separator: "\n").map { line in
            var entries: [String: String] = [:]
            for part in line.split(separator: "|") {
                let pair = part.split(
                    separator: "=",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                if pair.count == 2 { entries[String(pair[0])] = String(pair[1]) }
            }
            return entries
        }
    }
}
