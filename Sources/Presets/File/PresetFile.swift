public import Graph
public import Physarum

/// A preset as it stands in a file: the look, who made it, its tags, and all else that its author wrote.
///
/// Keys that Foxfire does not know are kept at any level and written back; a value that did not change
/// keeps its digits. Two are equal when they are written equally.
public struct PresetFile: Sendable, Hashable {
    /// Which band tags listen to.
    public enum TagSignal: Sendable, Hashable {
        /// All tags listen to one band.
        case all(AudioReactive.Source)
        /// The named tags listen to a band each.
        case each([String: AudioReactive.Source])
    }

    /// The slot it is in; nil outside of slots.
    public internal(set) var id: String? { didSet { settle() } }
    /// The look with its name; its name is not empty.
    public var preset: Preset { didSet { settle() } }
    /// Who made it; nil: nobody says.
    public var author: String? { didSet { settle() } }
    /// Words to find it by.
    public var tags: [String] { didSet { settle() } }
    /// Which band tags listen to; nil: none.
    public var tagSignal: TagSignal? { didSet { settle() } }
    /// The object that says all of this and what Foxfire does not know.
    public private(set) var json: JSON.Value

    /// What the user calls it.
    public var name: String { preset.name }

    /// Makes a preset that no file holds yet; every parameter will be written.
    ///
    /// Base values, gain and depths that are out of range are clamped; factors are dropped.
    ///
    /// - Parameters:
    ///   - preset: the look; its name must not be empty.
    ///   - author: who made it.
    ///   - tags: words to find it by.
    ///   - tagSignal: which band they listen to.
    public init(
        _ preset: Preset,
        author: String? = nil,
        tags: [String] = [],
        tagSignal: TagSignal? = nil
    ) {
        self.preset = preset
        self.author = author
        self.tags = tags
        self.tagSignal = tagSignal
        json = .object([])
        settle()
    }

    /// What was read from `json`, which says all of it.
    init(
        read json: JSON.Value,
        preset: Preset,
        id: String?,
        author: String?,
        tags: [String],
        tagSignal: TagSignal?
    ) {
        self.json = json
        self.preset = preset
        self.id = id
        self.author = author
        self.tags = tags
        self.tagSignal = tagSignal
    }

    /// Brings `json` in line with what the properties say.
    private mutating func settle() {
        precondition(!preset.name.isEmpty, "A preset has a name.")
        let sound = preset.writable
        if sound != preset {
            preset = sound
            return
        }
        json = PresetText.write(self, over: json)
    }

    // MARK: Files

    /// What a reading found.
    public struct Reading: Sendable {
        /// The preset; nil exactly when there are problems.
        public var preset: PresetFile?
        /// Every fault, in the order of the text.
        public var problems: [Problem]
        /// What is right but worth a look.
        public var warnings: [Problem]
    }

    /// Reads the text of a preset file; any bytes may come.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - file: what problems call it.
    /// - Returns: the preset, or every problem: at most 100.
    public static func read(_ bytes: [UInt8], file: String) -> Reading {
        let reading = JSONReader.read(bytes)
        var faults = Faults(reading.problems)
        let preset = reading.value.flatMap { PresetText.read($0, "", &faults) }
        faults.name(file: file)
        return Reading(
            preset: faults.problems.isEmpty ? preset : nil,
            problems: faults.problems,
            warnings: faults.warnings
        )
    }

    /// The text of a preset file.
    public var text: String { JSON.pretty(fileJSON) }

    /// The object of a preset file: Foxfire's version of the format, then the preset without a slot.
    public var fileJSON: JSON.Value {
        var bare = self
        if id != nil { bare.id = nil }
        var members = Members(bare.json)
        members.insertFirst("foxfire", .integer(Self.formatVersion))
        return members.value
    }

    /// The version of preset files that this Foxfire reads and writes.
    public static let formatVersion = 1
}

extension Preset {
    /// The same with what can be written and read back: all in range, factors 1.
    fileprivate var writable: Preset {
        func clamped(_ value: Double, to range: ClosedRange<Double>) -> Double {
            value.isNaN ? range.lowerBound : min(max(value, range.lowerBound), range.upperBound)
        }
        var result = self
        var bases = Parameters()
        for row in ParameterTable.rows {
            bases[base: row.parameter] = clamped(parameters[base: row.parameter], to: row.range)
        }
        result.parameters = bases
        result.palette = PaletteText.writable(palette)
        result.background = PaletteText.writable(background)
        result.species = species.isEmpty ? [] : SpeciesText.writable(species)
        if var wiring = audioReactive {
            wiring.gain = clamped(wiring.gain, to: AudioReactive.gainRange)
            for index in wiring.routes.indices {
                wiring.routes[index].depth = clamped(
                    wiring.routes[index].depth,
                    to: AudioReactive.depthRange
                )
            }
            result.audioReactive = wiring
        }
        return result
    }
}
