extension JSON {
    /// A value as JSON text on one line; long ones are cut for messages.
    package static func text(of value: Value, limit: Int = 80) -> String {
        var text = ""
        write(value, to: &text)
        return text.count > limit ? text.prefix(limit) + "…" : text
    }

    /// A name in double quotes for messages: control characters are escaped, long ones are cut.
    package static func quoted(_ name: String) -> String {
        var text = ""
        write(string: name.utf8.count > 320 ? name.prefix(80) + "…" : name, to: &text)
        return text
    }

    /// Appends `value` as compact JSON.
    package static func write(_ value: Value, to text: inout String) {
        switch value {
        case .null: text += "null"
        case .boolean(let flag): text += flag ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let string): write(string: string, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += ", " }
                write(element.value, to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += ", " }
                write(string: member.key, to: &text)
                text += ": "
                write(member.value.value, to: &text)
            }
            text += "}"
        }
    }

    /// Appends `string` as a JSON string with its quotes; what a terminal might obey, and what
    /// cannot be seen, is escaped.
    static func write(string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case let control
            where control.value < 0x20 || (0x7F...0xA0).contains(control.value)
                || isUnseen(control):
                let digits = String(control.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    /// Whether a character cannot be seen, or turns the text around it.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x200B...0x200F, 0x2028...0x202F, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    // MARK: Files

    /// A value as JSON text of many lines, two spaces deeper at each level, with a newline at the end.
    ///
    /// Lists of plain values stand on one line where they fit into 100 columns.
    public static func pretty(_ value: Value) -> String {
        var text = ""
        writePretty(value, indent: "", to: &text)
        return text + "\n"
    }

    /// A value as JSON text on one line, without a newline.
    public static func compact(_ value: Value) -> String {
        var text = ""
        write(value, to: &text)
        return text
    }

    private static func writePretty(_ value: Value, indent: String, to text: inout String) {
        let inner = indent + "  "
        switch value {
        case .array(let elements) where !elements.isEmpty:
            if elements.allSatisfy({ $0.isPlain }) {
                var line = ""
                write(value, to: &line)
                if indent.utf8.count + line.utf8.count < 90 {
                    text += line
                    return
                }
            }
            for (index, element) in elements.enumerated() {
                text += (index == 0 ? "[\n" : ",\n") + inner
                writePretty(element.value, indent: inner, to: &text)
            }
            text += "\n\(indent)]"
        case .object(let members) where !members.isEmpty:
            for (index, member) in members.enumerated() {
                text += (index == 0 ? "{\n" : ",\n") + inner
                write(string: member.key, to: &text)
                text += ": "
                writePretty(member.value.value, indent: inner, to: &text)
            }
            text += "\n\(indent)}"
        default: write(value, to: &text)
        }
    }

    private var isPlain: Bool {
        switch value {
        case .array, .object: false
        default: true
        }
    }
}
