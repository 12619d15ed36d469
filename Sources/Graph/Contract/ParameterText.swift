public import Media

extension TimeValue {
    /// Reads `1.5`, `90s`, `1:30.5`, `1:02:03`, `250ms` or `12000 samples`; nil for anything else.
    ///
    /// Decimal fractions are kept exactly, to nanoseconds.
    public init?(parsing text: String) {
        let trimmed = text.drop { $0 == " " }
        if let samples = trimmed.suffixRemoved("samples") {
            guard let count = Int64(samples.trimmingTrailingSpaces), count >= 0 else { return nil }
            self = .samples(count)
            return
        }
        if let number = trimmed.suffixRemoved("ms") {
            guard let time = Self.decimal(number.trimmingTrailingSpaces, scale: 1_000_000) else {
                return nil
            }
            self = .time(MediaTime(time, 1_000_000_000).reduced)
            return
        }
        let number = (trimmed.suffixRemoved("s") ?? trimmed).trimmingTrailingSpaces
        let parts = number.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last,
            var total = Self.decimal(last, scale: 1_000_000_000)
        else { return nil }
        if parts.count > 1 {
            guard total < 60_000_000_000 else { return nil }
            var unit: Int64 = 60_000_000_000
            for part in parts.dropLast().reversed() {
                guard let count = Int64(part), (0..<100_000).contains(count),
                    part.allSatisfy(\.isNumber)
                else { return nil }
                total += count * unit
                unit *= 60
            }
        }
        self = .time(MediaTime(total, 1_000_000_000).reduced)
    }

    /// A decimal number times `scale`, exact to the last digit that fits; nil for anything else.
    private static func decimal(_ text: Substring, scale: Int64) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), !parts[0].isEmpty else {
            return decimalWithExponent(text, scale: scale)
        }
        var value: Int64 = 0
        for digit in parts[0] {
            guard let number = digit.asciiDigit else {
                return decimalWithExponent(text, scale: scale)
            }
            value = value * 10 + number
            // 100 years are enough, and far from overflow.
            guard value < 3_200_000_000 else { return nil }
        }
        value *= scale
        if parts.count == 2 {
            var place = scale
            for digit in parts[1] {
                guard let number = digit.asciiDigit else {
                    return decimalWithExponent(text, scale: scale)
                }
                place /= 10
                value += number * place
            }
        }
        return value
    }

    /// JSON allows numbers like `1e3`: these are rounded to `scale`.
    private static func decimalWithExponent(_ text: Substring, scale: Int64) -> Int64? {
        guard text.allSatisfy({ $0.asciiDigit != nil || "+-.eE".contains($0) }),
            let number = Double(text), number >= 0, number < 3_200_000_000
        else { return nil }
        return Int64((number * Double(scale)).rounded())
    }
}

extension Rate {
    /// Reads `60`, `29.97` or `30000/1001`; nil for anything else.
    public init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let numerator = Int32(parts[0]), let denominator = Int32(parts[1]),
                numerator > 0, denominator > 0
            else { return nil }
            self.init(numerator, denominator)
            return
        }
        if let whole = Int32(text) {
            guard whole > 0 else { return nil }
            self.init(whole)
            return
        }
        guard let number = Double(text), number > 0, number < 2_000_000 else { return nil }
        let scaled = (number * 1000).rounded()
        guard scaled >= 1, abs(scaled - number * 1000) < 1e-6, let exact = Int32(exactly: scaled)
        else { return nil }
        self.init(exact, 1000)
    }
}

extension PixelSize {
    /// Reads `1920x1080`; nil for anything else.
    public init?(parsing text: String) {
        let parts = text.split(
            omittingEmptySubsequences: false,
            whereSeparator: { $0 == "x" || $0 == "×" }
        )
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else {
            return nil
        }
        self.init(width: width, height: height)
    }
}

extension InputFile {
    /// A path as it was written, made relative to `folder` unless it is absolute, `-` or built in.
    static func resolve(_ path: String, in folder: String) -> String {
        if path.hasPrefix("/") || path == "-" || path.hasPrefix("builtin:") || folder.isEmpty {
            return path
        }
        return folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }
}

extension OutputPath {
    /// The path of file `number` of the sequence `pattern`.
    ///
    /// Nil when the pattern does not hold exactly one `%d` or `%0Nd` with N up to 9; `%%` stands for a
    /// percent sign.
    public static func name(of number: Int64, in pattern: String) -> String? {
        var result = ""
        var found = false
        var rest = Substring(pattern)
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                result += "%"
                rest = rest.dropFirst()
                continue
            }
            var width = 0
            if rest.first == "0" {
                rest = rest.dropFirst()
                guard let digit = rest.first?.asciiDigit, digit > 0 else { return nil }
                width = Int(digit)
                rest = rest.dropFirst()
            }
            guard rest.first == "d", !found else { return nil }
            rest = rest.dropFirst()
            found = true
            let digits = String(number)
            result += String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return found ? result + rest : nil
    }
}

extension Character {
    fileprivate var asciiDigit: Int64? {
        guard let ascii = asciiValue, (48...57).contains(ascii) else { return nil }
        return Int64(ascii - 48)
    }
}

extension Substring {
    fileprivate func suffixRemoved(_ suffix: String) -> Substring? {
        hasSuffix(suffix) ? dropLast(suffix.count) : nil
    }

    fileprivate var trimmingTrailingSpaces: Substring {
        var result = self
        while result.last == " " { result = result.dropLast() }
        return result
    }
}
