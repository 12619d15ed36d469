internal import CKernels

/// Adds the deposits to the trail, blurs it and lets it decay, band by band of rows.
@safe struct Diffusion {
    private let grid: Grid
    private let source: UnsafePointer<Float>
    private let counts: UnsafePointer<UInt32>
    private let target: UnsafeMutablePointer<Float>
    private let constants: StepConstants
    private let width: VectorWidth

    /// How many rows a part works on.
    static let bandRows = 32

    /// - Parameters:
    ///   - grid: the map.
    ///   - source: the cell (0, 0) of the trail before the step.
    ///   - counts: how many agents are in each cell.
    ///   - target: the cell (0, 0) of the trail after the step.
    ///   - constants: of this step.
    ///   - width: of the vectors.
    init(
        grid: Grid,
        source: UnsafePointer<Float>,
        counts: UnsafePointer<UInt32>,
        target: UnsafeMutablePointer<Float>,
        constants: StepConstants,
        width: VectorWidth
    ) {
        self.grid = grid
        unsafe self.source = source
        unsafe self.counts = counts
        unsafe self.target = target
        self.constants = constants
        self.width = width
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
        let inside = grid.row(row)
        let trail = unsafe source + inside * grid.stride
        let counts = unsafe counts + inside * width
        let middle = unsafe fresh + radius
        unsafe foxfire_add_deposits(
            self.width.code,
            trail,
            counts,
            width,
            constants.deposit,
            middle
        )
        for offset in 1...radius {
            unsafe middle[-offset] = middle[grid.column(-offset)]
            unsafe middle[width - 1 + offset] = middle[grid.column(width - 1 + offset)]
        }
        unsafe combine(
            target,
            middle,
            weights: constants.rowWeights,
            pair: { unsafe (middle - $0, middle + $0) }
        )
    }

    /// Writes the weighted sum of a row and pairs of rows at equal distances from it.
    private func combine(
        _ target: UnsafeMutablePointer<Float>,
        _ centre: UnsafeMutablePointer<Float>,
        weights: [Float],
        pair: (Int) -> (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
    ) {
        let pairs = weights.count - 1
        unsafe withUnsafeTemporaryAllocation(
            of: UnsafePointer<Float>?.self,
            capacity: 2 * pairs
        ) { rows in
            guard let before = rows.baseAddress else { return }
            let after = unsafe before + pairs
            for offset in 1...pairs {
                let (first, second) = unsafe pair(offset)
                unsafe (before + offset - 1).initialize(to: UnsafePointer(first))
                unsafe (after + offset - 1).initialize(to: UnsafePointer(second))
            }
            unsafe foxfire_blur(
                width.code,
                centre,
                before,
                after,
                weights,
                pairs,
                grid.width,
                target
            )
        }
    }
}
