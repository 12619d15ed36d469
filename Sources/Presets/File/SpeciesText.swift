import Graph
import Physarum

/// How presets write species: `[{palette, share, attraction: [number…], factors: {PARAMETER: number…}}]`.
///
/// What is left out: the preset's palette, a share of 1, an attraction of 1 to its own trail and of 0 to
/// others, factors of 1.
enum SpeciesText {
    private static let keys = ["palette", "share", "attraction", "factors"]

    // MARK: Reading

    static func read(_ params: Fields, _ faults: inout Faults) -> [Species] {
        guard let list = params.list("species", &faults) else { return [] }
        guard Species.countRange.contains(list.count) else {
            if let json = params.value("species") {
                faults.refuse(
                    .range,
                    "\"species\" must hold 1 to \(Species.countRange.upperBound) species, "
                        + "not \(list.count)",
                    at: json,
                    params.pointer("species")
                )
            }
            return []
        }
        return list.enumerated().compactMap { index, element in
            species(element.json, element.pointer, index, of: list.count, &faults)
        }
    }

    private static func species(
        _ json: JSON,
        _ pointer: String,
        _ index: Int,
        of count: Int,
        _ faults: inout Faults
    ) -> Species? {
        guard let fields = Fields(json, pointer, "a species", &faults) else { return nil }
        fields.warnOfSlips(known: keys, &faults)
        var result = plain(index, of: count)
        result.palette = fields.value("palette").flatMap {
            PaletteText.read($0, fields.pointer("palette"), &faults)
        }
        let share = fields.number("share", in: Species.shareRange, default: 1, &faults)
        if let share { result.share = share }
        if let list = fields.list("attraction", &faults) {
            if list.count == count {
                result.attraction = list.map { number($0.json, $0.pointer, &faults) }
            } else if let value = fields.value("attraction") {
                faults.refuse(
                    .range,
                    "\"attraction\" must hold a number for each of the \(count) species, "
                        + "not \(list.count)",
                    at: value,
                    fields.pointer("attraction")
                )
            }
        }
        if let value = fields.value("factors") {
            result.factors = factors(value, fields.pointer("factors"), &faults)
        }
        return result
    }

    private static func plain(_ index: Int, of count: Int) -> Species {
        Species(attraction: (0..<count).map { $0 == index ? 1 : 0 })
    }

    private static func number(_ json: JSON, _ pointer: String, _ faults: inout Faults) -> Double {
        let range = Species.attractionRange
        if case .number(let text) = json.value, let number = Double(text), range.contains(number) {
            return number
        }
        let limits = "\(shortText(of: range.lowerBound)) to \(shortText(of: range.upperBound))"
        faults.refuse(
            json.isNumber ? .range : .type,
            "an attraction must be a number from \(limits), not \(JSON.text(of: json.value))",
            at: json,
            pointer
        )
        return 0
    }

    private static func factors(_ json: JSON, _ pointer: String, _ faults: inout Faults)
        -> [Parameter: Double]
    {
        guard let fields = Fields(json, pointer, "\"factors\"", &faults) else { return [:] }
        let names = Species.ownParameters.map(\.name)
        var factors: [Parameter: Double] = [:]
        for member in fields.members {
            guard let parameter = Parameter(named: member.key), names.contains(member.key) else {
                // A key that is no parameter at all is kept, as everywhere.
                if Parameter(named: member.key) != nil {
                    faults.refuse(
                        .range,
                        "\"\(member.key)\" is the same for all species; "
                            + "factors may be of \(names.quotedList)",
                        at: member.value,
                        fields.pointer(member.key)
                    )
                }
                continue
            }
            let factor = fields.number(member.key, in: Species.factorRange, default: 1, &faults)
            if let factor { factors[parameter] = factor }
        }
        fields.warnOfSlips(known: names, &faults)
        return factors
    }

    // MARK: Writing

    /// Writes the member `species`, where it says something else.
    static func write(_ species: [Species], into members: inout Members) {
        let before = quietly { faults in
            Fields(JSON(members.value), "", "", &faults).map { read($0, &faults) }
        }
        if before ?? [] == species { return }
        let old = members["species"].map { JSON($0).elements } ?? []
        members["species"] =
            species.isEmpty
            ? nil
            : .list(
                species.enumerated().map { index, one in
                    write(one, over: index < old.count ? old[index].value : nil)
                }
            )
    }

    private static func write(_ species: Species, over old: JSON.Value?) -> JSON.Value {
        var members = Members(old)
        members["palette"] = species.palette.map(PaletteText.write)
        members["share"] = species.share == 1 ? nil : .real(species.share)
        members["attraction"] = .list(species.attraction.map { .real($0) })
        var factors = Members(members["factors"])
        for parameter in Species.ownParameters {
            factors[parameter.name] = species.factors[parameter].map { .real($0) }
        }
        members["factors"] = factors.list.isEmpty ? nil : factors.value
        return members.value
    }

    /// The same with what can be written and read back: at most four, all in range.
    static func writable(_ species: [Species]) -> [Species] {
        func clamped(_ value: Double, _ range: ClosedRange<Double>) -> Double {
            value.isNaN ? 1 : min(max(value, range.lowerBound), range.upperBound)
        }
        let count = min(species.count, Species.countRange.upperBound)
        return Species.adapted(species, to: count).enumerated().map { index, one in
            var result = one
            result.palette = one.palette.map(PaletteText.writable)
            result.share = clamped(species[index].share, Species.shareRange)
            result.attraction = one.attraction.map { clamped($0, Species.attractionRange) }
            result.factors = one.factors
                .filter { Species.ownParameters.contains($0.key) }
                .mapValues { clamped($0, Species.factorRange) }
            return result
        }
    }
}
