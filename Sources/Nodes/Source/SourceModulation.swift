import Graph
import Media
import Physarum
import Presets

/// Reads a table of bands, beats and parameters over time, as `write.modulation` writes it.
///
/// So a track is analysed once, its table edited by hand, and films are made from it at any frame rate.
/// Readings come `rate` times a second; where the table has no row at a reading's time, values go
/// evenly from the row before to the next one that says something. At the rate that was written the
/// very same readings come back. Columns that a table lacks: bands are 0, beats have the strength 1
/// and the tempo that follows from their distance, parameters are the preset's. Beats are numbered
/// anew, so that rows may be put in or taken out. The last row's time is the end.
///
/// A parameter's column gives its base value; colours, species and wiring are the preset's.
///
/// Memory: 8 bytes a cell. Deterministic.
struct SourceModulation: Node, ~Copyable {
    static let kind = "source.modulation"
    static let execution = Execution.serial
    /// Readings in one run.
    private static let burst = 32

    let bands: Output<AudioBands>
    let beats: Output<Beat>
    let parameters: Output<ParameterSet>
    let file: InputFile
    let rate: Rate
    private let set: ParameterSet
    private let stored = StoredModulation()
    private var curves: [ModulationColumn: ModulationCurve] = [:]
    private var coming: [(time: MediaTime, duration: MediaTime, beat: Beat)] = []
    private var nextBeat = 0
    private var index: Int64 = 0
    private var end = MediaTime.zero
    private var reads = (bands: false, parameters: false)

    init(_ c: inout Contract) {
        bands = c.output("bands", "The bands that the table holds.")
        beats = c.output("beats", "Its beats.")
        parameters = c.output("parameters", "The preset's parameters with what the table holds.")
        file = c.inputFile("path", example: "track.csv", "The table: CSV or JSON.")
        rate = c.rate(
            "rate",
            default: Rate(240),
            in: Rate(1)...Rate(1000),
            .hertz,
            "Readings a second."
        )
        let name = c.preset(
            "preset",
            default: Preset.foxfire.name,
            "The preset that gives what the table does not: a name, a slot, or a file."
        )
        let found = PresetLookup().find(name)
        c.report(found.problems, warnings: found.warnings, of: "preset")
        let preset = found.preset?.preset ?? .foxfire
        if let file = found.preset { c.depend(on: "preset", content: file.fileJSON) }
        set = ParameterSet(format: ParameterFormat(rate: rate, preset: preset), preset: preset)
        c.require(!file.isStandardInput, "path", "must be a file: this node does not read stdin")
    }

    func resolve(_ f: inout Formats) throws {
        let table = try stored.table(file.path)
        func require(_ name: String, _ isRead: Bool, _ columns: [ModulationColumn]) throws {
            if !isRead || table.has(columns) { return }
            throw Problem(
                .format,
                "\(file.path) has no column for \"\(name)\"",
                pointer: "/path",
                hint: "such columns are \(columns.map(\.name).joined(separator: ", "))"
            )
        }
        try require("bands", f.isConnected(bands), ModulationColumn.bands)
        try require("beats", f.isConnected(beats), [.beat])
        let length = Self.time(table.end)
        f.set(bands, AudioBandsFormat(rate: rate), rate: rate, duration: length)
        f.set(beats, BeatFormat(), duration: length)
        f.set(
            parameters,
            set.format,
            rate: rate,
            duration: length,
            bytesPerPacket: set.byteCount
        )
    }

    /// Seconds to the nearest nanosecond, or exactly where they are a whole number of readings.
    private static func time(_ seconds: Double) -> MediaTime {
        for scale: Int32 in [1000, 240, 44_100, 48_000] {
            let count = (seconds * Double(scale)).rounded()
            if Double(count) / Double(scale) == seconds { return MediaTime(Int64(count), scale) }
        }
        return MediaTime(Int64((seconds * 1e9).rounded()), 1_000_000_000)
    }

    mutating func start(_ f: borrowing Formats) throws {
        let table = try stored.table(file.path)
        reads = (f.isConnected(bands), f.isConnected(parameters))
        for column in table.columns.keys { curves[column] = table.curve(column) }
        end = Self.time(table.end)
        if f.isConnected(beats) { coming = Self.beats(table) }
        stored.forget()
    }

    private static func beats(
        _ table: ModulationTable
    ) -> [(time: MediaTime, duration: MediaTime, beat: Beat)] {
        let beats = table.beats
        return beats.indices.map { number in
            let beat = beats[number]
            let next = number + 1 < beats.count ? beats[number + 1].time : table.end
            let before = number > 0 ? beat.time - beats[number - 1].time : 0.5
            let length = next > beat.time ? next - beat.time : before
            let tempo = beat.tempo ?? min(max(60 / length, 1), 1000)
            let start = time(beat.time)
            let end = time(next)
            return (
                start,
                end > start ? MediaTime(Int64((length * 1e9).rounded()), 1_000_000_000) : .zero,
                Beat(number: number, tempo: tempo, strength: Float(beat.strength ?? 1))
            )
        }
    }

    mutating func run(_ io: inout IO) {
        for _ in 0..<Self.burst {
            let time = rate.time(of: index)
            let isOver = time >= end
            while nextBeat < coming.count, isOver || coming[nextBeat].time <= time {
                let (time, duration, beat) = coming[nextBeat]
                io.emit(beat, at: time, duration: duration, on: beats)
                nextBeat += 1
            }
            if isOver {
                io.end()
                return
            }
            // What has no beat up to here will get none before the next one.
            io.advance(beats, to: nextBeat < coming.count ? coming[nextBeat].time : end)
            let (start, duration) = rate.span(of: index, endingAt: end)
            if reads.bands {
                io.emit(reading(time.seconds), at: start, duration: duration, on: bands)
            }
            if reads.parameters {
                io.emit(parameters(time.seconds), at: start, duration: duration, on: parameters)
            }
            index += 1
        }
        io.more()
    }

    private mutating func reading(_ time: Double) -> AudioBands {
        var (level, transient) = (BandValues.zero, BandValues.zero)
        for band in AudioReactive.Source.allCases {
            level[band] = curves[.level(band)]?.value(at: time) ?? 0
            transient[band] = curves[.transient(band)]?.value(at: time) ?? 0
        }
        return AudioBands(
            format: AudioBandsFormat(rate: rate),
            level: level,
            transient: transient
        )
    }

    private mutating func parameters(_ time: Double) -> ParameterSet {
        var parameters = set.parameters
        for parameter in Parameter.allCases {
            if let value = curves[.parameter(parameter)]?.value(at: time) {
                parameters[base: parameter] = value
            }
        }
        return set.with(parameters)
    }
}

/// A table that `resolve` reads and `start` takes over.
private final class StoredModulation {
    private var table: ModulationTable?

    func table(_ path: String) throws -> ModulationTable {
        if let table { return table }
        let limit = ModulationTable.byteLimit
        let bytes = try FileContents.read(path, limit: limit)
        if bytes.count > limit {
            throw Problem(.file, "\(path) has more than \(limit) bytes", pointer: "/path")
        }
        let reading = ModulationTable.read(bytes, file: path)
        if let problem = reading.problems.first { throw problem }
        table = reading.table
        return reading.table ?? ModulationTable([])
    }

    func forget() { table = nil }
}
