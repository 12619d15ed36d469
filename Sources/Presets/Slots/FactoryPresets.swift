public import Graph
import Media

/// The presets that come with Foxfire: a version, and at most 24 presets in slot order.
public struct FactoryPresets: Sendable, Hashable {
    /// Rises when presets change; 0: there are none.
    public let version: Int
    /// The slots that a first seed pins.
    public let pinned: [SlotID]
    /// The presets of `slot-00`, `slot-01`, …; at most 24.
    public let presets: [PresetFile]

    /// No presets: what a missing or broken file stands for.
    public static let none = FactoryPresets(version: 0, pinned: [], presets: [])

    /// Says all of it; there must be at most 24 presets.
    public init(version: Int, pinned: [SlotID], presets: [PresetFile]) {
        precondition(presets.count <= SlotID.count, "There are \(SlotID.count) slots.")
        self.version = version
        self.pinned = pinned
        self.presets = presets
    }

    /// What a reading found.
    public struct Reading: Sendable {
        /// The presets; `none` when there are problems.
        public let factory: FactoryPresets
        /// Every fault.
        public let problems: [Problem]

        /// Says both.
        public init(_ factory: FactoryPresets, problems: [Problem] = []) {
            self.factory = factory
            self.problems = problems
        }
    }

    /// Reads the presets that were installed with the running program: `presets/factory.json` of the
    /// source tree, else `PREFIX/share/foxfire/presets/factory.json`.
    public static func installed() -> Reading {
        guard let folder = InstalledFiles.folder("presets") else {
            let problem = Problem(.file, "the factory presets are not found: /proc is not there")
            return Reading(.none, problems: [problem])
        }
        return read("\(folder)/factory.json")
    }

    /// Reads a file `{version, pinnedSlotIDs, presets}`.
    ///
    /// - Parameter path: of the file.
    /// - Returns: its presets; none, of version 0, when it is missing or has any fault.
    public static func read(_ path: String) -> Reading {
        do throws(FileError) {
            return read(try FileContents.read(path, limit: JSONReader.byteLimit), file: path)
        } catch {
            let problem = Problem(.file, "the factory presets cannot be read: \(error)")
            return Reading(.none, problems: [problem])
        }
    }

    /// Reads the text of a file `{version, pinnedSlotIDs, presets}`; any bytes may come.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - file: what problems call it.
    /// - Returns: its presets; none, of version 0, when it has any fault.
    public static func read(_ bytes: [UInt8], file: String) -> Reading {
        let reading = JSONReader.read(bytes)
        var faults = Faults(reading.problems)
        let factory = reading.value.flatMap { read($0, &faults) }
        faults.name(file: file)
        guard faults.problems.isEmpty, let factory else {
            return Reading(.none, problems: faults.problems)
        }
        return Reading(factory, problems: [])
    }

    private static func read(_ json: JSON, _ faults: inout Faults) -> FactoryPresets? {
        guard let fields = Fields(json, "", "the factory's presets", &faults) else { return nil }
        fields.require("version", "a whole number above 0", &faults)
        fields.require("presets", "an array of presets", &faults)
        let version = fields.integer("version", in: 1...Int(Int32.max), &faults)
        let pinned = fields.slots("pinnedSlotIDs", &faults)
        let elements = fields.list("presets", &faults) ?? []
        if elements.count > SlotID.count {
            faults.refuse(
                .range,
                "\"presets\" must have at most \(SlotID.count) presets, not \(elements.count)",
                at: fields.value("presets") ?? json,
                fields.pointer("presets")
            )
        }
        var presets: [PresetFile] = []
        for ((json, pointer), id) in zip(elements, SlotID.all) {
            guard let preset = PresetText.read(json, pointer, id, &faults) else { continue }
            presets.append(preset)
        }
        guard let version else { return nil }
        return FactoryPresets(version: version, pinned: pinned, presets: presets)
    }
}

extension Fields {
    /// A list of slots' ids, which must match exactly.
    func slots(_ key: String, _ faults: inout Faults) -> [SlotID] {
        (list(key, &faults) ?? []).compactMap { json, pointer in
            if let id = json.string.flatMap({ SlotID($0) }) { return id }
            faults.refuse(
                json.string == nil ? .type : .range,
                "\"\(key)\" must hold \"slot-00\" to \"slot-\(SlotID.count - 1)\", "
                    + "not \(JSON.text(of: json.value))",
                at: json,
                pointer
            )
            return nil
        }
    }
}
