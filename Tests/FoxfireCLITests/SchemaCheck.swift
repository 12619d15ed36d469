import Foundation
import Graph

/// Checks JSON against a schema, as far as Foxfire's own schemas go.
struct SchemaCheck {
    private let schema: [String: Any]

    init(_ schema: JSON.Value) throws {
        let data = Data(JSON.compact(schema).utf8)
        self.schema = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    /// What does not fit, each with its place.
    func faults(of text: String) throws -> [String] {
        faults(of: try JSONSerialization.jsonObject(with: Data(text.utf8)), schema, at: "")
    }

    private func faults(of value: Any, _ schema: [String: Any], at place: String) -> [String] {
        var faults: [String] = []
        if let words = schema["enum"] as? [NSObject], let value = value as? NSObject {
            if !words.contains(value) { faults.append("\(place): \(value) is none of \(words)") }
        }
        if let constant = schema["const"] as? NSObject, value as? NSObject != constant {
            faults.append("\(place): \(value) is not \(constant)")
        }
        if let reference = schema["$ref"] as? String {
            let name = reference.split(separator: "/").last.map(String.init) ?? ""
            let definitions = self.schema["$defs"] as? [String: [String: Any]] ?? [:]
            faults += self.faults(of: value, definitions[name] ?? [:], at: place)
        }
        switch schema["type"] as? String {
        case "object":
            guard let object = value as? [String: Any] else { return ["\(place): no object"] }
            faults += members(of: object, schema, at: place)
        case "array":
            guard let array = value as? [Any] else { return ["\(place): no array"] }
            for (index, element) in array.enumerated() {
                let items = schema["items"] as? [String: Any] ?? [:]
                faults += self.faults(of: element, items, at: "\(place)/\(index)")
            }
        case "string":
            guard let text = value as? String else { return ["\(place): no string"] }
            if let pattern = schema["pattern"] as? String,
                text.range(of: pattern, options: .regularExpression) == nil
            {
                faults.append("\(place): \(text) does not match \(pattern)")
            }
        case "integer", "number":
            guard let number = value as? NSNumber else { return ["\(place): no number"] }
            if schema["type"] as? String == "integer",
                number.doubleValue.rounded() != number.doubleValue
            {
                faults.append("\(place): \(number) is not whole")
            }
            if let least = schema["minimum"] as? NSNumber, number.doubleValue < least.doubleValue {
                faults.append("\(place): \(number) is below \(least)")
            }
        case "boolean": if !(value is Bool) { faults.append("\(place): no boolean") }
        default: break
        }
        return faults
    }

    private func members(of object: [String: Any], _ schema: [String: Any], at place: String)
        -> [String]
    {
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        let required = schema["required"] as? [String] ?? []
        var faults = required.filter { object[$0] == nil }.map { "\(place)/\($0): missing" }
        for (key, member) in object {
            if let property = properties[key] {
                faults += self.faults(of: member, property, at: "\(place)/\(key)")
            } else if let others = schema["additionalProperties"] as? [String: Any] {
                faults += self.faults(of: member, others, at: "\(place)/\(key)")
            } else if schema["additionalProperties"] as? Bool == false {
                faults.append("\(place)/\(key): unknown")
            }
        }
        return faults
    }
}
