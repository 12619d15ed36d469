/// A number with exactly `digits` digits after the point, rounded to nearest; large ones unrounded.
func fixed(_ number: Double, digits: Int) -> String {
    let power = (0..<digits).reduce(Int64(1)) { power, _ in power * 10 }
    let scaled = (abs(number) * Double(power)).rounded()
    guard scaled < 9e18 else { return "\(number)" }
    let (whole, part) = Int64(scaled).quotientAndRemainder(dividingBy: power)
    let sign = number < 0 && scaled > 0 ? "-" : ""
    if digits == 0 { return "\(sign)\(whole)" }
    return "\(sign)\(whole).\(padded(String(part), to: digits, with: "0"))"
}

/// `text` with `filler` before it up to `width` characters.
func padded(_ text: String, to width: Int, with filler: Character = " ") -> String {
    String(repeating: filler, count: max(0, width - text.count)) + text
}

/// `text` with spaces after it up to `width` characters.
func filled(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

/// A number of bytes for people, in powers of 1000: `48.3 MB`.
func byteText(_ count: Int64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB"]
    var value = Double(count)
    var unit = 0
    while value >= 999.95, unit < units.count - 1 {
        value /= 1000
        unit += 1
    }
    return unit == 0
        ? "\(count) \(count == 1 ? "byte" : "bytes")" : "\(fixed(value, digits: 1)) \(units[unit])"
}

/// A length of time for people: `0.8 s`, `12.4 s`, `3:06`, `1:02:03`.
func durationText(_ seconds: Double) -> String {
    if seconds < 60, seconds >= 0 {
        let text = fixed(seconds, digits: 1)
        if text != "60.0" { return "\(text) s" }
    }
    guard seconds >= 0, seconds < 1e12 else { return "?" }
    let total = Int(seconds.rounded())
    let rest =
        "\(padded(String(total / 60 % 60), to: total >= 3600 ? 2 : 1, with: "0"))"
        + ":\(padded(String(total % 60), to: 2, with: "0"))"
    return total >= 3600 ? "\(total / 3600):\(rest)" : rest
}

/// Text broken at spaces into lines of at most `width` characters; longer words stand alone.
func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        if line.isEmpty {
            line = String(word)
        } else if line.count + 1 + word.count <= width {
            line += " " + word
        } else {
            lines.append(line)
            line = String(word)
        }
    }
    if !line.isEmpty || lines.isEmpty { lines.append(line) }
    return lines
}

/// Text that a terminal obeys in nothing: control characters are shown as their code points.
func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        let isControl = scalar.properties.generalCategory == .control
        let isDirection = (0x2028...0x202E).contains(scalar.value)
        if isControl || isDirection {
            result += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}
