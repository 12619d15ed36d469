import Glibc

/// The largest difference between samples of equal position; infinite when the counts differ.
public func largestDifference(_ first: [Float], _ second: [Float]) -> Float {
    guard first.count == second.count else { return .infinity }
    return zip(first, second).reduce(0) { max($0, abs($1.0 - $1.1)) }
}

/// The root mean square of `samples`; 0 of none.
public func rootMeanSquare(_ samples: some Collection<Float>) -> Double {
    if samples.isEmpty { return 0 }
    return (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count))
        .squareRoot()
}

/// A ratio in decibels.
public func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }

/// Whether two numbers differ by at most `tolerance`.
public func isClose(_ first: Double, _ second: Double, within tolerance: Double) -> Bool {
    abs(first - second) <= tolerance
}
