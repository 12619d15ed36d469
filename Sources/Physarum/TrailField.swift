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

    /// The map's memory.
    public var byteCount: Int { map.byteCount }

    /// Makes a field of what was written; `map` must hold exactly width × height values.
    public init(format: TrailFormat, map: consuming Writable<Float>, parameters: ParameterSet) {
        precondition(
            map.count == format.width * format.height,
            "A map's memory must fit its size."
        )
        self.format = format
        self.map = map.frozen()
        self.parameters = parameters
    }
}
