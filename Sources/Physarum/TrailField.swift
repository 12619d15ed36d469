public import Media

/// What a stream of trail maps is: their size, and how many species leave a trail.
public struct TrailFormat: StreamFormat {
    /// Cells across.
    public let width: Int
    /// Cells down.
    public let height: Int
    /// How many trails there are.
    public let speciesCount: Int

    /// Says the size; both sides must be positive, and there are 1 to 4 species.
    public init(width: Int, height: Int, speciesCount: Int = 1) {
        precondition(width > 0 && height > 0, "A map's sides are positive.")
        precondition(Species.countRange.contains(speciesCount), "A map has 1 to 4 species.")
        self.width = width
        self.height = height
        self.speciesCount = speciesCount
    }

    /// How many cells all trails have together.
    public var cellCount: Int { width * height * speciesCount }

    /// Size and number in words.
    public var description: String {
        speciesCount == 1
            ? "\(width)x\(height) trail" : "\(width)x\(height) trails of \(speciesCount) species"
    }
}

/// The trails on the map at one moment, with the parameters that made it.
public final class TrailField: Payload {
    /// The map's size.
    public let format: TrailFormat
    /// The trails' strengths in every cell, row by row, species after species; at least 0.
    public let map: Lease<Float>
    /// The parameters of that moment: the renderer reads the look from them.
    public let parameters: ParameterSet

    /// The mean of all trails' sum once it neither grows nor falls: what brightness is measured by.
    public let restingTrail: Double

    /// The map's memory.
    public var byteCount: Int { map.byteCount }

    /// Makes a field of what was written.
    ///
    /// - Parameters:
    ///   - format: the map's size.
    ///   - map: the trails; it must hold exactly `format.cellCount` values.
    ///   - parameters: those of the moment.
    ///   - restingTrail: the mean to measure brightness by; without it the one that the parameters'
    ///     own density leads to.
    public init(
        format: TrailFormat,
        map: consuming Writable<Float>,
        parameters: ParameterSet,
        restingTrail: Double? = nil
    ) {
        precondition(
            map.count == format.cellCount,
            "A map's memory must fit its size."
        )
        self.format = format
        self.map = map.frozen()
        self.parameters = parameters
        self.restingTrail = restingTrail ?? parameters.parameters.restingTrail
    }
}
