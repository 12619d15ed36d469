import Graph
import Media
import Physarum

/// Writes parameters over time as a modulation track: each bit of them, colours and species too.
///
/// What analysis and modulators make of a sound once is read again by `source.track`, so that films, or
/// the parts of one, that are made on several machines move alike. A table that can be edited is
/// written by `write.modulation`.
///
/// Memory: one reading. Deterministic.
struct WriteTrack: Node, ~Copyable {
    static let kind = "write.track"
    static let execution = Execution.blocking

    let parameters: Input<ParameterSet>
    let path: OutputPath
    private var file: OutputFile?
    private var writer: ModulationTrackWriter?

    init(_ c: inout Contract) {
        parameters = c.input("parameters", .inOrder, changes: .fixed, "Parameters over time.")
        path = c.outputPath("path", example: "track.foxtrack", "The modulation track's file.")
        c.require(!path.isStandardOutput, "path", "must be a file: its end is read first")
    }

    mutating func start(_ f: borrowing Formats) throws {
        guard let format = f[parameters] else { return }
        let file = try f.environment.outputs.open(path.path)
        writer = try ModulationTrackWriter(format, to: file)
        self.file = file
    }

    mutating func run(_ io: inout IO) throws {
        while let packet = io.take(parameters) {
            try writer?.write(packet.payload, at: packet.time, for: packet.duration)
        }
    }

    mutating func finish(_ io: inout IO) throws {
        try writer.take()?.finish()
        try file?.seal()
    }
}
