/// A graph file as it was written: its variables and its nodes, not yet checked against each other.
public struct GraphFile: Sendable {
    /// The version of graph files that this Foxfire reads and writes.
    public static let version = 1

    /// A node's entry.
    struct Entry: Sendable {
        let name: String
        /// Where its name stands.
        let location: SourceLocation
        let object: JSON
    }

    /// What the file says it is for.
    public private(set) var description: String?
    /// In the order of the file.
    public private(set) var variables: [GraphVariable] = []
    private(set) var entries: [Entry] = []
    let text: SourceText

    /// Reads the text of a graph file.
    ///
    /// - Parameters:
    ///   - bytes: the text; any bytes may come.
    ///   - file: its name for messages.
    /// - Returns: the graph, and all that is wrong in the file itself, in its order. There is no graph
    ///   where so much is wrong that nothing can be said of the rest.
    public static func read(_ bytes: [UInt8], file: String) -> (
        graph: GraphFile?, problems: [Problem]
    ) {
        let reading = JSONReader.read(bytes)
        var problems = reading.problems
        var graph: GraphFile?
        if reading.isWhole, let value = reading.value {
            var whole = GraphFile(text: SourceText(bytes))
            if whole.take(value, problems: &problems) { graph = whole }
        }
        for index in problems.indices { problems[index].file = file }
        problems.sort(by: Problem.stand)
        return (graph, problems)
    }

    private init(text: SourceText) { self.text = text }

    /// Takes the file's one value; false when it is no graph of this version.
    private mutating func take(_ value: JSON, problems: inout [Problem]) -> Bool {
        guard case .object(let members) = value.value else {
            if value.origin != .faulty {
                problems.append(
                    Problem(
                        .type,
                        "a graph file holds an object, not \(value.kindName)",
                        at: value.location,
                        pointer: "",
                        hint: "as in {\"foxfire\": 1, \"nodes\": {}}"
                    )
                )
            }
            return false
        }
        guard value.origin != .faulty else { return false }
        guard isVersionRight(value, problems: &problems) else { return false }
        // Editors look for "$schema".
        let known = ["foxfire", "description", "variables", "nodes", "$schema"]
        for member in members
        where !known.contains(member.key) && problems.count < JSONReader.problemLimit {
            problems.append(
                Problem(
                    .unknownKey,
                    "unknown key \(JSON.quoted(member.key))",
                    at: member.location,
                    pointer: "/" + JSON.escapedPointer(member.key),
                    hint: suggestion(for: member.key, in: known)
                        ?? "a graph has foxfire, description, variables and nodes"
                )
            )
        }
        if let text = value["description"], text.origin != .faulty {
            description = text.string
            if description == nil {
                problems.append(
                    Problem(
                        .type,
                        "\"description\" must be a string, not \(text.kindName)",
                        at: text.location,
                        pointer: "/description"
                    )
                )
            }
        }
        for member in objects(of: "variables", in: value, problems: &problems)
        where problems.count < JSONReader.problemLimit {
            var reader = VariableReader(member)
            variables.append(reader.variable())
            problems += reader.problems
        }
        for index in variables.indices { checkDefault(of: index, problems: &problems) }
        for member in objects(of: "nodes", in: value, problems: &problems)
        where problems.count < JSONReader.problemLimit {
            take(node: member, problems: &problems)
        }
        if value["nodes"] == nil {
            problems.append(
                Problem(
                    .missingParameter,
                    "\"nodes\" is missing",
                    at: value.location,
                    pointer: "",
                    hint: "a graph has at least one node"
                )
            )
        }
        return true
    }

    private mutating func checkDefault(of index: Int, problems: inout [Problem]) {
        let variable = variables[index]
        var found: [Problem] = []
        variable.dependentDefault?.check(against: variables) { text, place, hint in
            found.append(
                Problem(
                    .type,
                    "variable \(JSON.quoted(variable.name)) \(text)",
                    at: place,
                    pointer: "/variables/\(variable.name)/default",
                    hint: hint
                )
            )
        }
        if found.isEmpty { return }
        variables[index].isFaulty = true
        problems += found.prefix(max(0, JSONReader.problemLimit - problems.count))
    }

    private func isVersionRight(_ value: JSON, problems: inout [Problem]) -> Bool {
        guard let version = value["foxfire"] else {
            problems.append(
                Problem(
                    .version,
                    "\"foxfire\": \(Self.version) is missing",
                    at: value.location,
                    pointer: "",
                    hint: "it says that this is a graph file, and of which version"
                )
            )
            return true
        }
        if version.origin == .faulty { return true }
        guard let number = ParameterType.integer(in: 1...Int.max).read(version.value) else {
            problems.append(
                Problem(
                    .version,
                    "\"foxfire\" must be \(Self.version), not \(JSON.text(of: version.value))",
                    at: version.location,
                    pointer: "/foxfire"
                )
            )
            return true
        }
        if number == Self.version { return true }
        let isNewer = number > Self.version
        problems.append(
            Problem(
                .version,
                "this is a graph file of version \(number); this Foxfire reads version \(Self.version)",
                at: version.location,
                pointer: "/foxfire",
                hint: isNewer ? "a newer Foxfire reads it" : nil
            )
        )
        return !isNewer
    }

    private func objects(
        of key: String,
        in value: JSON,
        problems: inout [Problem]
    ) -> [JSON.Member] {
        guard let object = value[key], object.origin != .faulty else { return [] }
        guard case .object(let members) = object.value else {
            problems.append(
                Problem(
                    .type,
                    "\"\(key)\" must be an object, not \(object.kindName)",
                    at: object.location,
                    pointer: "/\(key)"
                )
            )
            return []
        }
        if key == "nodes", members.isEmpty {
            problems.append(
                Problem(
                    .missingParameter,
                    "there are no nodes",
                    at: object.location,
                    pointer: "/nodes",
                    hint: "foxfire nodes lists them"
                )
            )
        }
        return members
    }

    private mutating func take(node member: JSON.Member, problems: inout [Problem]) {
        let pointer = "/nodes/" + JSON.escapedPointer(member.key)
        if !Self.isNodeName(member.key) {
            problems.append(
                Problem(
                    .name,
                    "\(JSON.quoted(member.key)) cannot be a node's name",
                    at: member.location,
                    pointer: pointer,
                    hint: "names are a letter, then letters, digits, _ and -"
                )
            )
        }
        if case .object = member.value.value {
            // Goes on below.
        } else if member.value.origin != .faulty {
            problems.append(
                Problem(
                    .type,
                    "must be an object, not \(member.value.kindName)",
                    at: member.value.location,
                    node: member.key,
                    pointer: pointer,
                    hint: "as in {\"kind\": \"test.null\"}"
                )
            )
        }
        entries.append(
            Entry(name: member.key, location: member.location, object: member.value)
        )
    }

    static func isNodeName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy {
            $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
    }
}

extension GraphFile {
    /// The variables' values: those given, else the defaults.
    ///
    /// - Parameters:
    ///   - given: texts by name, as the command line has them.
    ///   - problems: gets what is wrong.
    /// - Returns: a value for every declared variable; one that is not known is faulty.
    func values(_ given: [String: String], problems: inout [Problem]) -> [String: JSON] {
        var values: [String: JSON] = [:]
        for variable in variables {
            let faulty = JSON(.null, at: variable.location, origin: .faulty)
            if variable.isFaulty {
                values[variable.name] = faulty
            } else if let text = given[variable.name] {
                if let value = variable.value(ofText: text) {
                    values[variable.name] = JSON(
                        value,
                        origin: .variable(variable.name, isGiven: true)
                    )
                    continue
                }
                values[variable.name] = faulty
                problems.append(
                    Problem(
                        .type,
                        "variable \(JSON.quoted(variable.name)) must be \(variable.noun), not \(JSON.quoted(text))",
                        pointer: "/variables/\(variable.name)",
                        hint: "given on the command line"
                    )
                )
            } else if variable.dependentDefault != nil {
                // Those that it follows from come first.
                continue
            } else if var value = variable.fallback {
                value.origin = .variable(variable.name, isGiven: false)
                values[variable.name] = value
            } else {
                values[variable.name] = faulty
                problems.append(
                    Problem(
                        .missingVariable,
                        "variable \(JSON.quoted(variable.name)) has no default and must be given",
                        at: variable.location,
                        pointer: "/variables/\(variable.name)",
                        hint: "as \(variable.name)=VALUE; it must be \(variable.noun)"
                    )
                )
            }
        }
        for variable in variables where values[variable.name] == nil {
            guard var value = variable.dependentDefault?.value(values) else { continue }
            if value.origin != .faulty {
                value.origin = .variable(variable.name, isGiven: false)
            }
            values[variable.name] = value
        }
        let names = variables.map(\.name)
        for (name, text) in given.sorted(by: { $0.key < $1.key }) where values[name] == nil {
            problems.append(
                Problem(
                    .unknownVariable,
                    "the graph has no variable \(JSON.quoted(name)), which is given as \(JSON.quoted(text))",
                    hint: suggestion(for: name, in: names)
                        ?? (names.isEmpty ? nil : "it has \(names.joined(separator: ", "))")
                )
            )
        }
        return values
    }
}
