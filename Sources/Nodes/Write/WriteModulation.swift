import Graph
import Media
import Physarum
import Presets

/// Writes bands, beats and parameters over time as a table.
///
/// It can be edited, and read again by `source.modulation`. The path's ending says how: `.csv` for a line a row, which spreadsheets open, or `.json`. The first
/// column is the time in seconds; what is connected gives the others: `bassLevel` to `highTransient`
/// of bands; `beat`, `tempo` and `beatStrength` of beats; and of parameters a column each, with the
/// value as the simulation would read it, factors included. What has no value at a row's time is left
/// empty. The last row has the time at which the track ends. Numbers are written with as many digits
/// as it takes to read the same number again.
///
/// Memory: one row. Deterministic.
struct WriteModulation: Node, ~Copyable {
    static let kind = "write.modulation"
    static let execution = Execution.blocking

    let bands: Input<AudioBands>?
    let beats: Input<Beat>?
    let parameters: Input<ParameterSet>?
    let path: OutputPath
    private var writer: ModulationWriter?
    private var row: (time: MediaTime, cells: [ModulationColumn: Double])?
    private var end = MediaTime.zero

    init(_ c: inout Contract) {
        bands = c.optionalInput("bands", .inOrder, changes: .accepts, "Bands of a sound.")
        beats = c.optionalInput("beats", .inOrder, changes: .accepts, "Its beats.")
        parameters = c.optionalInput(
            "parameters",
            .inOrder,
            changes: .accepts,
            "Parameters, modulated or not."
        )
        path = c.outputPath("path", example: "track.csv", "The file: .csv or .json.")
        c.require(
            bands != nil || beats != nil || parameters != nil,
            "from",
            "must name bands, beats or parameters"
        )
        c.require(
            ModulationWriter.Form(path: path.path) != nil,
            "path",
            "must end in .csv or .json"
        )
    }

    mutating func start(_ f: borrowing Formats) throws {
        guard let form = ModulationWriter.Form(path: path.path) else { return }
        var columns: [ModulationColumn] = []
        if bands != nil { columns += ModulationColumn.bands }
        if beats != nil { columns += ModulationColumn.beats }
        if parameters != nil { columns += Parameter.allCases.map { .parameter($0) } }
        writer = try ModulationWriter(
            to: f.environment.outputs.open(path.path),
            form: form,
            columns: columns
        )
    }

    mutating func run(_ io: inout IO) throws {
        while true {
            if let bands, let packet = io.take(bands) {
                try begin(packet)
                for band in AudioReactive.Source.allCases {
                    row?.cells[.level(band)] = packet.payload.level[band]
                    row?.cells[.transient(band)] = packet.payload.transient[band]
                }
            } else if let beats, let packet = io.take(beats) {
                try begin(packet)
                row?.cells[.beat] = Double(packet.payload.number)
                row?.cells[.tempo] = packet.payload.tempo
                row?.cells[.beatStrength] = Double(packet.payload.strength)
            } else if let parameters, let packet = io.take(parameters) {
                try begin(packet)
                for parameter in Parameter.allCases {
                    row?.cells[.parameter(parameter)] = packet.payload.parameters.value(parameter)
                }
            } else {
                return
            }
        }
    }

    /// Begins the row of a packet's time, unless it has begun.
    private mutating func begin<T>(_ packet: borrowing Packet<T>) throws {
        end = max(end, packet.time.adding(packet.duration))
        if let row, row.time == packet.time { return }
        if let row { try writer?.write(row.time.seconds, row.cells) }
        row = (packet.time, [:])
    }

    mutating func finish(_ io: inout IO) throws {
        if let row { try writer?.write(row.time.seconds, row.cells) }
        if let row, end > row.time { try writer?.write(end.seconds, [:]) }
        try writer.take()?.finish()
    }
}

/// Writes the rows of a modulation track.
struct ModulationWriter {
    /// How rows are written.
    enum Form {
        case csv, json

        init?(path: String) {
            if path.hasSuffix(".csv") {
                self = .csv
            } else if path.hasSuffix(".json") {
                self = .json
            } else {
                return nil
            }
        }
    }

    private let file: OutputFile
    private let form: Form
    private let columns: [ModulationColumn]
    private var text = ""
    private var isFirst = true

    init(to file: OutputFile, form: Form, columns: [ModulationColumn]) throws {
        self.file = file
        self.form = form
        self.columns = columns
        let names = ["time"] + columns.map(\.name)
        switch form {
        case .csv: text = names.joined(separator: ",") + "\n"
        case .json:
            let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
            text = "{\"foxfire\": 1, \"columns\": [\(list)], \"rows\": ["
        }
    }

    mutating func write(_ time: Double, _ cells: [ModulationColumn: Double]) throws {
        let numbers = [Self.text(time)] + columns.map { cells[$0].map(Self.text) ?? "" }
        switch form {
        case .csv: text += numbers.joined(separator: ",") + "\n"
        case .json:
            let row = numbers.map { $0.isEmpty ? "null" : $0 }.joined(separator: ", ")
            text += "\(isFirst ? "" : ",")\n[\(row)]"
        }
        isFirst = false
        if text.utf8.count > 1 << 16 { try flush() }
    }

    consuming func finish() throws {
        if form == .json { text += "\n]}\n" }
        try flush()
    }

    private mutating func flush() throws {
        try file.write(Array(text.utf8).span)
        text = ""
    }

    /// The shortest text that reads as the same number, without a needless fraction.
    private static func text(_ number: Double) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
