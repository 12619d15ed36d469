/// A number that steers the simulation or the look of its pictures.
///
/// What each one is, with its default and range, stands in `ParameterTable`.
public enum Parameter: Int, CaseIterable, Sendable {
    case density, moveSpeed, sensorDistance, sensorAngle, turnAngle, deposit, decay, diffusion
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
    public let help: String
}

/// Every parameter of the simulation and of the look, with default, range, step and unit.
public enum ParameterTable {
    /// The rows, in the order of `Parameter.allCases`.
    public static let rows: [ParameterInfo] = [
        row(
            .density,
            "density",
            .simulation,
            0.5,
            0.001...16,
            step: 0.1,
            "agents/cell",
            "How many agents there are for each cell; read once, when the simulation starts."
        ),
        row(
            .moveSpeed,
            "moveSpeed",
            .simulation,
            1.6,
            0...8,
            step: 0.2,
            "cells",
            "How far an agent moves in a step.",
            .length
        ),
        row(
            .sensorDistance,
            "sensorDistance",
            .simulation,
            14,
            0...64,
            step: 1,
            "cells",
            "How far ahead an agent smells the trail: the scale of the network's meshes.",
            .length
        ),
        row(
            .sensorAngle,
            "sensorAngle",
            .simulation,
            30,
            0...180,
            step: 2.5,
            "°",
            "The angle between an agent's heading and its side sensors."
        ),
        row(
            .turnAngle,
            "turnAngle",
            .simulation,
            25,
            0...180,
            step: 2.5,
            "°",
            "How far an agent turns towards the stronger side in a step."
        ),
        row(
            .deposit,
            "deposit",
            .simulation,
            1,
            0...100,
            step: 0.1,
            "",
            "How much trail an agent leaves in a step."
        ),
        row(
            .decay,
            "decay",
            .simulation,
            0.05,
            0.001...1,
            step: 0.01,
            "",
            "The part of the trail that is lost in a step."
        ),
        row(
            .diffusion,
            "diffusion",
            .simulation,
            0.6,
            0...2,
            step: 0.1,
            "cells",
            "How far the trail spreads in a step: the standard deviation of its blur.",
            .length
        ),
        row(
            .chaosStrength,
            "chaosStrength",
            .simulation,
            0,
            0...1,
            step: 0.25,
            "",
            "Random steering: the largest random turn of a step, as a part of a right angle.",
            .additive
        ),
        row(
            .crowding,
            "crowding",
            .simulation,
            8,
            0.5...1000,
            step: 1,
            "",
            "The trail that agents like best, as a multiple of its mean; from a stronger one they turn away."
        ),
        row(
            .renewal,
            "renewal",
            .simulation,
            0,
            0...0.1,
            step: 0.001,
            "",
            "The part of the agents that in a step is born anew at a random place."
        ),
        row(
            .exposure,
            "exposure",
            .look,
            1,
            0...16,
            step: 0.1,
            "",
            "How bright the trail is."
        ),
        row(
            .contrast,
            "contrast",
            .look,
            1,
            0.25...4,
            step: 0.1,
            "",
            "The exponent on the trail's brightness: above 1 the faint parts get darker."
        ),
        row(
            .saturation,
            "saturation",
            .look,
            1,
            0...2,
            step: 0.1,
            "",
            "How far colours lie from grey, in linear light; 0 is grey."
        ),
        row(
            .hue,
            "hue",
            .look,
            0,
            -180...180,
            step: 10,
            "°",
            "How far all colours are turned around the hue circle.",
            .additive
        ),
        row(
            .bloomIntensity,
            "bloomIntensity",
            .look,
            0.3,
            0...4,
            step: 0.4,
            "",
            "How much light spreads around what is bright.",
            .additive
        ),
        row(
            .bloomRadius,
            "bloomRadius",
            .look,
            40,
            4...160,
            step: 4,
            "pixels",
            "How far the bloom reaches.",
            .length
        ),
        row(
            .gamma,
            "gamma",
            .look,
            1,
            0.25...4,
            step: 0.05,
            "",
            "The exponent on linear light before it is coded; below 1 is brighter."
        ),
        row(
            .vignette,
            "vignette",
            .look,
            0.2,
            0...1,
            step: 0.05,
            "",
            "How much darker the picture's corners are; 1: black."
        ),
    ]

    private enum Trait { case additive, length }

    private static func row(
        _ parameter: Parameter,
        _ name: String,
        _ part: ParameterInfo.Part,
        _ value: Double,
        _ range: ClosedRange<Double>,
        step: Double,
        _ unit: String,
        _ help: String,
        _ trait: Trait? = nil
    ) -> ParameterInfo {
        ParameterInfo(
            parameter: parameter,
            name: name,
            part: part,
            defaultValue: value,
            range: range,
            step: step,
            unit: unit,
            isAdditive: trait == .additive,
            isLength: trait == .length,
            help: help
        )
    }
}
