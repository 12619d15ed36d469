package import Graph

extension SlotVersion {
    /// The version of slot files that this Foxfire reads and writes.
    static let formatVersion = 1
    private static let keys = [
        "foxfire", "index", "revision", "time", "machine", "edit", "replaced", "owned", "pinned",
        "pin", "seedVersion", "hasMigrated", "preset",
    ]
    private static let largest = 9_007_199_254_740_991

    /// What a reading of a slot file found.
    package struct Reading {
        /// Nil exactly when there are problems.
        package var version: SlotVersion?
        /// Every fault.
        package var problems: [Problem]
        /// Whether a newer Foxfire wrote it.
        var isNewer = false
        /// The slot that the file says it is of; nil where it does not.
        var id: SlotID?
    }

    /// Reads the text of a slot file; any bytes may come.
    package static func read(_ bytes: [UInt8], file: String, of id: SlotID) -> Reading {
        let reading = JSONReader.read(bytes)
        var faults = Faults(reading.problems)
        var result = Reading(version: nil, problems: [])
        if faults.problems.isEmpty, let json = reading.value {
            read(json, id, &result, &faults)
        }
        faults.name(file: file)
        result.problems = faults.problems
        if !result.problems.isEmpty { result.version = nil }
        return result
    }

    private static func read(
        _ json: JSON,
        _ id: SlotID,
        _ result: inout Reading,
        _ faults: inout Faults
    ) {
        guard let fields = Fields(json, "", "a slot's file", &faults) else { return }
        fields.require("foxfire", "\(formatVersion), the version of the format", &faults)
        if let version = fields.integer("foxfire", in: 0...largest, &faults),
            version > formatVersion
        {
            result.isNewer = true
            faults.refuse(
                .version,
                "the file is of version \(version); this Foxfire reads \(formatVersion)",
                at: fields.value("foxfire") ?? json,
                "/foxfire",
                hint: "a newer Foxfire wrote it"
            )
            return
        }
        fields.require("index", "a whole number from 0 to \(SlotID.count - 1)", &faults)
        if let index = fields.integer("index", in: 0...SlotID.count - 1, &faults) {
            result.id = SlotID(index: index)
            if index != id.index {
                faults.refuse(
                    .name,
                    "\"index\" must be \(id.index), as the file's name says, not \(index)",
                    at: fields.value("index") ?? json,
                    "/index"
                )
            }
        }
        let stamp = stamp(fields, &faults)
        let isOwned = fields.flag("owned", &faults)
        fields.require("owned", "true or false", &faults)
        let preset = fields.value("preset").flatMap {
            PresetText.read($0, "/preset", id, &faults)
        }
        let pin = fields.value("pin").flatMap { Fields($0, "/pin", "\"pin\"", &faults) }
        guard let stamp, let isOwned else { return }
        result.version = SlotVersion(
            stamp: stamp,
            edit: fields.string("edit", &faults)
                ?? "\(stamp.revision) \(stamp.time) \(stamp.machine)",
            replaced: Array((fields.strings("replaced", &faults) ?? []).prefix(memory)),
            isOwned: isOwned,
            preset: preset,
            isPinned: fields.flag("pinned", &faults) ?? false,
            pinStamp: pin.flatMap { self.stamp($0, &faults) } ?? stamp,
            seedVersion: fields.integer("seedVersion", in: 0...Int(Int32.max), &faults) ?? 0,
            hasMigrated: fields.flag("hasMigrated", &faults) ?? false,
            extras: Members(unknown: fields, known: keys)
        )
    }

    private static func stamp(_ fields: Fields, _ faults: inout Faults) -> Stamp? {
        fields.require("revision", "a whole number", &faults)
        fields.require("time", "a UTC time as in \"2026-07-01T12:34:56Z\"", &faults)
        fields.require("machine", "the name of a machine", &faults)
        let revision = fields.integer("revision", in: 0...largest - 1, &faults)
        let machine = fields.string("machine", &faults)
        guard let text = fields.string("time", &faults) else { return nil }
        guard let time = UTCTime(text) else {
            faults.refuse(
                .range,
                "\"time\" must be as in \"2026-07-01T12:34:56Z\", not \(JSON.quoted(text))",
                at: fields.value("time") ?? fields.json,
                fields.pointer("time")
            )
            return nil
        }
        guard let revision, let machine else { return nil }
        return Stamp(revision: revision, time: time, machine: machine)
    }

    /// The text of the file of slot `id`.
    package func text(_ id: SlotID) -> String {
        let known: JSON.Value = [
            "foxfire": .integer(Self.formatVersion), "index": .integer(id.index),
            "revision": .integer(stamp.revision), "time": .string("\(stamp.time)"),
            "machine": .string(stamp.machine), "edit": .string(edit),
            "replaced": .list(replaced.map { .string($0) }), "owned": .boolean(isOwned),
            "pinned": .boolean(isPinned),
            "pin": [
                "revision": .integer(pinStamp.revision), "time": .string("\(pinStamp.time)"),
                "machine": .string(pinStamp.machine),
            ],
            "seedVersion": .integer(seedVersion), "hasMigrated": .boolean(hasMigrated),
            "preset": preset?.json ?? .null,
        ]
        return JSON.pretty(Members(known).adding(extras).value)
    }
}
