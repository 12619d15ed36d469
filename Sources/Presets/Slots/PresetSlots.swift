/// 24 slots for presets, which of them are the user's own, and which are in the rotation.
///
/// A slot is empty or holds one preset, whose id is the slot's. What comes with Foxfire, the factory
/// presets, fills slots that the user has not taken.
public struct PresetSlots: Sendable, Hashable {
    /// What is known of one slot.
    public struct Slot: Sendable, Hashable {
        /// What it holds; nil: nothing.
        public internal(set) var preset: PresetFile?
        /// Whether its content, or that it is empty, is the user's doing.
        public internal(set) var isUserOwned = false
        /// Whether it is in the rotation; only a filled one is.
        public internal(set) var isPinned = false
        /// Whether its store holds something here that could not be read: it looks empty, but seeds and
        /// `firstEmpty` leave it alone.
        public internal(set) var isUnreadable = false
        /// What a payload says of it that Foxfire does not know.
        var extras = Members()

        /// Whether a seed may fill it.
        func isFree(keepingCleared: Bool) -> Bool {
            if isUnreadable { return false }
            if preset == nil { return !(keepingCleared && isUserOwned) }
            return !isUserOwned
        }
    }

    private var slots: [Slot]
    /// The version of the factory presets that were seeded last; 0: none yet.
    public internal(set) var seedVersion = 0
    /// Whether presets of another place were taken over already, which happens once.
    public internal(set) var hasMigrated = false
    /// What a payload says that Foxfire does not know.
    var extras = Members()

    /// 24 empty slots.
    public init() { slots = Array(repeating: Slot(), count: SlotID.count) }

    /// What is known of one slot.
    public internal(set) subscript(id: SlotID) -> Slot {
        get { slots[id.index] }
        set { slots[id.index] = newValue }
    }

    // MARK: Looking

    /// The filled slots with their presets, in slot order.
    public var filled: [(id: SlotID, preset: PresetFile)] {
        SlotID.all.compactMap { id in self[id].preset.map { (id, $0) } }
    }

    /// The first slot that holds nothing; nil when all are filled.
    public var firstEmpty: SlotID? {
        SlotID.all.first { self[$0].preset == nil && !self[$0].isUnreadable }
    }

    /// The first filled slot that is neither the user's own nor pinned: what may be overwritten when
    /// none is empty.
    public var firstReplaceable: SlotID? {
        SlotID.all.first { id in
            self[id].preset != nil && !self[id].isUserOwned && !self[id].isPinned
        }
    }

    /// The pinned slots, in slot order.
    public var pinned: [SlotID] { SlotID.all.filter { self[$0].isPinned } }

    /// What a rotation walks through: the pinned slots in slot order, or, when nothing is pinned, all
    /// filled ones.
    public var rotation: [(id: SlotID, preset: PresetFile)] {
        let pinned = filled.filter { self[$0.id].isPinned }
        return pinned.isEmpty ? filled : pinned
    }

    // MARK: Editing

    /// Puts a preset into an empty slot, which is the user's own from then on.
    ///
    /// - Throws: `SlotError.filled` when it holds one.
    public mutating func fill(_ id: SlotID, with preset: PresetFile) throws(SlotError) {
        if let present = self[id].preset { throw .filled(id, present.name) }
        overwrite(id, with: preset)
    }

    /// Puts a preset into a slot, whatever it holds; the slot is the user's own from then on.
    public mutating func overwrite(_ id: SlotID, with preset: PresetFile) {
        put(preset, in: id)
        self[id].isUserOwned = true
    }

    /// Empties a slot, which is not in the rotation any more; that it is empty is the user's doing.
    public mutating func clear(_ id: SlotID) {
        put(nil, in: id)
        self[id].isUserOwned = true
    }

    /// Puts a filled slot into the rotation.
    ///
    /// - Throws: `SlotError.empty` when it holds nothing.
    public mutating func pin(_ id: SlotID) throws(SlotError) {
        guard self[id].preset != nil else { throw .empty(id) }
        self[id].isPinned = true
    }

    /// Takes a slot out of the rotation.
    public mutating func unpin(_ id: SlotID) { self[id].isPinned = false }

    /// Gives a slot its content, under the slot's id; an empty slot is not pinned.
    mutating func put(_ preset: PresetFile?, in id: SlotID) {
        var preset = preset
        if preset != nil, preset?.id != id.description { preset?.id = id.description }
        self[id].preset = preset
        self[id].isUnreadable = false
        if preset == nil { self[id].isPinned = false }
    }

    // MARK: The factory's presets

    /// Fills slots that are empty or not the user's own with factory presets, when these are newer than
    /// those seeded last; on the very first seed it pins what the factory says.
    ///
    /// - Parameters:
    ///   - factory: the presets that come with Foxfire; of version 0 none are seeded.
    ///   - keepingCleared: whether slots that the user has emptied stay empty.
    /// - Returns: whether there was anything to seed.
    @discardableResult
    public mutating func seed(_ factory: FactoryPresets, keepingCleared: Bool = false) -> Bool {
        guard factory.version > seedVersion else { return false }
        for (id, preset) in zip(SlotID.all, factory.presets)
        where self[id].isFree(keepingCleared: keepingCleared) {
            put(preset, in: id)
            self[id].isUserOwned = false
        }
        if seedVersion == 0 { pin(factory.pinned) }
        seedVersion = factory.version
        return true
    }

    /// Makes the slots what a new store has: factory presets, all others empty, nothing the user's own.
    public mutating func resetToFactory(_ factory: FactoryPresets) {
        for id in SlotID.all {
            let preset = id.index < factory.presets.count ? factory.presets[id.index] : nil
            put(preset, in: id)
            self[id].isUserOwned = false
            self[id].isPinned = false
        }
        pin(factory.pinned)
        seedVersion = factory.version
    }

    private mutating func pin(_ ids: [SlotID]) {
        for id in ids where self[id].preset != nil { self[id].isPinned = true }
    }

    // MARK: Presets from elsewhere

    /// Puts presets of another place into the lowest empty slots, as the user's own; once per store.
    ///
    /// - Parameter customs: the presets, in order.
    /// - Returns: those that found no empty slot; the caller writes them to a file.
    /// - Throws: `SlotError.migrated` when it was done before.
    public mutating func migrate(_ customs: [PresetFile]) throws(SlotError) -> [PresetFile] {
        if hasMigrated { throw .migrated }
        hasMigrated = true
        var rest = customs[...]
        while let id = firstEmpty, let preset = rest.popFirst() { overwrite(id, with: preset) }
        return Array(rest)
    }
}

/// What cannot be done with slots.
public enum SlotError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The slot holds a preset already, of this name.
    case filled(SlotID, String)
    /// The slot holds nothing.
    case empty(SlotID)
    /// Presets of another place were taken over before.
    case migrated

    /// What is wrong.
    public var description: String {
        switch self {
        case .filled(let id, let name): "\(id) holds a preset already: \(name)"
        case .empty(let id): "\(id) is empty"
        case .migrated: "presets were migrated into this store before, which is done once"
        }
    }
}
