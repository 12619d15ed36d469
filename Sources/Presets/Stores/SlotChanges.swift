extension PresetSlots {
    /// What an edit changed about a slot.
    struct Change {
        let id: SlotID
        let old: Slot
        let new: Slot

        /// Whether the preset, or whose it is, changed.
        var isContent: Bool {
            old.preset != new.preset || old.isUserOwned != new.isUserOwned || takesDamaged
        }
        var isPin: Bool { old.isPinned != new.isPinned }
        /// Whether it takes the place of what cannot be read.
        var takesDamaged: Bool { old.isUnreadable && !new.isUnreadable }
        /// Whether the factory's content came here though nobody asked for this slot.
        var isSeed: Bool { isContent && !takesDamaged && !new.isUserOwned && !old.isUserOwned }
    }

    /// The slots that differ from those before an edit.
    func changes(since base: PresetSlots) -> [Change] {
        SlotID.all.map { Change(id: $0, old: base[$0], new: self[$0]) }
            .filter { $0.isContent || $0.isPin }
    }

    /// The changes since `base`, made to `current`; of what both sides changed, these count.
    func rebased(from base: PresetSlots, onto current: PresetSlots) -> PresetSlots {
        var result = current
        for change in changes(since: base) {
            if change.isContent {
                result.put(change.new.preset, in: change.id)
                result[change.id].isUserOwned = change.new.isUserOwned
            }
            if change.isPin, result[change.id].preset != nil {
                result[change.id].isPinned = change.new.isPinned
            }
        }
        if seedVersion != base.seedVersion { result.seedVersion = seedVersion }
        result.hasMigrated = hasMigrated || current.hasMigrated
        return result
    }
}
