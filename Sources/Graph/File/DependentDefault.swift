/// A default that follows from what another variable is: `{"by": "profile", "speech": 300, "music": 150}`.
///
/// The other is an enum whose own default is plain; every one of its words is covered, by its name or by
/// `*`. A value may again be such an object, so that a default can follow from several variables.
public struct DependentDefault: Sendable {
    /// What one word leads to.
    public indirect enum Case: Sendable {
        case value(JSON)
        case dependent(DependentDefault)
    }

    /// The enum variable that decides.
    public let variable: String
    /// Each word, or `*` for all others, with what it leads to, in the file's order.
    public let cases: [(word: String, result: Case)]
    /// Where the object stands, and where its `by`.
    let location: SourceLocation
    let nameLocation: SourceLocation

    /// All variables that decide, its own first.
    var deciders: [String] {
        cases.reduce([variable]) { names, entry in
            guard case .dependent(let inner) = entry.result else { return names }
            return names + inner.deciders
        }
    }

    /// Whether a default is written so.
    static func isWritten(as json: JSON) -> Bool { json["by"] != nil }

    /// Reads the object of a variable's default.
    ///
    /// - Parameters:
    ///   - json: an object with `by`.
    ///   - own: the variable that has the default, whose type its values are of.
    ///   - tell: gets what is wrong, and where; the result is nil then.
    init?(_ json: JSON, for own: GraphVariable, tell: (_ text: String, JSON) -> Void) {
        guard case .object(let members) = json.value, let by = json["by"] else { return nil }
        guard let name = by.string else {
            if by.origin != .faulty {
                tell("must name a variable after \"by\", not \(JSON.text(of: by.value))", by)
            }
            return nil
        }
        var cases: [(word: String, result: Case)] = []
        var isWhole = true
        for member in members where member.key != "by" {
            let written = member.value
            if written.origin == .faulty {
                isWhole = false
            } else if Self.isWritten(as: written) {
                guard let inner = DependentDefault(written, for: own, tell: tell) else {
                    isWhole = false
                    continue
                }
                cases.append((member.key, .dependent(inner)))
            } else if let value = own.defaultValue(of: written.value) {
                cases.append((member.key, .value(JSON(value, at: written.location))))
            } else {
                let text = JSON.text(of: written.value)
                tell("has a default that must be \(own.noun), not \(text)", written)
                isWhole = false
            }
        }
        guard isWhole else { return nil }
        variable = name
        self.cases = cases
        location = json.location
        nameLocation = by.location
    }

    /// The value for what the other variables are; a faulty one where that is not known.
    func value(_ values: [String: JSON]) -> JSON {
        let faulty = JSON(.null, at: location, origin: .faulty)
        guard let word = values[variable]?.string else { return faulty }
        let found = cases.first { $0.word == word } ?? cases.first { $0.word == "*" }
        switch found?.result {
        case .value(let value): return value
        case .dependent(let inner): return inner.value(values)
        case nil: return faulty
        }
    }

    /// Finds what does not fit the variables that it follows from.
    ///
    /// - Parameters:
    ///   - variables: all of the graph.
    ///   - tell: gets what is wrong, where, and what may help.
    func check(
        against variables: [GraphVariable],
        tell: (_ text: String, SourceLocation, _ hint: String?) -> Void
    ) {
        let enums = variables.filter { $0.kind == .choice && $0.dependentDefault == nil }
        guard let decider = variables.first(where: { $0.name == variable }) else {
            let hint = suggestion(for: variable, in: enums.map(\.name))
            tell("follows from an unknown variable \(JSON.quoted(variable))", nameLocation, hint)
            return
        }
        if decider.isFaulty { return }
        guard decider.kind == .choice, decider.dependentDefault == nil else {
            tell(
                "follows from \(JSON.quoted(variable)), which is no enum with a plain default",
                nameLocation,
                nil
            )
            return
        }
        let words = cases.map(\.word)
        for word in words where word != "*" && !decider.values.contains(word) {
            tell(
                "has a default for \(JSON.quoted(word)), which \(JSON.quoted(variable)) never is",
                location,
                suggestion(for: word, in: decider.values) ?? "it is \(decider.noun)"
            )
        }
        if !words.contains("*"), let missing = decider.values.first(where: { !words.contains($0) })
        {
            tell(
                "has no default for \(JSON.quoted(variable)) being \(JSON.quoted(missing))",
                location,
                "\"*\" stands for all others"
            )
        }
        for entry in cases {
            if case .dependent(let inner) = entry.result {
                inner.check(against: variables, tell: tell)
            }
        }
    }
}

extension DependentDefault {
    /// The object as it is written in a graph file.
    public var json: JSON.Value {
        .members(
            [("by", .string(variable))]
                + cases.map { word, result in
                    switch result {
                    case .value(let value): (word, value.value)
                    case .dependent(let inner): (word, inner.json)
                    }
                }
        )
    }
}
