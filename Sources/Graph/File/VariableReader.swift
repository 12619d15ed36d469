/// Reads the declaration of one variable.
struct VariableReader {
    private let member: JSON.Member
    private(set) var problems: [Problem] = []

    private static let keys = ["type", "help", "default", "values", "range"]
    private static let kinds = GraphVariable.Kind.allCases.map(\.rawValue)

    init(_ member: JSON.Member) { self.member = member }

    /// The variable; one whose declaration is wrong is marked faulty, and what is wrong is told.
    mutating func variable() -> GraphVariable {
        if !GraphVariable.isName(member.key) {
            tell(
                .name,
                "has a name that cannot be written after a dollar",
                at: member.location,
                hint: "names are a letter, then letters, digits and _"
            )
        }
        guard case .object(let members) = member.value.value, member.value.origin != .faulty else {
            if member.value.origin != .faulty {
                tell(
                    .type,
                    "must be an object, not \(member.value.kindName)",
                    at: member.value.location,
                    hint: "as in {\"type\": \"string\"}"
                )
            }
            return variable(.string, isFaulty: true)
        }
        for other in members where !Self.keys.contains(other.key) {
            tell(
                .unknownKey,
                "has an unknown key \(JSON.quoted(other.key))",
                at: other.location,
                hint: suggestion(for: other.key, in: Self.keys)
                    ?? "known are \(Self.keys.joined(separator: ", "))"
            )
        }
        if let text = member.value["help"], text.origin != .faulty, text.string == nil {
            tell(.type, "must have a string as \"help\"", at: text.location)
        }
        let kind = kind()
        let hasValues = kind.map { checkValues(of: $0) } ?? false
        guard let kind, hasValues else { return variable(kind ?? .string, isFaulty: true) }
        var bare = variable(kind)
        guard readRange(of: &bare) else { return variable(kind, isFaulty: true) }
        return withDefault(bare)
    }

    private func variable(_ kind: GraphVariable.Kind, isFaulty: Bool = false) -> GraphVariable {
        GraphVariable(
            name: member.key,
            kind: kind,
            help: member.value["help"]?.string ?? "",
            values: member.value["values"]?.strings ?? [],
            fallback: nil,
            location: member.location,
            isFaulty: isFaulty
        )
    }

    private mutating func kind() -> GraphVariable.Kind? {
        guard let type = member.value["type"] else {
            tell(
                .missingParameter,
                "has no \"type\"",
                at: member.value.location,
                hint: "types are \(Self.kinds.joined(separator: ", "))"
            )
            return nil
        }
        if type.origin == .faulty { return nil }
        guard let word = type.string else {
            tell(
                .type,
                "must have a string as \"type\", not \(type.kindName)",
                at: type.location,
                hint: "types are \(Self.kinds.joined(separator: ", "))"
            )
            return nil
        }
        if let kind = GraphVariable.Kind(rawValue: word) { return kind }
        tell(
            .type,
            "has an unknown type \(JSON.quoted(word))",
            at: type.location,
            hint: suggestion(for: word, in: Self.kinds)
                ?? "types are \(Self.kinds.joined(separator: ", "))"
        )
        return nil
    }

    /// Whether the words an `enum` may be are there.
    private mutating func checkValues(of kind: GraphVariable.Kind) -> Bool {
        let list = member.value["values"]
        if kind != .choice {
            if let list {
                tell(.unknownKey, "has \"values\", which only an enum has", at: list.location)
            }
            return true
        }
        if let words = list?.strings, !words.isEmpty { return true }
        if list?.origin != .faulty {
            tell(
                .missingParameter,
                "needs \"values\", an array of the words it may be",
                at: list?.location ?? member.value.location
            )
        }
        return false
    }

    /// Takes in what a number may be; false when that is written wrongly.
    private mutating func readRange(of variable: inout GraphVariable) -> Bool {
        guard let range = member.value["range"] else { return true }
        if range.origin == .faulty { return false }
        guard variable.kind == .number || variable.kind == .integer else {
            tell(
                .unknownKey,
                "has \"range\", which only a number or an integer has",
                at: range.location
            )
            return true
        }
        var ends: [Double] = []
        if case .array(let elements) = range.value {
            ends = elements.compactMap {
                ParameterType<Double>.number(in: -1e15...1e15).read($0.value)
            }
        }
        guard ends.count == 2, case .array(let elements) = range.value, elements.count == 2,
            ends[0] <= ends[1]
        else {
            tell(
                .type,
                "needs a \"range\" of two numbers, the least and the greatest",
                at: range.location,
                hint: "as in [100, 2000]"
            )
            return false
        }
        variable.range = ends[0]...ends[1]
        return true
    }

    private mutating func withDefault(_ bare: GraphVariable) -> GraphVariable {
        guard let written = member.value["default"] else { return bare }
        var variable = bare
        if written.origin != .faulty, DependentDefault.isWritten(as: written) {
            var faults: [(text: String, json: JSON)] = []
            variable.dependentDefault = DependentDefault(written, for: bare) { text, json in
                faults.append((text, json))
            }
            for fault in faults { tell(.type, fault.text, at: fault.json.location) }
            variable.isFaulty = variable.dependentDefault == nil
            return variable
        }
        if written.origin != .faulty, let value = variable.defaultValue(of: written.value) {
            variable.fallback = JSON(value, at: written.location)
            return variable
        }
        if written.origin != .faulty {
            tell(
                .type,
                "has a default that must be \(variable.noun), not \(JSON.text(of: written.value))",
                at: written.location
            )
        }
        variable.isFaulty = true
        return variable
    }

    private mutating func tell(
        _ code: Problem.Code,
        _ text: String,
        at place: SourceLocation,
        hint: String? = nil
    ) {
        problems.append(
            Problem(
                code,
                "variable \(JSON.quoted(member.key)) \(text)",
                at: place,
                pointer: "/variables/" + JSON.escapedPointer(member.key),
                hint: hint
            )
        )
    }
}
