import Graph

/// What one file of a shared folder says of a slot: its content, who wrote it when, and what the edit
/// replaced.
///
/// An edit knows the edits it replaced, so that two versions of a slot are told apart: one that grew
/// from the other, and two that were made without knowing of each other.
package struct SlotVersion: Sendable, Hashable {
    /// What makes one edit newer than another: the revision, then the time, then the machine.
    struct Stamp: Sendable, Hashable, Comparable {
        var revision: Int
        var time: UTCTime
        var machine: String

        static func < (first: Stamp, second: Stamp) -> Bool {
            (first.revision, first.time, first.machine)
                < (second.revision, second.time, second.machine)
        }
    }

    /// How many replaced edits are known: a copy older than that counts as made without knowing.
    static let memory = 64

    /// Of the content.
    var stamp: Stamp
    /// Names the edit.
    var edit: String
    /// The edits that this one replaced, the latest first.
    var replaced: [String]
    /// Whether the content, or that there is none, is the user's doing.
    var isOwned: Bool
    /// Nil: the slot is empty.
    var preset: PresetFile?
    /// Whether the slot is in the rotation; a pin that is set or taken away is no edit of the content.
    var isPinned: Bool
    /// Of the pin.
    var pinStamp: Stamp
    /// The version of the factory presets that the store had seen.
    var seedVersion: Int
    /// Whether presets of another place had been taken over.
    var hasMigrated: Bool
    /// What Foxfire does not know.
    var extras = Members()

    /// What is kept when several versions of a slot meet.
    struct Settlement {
        var winner: SlotVersion
        /// User's content that lost though it was not known to the winner's edit.
        var losers: [SlotVersion]
    }

    /// Decides between versions of one slot; the result does not depend on their order.
    ///
    /// What a version replaced is dropped. Of the rest, the user's own beats the factory's, then the
    /// newer wins; so a machine that seeds before its first sync takes nothing away. Pins are decided
    /// by themselves: the newest counts.
    ///
    /// - Parameter versions: at least one.
    /// - Returns: the version to keep, and the user's content that lost against it.
    static func settle(_ versions: [SlotVersion]) -> Settlement {
        var distinct: [SlotVersion] = []
        for version in versions {
            if let index = distinct.firstIndex(where: { $0.isCopy(of: version) }) {
                distinct[index] = same(distinct[index], version)
            } else {
                distinct.append(version)
            }
        }
        var rest = distinct.filter { version in
            !distinct.contains { $0.edit != version.edit && $0.replaced.contains(version.edit) }
        }
        // Edits that replaced each other in a ring cannot be; what a file says may.
        if rest.isEmpty { rest = distinct }
        rest.sort { $1.isBeaten(by: $0) }
        var winner = rest[0]
        let losers = rest.dropFirst().filter { $0.isOwned && $0.preset != winner.preset }
        let others = distinct.filter { $0.edit != winner.edit }
        let known = others.map(\.edit) + others.flatMap(\.replaced)
        let news = Set(known).subtracting(winner.replaced).subtracting([winner.edit]).sorted()
        winner.replaced = Array((winner.replaced + news).prefix(memory))
        for version in versions where winner.pinStamp < version.pinStamp {
            (winner.isPinned, winner.pinStamp) = (version.isPinned, version.pinStamp)
        }
        winner.seedVersion = versions.map(\.seedVersion).max() ?? 0
        winner.hasMigrated = versions.contains(where: \.hasMigrated)
        return Settlement(winner: winner, losers: Array(losers))
    }

    private func isBeaten(by other: SlotVersion) -> Bool {
        if isOwned != other.isOwned { return other.isOwned }
        if stamp != other.stamp { return stamp < other.stamp }
        if edit != other.edit { return edit < other.edit }
        // Somebody changed a file by hand.
        return JSON.compact(preset?.json ?? .null) < JSON.compact(other.preset?.json ?? .null)
    }

    private func isCopy(of other: SlotVersion) -> Bool {
        edit == other.edit && isOwned == other.isOwned && preset == other.preset
    }

    /// Two files of one edit: the first, with all that both say was replaced.
    private static func same(_ first: SlotVersion, _ second: SlotVersion) -> SlotVersion {
        var result = first
        let news = Set(second.replaced).subtracting(first.replaced).sorted()
        result.replaced = Array((first.replaced + news).prefix(memory))
        return result
    }
}
