public import Media

/// What a stream of parameters is: how often it has values.
public struct ParameterFormat: StreamFormat {
    /// Values per second.
    public let rate: Rate

    /// Says the rate.
    public init(rate: Rate) { self.rate = rate }

    /// The rate in words.
    public var description: String { "parameters at \(rate) Hz" }
}

/// The parameters of one moment: what goes from a preset through the modulators to the simulation.
public final class ParameterSet: Payload {
    /// The stream's rate.
    public let format: ParameterFormat
    /// Every number.
    public let parameters: Parameters
    /// The colours.
    public let palette: Palette
    /// How the preset wants to move with sound; nil: it does not say.
    public let audioReactive: AudioReactive?

    /// About what the numbers and the palette take.
    public var byteCount: Int {
        MemoryLayout<Double>.stride * 2 * ParameterTable.rows.count + 256
    }

    /// Says all of it.
    public init(
        format: ParameterFormat,
        parameters: Parameters,
        palette: Palette,
        audioReactive: AudioReactive? = nil
    ) {
        self.format = format
        self.parameters = parameters
        self.palette = palette
        self.audioReactive = audioReactive
    }

    /// Makes the set that heads a chain: what `preset` says, unmodulated.
    public convenience init(format: ParameterFormat, preset: Preset) {
        self.init(
            format: format,
            parameters: preset.parameters,
            palette: preset.palette,
            audioReactive: preset.audioReactive
        )
    }

    /// The same set with other numbers: what a modulator emits.
    public func with(_ parameters: Parameters) -> ParameterSet {
        ParameterSet(
            format: format,
            parameters: parameters,
            palette: palette,
            audioReactive: audioReactive
        )
    }
}
