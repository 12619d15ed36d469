import Graph
import Physarum

/// A parameter by its name, as a word of graph files.
struct ParameterChoice: CaseIterable, RawRepresentable {
    let parameter: Parameter
    static let allCases = Parameter.allCases.map { ParameterChoice(parameter: $0) }
    var rawValue: String { parameter.name }

    init(parameter: Parameter) { self.parameter = parameter }

    init?(rawValue: String) {
        guard let parameter = Parameter(named: rawValue) else { return nil }
        self.parameter = parameter
    }
}

/// One wire from a modulator's signal to a parameter.
struct Modulation {
    let target: Parameter
    let depth: Double

    init(_ c: inout Contract) {
        target = (c.choice("target", "The parameter that moves.") as ParameterChoice).parameter
        depth = c.number(
            "depth",
            in: AudioReactive.depthRange,
            .none,
            "How far: the factor is 1 + depth at a signal of 1."
        )
    }

    /// The set with the signal's factor multiplied on.
    func applied(_ signal: Double, to set: ParameterSet) -> ParameterSet {
        var parameters = set.parameters
        parameters.multiply(target, by: 1 + depth * signal)
        return set.with(parameters)
    }
}
