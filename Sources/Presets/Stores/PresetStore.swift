public import Graph

/// A place that keeps presets in slots: memory, a file, or a folder that several machines share.
///
/// Any thread may call it; every edit stands on what is stored at that moment.
public protocol PresetStore: AnyObject, Sendable {
    /// What messages call it: its path, or what it is.
    var name: String { get }

    /// Whether slots that the user has emptied stay empty when newer factory presets come.
    var keepsCleared: Bool { get }

    /// Reads what is stored now; writes nothing.
    ///
    /// - Throws: `FileError` when it may not be read; a store that is not there yet is empty.
    func read() throws -> StoreReading

    /// Reads what is stored now, changes it, and stores what changed, while nobody else writes.
    ///
    /// - Parameter edit: changes the slots; when it throws, nothing is stored.
    /// - Returns: what is stored then.
    /// - Throws: what `edit` throws, `StoreError`, or `FileError`.
    func update(_ edit: (inout PresetSlots) throws -> Void) throws -> StoreReading

    /// Stores what was changed since an earlier reading, though the store may have changed since.
    ///
    /// - Parameters:
    ///   - slots: the slots of `base` with the changes made.
    ///   - base: the reading that the changes stand on.
    /// - Returns: what is stored then: the changes of both sides.
    /// - Throws: `StoreError`, or `FileError`.
    func write(_ slots: PresetSlots, basedOn base: StoreReading) throws -> StoreReading

    /// Calls `changed` whenever something else than this object has changed the store.
    ///
    /// - Parameter changed: gets what is stored then; called on a queue of its own, one call at a time.
    /// - Returns: what ends the watch when it is cancelled or gone; nil where nobody else can write.
    /// - Throws: `FileError` when the system refuses.
    func watch(_ changed: @escaping @Sendable (StoreReading) -> Void) throws -> StoreWatch?
}

extension PresetStore {
    /// Reads what is stored now, as it looks once newer factory presets are seeded; writes nothing.
    public func read(seeding factory: FactoryPresets) throws -> StoreReading {
        var reading = try read()
        reading.slots.seed(factory, keepingCleared: keepsCleared)
        return reading
    }

    /// Stores newer factory presets, then what `edit` changes.
    ///
    /// - Parameters:
    ///   - factory: seeded when it is newer than what was seeded last.
    ///   - edit: changes the slots; when it throws, nothing is stored.
    /// - Returns: what is stored then.
    /// - Throws: what `edit` throws, `StoreError`, or `FileError`.
    @discardableResult
    public func update(
        seeding factory: FactoryPresets,
        _ edit: (inout PresetSlots) throws -> Void = { _ in }
    ) throws -> StoreReading {
        try update { slots in
            slots.seed(factory, keepingCleared: keepsCleared)
            try edit(&slots)
        }
    }
}

/// What a store holds, and what its reader should know.
public struct StoreReading: Sendable {
    /// The slots.
    public var slots: PresetSlots
    /// What is damaged, in conflict, or set aside; in the order of names.
    public var findings: [StoreFinding]
    /// What a shared folder's files say, by slot.
    var versions: [SlotID: SlotVersion] = [:]

    /// Slots and what is to be told of them.
    init(_ slots: PresetSlots, findings: [StoreFinding] = []) {
        self.slots = slots
        self.findings = findings
    }
}

/// Something about a store that its user should know.
public struct StoreFinding: Sendable, Hashable, CustomStringConvertible {
    /// What sort of thing it is.
    public enum Kind: String, Sendable {
        /// A file cannot be read; it is left out and left alone.
        case damaged
        /// A newer Foxfire wrote it; it is left out and left alone.
        case newer
        /// One slot was edited on two machines: the newer edit is in the slot, the other in a file.
        case conflict
        /// A file that could not be read had to make place for an edit.
        case setAside
        /// A file looks like a slot's, but is none.
        case stray
    }

    /// What sort of thing it is.
    public let kind: Kind
    /// The slot it is about; nil: the whole store, or none.
    public let slot: SlotID?
    /// The file it is about.
    public let path: String
    /// What there is to know, in a sentence without a full stop.
    public let text: String
    /// What to do.
    public let hint: String?
    /// Every fault of a file that cannot be read.
    public let problems: [Problem]

    init(
        _ kind: Kind,
        _ slot: SlotID?,
        _ path: String,
        _ text: String,
        hint: String? = nil,
        problems: [Problem] = []
    ) {
        self.kind = kind
        self.slot = slot
        self.path = path
        self.text = text
        self.hint = hint
        self.problems = problems
    }

    /// The file, what there is to know, and what to do.
    public var description: String { "\(path): \(text)" + (hint.map { " (\($0))" } ?? "") }
}

/// Why a store refuses an edit.
public enum StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A newer Foxfire wrote the file, which would be lost.
    case newer(String)

    /// What is wrong.
    public var description: String {
        switch self {
        case .newer(let path): "\(path): a newer Foxfire wrote it; this one leaves it alone"
        }
    }
}
