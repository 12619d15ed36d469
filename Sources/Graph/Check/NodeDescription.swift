/// All that help, documentation, JSON and editors say of a kind of node, read from its declaration.
public struct NodeDescription: Sendable {
    /// An input.
    public struct Input: Sendable {
        /// What graph files call it.
        public let name: String
        /// The type of its packets' payload.
        public let payload: String
        /// How it is read beside the others.
        public let rule: InputRule
        /// What happens when the format changes in the middle.
        public let change: FormatChange
        /// Whether it may be left open.
        public let isOptional: Bool
        /// Whether several outputs may feed it.
        public let isMany: Bool
        /// What it takes.
        public let help: String
        let type: PayloadType
    }

    /// An output.
    public struct Output: Sendable {
        /// What graph files call it.
        public let name: String
        /// The type of its packets' payload.
        public let payload: String
        /// The input whose format, rate and length it has.
        public let like: String?
        /// What it makes.
        public let help: String
        let type: PayloadType
    }

    /// A parameter, or a key of a list's elements.
    public struct Parameter: Sendable {
        /// What graph files call it.
        public let name: String
        /// What values are, in a word or two: `integer`, `time`, `list`.
        public let type: String
        /// What is allowed, in words; nil when all values of the type are.
        public let range: String?
        /// The least and the greatest number, as JSON, where values are numbers.
        public let bounds: (least: JSON.Value, greatest: JSON.Value)?
        /// The words it may be.
        public let choices: [String]
        /// The unit; may be empty.
        public let unit: String
        /// The value where none is given; nil where one must be, or where none means something.
        public let fallback: JSON.Value?
        /// Whether a value must be given.
        public let isRequired: Bool
        /// What it does.
        public let help: String
        /// The keys of a list's elements.
        public let elements: [Parameter]
        /// A value that may be given.
        public let example: JSON.Value
        let shape: ParameterDeclaration.Shape
    }

    /// The name graph files use.
    public let kind: String
    /// What it does, in one line.
    public let summary: String
    /// The rest of its page: paragraphs apart by blank lines; may be empty.
    public let discussion: String
    /// How the engine may run it.
    public let execution: Execution
    /// Whether the engine puts it where formats differ.
    public let isConversion: Bool
    /// In the order of declaration.
    public let inputs: [Input]
    /// In the order of declaration.
    public let outputs: [Output]
    /// In the order of declaration.
    public let parameters: [Parameter]

    /// Declares the node without a graph, and keeps what it says.
    public init(_ entry: CatalogueEntry) {
        let schema = bind(entry.type, Contract.Binding()).contract.schema
        kind = entry.kind
        summary = entry.summary
        discussion = entry.discussion
        execution = entry.type.execution
        isConversion = entry.type.conversion != nil
        inputs = schema.inputs.map {
            Input(
                name: $0.name,
                payload: $0.payload.name,
                rule: $0.rule,
                change: $0.change,
                isOptional: $0.isOptional,
                isMany: $0.isMany,
                help: $0.help,
                type: $0.payload
            )
        }
        outputs = schema.outputs.map { output in
            Output(
                name: output.name,
                payload: output.payload.name,
                like: output.like.map { schema.inputs[schema.slots[$0]].name },
                help: output.help,
                type: output.payload
            )
        }
        parameters = schema.parameters.map(Parameter.init)
    }
}

extension NodeDescription.Parameter {
    init(_ declaration: ParameterDeclaration) {
        var bounds: (JSON.Value, JSON.Value)?
        var choices: [String] = []
        var elements: [Self] = []
        switch declaration.shape {
        case .integer(let range):
            type = "integer"
            bounds = (.integer(range.lowerBound), .integer(range.upperBound))
        case .number(let range):
            type = "number"
            bounds = (.real(range.lowerBound), .real(range.upperBound))
        case .boolean: type = "boolean"
        case .string: type = "string"
        case .choice(let words):
            type = "enum"
            choices = words
        case .text(let form, _): type = form
        case .list(let declarations):
            type = "list"
            elements = declarations.map(Self.init)
        }
        name = declaration.name
        range = declaration.range
        self.bounds = bounds
        self.choices = choices
        unit = declaration.unit.rawValue
        fallback = declaration.fallback
        isRequired = declaration.isRequired
        help = declaration.help
        self.elements = elements
        example = declaration.example
        shape = declaration.shape
    }
}

extension NodeDescription.Parameter {
    /// The unit where help must name it: a time says its own.
    var shownUnit: String? { unit.isEmpty || type == "time" ? nil : unit }
}

extension NodeDescription {
    /// The description as JSON: an element of what `foxfire nodes --json` lists.
    public var json: JSON.Value {
        .record([
            "kind": .string(kind), "summary": .string(summary),
            "discussion": discussion.isEmpty ? nil : .string(discussion),
            "execution": .string(execution.rawValue), "conversion": .boolean(isConversion),
            "inputs": .list(
                inputs.map { input in
                    [
                        "name": .string(input.name), "payload": .string(input.payload),
                        "rule": .string(input.rule.rawValue),
                        "formatChange": .string(input.change.rawValue),
                        "optional": .boolean(input.isOptional), "many": .boolean(input.isMany),
                        "help": .string(input.help),
                    ]
                }
            ),
            "outputs": .list(
                outputs.map { output in
                    .record([
                        "name": .string(output.name), "payload": .string(output.payload),
                        "like": output.like.map { .string($0) }, "help": .string(output.help),
                    ])
                }
            ),
            "parameters": .list(parameters.map(\.json)),
        ])
    }
}

extension NodeDescription.Parameter {
    var json: JSON.Value {
        .record([
            "name": .string(name), "type": .string(type), "required": .boolean(isRequired),
            "default": fallback, "minimum": bounds?.least, "maximum": bounds?.greatest,
            "range": bounds == nil ? range.map { .string($0) } : nil,
            "values": choices.isEmpty ? nil : .list(choices.map { .string($0) }),
            "unit": unit.isEmpty ? nil : .string(unit), "help": .string(help),
            "elements": elements.isEmpty ? nil : .list(elements.map(\.json)),
        ])
    }
}
