public import Graph

extension PresetSlots {
    /// The version of payloads that this Foxfire reads and writes.
    public static let payloadVersion = 1

    /// What a reading of a payload found.
    public struct PayloadReading: Sendable {
        /// The slots; nil when nothing of the payload can be used.
        public var slots: PresetSlots?
        /// Every fault; where `slots` is there, what they are about is left out of it.
        public var problems: [Problem]
        /// Whether a newer Foxfire wrote it.
        public var isNewer = false
    }

    /// Reads the text of a payload; any bytes may come.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - file: what problems call it.
    /// - Returns: the slots as far as they can be read, and every problem.
    public static func read(_ bytes: [UInt8], file: String) -> PayloadReading {
        let reading = JSONReader.read(bytes)
        var faults = Faults(reading.problems)
        var result = PayloadReading(slots: nil, problems: [])
        if faults.problems.isEmpty, let json = reading.value {
            result.isNewer = json["foxfire"].map(isNewerVersion) ?? false
            result.slots = read(json, &faults)
        }
        faults.name(file: file)
        result.problems = faults.problems
        return result
    }

    private static func isNewerVersion(_ json: JSON) -> Bool {
        guard case .number(let text) = json.value, let version = Int(text) else { return false }
        return version > payloadVersion
    }

    private static let keys = ["foxfire", "seedVersion", "hasMigrated", "pinnedSlotIDs", "slots"]
    private static let slotKeys = ["index", "userOwned", "preset"]

    static func read(_ json: JSON, _ faults: inout Faults) -> PresetSlots? {
        guard let fields = Fields(json, "", "a store of presets", &faults) else { return nil }
        fields.require("foxfire", "\(payloadVersion), the version of the format", &faults)
        guard fields.integer("foxfire", in: payloadVersion...payloadVersion, &faults) != nil else {
            return nil
        }
        fields.require("slots", "an array of slots", &faults)
        guard let entries = fields.list("slots", &faults) else { return nil }
        var slots = PresetSlots()
        let versions = 0...Int(Int32.max)
        slots.seedVersion = fields.integer("seedVersion", in: versions, &faults) ?? 0
        slots.hasMigrated = fields.flag("hasMigrated", &faults) ?? false
        var seen: Set<SlotID> = []
        for (json, pointer) in entries { slots.read(json, pointer, &seen, &faults) }
        for id in fields.slots("pinnedSlotIDs", &faults) where slots[id].preset != nil {
            slots[id].isPinned = true
        }
        slots.extras = Members(unknown: fields, known: keys)
        return slots
    }

    private mutating func read(
        _ json: JSON,
        _ pointer: String,
        _ seen: inout Set<SlotID>,
        _ faults: inout Faults
    ) {
        guard let fields = Fields(json, pointer, "a slot", &faults) else { return }
        fields.require("index", "a whole number from 0 to \(SlotID.count - 1)", &faults)
        guard let index = fields.integer("index", in: 0...SlotID.count - 1, &faults) else { return }
        let id = SlotID(index: index)
        guard seen.insert(id).inserted else {
            faults.refuse(
                .duplicateKey,
                "slot \(index) is there already",
                at: fields.value("index") ?? json,
                fields.pointer("index"),
                hint: "the first one is used"
            )
            return
        }
        let before = faults.problems.count
        let isOwned = fields.flag("userOwned", &faults) ?? false
        let preset = fields.value("preset").flatMap {
            PresetText.read($0, fields.pointer("preset"), id, &faults)
        }
        guard faults.problems.count == before else {
            self[id].isUnreadable = true
            return
        }
        put(preset, in: id)
        self[id].isUserOwned = isOwned
        self[id].extras = Members(unknown: fields, known: Self.slotKeys)
    }

    /// All of it as JSON: what `read` makes equal slots of.
    public var payload: JSON.Value {
        let entries = SlotID.all.compactMap { id -> JSON.Value? in
            let slot = self[id]
            if slot.preset == nil, !slot.isUserOwned, slot.extras.list.isEmpty { return nil }
            let known: JSON.Value = [
                "index": .integer(id.index), "userOwned": .boolean(slot.isUserOwned),
                "preset": slot.preset?.json ?? .null,
            ]
            return Members(known).adding(slot.extras).value
        }
        let known: JSON.Value = [
            "foxfire": .integer(Self.payloadVersion), "seedVersion": .integer(seedVersion),
            "hasMigrated": .boolean(hasMigrated),
            "pinnedSlotIDs": .list(pinned.map { .string($0.description) }),
            "slots": .list(entries),
        ]
        return Members(known).adding(extras).value
    }
}

extension PresetText {
    /// Reads the preset of a slot, whose id must be the slot's.
    static func read(_ json: JSON, _ pointer: String, _ id: SlotID, _ faults: inout Faults)
        -> PresetFile?
    {
        guard var preset = read(json, pointer, &faults) else { return nil }
        if let written = preset.id, written != id.description {
            faults.refuse(
                .name,
                "\"id\" must be \"\(id)\", since the preset is in that slot, "
                    + "not \(JSON.quoted(written))",
                at: json["id"] ?? json,
                pointer + "/id"
            )
            return nil
        }
        if preset.id == nil { preset.id = id.description }
        return preset
    }
}

extension Members {
    /// The members of an object that nothing reads.
    init(unknown fields: Fields, known: [String]) {
        let members = fields.members.filter { !known.contains($0.key) }
        self.init(.members(members.map { ($0.key, $0.value.unplaced.value) }))
    }

    /// These members, then others.
    func adding(_ others: Members) -> Members {
        var result = self
        for member in others.list { result[member.key] = member.value.value }
        return result
    }
}
