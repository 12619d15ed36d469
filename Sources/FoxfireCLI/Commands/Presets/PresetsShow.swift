import Graph
import Physarum
import Presets

extension Command {
    /// `foxfire presets show`: what a preset says.
    static let presetsShow = Command(
        name: "presets show",
        summary: "Tell what a preset says.",
        operands: [.preset],
        options: [.store, .json],
        details: [
            "Each parameter is shown with its value, its unit, and its default where it differs. "
                + "With --json the preset is printed as a preset file."
        ],
        examples: [
            (line: "foxfire presets show Foxfire", purpose: "Tell about the preset Foxfire."),
            (line: "foxfire presets show slot-03", purpose: "Tell about what is in slot 3."),
        ],
        perform: { arguments in
            let access = try StoreAccess(arguments)
            let file = try access.preset(arguments.operands[0])
            try StandardStreams.write(result: arguments.has(.json) ? file.text : text(file))
            return .done
        }
    )

    private static func text(_ file: PresetFile) -> String {
        var facts = [file.author.map { "by \($0)" }, file.id.map { "in \($0)" }].compactMap { $0 }
        if !file.tags.isEmpty { facts.append("tags: \(file.tags.joined(separator: ", "))") }
        switch file.tagSignal {
        case .all(let band)?: facts.append("tags listen to the \(band.rawValue)")
        case .each(let bands)?:
            let pairs = bands.sorted { $0.key < $1.key }.map {
                "\($0.key) to the \($0.value.rawValue)"
            }
            facts.append("tags listen: \(pairs.joined(separator: ", "))")
        case nil: break
        }
        let preset = file.preset
        var text = printable(preset.name) + "\n"
        for fact in facts { text += "    \(printable(fact))\n" }
        text += "    palette \(palette(preset.palette))\n"
        let width = ParameterTable.rows.map(\.name.count).max() ?? 0
        for row in ParameterTable.rows {
            let value = preset.parameters[base: row.parameter]
            let unit = row.unit.isEmpty ? "" : " \(row.unit)"
            let fallback =
                value == row.defaultValue ? "" : "  (default \(shortText(of: row.defaultValue)))"
            text +=
                "    \(filled(row.name, to: width))  \(shortText(of: value))\(unit)\(fallback)\n"
        }
        text += "    agents are born: \(preset.spawn.rawValue)\n"
        for (index, species) in preset.species.enumerated() {
            text += "    species \(index + 1): \(self.species(species))\n"
        }
        return text + wiring(preset.audioReactive)
    }

    private static func species(_ species: Species) -> String {
        var facts = [
            "share \(shortText(of: species.share))",
            "attraction \(species.attraction.map(shortText(of:)).joined(separator: ", "))",
        ]
        if let own = species.palette { facts.append("palette \(palette(own))") }
        for parameter in Species.ownParameters {
            guard let factor = species.factors[parameter] else { continue }
            facts.append("\(parameter.name) x \(shortText(of: factor))")
        }
        return facts.joined(separator: "; ")
    }

    private static func palette(_ palette: Palette) -> String {
        Palette.named(palette.name) == palette
            ? palette.name : "of its own, with \(palette.stops.count) colours"
    }

    private static func wiring(_ own: AudioReactive?) -> String {
        let wiring = own ?? .standard
        let kind = own == nil ? "the standard wiring" : "wiring"
        let state = wiring.isEnabled ? "" : ", switched off"
        var text = "    \(kind): gain \(shortText(of: wiring.gain))"
        text += "\(wiring.hasAutoGain ? ", auto gain" : "")\(state)\n"
        for route in wiring.routes {
            text +=
                "        \(route.source.rawValue) \(route.mode.rawValue) to \(route.target.name), "
            text += "depth \(shortText(of: route.depth))\n"
        }
        return text
    }
}
