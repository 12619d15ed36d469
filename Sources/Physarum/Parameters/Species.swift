/// One kind of agents on a map that up to four kinds share.
///
/// Every species leaves a trail of its own, smells all trails, and shows them in its own colours.
public struct Species: Sendable, Hashable {
    /// How many a map may have.
    public static let countRange = 1...4
    /// What a share may be in presets.
    public static let shareRange = 0.01...100.0
    /// What an attraction may be in presets.
    public static let attractionRange = -8.0...8.0
    /// What a factor may be in presets.
    public static let factorRange = 0.0...16.0
    /// The parameters that may differ between species: how agents smell, turn and move.
    public static let ownParameters: [Parameter] = [
        .moveSpeed, .sensorDistance, .sensorAngle, .turnAngle, .moveSpeedAmplitude,
        .sensorDistanceAmplitude, .sensorAngleAmplitude, .turnAngleAmplitude, .chaosStrength,
        .crowding,
    ]

    /// Its colours; nil: those of the preset.
    public var palette: Palette?
    /// Its part of all agents, as a weight beside the others'; read once, at the start.
    public var share: Double
    /// How much it likes the trail of each species, in their order, its own too: above 0 it follows,
    /// below 0 it flees, 0 is nothing to it.
    public var attraction: [Double]
    /// What the shared values of its motion are multiplied with, as modulators do it; 1 where a
    /// parameter is not named.
    public var factors: [Parameter: Double]

    /// Says all of it.
    public init(
        palette: Palette? = nil,
        share: Double = 1,
        attraction: [Double],
        factors: [Parameter: Double] = [:]
    ) {
        precondition(share > 0 && share.isFinite, "A share is above 0.")
        precondition(attraction.allSatisfy(\.isFinite), "An attraction is a number.")
        self.palette = palette
        self.share = share
        self.attraction = attraction
        self.factors = factors
    }

    /// The shared parameters as they are for this species.
    func parameters(_ shared: Parameters) -> Parameters {
        var result = shared
        for (parameter, factor) in factors where Self.ownParameters.contains(parameter) {
            result.multiply(parameter, by: factor)
        }
        return result
    }

    /// The same film with another number of species.
    ///
    /// More of them are copies that follow each other's trails as their own and share the agents, so
    /// that together they live as the one that was copied; of fewer, the last ones are left out.
    ///
    /// - Parameters:
    ///   - list: those there are; none stand for one that follows its own trail.
    ///   - count: how many there shall be, in `countRange`.
    /// - Returns: `count` species whose attractions have `count` values each.
    public static func adapted(_ list: [Species], to count: Int) -> [Species] {
        precondition(countRange.contains(count), "A map has 1 to 4 species.")
        let known = list.isEmpty ? [Species(attraction: [1])] : list
        let places = 0..<count
        return places.map { place in
            let model = place % known.count
            var result = known[model]
            let copies = places.count { $0 % known.count == model }
            result.share /= Double(copies)
            result.attraction = places.map { other in
                let index = other % known.count
                return index < known[model].attraction.count ? known[model].attraction[index] : 0
            }
            return result
        }
    }
}
