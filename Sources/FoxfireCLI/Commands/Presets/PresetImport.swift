import Graph
import Media
import Presets

/// Several presets in one file: `{"foxfire": 1, "presets": […]}`.
enum PresetList {
    static func text(_ presets: [PresetFile]) -> String {
        JSON.pretty(["foxfire": 1, "presets": .list(presets.map(\.json))])
    }
}

/// The presets of files, with what the files say of their slots.
struct PresetImport {
    /// In the order of the files; one from a store has its slot's id.
    private(set) var presets: [PresetFile] = []
    /// The slots of whole stores that were pinned there.
    private var pinned: Set<SlotID> = []

    /// Reads the files; warnings are told.
    ///
    /// - Throws: `Failure` with every problem of every file.
    init(_ paths: [String], asJSON: Bool) throws {
        var problems: [Problem] = []
        for path in paths {
            do {
                let bytes = try InputText.read(path, limit: JSONReader.byteLimit)
                let content = PresetCollection.read(bytes, file: path)
                problems += content.problems
                presets += content.presets
                pinned.formUnion(content.pinned)
                StandardStreams.tell(content.warnings.map { Message($0, .warning) }, asJSON: asJSON)
            } catch let error as FileError {
                problems.append(Problem(.file, "\(error)"))
            }
        }
        if !problems.isEmpty { throw Failure(problems) }
    }

    /// Puts every preset into a slot.
    ///
    /// - Parameters:
    ///   - slots: where they go.
    ///   - replaces: whether a preset takes the slot that it comes from, whatever that holds.
    /// - Returns: the slots, in the order of the presets.
    /// - Throws: `Failure` when there is no room for all.
    func place(in slots: inout PresetSlots, replacing replaces: Bool) throws(Failure) -> [SlotID] {
        var places: [SlotID?] = Array(repeating: nil, count: presets.count)
        var taken: Set<SlotID> = []
        for (index, preset) in presets.enumerated() {
            guard let id = preset.id.flatMap({ SlotID($0) }), !taken.contains(id),
                replaces || slots[id].preset == nil && !slots[id].isUnreadable
            else { continue }
            places[index] = id
            taken.insert(id)
            slots.overwrite(id, with: preset)
            if pinned.contains(id) { try? slots.pin(id) }
        }
        for index in places.indices where places[index] == nil {
            guard let id = slots.firstEmpty else {
                let count = places.count { $0 == nil }
                let message = Message(
                    .error,
                    "full",
                    "\(count) of \(presets.count) presets find no empty slot; nothing was imported",
                    hint:
                        "clear slots; or give --replace to put presets of a store back into theirs"
                )
                throw Failure(.failed, message)
            }
            places[index] = id
            slots.overwrite(id, with: presets[index])
        }
        return places.compactMap { $0 }
    }
}
