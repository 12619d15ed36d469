import Codecs
import Dispatch
import Media
import Physarum

/// Pictures of presets, four in a row.
struct ContactSheet {
    private static let cellWidth = 320
    private static let cellHeight = 180
    private static let columns = 4
    /// Pixels around each cell.
    private static let gap = 8
    /// The map is so many times finer than the cell: meshes of a few pixels have the form that they
    /// have in a film.
    private static let detail = 3
    private static let steps = 600
    private static let background: UInt8 = 14

    let presets: [Preset]
    let format: VideoFormat

    /// Plans a sheet; there must be a preset.
    init(_ presets: [Preset]) {
        self.presets = presets
        let columns = min(Self.columns, presets.count)
        let rows = (presets.count + Self.columns - 1) / Self.columns
        format = VideoFormat(
            width: columns * (Self.cellWidth + Self.gap) + Self.gap,
            height: rows * (Self.cellHeight + Self.gap) + Self.gap,
            layout: .rgb24,
            color: .rgb709
        )
    }

    /// Draws it.
    ///
    /// - Returns: a PNG file.
    /// - Throws: `SimulationError` or `CodecError` when memory is short.
    func png() throws -> [UInt8] {
        let cells = try cells()
        var bytes = Writable<UInt8>(repeating: Self.background, count: format.byteCount)
        let (stride, cellStride) = (format.width * 3, Self.cellWidth * 3)
        for (index, cell) in cells.enumerated() {
            let left = Self.gap + index % Self.columns * (Self.cellWidth + Self.gap)
            let top = Self.gap + index / Self.columns * (Self.cellHeight + Self.gap)
            bytes.withMutableSpan { sheet in
                cell.bytes.withSpan { pixels in
                    for byte in pixels.indices {
                        let (row, place) = byte.quotientAndRemainder(dividingBy: cellStride)
                        sheet[(top + row) * stride + left * 3 + place] = pixels[byte]
                    }
                }
            }
        }
        var encoder = try PNGEncoder(level: 12)
        var file: [UInt8] = []
        let names = presets.map(\.name).joined(separator: ", ")
        try encoder.encode(
            VideoFrame(format: format, bytes: bytes),
            metadata: ["foxfire": foxfireVersion, "presets": names],
            into: &file
        )
        return file
    }

    /// The pictures, made on all cores, each on one.
    private func cells() throws -> [VideoFrame] {
        let results = Locked<[Int: Result<VideoFrame, any Error>]>([:])
        let next = Locked(0)
        let group = DispatchGroup()
        for worker in 0..<min(MachineLimits.cores, presets.count) {
            DispatchQueue(label: "foxfire.sheet.\(worker)").async(group: group) {
                while true {
                    let index = next.withLock { next in
                        next += 1
                        return next - 1
                    }
                    if index >= presets.count { return }
                    let result = Result { try Self.cell(presets[index]) }
                    results.withLock { $0[index] = result }
                }
            }
        }
        group.wait()
        let made = results.withLock { $0 }
        return try presets.indices.compactMap { try made[$0]?.get() }
    }

    private static func cell(_ preset: Preset) throws -> VideoFrame {
        let (width, height) = (detail * cellWidth, detail * cellHeight)
        let executor = SerialExecutor()
        let format = ParameterFormat(rate: Rate(60), preset: preset)
        var simulation = try Simulation(
            width: width,
            height: height,
            agentCount: Simulation.agentCount(
                width: width,
                height: height,
                parameters: preset.parameters
            ),
            shares: Species.adapted(preset.species, to: format.speciesCount).map(\.share),
            seed: 1,
            spawn: preset.spawn,
            on: executor
        )
        for _ in 0..<steps {
            simulation.step(preset.parameters, species: preset.species, on: executor)
        }
        let set = ParameterSet(format: format, preset: preset)
        var renderer = Renderer(width: cellWidth, height: cellHeight)
        return renderer.render(
            simulation.field(blend: 1, parameters: set, on: executor),
            on: executor
        )
    }
}
