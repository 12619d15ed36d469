public import Graph

/// Presets of a file of any sort: one preset, a list, a whole store, or a slot of a shared folder.
public struct PresetCollection: Sendable {
    /// The presets, in the order of the text; none when there are problems.
    ///
    /// One from a store has its slot's id.
    public var presets: [PresetFile] = []
    /// The slots that a store has pinned.
    public var pinned: Set<SlotID> = []
    /// Every fault.
    public var problems: [Problem] = []
    /// What is right but worth a look.
    public var warnings: [Problem] = []

    /// Reads the text of such a file; any bytes may come.
    ///
    /// Of a whole store those presets are read that are somebody's own: every store has the factory's.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - file: what problems call it.
    /// - Returns: its presets, or every problem.
    public static func read(_ bytes: [UInt8], file: String) -> PresetCollection {
        let reading = JSONReader.read(bytes)
        var faults = Faults(reading.problems)
        var result = PresetCollection()
        if faults.problems.isEmpty, let json = reading.value { result.read(json, &faults) }
        faults.name(file: file)
        if !faults.problems.isEmpty { result = PresetCollection() }
        result.problems = faults.problems
        result.warnings = faults.warnings
        return result
    }

    private mutating func read(_ json: JSON, _ faults: inout Faults) {
        if case .array(let elements) = json.value {
            read(elements, "", &faults)
        } else if let list = json["presets"] {
            guard case .array(let elements) = list.value else {
                faults.refuse("\"presets\" must be an array", at: list, "/presets")
                return
            }
            read(elements, "/presets", &faults)
        } else if json["slots"] != nil {
            guard let slots = PresetSlots.read(json, &faults) else { return }
            presets = slots.filled.filter { slots[$0.id].isUserOwned }.map(\.preset)
            pinned = Set(slots.pinned)
        } else if json["index"] != nil, let preset = json["preset"] {
            // What lost in a shared folder has another slot now: it goes where there is room.
            guard preset.value != .null else { return }
            if var preset = PresetText.read(preset, "/preset", &faults) {
                preset.id = nil
                presets = [preset]
            }
        } else if let preset = PresetText.read(json, "", &faults) {
            presets = [preset]
        }
    }

    private mutating func read(_ elements: [JSON], _ pointer: String, _ faults: inout Faults) {
        for (index, json) in elements.enumerated() {
            if let preset = PresetText.read(json, "\(pointer)/\(index)", &faults) {
                presets.append(preset)
            }
        }
    }
}
