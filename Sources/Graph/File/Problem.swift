/// One fault of a graph or of a command line: where it is, what it is, and what to do.
public struct Problem: Error, Sendable, Hashable {
    /// What kind of fault, for programs; the words are in `text`.
    public enum Code: String, Sendable {
        case syntax, duplicateKey, unknownKey, unknownKind, unknownVariable, unknownNode
        case missingParameter, missingInput, missingVariable, type, range, cycle, mismatch
        case format, rate, file, input, output, version, name, unused
    }

    /// What kind of fault it is.
    public var code: Code
    /// The file as the user named it; nil where there is none.
    public var file: String?
    /// Where in the file; nil where it stands in none.
    public var location: SourceLocation?
    /// The node it is about.
    public var node: String?
    /// The JSON pointer (RFC 6901) of the value it is about.
    public var pointer: String?
    /// What is wrong, with the allowed range and the default where there are any.
    public var text: String
    /// What to do.
    public var hint: String?

    /// Says what is wrong; the place is often added by who knows the file.
    public init(
        _ code: Code,
        _ text: String,
        at location: SourceLocation? = nil,
        node: String? = nil,
        pointer: String? = nil,
        hint: String? = nil,
        file: String? = nil
    ) {
        self.code = code
        self.file = file
        self.location = location
        self.node = node
        self.pointer = pointer
        self.text = text
        self.hint = hint
    }
}

extension Problem {
    /// The order of a report: what stands in no file first, then by place.
    static func stand(_ first: Problem, before second: Problem) -> Bool {
        (first.location?.line ?? 0, first.location?.column ?? 0)
            < (second.location?.line ?? 0, second.location?.column ?? 0)
    }
}

extension Problem: CustomStringConvertible {
    /// `file:line:column: node "x": what is wrong (hint)`.
    public var description: String {
        var line = ""
        if let file { line += "\(file):" }
        if let location, location.line > 0 { line += "\(location.line):\(location.column):" }
        if !line.isEmpty { line += " " }
        if let node { line += "node \"\(node)\": " }
        line += text
        if let hint { line += " (\(hint))" }
        return line
    }
}
