import Graph
import Media
import Physarum

/// Moves a parameter's base value along keyframes.
///
/// From each key to the next the value goes as that next key's `ease` says; before the first key it is
/// the first's, after the last one the last's. What modulators multiply on is kept: keyframes move the
/// base, factors go on top, whichever comes first in the chain.
///
/// No latency. Deterministic on every machine.
struct ModulateKeyframes: Node {
    static let kind = "modulate.keyframes"
    static let execution = Execution.serial

    /// The way to a key.
    enum Ease: String, CaseIterable {
        /// Evenly.
        case linear
        /// Slowly at both ends: 3x² − 2x³.
        case smooth
        /// At once, when its time has come.
        case step

        func part(_ x: Double) -> Double {
            switch self {
            case .linear: x
            case .smooth: x * x * (3 - 2 * x)
            case .step: 0
            }
        }
    }

    struct Key {
        let time: Double
        let value: Double
        let ease: Ease
    }

    let parameters: Input<ParameterSet>
    let out: Output<ParameterSet>
    let target: Parameter
    let keys: [Key]

    init(_ c: inout Contract) {
        parameters = c.input("parameters", .inOrder, changes: .accepts, "What is modulated.")
        out = c.output("parameters", like: parameters, "The same with another base value.")
        let target = (c.choice("target", "The parameter that moves.") as ParameterChoice).parameter
        let range = target.info.range
        let widest = ParameterTable.rows.map(\.range).reduce(into: -1.0...1.0) {
            $0 = min($0.lowerBound, $1.lowerBound)...max($0.upperBound, $1.upperBound)
        }
        // Before the list is read a key is described once, without values.
        var latest: Double?
        keys = c.list(
            "keys",
            example: [["time": 0, "value": 1]],
            "The keys, by rising time."
        ) { element in
            let time = element.time("time", "When the value is reached.")
            let value = element.number("value", in: widest, .none, "The base value then.")
            let ease = element.choice("ease", default: Ease.linear, "The way to it.")
            if case .samples = time {
                element.require(false, "time", "must be in seconds: parameters have no samples")
            }
            let seconds = time.resolved(sampleRate: 1).seconds
            element.require(
                latest.map { seconds > $0 } ?? true,
                "time",
                "must be after that of the key before it"
            )
            element.require(
                range.contains(value),
                "value",
                "must be in \(range.lowerBound) to \(range.upperBound) for \(target.name)"
            )
            latest = latest == nil ? -1 : seconds
            return Key(time: seconds, value: value, ease: ease)
        }
        self.target = target
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(parameters) {
            var parameters = packet.payload.parameters
            parameters[base: target] = value(at: packet.time.seconds)
            io.emit(packet.payload.with(parameters), like: packet, on: out)
        }
    }

    /// The base value at a time in seconds; O(log keys).
    func value(at time: Double) -> Double {
        // The first key that is later.
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].time > time { high = middle } else { low = middle + 1 }
        }
        if low == 0 { return keys[0].value }
        let before = keys[low - 1]
        if low == keys.count { return before.value }
        let next = keys[low]
        let part = next.ease.part((time - before.time) / (next.time - before.time))
        return before.value + part * (next.value - before.value)
    }
}
