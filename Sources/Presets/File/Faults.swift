import Graph

/// Every fault of a JSON text, kept while reading goes on.
struct Faults {
    /// What makes the text unusable.
    private(set) var problems: [Problem]
    /// What is read but has no effect that its writer may expect.
    private(set) var warnings: [Problem] = []

    init(_ problems: [Problem] = []) { self.problems = problems }

    /// Keeps a problem, unless what it is about is faulty already or too many were told.
    mutating func refuse(
        _ code: Problem.Code,
        _ text: String,
        at json: JSON,
        _ pointer: String,
        hint: String? = nil
    ) {
        guard json.origin != .faulty, problems.count < JSONReader.problemLimit else { return }
        problems.append(Problem(code, text, at: json.location, pointer: pointer, hint: hint))
    }

    /// Keeps that something is of a wrong type.
    mutating func refuse(_ text: String, at json: JSON, _ pointer: String) {
        refuse(.type, text, at: json, pointer)
    }

    mutating func warn(_ text: String, at location: SourceLocation, _ pointer: String, hint: String)
    {
        guard warnings.count < JSONReader.problemLimit else { return }
        warnings.append(Problem(.unknownKey, text, at: location, pointer: pointer, hint: hint))
    }

    /// Names the file that all of them are about.
    mutating func name(file: String) {
        for index in problems.indices { problems[index].file = file }
        for index in warnings.indices { warnings[index].file = file }
    }
}

/// An object whose members are read by name.
///
/// Every reading function returns nil where there is no such member, and where there is a wrong one,
/// whose fault it keeps.
struct Fields {
    let json: JSON
    let pointer: String
    let members: [JSON.Member]

    /// Reads the members of an object; nil, with the fault kept, when `json` is none.
    init?(_ json: JSON, _ pointer: String, _ name: String, _ faults: inout Faults) {
        guard case .object(let members) = json.value else {
            faults.refuse("\(name) must be an object, not \(json.kindName)", at: json, pointer)
            return nil
        }
        self.json = json
        self.pointer = pointer
        self.members = members
    }

    func pointer(_ key: String) -> String { "\(pointer)/\(JSON.escapedPointer(key))" }

    /// The member called `key`; null counts as none where `nullIsNone`.
    func value(_ key: String, nullIsNone: Bool = true) -> JSON? {
        guard let value = members.first(where: { $0.key == key })?.value,
            value.origin != .faulty, !(nullIsNone && value.value == .null)
        else { return nil }
        return value
    }

    /// Keeps that a required member is missing; not where a member of that name is only faulty.
    func require(_ key: String, _ what: String, _ faults: inout Faults) {
        let value = members.first { $0.key == key }?.value
        guard value == nil || value?.value == .null && value?.origin != .faulty else { return }
        faults.refuse(
            .missingParameter,
            "\"\(key)\" is missing; it must be \(what)",
            at: json,
            pointer
        )
    }

    func string(_ key: String, _ faults: inout Faults) -> String? {
        guard let value = value(key) else { return nil }
        if let text = value.string { return text }
        refuse(key, "a string", value, &faults)
        return nil
    }

    func flag(_ key: String, default fallback: Bool? = nil, _ faults: inout Faults) -> Bool? {
        guard let value = value(key) else { return nil }
        if case .boolean(let flag) = value.value { return flag }
        refuse(key, "true or false", value, default: fallback.map { "\($0)" }, &faults)
        return nil
    }

    func number(
        _ key: String,
        in range: ClosedRange<Double>,
        default fallback: Double? = nil,
        _ faults: inout Faults
    ) -> Double? {
        guard let value = value(key, nullIsNone: false) else { return nil }
        if case .number(let text) = value.value, let number = Double(text), range.contains(number) {
            return number
        }
        let limits = "\(shortText(of: range.lowerBound)) to \(shortText(of: range.upperBound))"
        refuse(
            key,
            "a number from \(limits)",
            value,
            code: value.isNumber ? .range : .type,
            default: fallback.map(shortText(of:)),
            &faults
        )
        return nil
    }

    func integer(_ key: String, in range: ClosedRange<Int>, _ faults: inout Faults) -> Int? {
        guard let value = value(key) else { return nil }
        if case .number(let text) = value.value {
            let number = Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
            if let number, range.contains(number) { return number }
        }
        let limits = "\(range.lowerBound) to \(range.upperBound)"
        let code: Problem.Code = value.isNumber ? .range : .type
        refuse(key, "a whole number from \(limits)", value, code: code, &faults)
        return nil
    }

    /// One of the words of an enumeration.
    func word<T: CaseIterable & RawRepresentable<String>>(_ key: String, _ faults: inout Faults)
        -> T?
    {
        guard let value = value(key) else { return nil }
        if let word = value.string.flatMap(T.init) { return word }
        let words = T.allCases.map(\.rawValue)
        faults.refuse(
            value.string == nil ? .type : .range,
            "\"\(key)\" must be one of \(words.quotedList), not \(JSON.text(of: value.value))",
            at: value,
            pointer(key),
            hint: value.string.flatMap { suggestion(for: $0, in: words) }
        )
        return nil
    }

    /// The elements of an array, with their pointers.
    func list(_ key: String, _ faults: inout Faults) -> [(json: JSON, pointer: String)]? {
        guard let value = value(key) else { return nil }
        guard case .array(let elements) = value.value else {
            refuse(key, "an array", value, &faults)
            return nil
        }
        let pointer = pointer(key)
        return elements.enumerated().map { ($1, "\(pointer)/\($0)") }
    }

    func strings(_ key: String, _ faults: inout Faults) -> [String]? {
        list(key, &faults)?.compactMap { json, pointer in
            if let text = json.string { return text }
            faults.refuse("\"\(key)\" must hold strings, not \(json.kindName)", at: json, pointer)
            return nil
        }
    }

    private func refuse(
        _ key: String,
        _ what: String,
        _ value: JSON,
        code: Problem.Code = .type,
        default fallback: String? = nil,
        _ faults: inout Faults
    ) {
        faults.refuse(
            code,
            "\"\(key)\" must be \(what), not \(JSON.text(of: value.value))",
            at: value,
            pointer(key),
            hint: fallback.map { "the default is \($0)" }
        )
    }

    /// Warns of members that nothing reads when their names are nearly those of some that are read.
    func warnOfSlips(known: [String], _ faults: inout Faults) {
        for member in members where !known.contains(member.key) {
            guard let meant = closestMatch(to: member.key, in: known),
                !members.contains(where: { $0.key == meant })
            else { continue }
            faults.warn(
                "\(JSON.quoted(member.key)) is kept, but has no effect",
                at: member.location,
                pointer(member.key),
                hint: "did you mean \"\(meant)\"?"
            )
        }
    }
}

extension JSON {
    var isNumber: Bool {
        if case .number = value { return true }
        return false
    }

    /// The same value at no place: what is kept longer than the text it was read from.
    var unplaced: JSON {
        switch value {
        case .array(let elements): JSON(.array(elements.map(\.unplaced)))
        case .object(let members):
            JSON(.members(members.map { ($0.key, $0.value.unplaced.value) }))
        default: JSON(value)
        }
    }
}

extension [String] {
    /// `"a", "b", "c"`.
    var quotedList: String { map(JSON.quoted).joined(separator: ", ") }
}
