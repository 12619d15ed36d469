public import Media

/// What a stream of trail maps is: their size.
public struct TrailFormat: StreamFormat {
    /// Cells across.
    public let width: Int
    /// Cells down.
    public let height: Int

    /// Says the size; both sides must be positive.
    public init(width: Int, height: Int) {
        precondition(width > 0 && height > 0, "A map's sides are positive.")
        self.width = width
        self.height = height
    }

    /// The size in words.
    public var description: String { "\(width)x\(height) trail" }
}

/// The trail on the map at one moment, with the parameters that made it.
public final class TrailField: Payload {
    /// The map's size.
    public let format: TrailFormat
    /// The trail's strength in every cell, row by row; at least 0.
    public let map: Lease<Float>
    /// The parameters of that moment: the renderer reads the look from them.
    public let parameters: ParameterSet

    /// The mean of the trail once it neither grows nor falls: what brightness is measured by.
    public let restingTrail: Double

    /// The map's memory.
    public var byteCount: Int { map.byteCount }

    /// Makes a field of what was written.
    ///
    /// - Parameters:
    ///   - format: the map's size.
    ///   - map: the trail; it must hold exactly width × height values.
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
            map.count == format.width * format.height,
            "A map's memory must fit its size."
        )
        self.format = format
        self.map = map.frozen()
        self.parameters = parameters
        self.restingTrail = restingTrail ?? parameters.parameters.restingTrail
    }
}
