import Codecs
import Graph
import Media

/// Draws audio over time as a PNG.
///
/// Each column of pixels reaches from its least to its greatest sample; within that is the
/// root mean square.
///
/// Every sample is in its column, so that a single click is seen in an hour. Channels lie below each other;
/// lines stand at full scale and at -6 and -12 dB. Columns with samples at or beyond full scale are red.
///
/// Memory: 2 MB a channel and the picture, however long the sound. Deterministic.
struct PlotWaveform: Node, ~Copyable {
    static let kind = "plot.waveform"
    static let execution = Execution.blocking

    private enum Style {
        static let background: Canvas.Color = 0x0F_1419
        static let lane: Canvas.Color = 0x17_1E26
        static let grid: Canvas.Color = 0x2A_3440
        static let text: Canvas.Color = 0xD8_E0E8
        static let faint: Canvas.Color = 0x8A_97A5
        static let peak: Canvas.Color = 0x3A_86B8
        static let mean: Canvas.Color = 0x8F_D3F4
        static let full: Canvas.Color = 0xFF_5A4A
        static let left = 96
        static let right = 30
        static let gap = 10
        static let bottom = 36
    }

    let audio: Input<AudioBlock>
    let path: OutputPath
    let width: Int
    let height: Int
    let title: String
    private var file: OutputFile?
    private var waves: [Waveform] = []
    private var sampleRate = 0
    private var position: Int64 = 0

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, changes: .fixed, "Audio at any rate.")
        path = c.outputPath("path", example: "waveform.png", "The PNG file.")
        width = c.integer("width", default: 1920, in: 240...16_384, .pixels, "How wide it is.")
        height = c.integer(
            "height",
            default: 240,
            in: 60...2000,
            .pixels,
            "How high each channel is."
        )
        title = c.string("title", default: "", "What stands above it.")
        c.require(!path.isStandardOutput, "path", "must be a file")
    }

    mutating func start(_ f: borrowing Formats) throws {
        file = try f.environment.outputs.open(path.path)
        waves = Array(repeating: Waveform(), count: f[audio]?.channels ?? 1)
        sampleRate = f[audio]?.sampleRate ?? 1
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(audio) {
            let block = packet.payload
            // Gaps are silence; a long one must not cost more than its pixels, so it is cut short here.
            let start = block.format.index(of: packet.time)
            let gap = [Float](repeating: 0, count: Int(min(max(0, start - position), 4096)))
            while position < start {
                let part = gap.span.extracting(0..<Int(min(start - position, Int64(gap.count))))
                for channel in waves.indices { waves[channel].append(part) }
                position += Int64(part.count)
            }
            for channel in waves.indices {
                block.withChannel(channel) { waves[channel].append($0) }
            }
            position += Int64(block.frameCount)
        }
    }

    mutating func finish(_ io: inout IO) throws {
        var bytes: [UInt8] = []
        var encoder = try PNGEncoder(level: 6)
        let metadata = Dictionary(
            io.environment.provenance.map { ($0.key, $0.value) },
            uniquingKeysWith: { $1 }
        )
        try encoder.encode(drawn().frame, metadata: metadata, into: &bytes)
        try file?.write(bytes.span)
        try file?.seal()
    }

    private func drawn() -> Canvas {
        let top = title.isEmpty ? Style.gap : 60
        let shown = waves.prefix(max(1, 16_000 / (height + Style.gap)))
        let pitch = height + Style.gap
        let bottom = top + shown.count * pitch
        var canvas = Canvas(width: width, height: bottom + Style.bottom, Style.background)
        canvas.write(title, x: 24, y: 20, scale: 3, Style.text)
        let area = Style.left..<max(Style.left + 1, width - Style.right)
        for lane in shown.indices {
            canvas.fill(area, top + lane * pitch..<top + lane * pitch + height, Style.lane)
        }
        let count = shown.map(\.count).max() ?? 0
        TimeAxis(area: area, end: Double(count) / Double(sampleRate))
            .draw(top..<bottom, on: &canvas, grid: Style.grid, text: Style.faint)
        for (lane, wave) in shown.enumerated() {
            draw(wave, of: count, area, top: top + lane * pitch, on: &canvas)
        }
        return canvas
    }

    private func draw(
        _ wave: Waveform,
        of count: Int,
        _ area: Range<Int>,
        top: Int,
        on canvas: inout Canvas
    ) {
        func row(_ sample: Float) -> Int {
            let part = (1 - Double(min(max(sample, -1), 1))) / 2
            return top + Int((part * Double(height - 1)).rounded())
        }
        for (level, text) in [(Float(1), "0 dB"), (0.501187, "-6"), (0.251189, "-12")] {
            for y in [row(level), row(-level)] { canvas.fill(area, y..<y + 1, Style.grid) }
            let x = Style.left - 10 - Canvas.width(of: text, scale: 2)
            canvas.write(text, x: x, y: max(row(level) - 7, top), scale: 2, Style.faint)
        }
        canvas.fill(area, row(0)..<row(0) + 1, Style.grid)
        guard count > 0 else { return }
        for x in area {
            let stretch = wave.column(x - area.lowerBound, of: area.count, total: count)
            guard let stretch else { continue }
            let isFull = max(stretch.greatest, -stretch.least) >= 1
            canvas.fill(
                x..<x + 1,
                row(stretch.greatest)..<row(stretch.least) + 1,
                isFull ? Style.full : Style.peak
            )
            // Of sound that lies off the middle, the bar stays within the peaks.
            let mean = stretch.rootMeanSquare
            let (high, low) = (min(mean, stretch.greatest), max(-mean, stretch.least))
            if high > low { canvas.fill(x..<x + 1, row(high)..<row(low) + 1, Style.mean) }
        }
    }
}
