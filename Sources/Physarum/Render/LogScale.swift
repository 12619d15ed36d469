/// Numbers from 0 on as places in a table that is even at first and logarithmic beyond: what a float's
/// own encoding is.
///
/// It needs no division and no logarithm, and is the same on every machine.
struct LogScale: Sendable {
    /// A power of two: below it places are even, above it there are equally many for each octave.
    let floor: Float
    /// Where the table ends; what is above counts as this.
    let ceiling: Float
    /// Places for each octave, as a power of two.
    let shift: UInt32
    /// How many places there are.
    let count: Int

    /// Makes a scale with 2^`bits` places for each octave from `floor` up to `ceiling`.
    init(floor: Float, ceiling: Float, bits: UInt32) {
        precondition(floor.significand == 1 && ceiling.significand == 1, "Octaves are whole.")
        self.floor = floor
        self.ceiling = ceiling
        shift = 23 - bits
        count = Int((ceiling.bitPattern - floor.bitPattern) >> shift) + 1
    }

    /// The place of a number that is at least 0.
    @inline(__always) func place(_ value: Float) -> Int {
        let raised = value + floor
        let limited = raised < ceiling ? raised : ceiling
        return Int((limited.bitPattern &- floor.bitPattern) >> shift)
    }

    /// The number in the middle of a place.
    func value(at place: Int) -> Double {
        let low = Float(bitPattern: floor.bitPattern + UInt32(place) << shift)
        let high = Float(bitPattern: floor.bitPattern + UInt32(place + 1) << shift)
        return (Double(low) + Double(high)) / 2 - Double(floor)
    }
}
