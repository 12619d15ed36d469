/// The light of trails: by how strong all of them are together, in the colours of the species whose
/// they are.
///
/// The fourth part of light is how much of what is behind it is hidden. Each species' colours are taken at the strength of the sum, and mixed in linear light by its part of
/// the sum. So species of one palette look as one species would.
@safe struct TrailLight {
    /// How many trails there are.
    let count: Int
    private let tables: [[SIMD4<Float>]]
    /// What a trail is multiplied with to be a strength.
    private let scale: Float

    /// Where no trail is, all species count alike; below this strength their parts come close to that.
    private static let faintest: Float = 0.02

    /// One row of every species' trail.
    @safe struct Row {
        /// The first cell of the first species.
        let first: UnsafePointer<Float>
        /// How many floats further the same cell of the next species is.
        let stride: Int
    }

    init(_ colors: [ColorTable], speciesCount: Int, scale: Float) {
        count = speciesCount
        tables = colors.prefix(speciesCount).map(\.light)
        self.scale = scale
    }

    /// Writes the light of `count` cells.
    func fill(_ row: Row, count: Int, to lights: UnsafeMutablePointer<SIMD4<Float>>) {
        let strengths = ColorTable.scale
        if self.count == 1 {
            let table = tables[0]
            for x in 0..<count {
                unsafe lights[x] = table[strengths.place(row.first[x] * scale)]
            }
            return
        }
        let faint = Self.faintest / scale
        for x in 0..<count {
            var sum: Float = 0
            for species in 0..<self.count { unsafe sum += row.first[species &* row.stride &+ x] }
            let place = strengths.place(sum * scale)
            let share = 1 / (sum + Float(self.count) * faint)
            var light = SIMD4<Float>.zero
            for species in 0..<self.count {
                let part = unsafe (row.first[species &* row.stride &+ x] + faint) * share
                light += tables[species][place] * part
            }
            unsafe lights[x] = light
        }
    }
}
