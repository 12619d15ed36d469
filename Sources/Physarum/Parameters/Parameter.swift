/// A number that steers the simulation or the look of its pictures.
///
/// What each one is, with its default and range, stands in `ParameterTable`.
public enum Parameter: Int, CaseIterable, Sendable {
    case density, moveSpeed, sensorDistance, sensorAngle, turnAngle, deposit, decay, diffusion
    case moveSpeedAmplitude, moveSpeedExponent, sensorDistanceAmplitude, sensorDistanceExponent
    case sensorAngleAmplitude, sensorAngleExponent, turnAngleAmplitude, turnAngleExponent
    case chaosStrength, crowding, renewal
    case exposure, contrast, saturation, hue, bloomIntensity, bloomRadius, gamma, vignette

    /// The parameter's row of the table.
    public var info: ParameterInfo { ParameterTable.rows[rawValue] }

    /// The parameter's name in graph files and presets.
    public var name: String { info.name }

    /// Finds a parameter by its name; nil when there is none of that name.
    public init?(named name: String) {
        guard let row = ParameterTable.rows.first(where: { $0.name == name }) else { return nil }
        self = row.parameter
    }
}

/// What one parameter is: a row of `ParameterTable`.
public struct ParameterInfo: Sendable, Hashable {
    /// Which part of the work reads a parameter.
    public enum Part: String, Sendable {
        /// The step of the simulation.
        case simulation
        /// The renderer.
        case look
    }

    /// The parameter this row is about.
    public let parameter: Parameter
    /// Its name in graph files and presets.
    public let name: String
    /// Who reads it.
    public let part: Part
    /// The value it has when a preset does not say.
    public let defaultValue: Double
    /// The values it may have; a reader clamps to it once, after all factors.
    public let range: ClosedRange<Double>
    /// A change that is plainly seen: the grid of editors, and what a factor of 2 adds to an
    /// additive parameter.
    public let step: Double
    /// The unit, empty for a plain ratio.
    public let unit: String
    /// Whether a factor adds (factor − 1) × `step` rather than multiplying: for parameters whose
    /// base may be 0.
    public let isAdditive: Bool
    /// Whether it is a length on a map 1080 cells high and scales with the map's height.
    public let isLength: Bool
    /// What it does, in one sentence.
    public fileprivate(set) var help: String
}

/// Every parameter of the simulation and of the look, with default, range, step and unit.
public enum ParameterTable {
    /// The rows, in the order of `Parameter.allCases`.
    public static let rows: [ParameterInfo] = [
        simulation(.density, 0.5, 0.001...16, step: 0.1, "agents/cell")
            .help("How many agents there are for each cell; read once, at the start."),
        simulation(.moveSpeed, 2.4, 0...8, step: 0.2, "cells", .length)
            .help("How far an agent moves in a step."),
        simulation(.sensorDistance, 15, 0...64, step: 1, "cells", .length)
            .help("How far ahead an agent smells the trail: the scale of the network's meshes."),
        simulation(.sensorAngle, 40, 0...180, step: 2.5, "°")
            .help("The angle between an agent's heading and its side sensors."),
        simulation(.turnAngle, 40, 0...180, step: 2.5, "°")
            .help("How far an agent turns towards the stronger side in a step."),
        simulation(.deposit, 1, 0...100, step: 0.1, "")
            .help("How much trail an agent leaves in a step; its base value only sets the unit."),
        simulation(.decay, 0.07, 0.001...1, step: 0.01, "")
            .help("The part of the trail that is lost in a step."),
        simulation(.diffusion, 0.55, 0...2, step: 0.1, "cells", .length)
            .help("How far the trail spreads in a step: the standard deviation of its blur."),
        simulation(.moveSpeedAmplitude, 0, -8...8, step: 0.2, "cells", .length, .additive)
            .help("How much further an agent moves on a strong trail than on none."),
        simulation(.moveSpeedExponent, 1, 0.1...8, step: 0.1, "")
            .help("How that grows with the trail's strength; above 1 only strong trails count."),
        simulation(.sensorDistanceAmplitude, 0, -64...64, step: 1, "cells", .length, .additive)
            .help("How much further ahead an agent smells on a strong trail than on none."),
        simulation(.sensorDistanceExponent, 1, 0.1...8, step: 0.1, "")
            .help("How that grows with the trail's strength."),
        simulation(.sensorAngleAmplitude, 0, -180...180, step: 2.5, "°", .additive)
            .help("How much wider the side sensors are on a strong trail than on none."),
        simulation(.sensorAngleExponent, 1, 0.1...8, step: 0.1, "")
            .help("How that grows with the trail's strength."),
        simulation(.turnAngleAmplitude, 0, -180...180, step: 2.5, "°", .additive)
            .help("How much further an agent turns on a strong trail than on none."),
        simulation(.turnAngleExponent, 1, 0.1...8, step: 0.1, "")
            .help("How that grows with the trail's strength."),
        simulation(.chaosStrength, 0, 0...1, step: 0.25, "", .additive)
            .help("Random steering: the largest random turn of a step, in right angles."),
        simulation(.crowding, 14, 0.5...1000, step: 1, "")
            .help("The trail agents like best, in means; they turn away from a stronger one."),
        simulation(.renewal, 0.01, 0...0.1, step: 0.001, "")
            .help("The part of the agents that in a step is born anew at a random place."),
        look(.exposure, 1, 0...16, step: 0.1, "")
            .help("How bright the trail is."),
        look(.contrast, 1, 0.25...4, step: 0.1, "")
            .help("The exponent on the trail's strength: above 1 the faint parts get darker."),
        look(.saturation, 1, 0...2, step: 0.1, "")
            .help("How far colours lie from grey, in linear light; 0 is grey."),
        look(.hue, 0, -180...180, step: 10, "°", .additive)
            .help("How far all colours are turned around the hue circle."),
        look(.bloomIntensity, 0.4, 0...4, step: 0.4, "", .additive)
            .help("How much light spreads around what is bright."),
        look(.bloomRadius, 36, 4...160, step: 4, "pixels", .length)
            .help("How far the bloom reaches."),
        look(.gamma, 1, 0.25...4, step: 0.05, "")
            .help("The exponent on linear light before it is coded; below 1 is brighter."),
        look(.vignette, 0.2, 0...1, step: 0.05, "")
            .help("How much darker the picture's corners are; 1: black."),
    ]

    private enum Trait { case additive, length }

    private static func simulation(
        _ parameter: Parameter,
        _ value: Double,
        _ range: ClosedRange<Double>,
        step: Double,
        _ unit: String,
        _ traits: Trait...
    ) -> ParameterInfo {
        info(parameter, value, range, step: step, unit, traits, .simulation)
    }

    private static func info(
        _ parameter: Parameter,
        _ value: Double,
        _ range: ClosedRange<Double>,
        step: Double,
        _ unit: String,
        _ traits: [Trait],
        _ part: ParameterInfo.Part
    ) -> ParameterInfo {
        ParameterInfo(
            parameter: parameter,
            name: String(describing: parameter),
            part: part,
            defaultValue: value,
            range: range,
            step: step,
            unit: unit,
            isAdditive: traits.contains(.additive),
            isLength: traits.contains(.length),
            help: ""
        )
    }

    private static func look(
        _ parameter: Parameter,
        _ value: Double,
        _ range: ClosedRange<Double>,
        step: Double,
        _ unit: String,
        _ traits: Trait...
    ) -> ParameterInfo {
        info(parameter, value, range, step: step, unit, traits, .look)
    }
}

extension ParameterInfo {
    fileprivate func help(_ text: String) -> ParameterInfo {
        var info = self
        info.help = text
        return info
    }
}
