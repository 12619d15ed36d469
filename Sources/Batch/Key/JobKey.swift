import Codecs
import Graph
import Media

/// What decides a job's outputs, in one hash: the graph, what it reads, and what makes the bytes.
struct JobKey: Sendable {
    /// A file that the job reads.
    struct Input: Sendable, Hashable {
        let path: String
        /// What it was; nil where nothing was there.
        let stamp: String?
        /// Nil where it cannot be read twice, as a device.
        let sha256: String?
    }

    /// 64 hexadecimal digits; nil where an input cannot be hashed, so that the job is never skipped.
    let text: String?
    let inputs: [Input]

    /// Reads what the job reads, as far as that is not known already.
    ///
    /// - Parameters:
    ///   - plan: the checked graph.
    ///   - hashes: where hashes are kept.
    ///   - watched: files that take part by what the graph says of them already, and whose change is to be noticed.
    /// - Throws: `FileError` when a file cannot be read.
    init(_ plan: GraphPlan, hashes: ContentHash, watched: [String]) throws {
        var inputs: [Input] = []
        var isWhole = true
        let objects = LoadedObjects.current
        var text =
            "\(objects.build)\n\(objects.libraries)\n\(plan.canonical)\n"
        for file in plan.inputFiles where !file.path.hasPrefix("builtin:") {
            guard !file.isStandardInput, let known = try hashes.known(file.path) else {
                isWhole = false
                continue
            }
            inputs.append(
                Input(path: file.path, stamp: known.stamp.text, sha256: known.sha256)
            )
            text += known.sha256 + "\n"
        }
        for path in watched {
            inputs.append(Input(path: path, stamp: FileStamp(path)?.text, sha256: nil))
        }
        self.inputs = inputs
        self.text = isWhole ? sha256(of: text) : nil
    }
}

/// The SHA-256 of a text, as hexadecimal digits.
func sha256(of text: String) -> String {
    var hash = SHA256()
    hash.update(Array(text.utf8).span)
    return hash.hexDigest()
}
