extension Checker {
    /// What outputs store of how they were made.
    func provenance(_ values: [String: JSON], canonical: String) -> [(
        key: String, value: String
    )] {
        var result: [(key: String, value: String)] = []
        if let version = options.version { result.append(("foxfire", version)) }
        if let digest = options.digest {
            result.append(("graph", digest(Array(canonical.utf8).span)))
        }
        for name in ["seed", "preset"] {
            if let value = values[name], value.origin != .faulty {
                result.append((name, plain(value.value)))
            }
        }
        return result + contents
    }

    /// What parameters stand for, as texts that can be given in their place: presets as files.
    var contents: [(key: String, value: String)] {
        let all = drafts.flatMap { draft in
            (draft.bound?.contract.contents ?? [:]).map { (pointer: $0.key, value: $0.value) }
        }.sorted { $0.pointer < $1.pointer }
        return all.map { pointer, value in
            // The parameter's name, then, where there are several, where it stands.
            let parts = pointer.split(separator: "/").dropFirst()
            let place = all.count == 1 ? "" : "." + parts.dropLast().joined(separator: ".")
            return ("\(parts.last ?? "")File\(place)", JSON.compact(value))
        }
    }

    private func plain(_ value: JSON.Value) -> String {
        switch value {
        case .string(let text): name(inPath: text)
        case .number(let text): text
        default: JSON.compact(value)
        }
    }

    /// Where a film was made is nobody's business: of a path, only the last part.
    private func name(inPath path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// What determines the outputs' content: nodes, connections, parameters, variables; no paths, no
    /// help, nothing that only steers speed; keys in order.
    func canonical(_ values: [String: JSON]) -> JSON.Value {
        let nodes = drafts.sorted { $0.name < $1.name }.map { draft in
            let connections = incoming[positions[draft.name] ?? 0].map { edge in
                let writer = drafts[edge.from]
                return (edge.slot, "\(writer.name).\(writer.schema.outputs[edge.output].name)")
            }.sorted { $0.0 < $1.0 }
            let node: JSON.Value = .record([
                "kind": .string(draft.entry?.kind ?? ""),
                "bypass": draft.isBypassed ? .boolean(true) : nil,
                "from": .list(connections.map { .string($0.1) }),
                "parameters": parameters(
                    of: draft.object.value,
                    draft.schema.parameters,
                    draft.pointer,
                    draft.bound?.contract.contents ?? [:]
                ),
            ])
            return (draft.name, node)
        }
        let variables = graph.variables.sorted { $0.name < $1.name }.compactMap { variable in
            let value = values[variable.name]?.value ?? .null
            return switch variable.kind {
            // What a preset says stands with the parameters that name it.
            case .file, .output, .preset: nil as (String, JSON.Value)?
            default: (variable.name, canonical(value))
            }
        }
        return [
            "foxfire": .integer(GraphFile.version), "nodes": .members(nodes),
            "variables": .members(variables),
        ]
    }

    private func parameters(
        of object: JSON.Value,
        _ declarations: [ParameterDeclaration],
        _ pointer: String,
        _ contents: [String: JSON.Value]
    ) -> JSON.Value {
        guard case .object(let members) = object else { return canonical(object) }
        let kept = declarations.sorted { $0.name < $1.name }.compactMap { declaration in
            let place = "\(pointer)/\(JSON.escapedPointer(declaration.name))"
            if let content = contents[place] { return (declaration.name, canonical(content)) }
            guard let member = members.first(where: { $0.key == declaration.name }) else {
                return nil as (String, JSON.Value)?
            }
            switch declaration.shape {
            case .text("file", _), .text("output", _): return nil
            case .list(let inner):
                guard case .array(let elements) = member.value.value else { return nil }
                let list = elements.enumerated().map {
                    parameters(of: $1.value, inner, "\(place)/\($0)", contents)
                }
                return (member.key, .list(list))
            default: return (member.key, canonical(member.value.value))
            }
        }
        return .members(kept)
    }

    /// The same value however it is written.
    private func canonical(_ value: JSON.Value) -> JSON.Value {
        switch value {
        case .number(let text):
            if let whole = Int(text) { return .integer(whole) }
            return Double(text).map { .real($0) } ?? value
        case .array(let elements): return .list(elements.map { canonical($0.value) })
        case .object(let members):
            return .members(
                members.sorted { $0.key < $1.key }.map { ($0.key, canonical($0.value.value)) }
            )
        case .null, .boolean, .string: return value
        }
    }
}
