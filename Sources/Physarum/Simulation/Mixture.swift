internal import CKernels

/// A weighted sum of trails: what agents of one species smell.
@safe struct Mixture {
    private let maps: [UnsafePointer<Float>?]
    private let weights: [Float]

    /// - Parameters:
    ///   - trails: the cell (0, 0) of each species' trail.
    ///   - weights: how much of each.
    init(trails: [UnsafeMutablePointer<Float>], weights: [Float]) {
        unsafe precondition(trails.count == weights.count, "Every trail has a weight.")
        unsafe maps = trails.map { unsafe UnsafePointer($0) }
        self.weights = weights
    }

    /// Writes `count` cells of the sum, from cell `start` of the trails on.
    func write(
        from start: Int,
        count: Int,
        to target: UnsafeMutablePointer<Float>,
        _ width: VectorWidth
    ) {
        let rows = unsafe maps.map { unsafe $0.map { unsafe $0 + start } }
        unsafe foxfire_mix(width.code, rows, weights, maps.count, count, target)
    }
}
