/// Adds the deposits to the trail, blurs it and lets it decay, band by band of rows.
@safe struct Diffusion {
    private let grid: Grid
    private let source: UnsafePointer<Float>
    private let counts: UnsafePointer<UInt32>
    private let target: UnsafeMutablePointer<Float>
    private let constants: StepConstants

    /// How many rows a part works on.
    static let bandRows = 32

    /// - Parameters:
    ///   - grid: the map.
    ///   - source: the cell (0, 0) of the trail before the step.
    ///   - counts: how many agents are in each cell.
    ///   - target: the cell (0, 0) of the trail after the step.
    ///   - constants: of this step.
    init(
        grid: Grid,
        source: UnsafePointer<Float>,
        counts: UnsafePointer<UInt32>,
        target: UnsafeMutablePointer<Float>,
        constants: StepConstants
    ) {
        self.grid = grid
        unsafe self.source = source
        unsafe self.counts = counts
        unsafe self.target = target
        self.constants = constants
    }

    /// Writes the target's rows `rows`.
    func run(_ rows: Range<Int>) {
        let radius = constants.blurRadius
        let window = 2 * radius + 1
        let rowLength = (grid.width + 15) & ~15
        let fresh = grid.width + 2 * radius + 16
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: window * rowLength + fresh) {
            guard let memory = $0.baseAddress else { return }
            unsafe memory.initialize(repeating: 0, count: window * rowLength + fresh)
            let unblurred = unsafe memory + window * rowLength
            // A ring of rows that are blurred along the row already.
            func slot(_ row: Int) -> UnsafeMutablePointer<Float> {
                unsafe memory + (row + window) % window * rowLength
            }
            for row in rows.lowerBound - radius..<rows.lowerBound + radius {
                unsafe blurRow(row, through: unblurred, to: slot(row))
            }
            for row in rows {
                unsafe blurRow(row + radius, through: unblurred, to: slot(row + radius))
                let output = unsafe target + row * grid.stride
                unsafe combine(
                    output,
                    slot(row),
                    weights: constants.columnWeights,
                    pair: { unsafe (slot(row - $0), slot(row + $0)) }
                )
            }
        }
    }

    /// Adds the deposits to one row, which may lie beyond the map's edge, and blurs it along itself.
    private func blurRow(
        _ row: Int,
        through fresh: UnsafeMutablePointer<Float>,
        to target: UnsafeMutablePointer<Float>
    ) {
        let (width, radius) = (grid.width, constants.blurRadius)
        let wrapped = (row % grid.height + grid.height) % grid.height
        let trail = unsafe source + wrapped * grid.stride
        let counts = unsafe counts + wrapped * width
        let middle = unsafe fresh + radius
        unsafe Self.addDeposits(trail, counts, width, constants.deposit, to: middle)
        for offset in 1...radius {
            unsafe middle[-offset] = middle[width - offset]
            unsafe middle[width - 1 + offset] = middle[offset - 1]
        }
        unsafe combine(
            target,
            middle,
            weights: constants.rowWeights,
            pair: { unsafe (middle - $0, middle + $0) }
        )
    }

    /// The trail with what agents left, for one row.
    @inline(__always)
    private static func addDeposits(
        _ trail: UnsafePointer<Float>,
        _ counts: UnsafePointer<UInt32>,
        _ width: Int,
        _ deposit: Float,
        to target: UnsafeMutablePointer<Float>
    ) {
        for column in 0..<width {
            let number = unsafe Float(Int32(bitPattern: counts[column]))
            unsafe target[column] = trail[column] + deposit * number
        }
    }

    /// Writes the weighted sum of a row and pairs of rows at equal distances from it.
    @inline(__always)
    private func combine(
        _ target: UnsafeMutablePointer<Float>,
        _ centre: UnsafeMutablePointer<Float>,
        weights: [Float],
        pair: (Int) -> (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
    ) {
        let width = grid.width
        let (first, second) = unsafe pair(1)
        let (atCentre, beside) = (weights[0], weights[1])
        for column in 0..<width {
            unsafe target[column] =
                atCentre * centre[column] + beside * (first[column] + second[column])
        }
        for offset in weights.indices.dropFirst(2) {
            let (first, second) = unsafe pair(offset)
            unsafe Self.add(weights[offset], first, second, to: target, count: width)
        }
    }

    /// Adds the weighted sum of two rows to a third; in lanes by hand, since rows might overlap for
    /// all that the compiler knows.
    private static func add(
        _ weight: Float,
        _ first: UnsafePointer<Float>,
        _ second: UnsafePointer<Float>,
        to target: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        func lanes(_ row: UnsafePointer<Float>) -> SIMD4<Float> {
            unsafe UnsafeRawPointer(row).loadUnaligned(as: SIMD4<Float>.self)
        }
        var column = 0
        while column &+ 4 <= count {
            let pair = unsafe lanes(first + column) + lanes(second + column)
            let sum = unsafe lanes(target + column) + weight * pair
            unsafe UnsafeMutableRawPointer(target + column)
                .storeBytes(of: sum, as: SIMD4<Float>.self)
            column &+= 4
        }
        while column < count {
            unsafe target[column] += weight * (first[column] + second[column])
            column &+= 1
        }
    }
}
