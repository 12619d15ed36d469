import Media

/// How an agent senses, turns and moves: the numbers of the inner loop.
///
/// All are computed in double by operations that every machine rounds alike, and rounded once.
struct Motion: Sendable, Hashable {
    /// How far ahead the middle sensor is, in cells.
    let ahead: Float
    /// The same for a side sensor, along and across the heading.
    let sideAhead: Float
    let sideAcross: Float
    /// The turn towards a side.
    let turnCosine: Float
    let turnSine: Float
    /// Cells that an agent moves.
    let speed: Float

    /// The motion where the trail's strength is `strength`, 0…1.
    ///
    /// Sensor distance, sensor angle, turn angle and speed are base + amplitude · strength^exponent
    /// each, within the base's range.
    init(_ parameters: Parameters, grid: Grid, strength: Double) {
        self.init(grid: grid) { base in
            let law = ResponseLaw(parameters, base)
            return law.value(power: law.power(of: strength))
        }
    }

    /// The motion with four values: lengths for a map 1080 cells high, and degrees.
    init(grid: Grid, _ value: (Parameter) -> Double) {
        func cells(_ parameter: Parameter) -> Double {
            grid.reachable(value(parameter) * Double(grid.height) / 1080)
        }
        func direction(_ parameter: Parameter) -> (cosine: Double, sine: Double) {
            let phase = UInt64(value(parameter) / 360 * 0x1p64)
            return (PortableMath.cosine(phase: phase), PortableMath.sine(phase: phase))
        }
        // One cell less, because a sensor's place is rounded to a cell.
        let distance = min(cells(.sensorDistance), Double(grid.reach) - 1)
        let (side, turn) = (direction(.sensorAngle), direction(.turnAngle))
        ahead = Float(distance)
        sideAhead = Float(distance * side.cosine)
        sideAcross = Float(distance * side.sine)
        turnCosine = Float(turn.cosine)
        turnSine = Float(turn.sine)
        speed = Float(cells(.moveSpeed))
    }
}

/// How one number of an agent's motion follows the trail: base + amplitude · strength^exponent.
struct ResponseLaw: Hashable {
    let base: Double
    let amplitude: Double
    let exponent: Double
    private let range: ClosedRange<Double>

    /// The law of `parameter`, one of the four that follow the trail.
    init(_ parameters: Parameters, _ parameter: Parameter) {
        let (amplitude, exponent): (Parameter, Parameter) =
            switch parameter {
            case .moveSpeed: (.moveSpeedAmplitude, .moveSpeedExponent)
            case .sensorDistance: (.sensorDistanceAmplitude, .sensorDistanceExponent)
            case .sensorAngle: (.sensorAngleAmplitude, .sensorAngleExponent)
            case .turnAngle: (.turnAngleAmplitude, .turnAngleExponent)
            default: preconditionFailure("\(parameter.name) does not follow the trail.")
            }
        base = parameters.value(parameter)
        self.amplitude = parameters.value(amplitude)
        self.exponent = parameters.value(exponent)
        range = parameter.info.range
    }

    /// strength^exponent.
    func power(of strength: Double) -> Double {
        strength > 0 ? PortableMath.exp2(PortableMath.log2(strength) * exponent) : 0
    }

    /// The value where the power is `power`.
    func value(power: Double) -> Double {
        min(max(base + amplitude * power, range.lowerBound), range.upperBound)
    }
}
