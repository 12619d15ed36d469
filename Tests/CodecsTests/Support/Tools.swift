import Foundation

/// A folder for one test's files, removed when the test is over.
final class Scratch {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("foxfire-codecs-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }
}

/// A tool that ended badly.
struct ToolFailure: Error, CustomStringConvertible {
    let description: String
}

/// Runs an installed tool and returns what it wrote to standard output.
@discardableResult
func tool(_ name: String, _ arguments: [String], input: Data? = nil) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let folder = try Scratch()
    // Files rather than pipes: a pipe that nobody empties in time would hold the tool.
    let (outPath, errorPath) = (folder.file("out"), folder.file("err"))
    _ = FileManager.default.createFile(atPath: outPath, contents: nil)
    _ = FileManager.default.createFile(atPath: errorPath, contents: nil)
    process.standardOutput = FileHandle(forWritingAtPath: outPath)
    process.standardError = FileHandle(forWritingAtPath: errorPath)
    if let input {
        try input.write(to: URL(fileURLWithPath: folder.file("in")))
        process.standardInput = FileHandle(forReadingAtPath: folder.file("in"))
    } else {
        process.standardInput = FileHandle.nullDevice
    }
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        let text = (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? ""
        throw ToolFailure(description: "\(name) \(arguments.joined(separator: " ")): \(text)")
    }
    return try Data(contentsOf: URL(fileURLWithPath: outPath))
}

/// Runs ffmpeg quietly, replacing outputs.
@discardableResult
func ffmpeg(_ arguments: String...) throws -> Data {
    try tool("ffmpeg", ["-v", "error", "-y", "-nostdin"] + arguments)
}

/// What ffprobe says of a file's container or of one of its streams.
func ffprobe(_ path: String, _ entries: String, stream: String? = nil) throws -> [String: String] {
    var arguments = ["-v", "error", "-of", "default=noprint_wrappers=1"]
    if let stream { arguments += ["-select_streams", stream] }
    let out = try tool("ffprobe", arguments + ["-show_entries", entries, path])
    var result: [String: String] = [:]
    for line in String(decoding: out, as: UTF8.self).split(separator: "\n") {
        guard let equals = line.firstIndex(of: "=") else { continue }
        result[String(line[..<equals])] = String(line[line.index(after: equals)...])
    }
    return result
}

/// The floats that ffmpeg decodes a file's audio to, interleaved.
func decodedByFFmpeg(_ path: String, _ options: String...) throws -> [Float] {
    let data = try tool(
        "ffmpeg",
        ["-v", "error", "-nostdin", "-i", path] + options
            + ["-f", "f32le", "-c:a", "pcm_f32le", "-"]
    )
    return unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
}

extension Data {
    /// Writes to a path.
    func write(to path: String) throws { try write(to: URL(fileURLWithPath: path)) }
}
