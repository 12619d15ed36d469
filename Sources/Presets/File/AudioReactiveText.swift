import Graph
import Physarum

/// How presets write their wiring: `{enabled, gain, autoGain, routes: [{source, target, depth, mode}]}`.
///
/// What is left out is as in `AudioReactive.standard`; a route without `mode` follows the level.
enum AudioReactiveText {
    private static let keys = ["enabled", "gain", "autoGain", "routes"]
    private static let routeKeys = ["source", "target", "depth", "mode"]
    static let routeLimit = 1024

    /// A parameter as a word of presets.
    private struct Target: CaseIterable, RawRepresentable {
        let parameter: Parameter
        static let allCases = Parameter.allCases.map { Target(parameter: $0) }
        var rawValue: String { parameter.name }

        init(parameter: Parameter) { self.parameter = parameter }

        init?(rawValue: String) {
            guard let parameter = Parameter(named: rawValue) else { return nil }
            self.parameter = parameter
        }
    }

    static func read(_ json: JSON, _ pointer: String, _ faults: inout Faults) -> AudioReactive? {
        guard let fields = Fields(json, pointer, "\"audioReactive\"", &faults) else { return nil }
        fields.warnOfSlips(known: keys, &faults)
        var wiring = AudioReactive.standard
        if let flag = fields.flag("enabled", default: true, &faults) { wiring.isEnabled = flag }
        let range = AudioReactive.gainRange
        if let gain = fields.number("gain", in: range, default: 1, &faults) { wiring.gain = gain }
        if let flag = fields.flag("autoGain", default: true, &faults) { wiring.hasAutoGain = flag }
        if let routes = fields.list("routes", &faults) {
            if routes.count > routeLimit {
                faults.refuse(
                    .range,
                    "\"routes\" must have at most \(routeLimit) routes, not \(routes.count)",
                    at: fields.value("routes") ?? json,
                    fields.pointer("routes")
                )
            }
            wiring.routes = routes.prefix(routeLimit).compactMap { route($0, $1, &faults) }
        }
        return wiring
    }

    private static func route(_ json: JSON, _ pointer: String, _ faults: inout Faults)
        -> AudioReactive.Route?
    {
        guard let fields = Fields(json, pointer, "a route", &faults) else { return nil }
        fields.warnOfSlips(known: routeKeys, &faults)
        let sources = AudioReactive.Source.allCases.map(\.rawValue)
        let range = AudioReactive.depthRange
        let limits = "\(shortText(of: range.lowerBound)) to \(shortText(of: range.upperBound))"
        fields.require("source", "one of \(sources.quotedList)", &faults)
        fields.require("target", "the name of a parameter", &faults)
        fields.require("depth", "a number from \(limits)", &faults)
        let source: AudioReactive.Source? = fields.word("source", &faults)
        let target: Target? = fields.word("target", &faults)
        let depth = fields.number("depth", in: range, &faults)
        let mode: AudioReactive.Mode? = fields.word("mode", &faults)
        guard let source, let target, let depth else { return nil }
        return AudioReactive.Route(source, target.parameter, depth: depth, mode: mode ?? .level)
    }

    // MARK: Writing

    /// The wiring as JSON, in the words of `old` where that says the same.
    static func write(_ wiring: AudioReactive, over old: JSON.Value?) -> JSON.Value {
        var members = Members(old)
        let isNew = members.list.isEmpty
        let before = isNew ? nil : quietly { read(JSON(members.value), "", &$0) }
        if before?.isEnabled != wiring.isEnabled { members["enabled"] = .boolean(wiring.isEnabled) }
        if before?.gain != wiring.gain { members["gain"] = .real(wiring.gain) }
        if before?.hasAutoGain != wiring.hasAutoGain {
            members["autoGain"] = .boolean(wiring.hasAutoGain)
        }
        if before?.routes != wiring.routes {
            let old = JSON(members["routes"] ?? .null).elements
            members["routes"] = .list(wiring.routes.map { write($0, from: old) })
        }
        return members.value
    }

    /// A route in the words of one that is there and says the same.
    private static func write(_ new: AudioReactive.Route, from old: [JSON]) -> JSON.Value {
        if let same = old.first(where: { json in quietly { route(json, "", &$0) } == new }) {
            return same.value
        }
        return [
            "source": .string(new.source.rawValue), "target": .string(new.target.name),
            "depth": .real(new.depth), "mode": .string(new.mode.rawValue),
        ]
    }
}

/// Reads what was read without a fault before.
func quietly<T>(_ read: (inout Faults) -> T) -> T {
    var faults = Faults()
    return read(&faults)
}

extension JSON {
    /// The elements of an array; none of anything else.
    var elements: [JSON] {
        guard case .array(let elements) = value else { return [] }
        return elements
    }
}
