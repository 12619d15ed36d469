import Foundation
import Graph
import Physarum
import TestSupport

@testable import Presets

/// A preset called `name`, told apart from others by its speed.
func preset(_ name: String, speed: Double = 2.5) -> PresetFile {
    PresetFile(
        Preset(name: name, parameters: Parameters([.moveSpeed: speed]), palette: .ember)
    )
}

/// Factory presets `F0`, `F1`, … of one version.
func factory(_ version: Int, count: Int, pinned: [Int] = []) -> FactoryPresets {
    FactoryPresets(
        version: version,
        pinned: pinned.map { SlotID(index: $0) },
        presets: (0..<count).map { preset("F\($0)", speed: Double(version)) }
    )
}

func slot(_ index: Int) -> SlotID { SlotID(index: index) }

extension PresetSlots {
    /// The names of presets by slot, as in `0:A 3:B`.
    var summary: String {
        filled.map { "\($0.id.index):\($0.preset.name)" }.joined(separator: " ")
    }

    /// The slots that are the user's own.
    var owned: [Int] { SlotID.all.filter { self[$0].isUserOwned }.map(\.index) }
}

extension TemporaryFolder {
    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: file(name), atomically: true, encoding: .utf8)
    }

    /// The names of what it holds, without hidden ones.
    var visible: [String] { names.filter { !$0.hasPrefix(".") } }
}
