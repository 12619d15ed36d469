import Glibc
import Media

/// e to the power of `x`.
func exponential(_ x: Double) -> Double { exp(x) }

extension ParameterType where T == Int {
    static func integer(in range: ClosedRange<Int>) -> Self {
        Self(
            shape: .integer(range),
            noun: "a whole number",
            placeholder: range.lowerBound,
            read: { json in
                guard case .number(let text) = json else { return nil }
                if let integer = Int(text) { return integer }
                guard let number = Double(text), number == number.rounded() else { return nil }
                return Int(exactly: number)
            },
            write: { .number(String($0)) },
            contains: { range.contains($0) },
            range: "from \(range.lowerBound) to \(range.upperBound)"
        )
    }
}

extension ParameterType where T == Double {
    static func number(in range: ClosedRange<Double>) -> Self {
        Self(
            shape: .number(range),
            noun: "a number",
            placeholder: range.lowerBound,
            read: { json in
                guard case .number(let text) = json, let number = Double(text) else { return nil }
                return number.isFinite ? number : nil
            },
            write: { .number(shortText(of: $0)) },
            contains: { range.contains($0) },
            range: "from \(shortText(of: range.lowerBound)) to \(shortText(of: range.upperBound))"
        )
    }
}

/// A number without a needless `.0`.
package func shortText(of number: Double) -> String {
    if number == number.rounded(), abs(number) < 1e15 { return String(Int64(number)) }
    return "\(number)"
}

extension ParameterType where T == Bool {
    static var boolean: Self {
        Self(
            shape: .boolean,
            noun: "true or false",
            placeholder: false,
            read: { json in
                guard case .boolean(let value) = json else { return nil }
                return value
            },
            write: { .boolean($0) }
        )
    }
}

extension ParameterType where T == String {
    static var string: Self { text(shape: .string, noun: "a string") }

    /// The path of a file that is read.
    static var file: Self { file(example: "builtin:demo") }

    /// The same, with another path for examples.
    static func file(example: String) -> Self { path(form: "file", example: example) }

    /// The path of a file that is written.
    static func output(example: String) -> Self { path(form: "output", example: example) }

    /// The name of a preset, a slot, or a path; a number is a slot.
    static var preset: Self {
        var type = text(
            shape: .text("preset", allowsNumber: true),
            noun: "the name of a preset, a slot, or a path"
        )
        type.read = { json in
            switch json {
            case .number(let text), .string(let text): text
            default: nil
            }
        }
        type.contains = { !$0.isEmpty && !$0.utf8.contains(0) }
        return type
    }

    private static func path(form: String, example: String) -> Self {
        var type = text(shape: .text(form, allowsNumber: false), noun: "a path")
        type.example = example
        type.contains = { !$0.isEmpty && !$0.utf8.contains(0) }
        return type
    }

    private static func text(shape: ParameterDeclaration.Shape, noun: String) -> Self {
        Self(
            shape: shape,
            noun: noun,
            placeholder: "",
            read: { json in
                guard case .string(let value) = json else { return nil }
                return value
            },
            write: { .string($0) }
        )
    }
}

extension ParameterType where T: CaseIterable & RawRepresentable<String> {
    static func choice() -> Self {
        let words = T.allCases.map(\.rawValue)
        guard let first = T.allCases.first else {
            preconditionFailure("A choice needs at least one word.")
        }
        return Self(
            shape: .choice(words),
            noun: "one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))",
            placeholder: first,
            read: { json in
                guard case .string(let word) = json else { return nil }
                return T(rawValue: word)
            },
            write: { .string($0.rawValue) }
        )
    }
}

extension ParameterType where T == TimeValue {
    static var time: Self {
        Self(
            shape: .text("time", allowsNumber: true),
            noun: "a time, as in 1.5, \"90s\", \"1:30.5\", \"250ms\" or \"12000 samples\"",
            placeholder: .time(.zero),
            read: { json in
                switch json {
                case .number(let text), .string(let text): TimeValue(parsing: text)
                default: nil
                }
            },
            write: { value in
                switch value {
                case .time(let time): .number(shortText(of: time.seconds))
                case .samples(let count): .string("\(count) samples")
                }
            }
        )
    }
}

extension ParameterType where T == Rate {
    static func rate(in range: ClosedRange<Rate>) -> Self {
        Self(
            shape: .text("rate", allowsNumber: true),
            noun: "a rate, as in 60 or \"30000/1001\",",
            placeholder: range.lowerBound,
            read: { json in
                switch json {
                case .number(let text), .string(let text): Rate(parsing: text)
                default: nil
                }
            },
            write: { $0.denominator == 1 ? .number("\($0)") : .string("\($0)") },
            contains: { range.contains($0) },
            range: "from \(range.lowerBound) to \(range.upperBound)"
        )
    }
}

extension ParameterType where T == PixelSize {
    static func size(in range: ClosedRange<Int>) -> Self {
        Self(
            shape: .text("size", allowsNumber: false),
            noun: "a size, as in \"1920x1080\",",
            placeholder: PixelSize(width: range.lowerBound, height: range.lowerBound),
            read: { json in
                guard case .string(let text) = json else { return nil }
                return PixelSize(parsing: text)
            },
            write: { .string("\($0)") },
            contains: { range.contains($0.width) && range.contains($0.height) },
            range: "with both sides from \(range.lowerBound) to \(range.upperBound)"
        )
    }
}
