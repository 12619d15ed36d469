import Foundation
import Graph
import Testing
import TestSupport

/// A folder with a graph of a tone and batches of it, in which lines of shell are run.
struct BatchFolder {
    /// A tone that takes about `work` of time for each 1024 samples.
    static let slowTone = """
        {"foxfire": 1, "variables": {
            "frequency": {"type": "number", "default": 440}, "seconds": {"type": "time", "default": 1},
            "work": {"type": "time", "default": 0}, "output": {"type": "output"}},
         "nodes": {
            "tone": {"kind": "source.tone", "frequency": "$frequency", "duration": "$seconds"},
            "slow": {"kind": "test.delay", "from": "tone", "work": "$work"},
            "write": {"kind": "write.wav", "from": "slow", "path": "$output"}}}
        """
    /// A recording at another level.
    static let louder = """
        {"foxfire": 1, "variables": {
            "input": {"type": "file"}, "output": {"type": "output"}},
         "nodes": {
            "in": {"kind": "source.media", "path": "$input"},
            "gain": {"kind": "audio.gain", "from": "in", "gain": -6},
            "write": {"kind": "write.wav", "from": "gain", "path": "$output"}}}
        """

    let path: String

    /// Calls `body` with a fresh folder that holds `tone.json`, `louder.json` and `batch.json`.
    ///
    /// - Parameters:
    ///   - batch: the members of the batch file after its version.
    ///   - body: does the test.
    /// - Throws: what `body` throws.
    static func with(_ batch: String, _ body: (BatchFolder) throws -> Void) throws {
        try inTemporaryFolder { path in
            let folder = BatchFolder(path: path)
            try folder.write(slowTone, "tone.json")
            try folder.write(louder, "louder.json")
            try folder.write("{\"foxfire-batch\": 1, \(batch)}", "batch.json")
            try body(folder)
        }
    }

    func write(_ text: String, _ name: String) throws {
        try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
    }

    func shell(_ line: String) throws -> Tool.Result { try Tool.shell(line, in: path) }

    /// Runs the batch to its end.
    func run(_ options: String = "") throws -> Tool.Result {
        try shell("$foxfire batch run batch.json \(options)")
    }

    /// The numbers of jobs that a run would start.
    func due(_ options: String = "") throws -> [Int] {
        let result = try run("--dry-run \(options)")
        #expect(result.code == 0, "\(result.error)")
        return result.output.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            return words.first == "run" ? Int(words[1]) : nil
        }
    }

    /// All files below, but those that begin the folder's life.
    func files(_ part: String = "") throws -> [String] {
        let all = try FileManager.default.subpathsOfDirectory(atPath: "\(path)/\(part)")
        return all.filter { name in
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: "\(path)/\(part)/\(name)"
            )
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }.sorted()
    }

    func contents(_ name: String) -> Data? {
        FileManager.default.contents(atPath: "\(path)/\(name)")
    }

    /// How many jobs of the state folder have a word in their names.
    func count(_ word: String) throws -> Int {
        try files("batch.state").count { $0.contains(".\(word).") }
    }
}
