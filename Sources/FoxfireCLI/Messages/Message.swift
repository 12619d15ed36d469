import Graph
import Media

/// Something told to the user: where it is, what it is, and what to do.
struct Message: Error, Sendable, Hashable {
    enum Severity: String, Sendable, CaseIterable { case error, damage, warning }

    var severity = Severity.error
    /// What kind of thing, for programs: of a graph's faults, `Problem.Code`.
    let code: String
    var file: String?
    var location: SourceLocation?
    var node: String?
    /// The JSON pointer (RFC 6901) into the graph file.
    var pointer: String?
    let text: String
    var hint: String?

    init(_ severity: Severity = .error, _ code: String, _ text: String, hint: String? = nil) {
        self.severity = severity
        self.code = code
        self.text = text
        self.hint = hint
    }

    /// A fault of a graph, or what is right but worth a look.
    init(_ problem: Problem, _ severity: Severity = .error) {
        self.init(severity, problem.code.rawValue, problem.text, hint: problem.hint)
        file = problem.file
        location = problem.location.flatMap { $0.line > 0 ? $0 : nil }
        node = problem.node
        pointer = problem.pointer
    }

    /// A file that cannot be used.
    init(_ error: FileError) {
        self.init(.error, Self.code(of: error), "\(error)")
    }

    /// The code of an error that making room mends.
    static let diskFull = "disk-full"

    /// What kind of thing a file's error is.
    static func code(of error: FileError) -> String {
        error.isDiskFull ? diskFull : error.isTemporary ? "temporary" : "file"
    }

    init(_ error: UsageError) {
        self.init(.error, "usage", error.text, hint: error.hint)
    }

    /// One line: `file:line:column: node "x": what (hint)`, after `foxfire: ` where there is no file.
    var line: String {
        var line = ""
        if let file {
            line += "\(file):"
            if let location { line += "\(location.line):\(location.column):" }
        } else {
            line += "foxfire:"
        }
        line += severity == .error ? " " : " \(severity.rawValue): "
        if let node { line += "node \"\(node)\": " }
        line += text
        if let hint { line += " (\(hint))" }
        return line
    }

    /// The message as the error schema describes it.
    var json: JSON.Value {
        .record([
            "foxfire": 1,
            "severity": .string(severity.rawValue),
            "code": .string(code),
            "file": file.map { .string($0) },
            "line": location.map { .integer($0.line) },
            "column": location.map { .integer($0.column) },
            "node": node.map { .string($0) },
            "pointer": pointer.map { .string($0) },
            "text": .string(text),
            "hint": hint.map { .string($0) },
        ])
    }
}

/// What ends a command before its result: all that is to be told, and how it ends.
struct Failure: Error, Sendable {
    let code: ExitCode
    let messages: [Message]

    init(_ code: ExitCode, _ messages: [Message]) {
        self.code = code
        self.messages = messages
    }

    init(_ code: ExitCode, _ message: Message) { self.init(code, [message]) }

    init(_ error: FileError) {
        self.init(error.isTemporary ? .temporary : .failed, Message(error))
    }

    /// The faults of a graph: only inputs that are missing fail as a job does.
    init(_ problems: [Problem]) {
        let isJob = problems.allSatisfy { $0.code == .file }
        self.init(isJob ? .failed : .usage, problems.map { Message($0) })
    }
}
