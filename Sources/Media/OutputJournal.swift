import Glibc

/// What finishes the naming of files that are of no use without each other, should the program be killed between.
///
/// Lies beside them while they get their names. A line for each: the temporary name, a tab, the final name.
public struct OutputJournal: Sendable {
    private let path: String

    /// Writes down what is going to be named, and syncs that.
    ///
    /// - Parameter files: complete and synced; nothing is written for fewer than two, or where they lie in several
    ///   folders.
    /// - Throws: `FileError` when it cannot be written.
    init?(_ files: [(temporary: String, final: String)]) throws(FileError) {
        let names = files.map { (Folder.name(of: $0.temporary), Folder.name(of: $0.final)) }
        let folders = Set(files.flatMap { [$0.temporary, $0.final] }.map(Folder.parent(of:)))
        guard files.count > 1, folders.count == 1,
            names.allSatisfy({ !"\($0)\($1)".contains { "\t\n".contains($0) } })
        else { return nil }
        path = Self.path(for: files[0].final)
        let text = names.map { "\($0)\t\($1)\n" }.joined()
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw FileError(path: path, call: "open", code: errno) }
        defer { close(descriptor) }
        var code = FileContents.write(Array(text.utf8).span, to: descriptor)
        if code == 0, fsync(descriptor) != 0 { code = errno }
        if code != 0 {
            unsafe unlink(path)
            throw FileError(path: path, call: "write", code: code)
        }
        OutputFile.flush(folder: Folder.parent(of: path))
    }

    func remove() { unsafe unlink(path) }

    /// Of each group the first file's name tells where it is looked for.
    private static func path(for file: String) -> String {
        let folder = Folder.parent(of: file)
        return "\(folder)/.\(Folder.name(of: file).prefix(40)).pending"
    }

    /// Completes what a killed program left half named: all files of a group get their names.
    ///
    /// - Parameter path: the final path of the group's first file.
    /// - Returns: whether there was something to complete.
    @discardableResult
    public static func complete(for path: String) -> Bool {
        guard let destination = try? OutputFile.destination(of: path) else { return false }
        let journal = Self.path(for: destination)
        guard let bytes = try? FileContents.read(journal, limit: 1 << 16) else { return false }
        let folder = Folder.parent(of: destination)
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let names = line.split(separator: "\t").map(String.init)
            // Whatever else lies there under this name moves no other files.
            guard names.count == 2, !names.contains(where: { $0.contains("/") }),
                names[0].hasPrefix(".\(names[1].prefix(40)).part-")
            else { continue }
            unsafe rename("\(folder)/\(names[0])", "\(folder)/\(names[1])")
            unsafe unlink("\(folder)/\(names[0]).old")
        }
        OutputFile.flush(folder: folder)
        unsafe unlink(journal)
        return true
    }
}
