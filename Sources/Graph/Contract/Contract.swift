public import Media

/// Collects what a node declares and hands it the values that a graph file gives.
///
/// Every port and parameter is declared once, in the node's `init`. When a value is wrong, the
/// problem is kept, the declaration returns a value of its range, and the node goes on declaring.
public struct Contract: Sendable {
    /// How a node is bound: what a graph file says of it, or nothing when it is only described.
    package struct Binding: Sendable {
        package var node: String?
        /// The node's object in the file.
        package var object: JSON?
        package var pointer = ""
        /// The folder that relative `file` parameters start from.
        package var folder = ""
        /// How many outputs feed each connected input, by name.
        package var connections: [String: Int] = [:]

        package init(node: String? = nil, object: JSON? = nil) {
            self.node = node
            self.object = object
        }
    }

    package var schema = NodeSchema()
    let binding: Binding
    /// The object whose keys are read now: the node's, or an element of one of its lists.
    var scope: Scope
    package var problems: [Problem] = []
    /// What is right but worth a look.
    package var warnings: [Problem] = []
    var outputs: [FileUse<OutputPath>] = []
    var inputFiles: [FileUse<InputFile>] = []
    /// What parameters stand for, by their JSON pointers.
    package var contents: [String: JSON.Value] = [:]
    private var inputSlots = 0

    struct Scope: Sendable {
        var object: JSON?
        var pointer: String
        var parameters: [ParameterDeclaration] = []
    }

    /// A file that the node reads or writes, and the parameter that names it.
    struct FileUse<File: Sendable>: Sendable {
        let file: File
        let name: String
        let location: SourceLocation?
    }

    package init(_ binding: Binding) {
        self.binding = binding
        scope = Scope(object: binding.object, pointer: binding.pointer)
    }

    /// Whether a graph file gives values; otherwise the node is described and gets defaults.
    package var isBound: Bool { binding.object != nil }

    /// Declares that the node takes in what happens while it runs, as from a device.
    ///
    /// An interrupt then ends the node and not the run, and no two runs are alike. Such a node looks at
    /// `NodeEnvironment.isAskedToEnd` several times a second.
    public mutating func live() { schema.isLive = true }

    // MARK: Ports

    /// Declares an input that must be connected.
    ///
    /// - Parameters:
    ///   - name: what graph files call it.
    ///   - rule: how it is read beside the node's other inputs.
    ///   - changes: what happens when the format changes in the middle.
    ///   - help: what it takes, in a sentence.
    /// - Returns: what `IO.take` is called with.
    public mutating func input<T: Payload>(
        _ name: String,
        _ rule: InputRule,
        changes: FormatChange = .restart,
        _ help: String
    ) -> Input<T> {
        declare(name, T.self, rule, changes, help)
        if isBound, binding.connections[name] == nil {
            problems.append(
                Problem(
                    .missingInput,
                    "input \"\(name)\" is not connected",
                    at: binding.object?.location,
                    node: binding.node,
                    pointer: binding.pointer,
                    hint: "name where it comes from in \"from\""
                )
            )
        }
        return Input(index: takeSlots(1).lowerBound)
    }

    /// Declares an input that may be left open; nil when it is.
    public mutating func optionalInput<T: Payload>(
        _ name: String,
        _ rule: InputRule,
        changes: FormatChange = .restart,
        _ help: String
    ) -> Input<T>? {
        declare(name, T.self, rule, changes, help, isOptional: true)
        if isBound, binding.connections[name] == nil { return nil }
        return Input(index: takeSlots(1).lowerBound)
    }

    /// Declares an input that one or more outputs feed, in the order of the graph file.
    public mutating func inputs<T: Payload>(
        _ name: String,
        _ rule: InputRule,
        changes: FormatChange = .restart,
        _ help: String
    ) -> Inputs<T> {
        declare(name, T.self, rule, changes, help, isMany: true)
        let count = isBound ? binding.connections[name] ?? 0 : 1
        if isBound, count == 0 {
            problems.append(
                Problem(
                    .missingInput,
                    "input \"\(name)\" is not connected",
                    at: binding.object?.location,
                    node: binding.node,
                    pointer: binding.pointer,
                    hint: "name where it comes from in \"from\""
                )
            )
        }
        return Inputs(range: takeSlots(count))
    }

    /// Declares an input that any number of outputs feed, in the order of the graph file, or none.
    public mutating func optionalInputs<T: Payload>(
        _ name: String,
        _ rule: InputRule,
        changes: FormatChange = .restart,
        _ help: String
    ) -> Inputs<T> {
        declare(name, T.self, rule, changes, help, isOptional: true, isMany: true)
        return Inputs(range: takeSlots(isBound ? binding.connections[name] ?? 0 : 1))
    }

    /// Declares an output.
    public mutating func output<T: Payload>(_ name: String, _ help: String) -> Output<T> {
        declareOutput(name, T.self, like: nil, help)
    }

    /// Declares an output whose format, rate and length are those of an input.
    public mutating func output<T: Payload>(
        _ name: String,
        like input: Input<T>,
        _ help: String
    ) -> Output<T> {
        declareOutput(name, T.self, like: input.index, help)
    }

    private mutating func declare<T: Payload>(
        _ name: String,
        _ type: T.Type,
        _ rule: InputRule,
        _ changes: FormatChange,
        _ help: String,
        isOptional: Bool = false,
        isMany: Bool = false
    ) {
        precondition(
            !schema.inputs.contains { $0.name == name },
            "Input \(name) is declared twice."
        )
        schema.inputs.append(
            InputDeclaration(
                name: name,
                payload: PayloadType(type),
                rule: rule,
                change: changes,
                help: help,
                isOptional: isOptional,
                isMany: isMany
            )
        )
    }

    private mutating func takeSlots(_ count: Int) -> Range<Int> {
        let range = inputSlots..<inputSlots + count
        inputSlots += count
        let declaration = schema.inputs.count - 1
        schema.slots.append(contentsOf: repeatElement(declaration, count: count))
        return range
    }

    private mutating func declareOutput<T: Payload>(
        _ name: String,
        _ type: T.Type,
        like: Int?,
        _ help: String
    ) -> Output<T> {
        precondition(
            !schema.outputs.contains { $0.name == name },
            "Output \(name) is declared twice."
        )
        schema.outputs.append(
            OutputDeclaration(name: name, payload: PayloadType(type), help: help, like: like)
        )
        return Output(index: schema.outputs.count - 1)
    }

    // MARK: Conditions

    /// Keeps a problem with parameter `name` unless `condition` holds.
    ///
    /// - Parameters:
    ///   - condition: what the value must fulfil beside its range.
    ///   - name: the parameter.
    ///   - text: goes on after the name: `must be a power of two`.
    public mutating func require(_ condition: Bool, _ name: String, _ text: String) {
        if !condition { refuse(name, text) }
    }

    /// Says which variable a value comes from; nil when it stands in the file.
    static func originHint(_ value: JSON) -> String? {
        guard case .variable(let variable, let isGiven) = value.origin else { return nil }
        return "the value of variable \"\(variable)\"\(isGiven ? ", from the command line" : "")"
    }

    /// Keeps a problem with parameter `name`.
    mutating func refuse(
        _ name: String,
        _ text: String,
        code: Problem.Code = .range,
        hint: String? = nil
    ) {
        guard isBound else { return }
        let value = scope.object?[name]
        let pointer = scope.pointer + "/" + JSON.escapedPointer(name)
        // What is said of a value that is missing or wrong already only follows from that.
        if value?.origin == .faulty || problems.contains(where: { $0.pointer == pointer }) {
            return
        }
        if value == nil, scope.parameters.contains(where: { $0.name == name && $0.isRequired }) {
            return
        }
        let hints = [hint, value.flatMap(Self.originHint)].compactMap { $0 }
        problems.append(
            Problem(
                code,
                "\"\(name)\" \(text)",
                at: value?.location ?? scope.object?.location,
                node: binding.node,
                pointer: pointer,
                hint: hints.isEmpty ? nil : hints.joined(separator: "; ")
            )
        )
    }
}

/// All that a node declares.
package struct NodeSchema: Sendable {
    package var inputs: [InputDeclaration] = []
    package var outputs: [OutputDeclaration] = []
    package var parameters: [ParameterDeclaration] = []
    /// Of each input slot (a `many` input has several), the position of its declaration.
    package var slots: [Int] = []
    /// Whether the node takes in what happens while it runs.
    package var isLive = false
}

extension JSON {
    /// A key as a part of a JSON pointer (RFC 6901).
    package static func escapedPointer(_ key: String) -> String {
        var text = ""
        for character in key {
            switch character {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.append(character)
            }
        }
        return text
    }
}
