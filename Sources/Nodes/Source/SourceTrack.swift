import Graph
import Media
import Physarum

/// Reads the parameters of a modulation track, as `write.track` wrote them.
///
/// Each reading comes at the time, and with every bit, that it had. A damaged track is an error, not
/// a guess.
///
/// Memory: one reading. Deterministic.
struct SourceTrack: Node, ~Copyable {
    static let kind = "source.track"
    static let execution = Execution.blocking
    /// Readings in one run.
    private static let burst = 32

    let parameters: Output<ParameterSet>
    let file: InputFile
    private var reader: ModulationTrackReader?

    init(_ c: inout Contract) {
        parameters = c.output("parameters", "The parameters that were stored.")
        file = c.inputFile("path", example: "track.foxtrack", "The modulation track's file.")
        c.require(!file.isStandardInput, "path", "must be a file: its end is read first")
    }

    func resolve(_ f: inout Formats) throws {
        let track = try ModulationTrackReader(path: file.path)
        f.set(parameters, track.format, rate: track.format.rate, duration: track.end)
    }

    mutating func start(_ f: borrowing Formats) throws {
        reader = try ModulationTrackReader(path: file.path)
    }

    mutating func run(_ io: inout IO) throws {
        for _ in 0..<Self.burst {
            guard let reading = try reader?.read() else { return io.end() }
            io.emit(
                reading.parameters,
                at: reading.time,
                duration: reading.duration,
                on: parameters
            )
        }
        io.more()
    }
}
