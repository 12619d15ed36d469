import Glibc
import Graph
import Media

/// What is done about outputs before a job: whether they can be written, and about those that exist.
struct OutputPolicy {
    enum Choice { case ask, replace, keep }

    /// A file or a numbered sequence that a job is to write.
    struct Target: Hashable {
        let path: String
        var isSequence = false
        /// The node that writes it; nil for reports and the like.
        var node: String?

        var numberedFiles: NumberedFiles? { isSequence ? NumberedFiles(pattern: path) : nil }

        /// The files there are that would be replaced.
        var existingPaths: [String] {
            if let files = numberedFiles { return files.existing().compactMap(files.path) }
            return Folder.kind(of: path) == .nothing ? [] : [path]
        }

        var exists: Bool { !existingPaths.isEmpty }
    }

    let choice: Choice

    init(_ arguments: Arguments) throws(UsageError) {
        if arguments.has(.replace), arguments.has(.keep) {
            throw UsageError(text: "\"-y\" and \"-n\" cannot both be given")
        }
        choice = arguments.has(.replace) ? .replace : arguments.has(.keep) ? .keep : .ask
    }

    // MARK: Places

    /// What keeps targets from being written, whether they exist or not: a missing folder, a folder or
    /// a device under their name, two targets of one path.
    static func faults(of targets: [Target]) -> [Message] {
        var faults: [Message] = []
        var paths: Set<String> = []
        for target in targets {
            guard let text = fault(of: target, isNew: paths.insert(target.path).inserted) else {
                continue
            }
            var message = Message(.error, "output", "\(target.path): \(text.what)", hint: text.hint)
            message.node = target.node
            faults.append(message)
        }
        return faults
    }

    private static func fault(of target: Target, isNew: Bool) -> (what: String, hint: String?)? {
        if !isNew { return ("it would be written twice", "give it another path") }
        let folder = target.numberedFiles?.parent ?? Folder.parent(of: target.path)
        switch Folder.kind(of: folder) {
        case .nothing: return ("there is no folder \(folder)", "make it with mkdir -p")
        case .file, .other: return ("\(folder) is not a folder", nil)
        case .folder: break
        }
        if unsafe access(folder, W_OK | X_OK) != 0 {
            return (errno == EROFS ? "the file system is read-only" : "permission denied", nil)
        }
        if target.isSequence { return nil }
        do throws(FileError) {
            _ = try OutputFile.destination(of: target.path)
        } catch {
            return (error.reason, error.code == ENODEV ? "\"-\" is standard output" : nil)
        }
        switch Folder.kind(of: target.path) {
        case .folder: return ("it is a folder", "name a file in it")
        case .other: return ("it is no file that could be replaced", "\"-\" is standard output")
        case .nothing, .file: return nil
        }
    }

    // MARK: Outputs that exist

    /// Decides about targets that exist.
    ///
    /// - Parameters:
    ///   - targets: what is to be written.
    ///   - isOwn: whether a file was made by an earlier run of the same job, so that nobody is asked about it.
    ///   - hint: what to do about one that may not be replaced.
    /// - Returns: those that are kept.
    /// - Throws: `Failure` when one may not be replaced.
    func settle(
        _ targets: [Target],
        isOwn: (_ path: String) -> Bool = { _ in false },
        hint: String = "-y replaces, -n keeps what exists"
    ) throws(Failure) -> Set<Target> {
        var kept: Set<Target> = []
        var refusals: [Message] = []
        for target in targets {
            // A run that was killed may have left one of two files that belong together.
            if !target.isSequence { OutputJournal.complete(for: target.path) }
            let existing = target.existingPaths
            let count = existing.count
            if count == 0 || existing.allSatisfy(isOwn) { continue }
            switch choice {
            case .replace: break
            case .keep: kept.insert(target)
            case .ask:
                let what =
                    target.isSequence
                    ? "\(target.path): \(count) of its files \(count == 1 ? "exists" : "exist")"
                    : "\(target.path) exists"
                switch Self.ask("\(what). Replace \(count == 1 ? "it" : "them")? [y/N] ") {
                case true?: break
                case false?:
                    throw Failure(.failed, Message(.error, "exists", "\(what) and is kept"))
                case nil:
                    var message = Message(
                        .error,
                        "exists",
                        what,
                        hint: hint
                    )
                    message.node = target.node
                    refusals.append(message)
                }
            }
        }
        if !refusals.isEmpty { throw Failure(.failed, refusals) }
        return kept
    }

    /// Asks the person at the terminal; nil when there is none.
    static func ask(_ question: String) -> Bool? {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        // Not standard input: that may be a graph or a track.
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var text = question
        _ = text.withUTF8 { unsafe write(terminal, $0.baseAddress, $0.count) }
        var answer: [UInt8] = []
        while answer.last != UInt8(ascii: "\n"), answer.count < 100 {
            var byte: UInt8 = 0
            guard unsafe read(terminal, &byte, 1) == 1 else { break }
            answer.append(byte)
        }
        let word = String(decoding: answer, as: UTF8.self).lowercased()
        return ["y\n", "yes\n"].contains(word)
    }
}

extension OutputPolicy.Target {
    /// Whether a run's file of that path belongs to this target.
    func covers(_ path: String) -> Bool {
        if !isSequence { return path == self.path }
        guard let files = numberedFiles, let number = files.number(in: path) else { return false }
        return files.path(of: number) == path
    }
}
