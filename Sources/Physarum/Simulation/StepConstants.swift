import Media

/// What a step is made with: parameters turned into the numbers of the inner loops.
///
/// All are computed in double by operations that every machine rounds alike, and rounded once.
struct StepConstants: Sendable {
    /// What agents do where nothing follows the trail.
    let motion: Motion
    /// The mean of the trail.
    let restingTrail: Double
    /// Tangent of half the largest random turn.
    let chaos: Float
    /// Names the step in the agents' random numbers.
    let key: UInt32
    /// Twice the trail that agents like best.
    let crowdTurn: Float
    /// Trail that one agent leaves.
    let deposit: Float
    /// Weights of the blur along a row: the centre, then those at 1, 2, … cells.
    let rowWeights: [Float]
    /// The same along a column; they hold the decay too.
    let columnWeights: [Float]

    /// - Parameters:
    ///   - parameters: of the step's time.
    ///   - grid: the map.
    ///   - seed: the simulation's.
    ///   - step: steps made so far.
    init(_ parameters: Parameters, grid: Grid, seed: UInt64, step: Int64) {
        func cells(_ parameter: Parameter) -> Double {
            grid.reachable(parameters.length(parameter, height: grid.height))
        }
        motion = Motion(grid: grid) { parameters.value($0) }
        restingTrail = parameters.restingTrail
        // An eighth of a turn at the most.
        let half = UInt64(parameters.value(.chaosStrength) / 8 * 0x1p64)
        chaos = Float(PortableMath.sine(phase: half) / PortableMath.cosine(phase: half))
        let counter = UInt64(bitPattern: step)
        key = UInt32(
            truncatingIfNeeded: RandomBits.mixed(seed: seed, stream: 1, counter: counter)
        )
        crowdTurn = Float(2 * parameters.value(.crowding) * restingTrail)
        deposit = Float(parameters.value(.deposit))
        let kernel = Self.blurKernel(deviation: cells(.diffusion))
        let kept = 1 - parameters.value(.decay)
        rowWeights = kernel.map { Float($0) }
        columnWeights = kernel.map { Float($0 * kept) }
    }

    /// How many cells the blur reaches to each side.
    var blurRadius: Int { rowWeights.count - 1 }

    /// Half of a symmetric blur with this standard deviation, in cells; its whole sums to 1.
    ///
    /// Up to a variance of 2/3, where they are equal, three weights have it exactly; beyond, a sampled
    /// Gaussian is cut at three deviations.
    static func blurKernel(deviation: Double) -> [Double] {
        let variance = deviation * deviation
        if variance < 0.667 { return [1 - variance, variance / 2] }
        let radius = Int((3 * deviation).rounded(.up))
        let samples = (0...radius).map { PortableMath.exp(-Double($0 * $0) / (2 * variance)) }
        let sum = samples[0] + 2 * samples.dropFirst().reduce(0, +)
        return samples.map { $0 / sum }
    }
}
