/// JSON Schemas (2020-12) for editors and programs, made from the nodes' declarations.
public enum JSONSchema {
    static let dialect: JSON.Value = "https://json-schema.org/draft/2020-12/schema"
    /// The kind and the source of each `from`, as `node` or `node.port`.
    private static let sourcePattern: JSON.Value =
        "^[A-Za-z][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)?$|\\$"

    /// The schema of graph files.
    ///
    /// What one node alone cannot show is left to `foxfire check`: names, types of connected ports,
    /// cycles, formats.
    ///
    /// - Parameter catalogue: the nodes there are.
    /// - Returns: the schema.
    public static func graph(_ catalogue: [CatalogueEntry]) -> JSON.Value {
        let descriptions = catalogue.map(NodeDescription.init).sorted { $0.kind < $1.kind }
        return [
            "$schema": dialect,
            "title": "Foxfire graph",
            "description":
                "A typed graph of media-processing nodes. Comments (//) and trailing commas are allowed.",
            "type": "object",
            "required": ["foxfire", "nodes"],
            "additionalProperties": false,
            "properties": [
                "$schema": ["type": "string"],
                "foxfire": [
                    "const": .integer(GraphFile.version),
                    "description": "The version of graph files.",
                ],
                "description": ["type": "string", "description": "What the graph is for."],
                "variables": [
                    "type": "object",
                    "description":
                        "Values that the command line may give; \"$name\" stands for one.",
                    "propertyNames": ["pattern": "^[A-Za-z][A-Za-z0-9_]*$"],
                    "additionalProperties": ["$ref": "#/$defs/variable"],
                ],
                "nodes": [
                    "type": "object",
                    "description": "The nodes by name.",
                    "minProperties": 1,
                    "propertyNames": ["pattern": "^[A-Za-z][A-Za-z0-9_-]*$"],
                    "additionalProperties": ["$ref": "#/$defs/node"],
                ],
            ],
            "$defs": .members(
                [
                    ("variable", variable), ("reference", reference), ("source", source),
                    ("sources", sources), ("node", node(descriptions)),
                ] + descriptions.map { ($0.kind, kind($0)) }
            ),
        ]
    }

    // MARK: Nodes

    private static func node(_ descriptions: [NodeDescription]) -> JSON.Value {
        [
            "type": "object",
            "required": ["kind"],
            "properties": [
                "kind": [
                    "description": "What the node does.",
                    "oneOf": .list(
                        descriptions.map {
                            ["const": .string($0.kind), "description": .string($0.summary)]
                        }
                    ),
                ]
            ],
            "allOf": .list(
                descriptions.map { description in
                    [
                        "if": ["properties": ["kind": ["const": .string(description.kind)]]],
                        "then": ["$ref": .string("#/$defs/\(description.kind)")],
                    ]
                }
            ),
        ]
    }

    private static func kind(_ node: NodeDescription) -> JSON.Value {
        var properties: [(String, JSON.Value)] = [
            ("kind", ["const": .string(node.kind)]),
            ("help", ["type": "string", "description": "What this node is for."]),
        ]
        if node.inputs.contains(where: { input in node.outputs.map(\.type) == [input.type] }) {
            properties.append(
                (
                    "bypass",
                    [
                        "description": "Whether its readers get what it would take instead.",
                        "anyOf": [["type": "boolean"], ["$ref": "#/$defs/reference"]],
                        "default": false,
                    ]
                )
            )
        }
        var required: [JSON.Value] = ["kind"]
        if !node.inputs.isEmpty {
            properties.append(("from", from(node.inputs)))
            if node.inputs.contains(where: { !$0.isOptional }) { required.append("from") }
        }
        properties += node.parameters.map { ($0.name, schema(of: $0)) }
        required += node.parameters.filter(\.isRequired).map { .string($0.name) }
        let text = ([node.summary] + (node.discussion.isEmpty ? [] : [node.discussion]))
            .joined(separator: "\n\n")
        return [
            "description": .string(text), "type": "object", "required": .list(required),
            "additionalProperties": false, "properties": .members(properties),
        ]
    }

    /// The object from inputs to sources, or a source alone where it is clear where it goes.
    private static func from(_ inputs: [NodeDescription.Input]) -> JSON.Value {
        let required = inputs.filter { !$0.isOptional }
        let object: JSON.Value = .record([
            "type": "object",
            "required": required.isEmpty ? nil : .list(required.map { .string($0.name) }),
            "additionalProperties": false,
            "properties": .members(
                inputs.map { input in
                    let value = input.isMany ? "sources" : "source"
                    return (
                        input.name,
                        [
                            "description": .string("\(input.help) (\(input.payload))"),
                            "$ref": .string("#/$defs/\(value)"),
                        ]
                    )
                }
            ),
        ])
        let isOneEnough = required.count <= 1
        let lists = isOneEnough && inputs.contains(where: \.isMany)
        let alone: JSON.Value = ["$ref": .string(lists ? "#/$defs/sources" : "#/$defs/source")]
        return [
            "description": "Where its input comes from.",
            "anyOf": isOneEnough ? [alone, object] : [object],
        ]
    }

    private static let source: JSON.Value = [
        "description": "An output: \"node\" or \"node.port\", maybe with the edge's capacity.",
        "anyOf": [
            ["type": "string", "pattern": sourcePattern],
            [
                "type": "object",
                "required": ["output"],
                "additionalProperties": false,
                "properties": [
                    "output": ["type": "string", "pattern": sourcePattern],
                    "capacity": [
                        "description": "How many packets the edge holds.",
                        "anyOf": [
                            [
                                "type": "integer", "minimum": 1,
                                "maximum": .integer(Checker.capacityLimit),
                            ],
                            ["$ref": "#/$defs/reference"],
                        ],
                    ],
                ],
            ],
        ],
    ]

    private static let sources: JSON.Value = [
        "anyOf": [
            ["$ref": "#/$defs/source"],
            ["type": "array", "minItems": 1, "items": ["$ref": "#/$defs/source"]],
        ]
    ]
}
