import Codecs
import Glibc
import Graph
import Media

/// Where graphs are found: in files, on standard input, and among the installed ones.
enum GraphLocation {
    /// More is no graph that anybody wrote.
    private static let limit = 64 << 20

    /// A graph's text, and what it is called in messages.
    struct Source {
        let text: [UInt8]
        /// A path as the user would write it; `-` for standard input.
        let file: String
    }

    /// Reads the graph that a command line names: `-`, a path with a `/` or ending in `.json`, or the
    /// name of an installed graph.
    ///
    /// - Throws: `Failure` when there is none.
    static func read(_ name: String) throws -> Source {
        if name == "-" { return Source(text: try bytes(of: "-"), file: "-") }
        if name.contains("/") || name.hasSuffix(".json") {
            return Source(text: try bytes(of: name), file: name)
        }
        let graphs = installed()
        guard let path = graphs.first(where: { $0.name == name })?.path else {
            throw unknown(name, among: graphs.map(\.name))
        }
        return Source(text: try bytes(of: path), file: shortened(path))
    }

    /// A path as somebody in the working folder would write it.
    private static func shortened(_ path: String) -> String {
        guard let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        let prefix = unsafe String(cString: folder) + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    private static func unknown(_ name: String, among names: [String]) -> Failure {
        let hint: String
        if let meant = closestMatch(to: name, in: names) {
            hint = "did you mean \"\(meant)\"?"
        } else if Folder.kind(of: name) == .file {
            hint = "a file of that name is ./\(name)"
        } else if name.contains("=") {
            hint = "the graph comes first, as in film \(name)"
        } else {
            hint = "\"foxfire graphs\" lists them"
        }
        return Failure(
            .usage,
            Message(.error, "usage", "no graph \"\(name)\" is installed", hint: hint)
        )
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        do {
            return try InputText.read(path, limit: limit)
        } catch let error as FileError {
            // The command line names a graph that is not there: that is no fault of the job.
            throw Failure(error.isTemporary ? .temporary : .usage, [Message(error)])
        }
    }

    // MARK: Installed graphs

    /// The installed graphs, by name.
    static func installed() -> [(name: String, path: String)] {
        guard let folder = InstalledFiles.folder("graphs") else { return [] }
        return Folder.entries(of: folder).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
            .map { String($0.dropLast(5)) }.sorted().map { ($0, "\(folder)/\($0).json") }
    }
}
