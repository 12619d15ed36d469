/// The value of every parameter: a base and a factor each, clamped once, by the reader.
///
/// Modulators multiply factors; nobody clamps in between, so their order does not matter.
public struct Parameters: Sendable, Hashable {
    /// Of every parameter, in the order of `Parameter.allCases`.
    private(set) var bases: [Double]
    private(set) var factors: [Double]

    /// Gives every parameter its default and the factor 1.
    public init() {
        bases = ParameterTable.rows.map(\.defaultValue)
        factors = Array(repeating: 1, count: bases.count)
    }

    /// Gives the named parameters their values and the others their defaults.
    ///
    /// - Parameter values: base values; what is out of a parameter's range is clamped when read.
    public init(_ values: [Parameter: Double]) {
        self.init()
        for (parameter, value) in values { self[base: parameter] = value }
    }

    /// Takes a base and a factor, none of them NaN, for every parameter.
    init(bases: [Double], factors: [Double]) {
        precondition(
            bases.count == ParameterTable.rows.count && factors.count == bases.count,
            "Every parameter has a base and a factor."
        )
        (self.bases, self.factors) = (bases, factors)
    }

    /// The value before modulation; must be a number, not NaN.
    public subscript(base parameter: Parameter) -> Double {
        get { bases[parameter.rawValue] }
        set {
            precondition(!newValue.isNaN, "\(parameter.name) must be a number.")
            bases[parameter.rawValue] = newValue
        }
    }

    /// The product of what all modulators said so far; 1 without any.
    public subscript(factor parameter: Parameter) -> Double { factors[parameter.rawValue] }

    /// Multiplies a factor onto `parameter`; it must be a number, not NaN.
    public mutating func multiply(_ parameter: Parameter, by factor: Double) {
        precondition(!factor.isNaN, "A factor for \(parameter.name) must be a number.")
        factors[parameter.rawValue] *= factor
    }

    /// The value to work with: base × factor, or base + (factor − 1) × step for an additive
    /// parameter, clamped to the parameter's range.
    public func value(_ parameter: Parameter) -> Double {
        let info = parameter.info
        let base = bases[parameter.rawValue]
        let factor = factors[parameter.rawValue]
        let value = info.isAdditive ? base + (factor - 1) * info.step : base * factor
        // 0 × infinity is no number; such a modulation counts as none.
        if value.isNaN { return min(max(base, info.range.lowerBound), info.range.upperBound) }
        return min(max(value, info.range.lowerBound), info.range.upperBound)
    }

    /// The mean of the trail that the base values lead to, once it neither grows nor falls.
    public var restingTrail: Double {
        func base(_ parameter: Parameter) -> Double {
            let range = parameter.info.range
            return min(max(bases[parameter.rawValue], range.lowerBound), range.upperBound)
        }
        return base(.deposit) * base(.density) * (1 - base(.decay)) / base(.decay)
    }

    /// The value of a length on a map or picture `height` cells high.
    ///
    /// Lengths are given for a height of 1080.
    public func length(_ parameter: Parameter, height: Int) -> Double {
        precondition(parameter.info.isLength, "\(parameter.name) is not a length.")
        return value(parameter) * Double(height) / 1080
    }
}
