import Codecs
import Graph
import Media
import Physarum

/// Draws bands, beats and parameters over time as a PNG: what routes are tuned by.
///
/// A lane for each band shows its level as a filled curve and its transients as spikes; beats are lines
/// across all lanes, the brighter the plainer they are heard. Each parameter that changes has a lane
/// with its value, least to greatest, as the simulation would read it; `show` names those that are
/// wanted instead. The picture is as high as its lanes need.
///
/// Memory: 5 MB and the picture, however long the sound. Deterministic.
struct PlotModulation: Node, ~Copyable {
    static let kind = "plot.modulation"
    static let execution = Execution.blocking

    let bands: Input<AudioBands>?
    let beats: Input<Beat>?
    let parameters: Input<ParameterSet>?
    let path: OutputPath
    let width: Int
    let title: String
    let show: [Parameter]?
    private var plot = ModulationPlot()
    private var file: OutputFile?

    init(_ c: inout Contract) {
        bands = c.optionalInput("bands", .inOrder, changes: .accepts, "Bands of a sound.")
        beats = c.optionalInput("beats", .inOrder, changes: .accepts, "Its beats.")
        parameters = c.optionalInput(
            "parameters",
            .inOrder,
            changes: .accepts,
            "Parameters, modulated or not."
        )
        path = c.outputPath("path", example: "modulation.png", "The PNG file.")
        width = c.integer("width", default: 1920, in: 480...16_384, .pixels, "How wide it is.")
        title = c.string("title", default: "", "What stands above it.")
        show = c.optionalList("show", "The parameters to draw, in place of all that change.") {
            ($0.choice("parameter", "One of them.") as ParameterChoice).parameter
        }
        c.require(
            bands != nil || beats != nil || parameters != nil,
            "from",
            "must name bands, beats or parameters"
        )
        c.require(!path.isStandardOutput, "path", "must be a file")
    }

    mutating func start(_ f: borrowing Formats) throws {
        file = try f.environment.outputs.open(path.path)
    }

    mutating func run(_ io: inout IO) {
        while true {
            if let bands, let packet = io.take(bands) {
                plot.add(packet.payload, from: packet.time, packet.duration)
            } else if let beats, let packet = io.take(beats) {
                plot.add(packet.payload, from: packet.time, packet.duration)
            } else if let parameters, let packet = io.take(parameters) {
                plot.add(packet.payload.parameters, from: packet.time, packet.duration)
            } else {
                return
            }
        }
    }

    mutating func finish(_ io: inout IO) throws {
        let picture = plot.drawn(width: width, title: title, show: show).frame
        var bytes: [UInt8] = []
        var encoder = try PNGEncoder(level: 6)
        let metadata = Dictionary(
            io.environment.provenance.map { ($0.key, $0.value) },
            uniquingKeysWith: { $1 }
        )
        try encoder.encode(picture, metadata: metadata, into: &bytes)
        try file?.write(bytes.span)
        try file?.seal()
    }
}
