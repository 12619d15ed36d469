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
        self.init(.error, error.isTemporary ? "temporary" : "file", "\(error)")
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
        .foxfire([
            ("severity", .string(severity.rawValue)), ("code", .string(code)),
            ("file", .optional(file)), ("line", .optional(location?.line)),
            ("column", .optional(location?.column)), ("node", .optional(node)),
            ("pointer", .optional(pointer)), ("text", .string(text)), ("hint", .optional(hint)),
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

extension JSON.Value {
    /// An object with `"foxfire": 1` on top; members that are nil are left out.
    static func foxfire(_ members: [(String, JSON.Value?)]) -> JSON.Value {
        .dictionary([("foxfire", .number("1"))] + members)
    }

    /// An object; members that are nil are left out.
    static func dictionary(_ members: [(String, JSON.Value?)]) -> JSON.Value {
        .object(
            members.compactMap { key, value in
                value.map {
                    JSON.Member(
                        key: key,
                        location: SourceLocation(line: 0, column: 0),
                        value: JSON($0)
                    )
                }
            }
        )
    }

    static func list(_ elements: [JSON.Value]) -> JSON.Value { .array(elements.map { JSON($0) }) }

    static func optional(_ text: String?) -> JSON.Value? { text.map { .string($0) } }

    static func optional(_ number: Int?) -> JSON.Value? { number.map { .number(String($0)) } }

    static func integer(_ number: some BinaryInteger) -> JSON.Value { .number(String(number)) }

    /// A number with at most `digits` digits after the point.
    static func decimal(_ number: Double, digits: Int) -> JSON.Value {
        .number(fixed(number, digits: digits))
    }
}
