// A libFuzzer target: any bytes as a preset file, a store, a slot of a shared folder, or the factory's
// presets must end in what is read or in problems; what is read must survive being written.
//
// Built by `make fuzz` alone: an ordinary build has no main for it.

import Graph
import Media
import Presets

/// Reads the bytes as everything that presets are kept in; writes no file.
///
/// - Parameters:
///   - bytes: what the fuzzer made up.
///   - count: how many bytes.
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPresetFile(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))

    let reading = PresetFile.read(text, file: "fuzz.json")
    precondition(
        (reading.preset == nil) == !reading.problems.isEmpty,
        "A reading ends in a preset or in problems."
    )
    if let preset = reading.preset { check(preset) }

    let collection = PresetCollection.read(text, file: "fuzz.json")
    precondition(
        collection.problems.isEmpty || collection.presets.isEmpty,
        "What has problems gives no presets."
    )
    var slots = PresetSlots()
    for (id, preset) in zip(SlotID.all, collection.presets) { slots.overwrite(id, with: preset) }
    check(slots)

    let stored = PresetSlots.read(text, file: "fuzz.json")
    precondition(stored.slots != nil || !stored.problems.isEmpty, "What is not read is told.")
    if let slots = stored.slots, stored.problems.isEmpty { check(slots) }

    let factory = FactoryPresets.read(text, file: "fuzz.json")
    precondition(
        (factory.factory.version == 0) == !factory.problems.isEmpty,
        "A factory has a version or problems."
    )
    var seeded = PresetSlots()
    seeded.seed(factory.factory)
    check(seeded)

    let id = SlotID(index: 7)
    let slot = SlotVersion.read(text, file: "slot-07.json", of: id)
    precondition(
        (slot.version == nil) == !slot.problems.isEmpty,
        "A slot's file has a version or problems."
    )
    if let version = slot.version {
        let again = SlotVersion.read(Array(version.text(id).utf8), file: "slot-07.json", of: id)
        precondition(again.version == version, "A slot's file is read as it was written.")
    }
    return 0
}

/// A preset that is written is read again as the same.
private func check(_ preset: PresetFile) {
    let again = PresetFile.read(Array(preset.text.utf8), file: "again.json")
    var bare = PresetSlots()
    bare.overwrite(SlotID(index: 0), with: preset)
    precondition(again.preset?.text == preset.text, "A preset is read as it was written.")
    precondition(again.preset?.preset == preset.preset, "A preset says the same when it is read.")
    check(bare)
}

/// Slots that are written are read again as the same.
private func check(_ slots: PresetSlots) {
    let text = JSON.pretty(slots.payload)
    let again = PresetSlots.read(Array(text.utf8), file: "again.json")
    precondition(
        again.problems.isEmpty && again.slots == slots,
        "Slots are read as they were written."
    )
}
