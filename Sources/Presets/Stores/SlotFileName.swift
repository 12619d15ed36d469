/// What the name of a file in a shared folder says.
enum SlotFileName: Hashable {
    /// `slot-07.json`.
    case slot(SlotID)
    /// A copy that a sync tool made since both sides had changed: `slot-07.sync-conflict-….json` of
    /// Syncthing, `slot-07 (conflicted copy ….json` of Nextcloud and others.
    case copy(SlotID)
    /// What lost against another edit and is kept for the user: `slot-07.conflict-….json`.
    case conflict(SlotID)
    /// What could not be read and had to make place: `slot-07.damaged-….json`.
    case damaged(SlotID)
    /// It looks like a slot's file, but there is no such slot: `slot-24.json`.
    case outOfRange
    /// It looks like a slot's file under another name: `slot-07 (1).json`.
    case stray(SlotID)

    /// Reads a file's name; nil when it has nothing to do with slots.
    init?(_ name: String) {
        guard name.hasPrefix("slot-"), name.hasSuffix(".json") else { return nil }
        let rest = name.dropFirst(5).dropLast(5)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty else { return nil }
        let suffix = rest.dropFirst(digits.count)
        guard let id = SlotID("slot-\(digits)") else {
            self = .outOfRange
            return
        }
        let lowered = suffix.lowercased()
        if suffix.isEmpty {
            self = .slot(id)
        } else if lowered.hasPrefix(".conflict-") {
            self = .conflict(id)
        } else if lowered.hasPrefix(".damaged-") {
            self = .damaged(id)
        } else if lowered.contains("sync-conflict-") || lowered.contains("conflicted copy") {
            self = .copy(id)
        } else {
            self = .stray(id)
        }
    }

    /// What a version that lost is called: the same name on every machine.
    static func conflict(_ id: SlotID, text: String) -> String {
        "\(id).conflict-\(hexadecimal(hash(text))).json"
    }

    /// 16 digits.
    static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// FNV-1a of 64 bits: Fowler, Noll, Vo, "The FNV non-cryptographic hash algorithm".
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
