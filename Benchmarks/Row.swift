/// One comparison: ours against a peer, measured in turn in the same run.
struct Row {
    let name: String
    let unit: String
    /// Medians; what they count is in `name` and `unit`.
    let ours: Double
    let peer: Double
    /// Turned so that more is better.
    let ratio: Double
    let target: Double

    var line: String {
        let verdict = ratio >= target ? "reached" : "missed"
        return "\(name): ours \(rounded(ours)) \(unit), peer \(rounded(peer)) \(unit), "
            + "ratio \(rounded(ratio)), target \(rounded(target)): \(verdict)"
    }

    var json: String {
        "{\"name\": \"\(name)\", \"unit\": \"\(unit)\", \"ours\": \(ours), \"peer\": \(peer), "
            + "\"ratio\": \(ratio), \"target\": \(target)}"
    }
}

/// A number with three figures.
func rounded(_ number: Double) -> String {
    var scale = 1.0
    while number * scale < 100, scale < 1e9 { scale *= 10 }
    let value = (number * scale).rounded() / scale
    return value == value.rounded() ? "\(Int(value))" : "\(value)"
}

/// The value that half of the others are below.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    precondition(!sorted.isEmpty, "A median needs values.")
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
