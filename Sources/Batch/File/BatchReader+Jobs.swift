import Graph

/// The values that jobs give variables.
extension BatchReader {
    /// A list of objects that give variables values.
    mutating func list(_ key: String, in value: JSON) -> [BatchFile.Values] {
        guard let written = value[key], written.origin != .faulty else { return [] }
        guard case .array(let elements) = written.value else {
            tell(
                .type,
                "\"\(key)\" must be an array of objects, not \(written.kindName)",
                written,
                "/\(key)"
            )
            return []
        }
        var result: [BatchFile.Values] = []
        for (index, element) in elements.enumerated() where element.origin != .faulty {
            let pointer = "/\(key)/\(index)"
            guard case .object(let members) = element.value else {
                tell(
                    .type,
                    "must be an object of variables, not \(element.kindName)",
                    element,
                    pointer
                )
                continue
            }
            var values = BatchFile.Values(texts: [], location: element.location)
            for member in members where member.value.origin != .faulty {
                let place = pointer + "/" + JSON.escapedPointer(member.key)
                guard let text = text(of: member.value, place) else { continue }
                values.texts.append((member.key, text))
            }
            result.append(values)
        }
        return result
    }

    mutating func matrix(_ value: JSON) -> [BatchFile.Axis] {
        guard let written = value["matrix"], written.origin != .faulty else { return [] }
        guard case .object(let members) = written.value else {
            tell(.type, "\"matrix\" must be an object, not \(written.kindName)", written, "/matrix")
            return []
        }
        var result: [BatchFile.Axis] = []
        for member in members where member.value.origin != .faulty {
            let pointer = "/matrix/" + JSON.escapedPointer(member.key)
            guard let values = axis(member.value, pointer) else { continue }
            result.append(
                BatchFile.Axis(
                    variable: member.key,
                    values: values,
                    location: member.value.location
                )
            )
        }
        return result
    }

    private mutating func axis(_ value: JSON, _ pointer: String) -> BatchFile.Axis.Values? {
        switch value.value {
        case .array(let elements):
            if elements.isEmpty {
                tell(.range, "holds no value, so that there would be no job", value, pointer)
                return nil
            }
            var texts: [String] = []
            for (index, element) in elements.enumerated() where element.origin != .faulty {
                if let text = text(of: element, "\(pointer)/\(index)") { texts.append(text) }
            }
            return .list(texts)
        case .string(let text) where text.hasPrefix("glob:") && text.count > 5:
            return .glob(String(text.dropFirst(5)))
        case .object:
            if let path = value["csv"]?.string, let column = value["column"]?.string {
                return .csv(path: path, column: column)
            }
            if let path = value["jsonl"]?.string, let key = value["key"]?.string {
                return .jsonl(path: path, key: key)
            }
        default: break
        }
        tell(
            .type,
            "must be a list of values, a pattern or a table",
            value,
            pointer,
            hint:
                "as in [1, 2], \"glob:tracks/*.ogg\", {\"csv\": \"a.csv\", \"column\": \"seed\"} or "
                + "{\"jsonl\": \"a.jsonl\", \"key\": \"seed\"}"
        )
        return nil
    }

    /// A value as a command line would give it.
    private mutating func text(of value: JSON, _ pointer: String) -> String? {
        switch value.value {
        case .string(let text), .number(let text): return text
        case .boolean(let truth): return truth ? "true" : "false"
        case .null, .array, .object:
            tell(
                .type,
                "must be a string, a number or a boolean, not \(value.kindName)",
                value,
                pointer
            )
            return nil
        }
    }
}
