import Media

extension JSONSchema {
    /// A text with a variable in it may stand for any value.
    static let reference: JSON.Value = [
        "description": "The value of a variable.", "type": "string", "pattern": "\\$",
    ]

    static func schema(of parameter: NodeDescription.Parameter) -> JSON.Value {
        var text = parameter.help
        let facts = [
            parameter.bounds == nil ? parameter.range : nil,
            parameter.unit.isEmpty ? nil : "in \(parameter.unit)",
        ].compactMap { $0 }
        if !facts.isEmpty { text += " (\(facts.joined(separator: ", ")))" }
        let value = valueSchema(of: parameter)
        return .record([
            "description": .string(text),
            "anyOf": parameter.isAnyText ? nil : [value, ["$ref": "#/$defs/reference"]],
            "type": parameter.isAnyText ? "string" : nil,
            "default": parameter.fallback,
        ])
    }

    private static func valueSchema(of parameter: NodeDescription.Parameter) -> JSON.Value {
        switch parameter.shape {
        case .integer, .number:
            .record([
                "type": .string(parameter.type), "minimum": parameter.bounds?.least,
                "maximum": parameter.bounds?.greatest,
            ])
        case .boolean: ["type": "boolean"]
        case .string: ["type": "string"]
        case .choice(let words): ["enum": .list(words.map { .string($0) })]
        case .text(let form, let allowsNumber): text(form, allowsNumber: allowsNumber)
        case .list:
            [
                "type": "array",
                "items": [
                    "type": "object",
                    "required": .list(
                        parameter.elements.filter(\.isRequired).map { .string($0.name) }
                    ),
                    "additionalProperties": false,
                    "properties": .members(parameter.elements.map { ($0.name, schema(of: $0)) }),
                ],
            ]
        }
    }

    /// The patterns are wider than what is read: they help to write, `foxfire check` judges.
    private static func text(_ form: String, allowsNumber: Bool) -> JSON.Value {
        let pattern: JSON.Value? =
            switch form {
            case "time": "^[0-9.:eE+]+ *(s|ms|samples)?$"
            case "rate": "^[0-9.]+(/[0-9]+)?$"
            case "size": "^[0-9]+[x×][0-9]+$"
            default: nil
            }
        let text: JSON.Value = .record([
            "type": "string", "minLength": pattern == nil ? 1 : nil, "pattern": pattern,
        ])
        return allowsNumber
            ? ["anyOf": [["type": "number", "minimum": 0], text]] : text
    }

    // MARK: Variables

    /// A variable's declaration: its default is of its type.
    static let variable: JSON.Value = [
        "type": "object",
        "required": ["type"],
        "additionalProperties": false,
        "properties": [
            "type": [
                "description": "What its values are.",
                "enum": .list(GraphVariable.Kind.allCases.map { .string($0.rawValue) }),
            ],
            "help": ["type": "string", "description": "What it is for."],
            "default": [
                "description":
                    "Its value unless one is given; without it one must be. null leaves out what names it; {\"by\": \"other\", …} follows from an enum."
            ],
            "values": [
                "description": "The words that an enum may be.", "type": "array", "minItems": 1,
                "items": ["type": "string"],
            ],
            "range": [
                "description": "The least and the greatest a number or an integer may be.",
                "type": "array", "minItems": 2, "maxItems": 2, "items": ["type": "number"],
            ],
        ],
        "allOf": .list(
            GraphVariable.Kind.allCases.map { kind in
                [
                    "if": ["properties": ["type": ["const": .string(kind.rawValue)]]],
                    "then": consequence(of: kind),
                ]
            }
        ),
    ]

    /// What else a declaration of a kind has, or may not have.
    private static func consequence(of kind: GraphVariable.Kind) -> JSON.Value {
        let hasRange = kind == .number || kind == .integer
        let properties: [(String, JSON.Value?)] = [
            ("default", fallback(kind)), ("values", kind == .choice ? nil : false),
            ("range", hasRange ? nil : false),
        ]
        return .record([
            "required": kind == .choice ? ["values"] : nil,
            "properties": .members(properties.compactMap { key, value in value.map { (key, $0) } }),
        ])
    }

    private static func fallback(_ kind: GraphVariable.Kind) -> JSON.Value {
        [
            "anyOf": [
                valueSchema(of: kind), ["type": "null"],
                [
                    "type": "object", "required": ["by"],
                    "properties": ["by": ["type": "string"]],
                ],
            ]
        ]
    }

    private static func valueSchema(of kind: GraphVariable.Kind) -> JSON.Value {
        switch kind {
        case .string, .choice: ["type": "string"]
        case .number: ["type": "number"]
        case .integer: ["type": "integer"]
        case .boolean: ["type": "boolean"]
        case .time: text("time", allowsNumber: true)
        case .rate: text("rate", allowsNumber: true)
        case .size: text("size", allowsNumber: false)
        case .file, .output: text("path", allowsNumber: false)
        case .preset: ["type": ["string", "number"]]
        case .list: ["type": "array"]
        }
    }

    // MARK: What `foxfire nodes --json` writes

    /// The schema of the list of nodes.
    public static var nodes: JSON.Value {
        let text: JSON.Value = ["type": "string"]
        let flag: JSON.Value = ["type": "boolean"]
        func object(_ properties: [(String, JSON.Value)], optional: Set<String> = []) -> JSON.Value
        {
            [
                "type": "object",
                "required": .list(
                    properties.map(\.0).filter { !optional.contains($0) }.map { .string($0) }
                ),
                "additionalProperties": false, "properties": .members(properties),
            ]
        }
        func list(_ items: JSON.Value) -> JSON.Value { ["type": "array", "items": items] }
        let input = object([
            ("name", text), ("payload", text), ("rule", ["enum": ["inOrder", "together", "hold"]]),
            ("formatChange", ["enum": ["restart", "accepts", "fixed"]]), ("optional", flag),
            ("many", flag), ("help", text),
        ])
        let output = object(
            [("name", text), ("payload", text), ("like", text), ("help", text)],
            optional: ["like"]
        )
        let parameter = object(
            [
                ("name", text), ("type", text), ("required", flag), ("default", true),
                ("minimum", ["type": "number"]), ("maximum", ["type": "number"]), ("range", text),
                ("values", list(text)), ("unit", text), ("help", text),
                ("elements", list(["$ref": "#/$defs/parameter"])),
            ],
            optional: ["default", "minimum", "maximum", "range", "values", "unit", "elements"]
        )
        let node = object(
            [
                ("kind", text), ("summary", text), ("discussion", text),
                ("execution", ["enum": ["stateless", "serial", "blocking"]]), ("conversion", flag),
                ("inputs", list(input)), ("outputs", list(output)),
                ("parameters", list(["$ref": "#/$defs/parameter"])),
            ],
            optional: ["discussion"]
        )
        return [
            "$schema": dialect, "title": "Foxfire nodes", "type": "object",
            "required": ["foxfire", "nodes"], "additionalProperties": false,
            "properties": ["foxfire": ["const": 1], "nodes": list(node)],
            "$defs": ["parameter": parameter],
        ]
    }
}

extension NodeDescription.Parameter {
    /// Whether every text is allowed, so that one with a variable needs no mention.
    fileprivate var isAnyText: Bool {
        switch shape {
        case .string, .text("file", _), .text("output", _): true
        default: false
        }
    }
}
