internal import CKernels

/// Agents' motion for every strength of trail.
///
/// Filled anew only where the parameters changed, since powers and sines of 4,096 strengths cost as
/// much as the step of some ten thousand agents.
struct Response: ~Copyable {
    /// The four numbers that follow the trail.
    static let followers: [Parameter] = [.moveSpeed, .sensorDistance, .sensorAngle, .turnAngle]
    /// How many strengths are told apart.
    static let count = Int(FOXFIRE_RESPONSE_COUNT)
    /// A trail of so many times its mean has the strength 1, and a stronger one too.
    static let fullStrength = 16.0

    private let numbers: Buffer<Float>
    private var laws: [ResponseLaw] = []
    /// For each law the powers of all strengths.
    private var powers: [[Double]] = Array(repeating: [], count: 4)
    /// The furthest that any agent moves and smells, in cells.
    private(set) var furthest: (move: Float, sense: Float) = (0, 0)

    private static let rowLength = Int(FOXFIRE_RESPONSE_ROW)

    init() throws(SimulationError) {
        numbers = try Buffer<Float>(zeroed: Self.rowLength * (Self.count + 1))
    }

    /// The first row: none crosses a line of the cache.
    private var rows: UnsafeMutablePointer<Float> {
        let bytes = Self.rowLength * MemoryLayout<Float>.size
        let start = unsafe UnsafeMutableRawPointer(numbers.pointer).alignedUp(toMultipleOf: bytes)
        return unsafe start.assumingMemoryBound(to: Float.self)
    }

    /// Whether any number follows the trail.
    static func isNeeded(_ parameters: Parameters) -> Bool {
        followers.contains { ResponseLaw(parameters, $0).amplitude != 0 }
    }

    /// The strength of entry `index`, 0…1.
    static func strength(_ index: Int) -> Double { Double(index) / Double(count - 1) }

    /// Fills the arrays for `parameters`.
    mutating func update(_ parameters: Parameters, grid: Grid) {
        let wanted = Self.followers.map { ResponseLaw(parameters, $0) }
        if wanted == laws { return }
        for index in wanted.indices
        where powers[index].isEmpty || laws[index].exponent != wanted[index].exponent {
            powers[index] = (0..<Self.count).map { wanted[index].power(of: Self.strength($0)) }
        }
        laws = wanted
        furthest = (0, 0)
        for entry in 0..<Self.count {
            let motion = Motion(grid: grid) { parameter in
                let index = Self.followers.firstIndex(of: parameter) ?? 0
                return wanted[index].value(power: powers[index][entry])
            }
            let values = [
                motion.ahead, motion.sideAhead, motion.sideAcross, motion.turnCosine,
                motion.turnSine, motion.speed,
            ]
            for (place, value) in values.enumerated() {
                unsafe rows[entry * Self.rowLength + place] = value
            }
            furthest.move = max(furthest.move, motion.speed)
            furthest.sense = max(furthest.sense, motion.ahead)
        }
    }

    /// The arrays as the inner loops take them; valid as long as the response lives.
    ///
    /// - Parameters:
    ///   - trail: the start of the padded map that the strength is read from.
    ///   - restingTrail: the mean of the trail.
    /// - Returns: pointers into this response.
    func table(trail: UnsafePointer<Float>, restingTrail: Double) -> foxfire_response {
        unsafe foxfire_response(
            rows: rows,
            steps_per_trail: Self.stepsPerTrail(restingTrail),
            trail: trail
        )
    }

    /// How many entries one unit of trail is.
    static func stepsPerTrail(_ restingTrail: Double) -> Float {
        Float(Double(count - 1) / (fullStrength * max(restingTrail, 1e-6)))
    }
}
