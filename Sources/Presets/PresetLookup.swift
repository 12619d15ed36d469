public import Graph
import Media
import Physarum

/// Finds presets as graphs and command lines name them.
public struct PresetLookup: Sendable {
    /// Makes a lookup.
    public init() {}

    /// Finds a preset.
    ///
    /// - Parameter name: a path, a slot, or a preset's name.
    /// - Returns: the preset, or what is wrong; problems of a preset file say their file.
    public func find(_ name: PresetName) -> PresetFile.Reading {
        if let file = name.file { return Self.read(file.path) }
        if let preset = Preset.named(name.text) {
            return PresetFile.Reading(preset: PresetFile(preset), problems: [], warnings: [])
        }
        let names = Preset.builtIn.map(\.name)
        let problem = Problem(
            .range,
            "\"preset\" must be a preset's name, a slot or a path, not \(JSON.quoted(name.text))",
            hint: suggestion(for: name.text, in: names) ?? "known are \(names.quotedList)"
        )
        return PresetFile.Reading(preset: nil, problems: [problem], warnings: [])
    }

    /// Reads a preset file.
    ///
    /// - Parameter path: of the file.
    /// - Returns: the preset, or what is wrong.
    public static func read(_ path: String) -> PresetFile.Reading {
        do throws(FileError) {
            let bytes = try FileContents.read(path, limit: JSONReader.byteLimit)
            return PresetFile.read(bytes, file: path)
        } catch {
            let problem = Problem(.file, "the preset cannot be read: \(error)")
            return PresetFile.Reading(preset: nil, problems: [problem], warnings: [])
        }
    }
}
