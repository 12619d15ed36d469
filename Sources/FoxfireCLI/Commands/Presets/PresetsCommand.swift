extension Command {
    /// `foxfire presets`: presets in slots.
    static let presets = Command.group(
        "presets",
        summary: "Keep presets in slots, and choose those of the rotation.",
        details: [
            "A store has 24 slots, slot-00 to slot-23. What comes with Foxfire fills those that you "
                + "have not taken; what you save or clear is your own and is left alone by newer "
                + "versions. A folder as the store may be shared between machines by Syncthing, "
                + "Nextcloud, or a network drive.",
            "In graphs and here PRESET is a name, a slot, or the path of a preset file, which holds a "
                + "\"/\" or ends in .json. Of presets of one name the factory's is taken, else the one "
                + "in the lowest slot.",
        ],
        actions: [
            .presetsList, .presetsShow, .presetsSave, .presetsClear, .presetsPin, .presetsUnpin,
            .presetsRotation, .presetsReset, .presetsMigrate, .presetsExport, .presetsImport,
            .presetsSheet, .presetsParameters,
        ]
    )
}

extension Operand {
    static let preset = Operand(
        name: "PRESET",
        kind: .preset,
        help: "A preset's name, a slot, or a preset file."
    )
    static let slots = Operand(
        name: "SLOT",
        kind: .slot,
        isRepeated: true,
        help: "A slot: slot-07, or 7, or the name of the preset that is in it."
    )
}
