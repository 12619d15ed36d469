import Media

/// Presets that live as long as the object: for tests, and for those who store them their own way.
public final class MemoryStore: PresetStore {
    private let slots: Locked<PresetSlots>

    /// What messages call it.
    public var name: String { "memory" }
    /// Cleared slots are filled again by newer factory presets.
    public var keepsCleared: Bool { false }

    /// Starts with `slots`.
    public init(_ slots: PresetSlots = PresetSlots()) { self.slots = Locked(slots) }

    /// What it holds.
    public func read() -> StoreReading { StoreReading(slots.withLock { $0 }) }

    /// Changes what it holds, unless `edit` throws; must not be nested.
    public func update(_ edit: (inout PresetSlots) throws -> Void) rethrows -> StoreReading {
        try slots.withLock { slots in
            var edited = slots
            try edit(&edited)
            slots = edited
            return StoreReading(edited)
        }
    }

    /// Makes the changes since `base`; of what both sides changed, these count.
    public func write(_ slots: PresetSlots, basedOn base: StoreReading) -> StoreReading {
        update { $0 = slots.rebased(from: base.slots, onto: $0) }
    }

    /// Nobody else can change it.
    public func watch(_ changed: @escaping @Sendable (StoreReading) -> Void) -> StoreWatch? { nil }
}
