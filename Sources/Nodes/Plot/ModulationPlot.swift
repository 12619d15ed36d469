import Media
import Physarum

/// What `plot.modulation` draws: lanes over a common time.
struct ModulationPlot {
    private typealias Color = Canvas.Color

    private enum Style {
        static let background: Color = 0x0F_1419
        static let lane: Color = 0x17_1E26
        static let grid: Color = 0x2A_3440
        static let text: Color = 0xD8_E0E8
        static let faint: Color = 0x8A_97A5
        static let beat: Color = 0xFF_FFFF
        static let parameter: Color = 0x58_D6A8
        static let bands: [AudioReactive.Source: Color] = [
            .bass: 0xFF_6B5A, .mid: 0xFF_C857, .high: 0x5A_C8FA,
        ]
        static let laneHeight = 96
        static let gap = 10
        static let left = 250
        static let right = 30
        static let top = 84
        static let bottom = 44
    }

    private var levels: [AudioReactive.Source: Buckets] = [:]
    private var transients: [AudioReactive.Source: Buckets] = [:]
    private var values: [Parameter: Buckets] = [:]
    private var beats: [(time: Double, strength: Double)] = []
    private var tempi = Buckets(length: 1)
    private var end = 0.0

    /// More beats than pixels are of no use.
    private static let beatLimit = 100_000

    mutating func add(_ reading: AudioBands, from time: MediaTime, _ duration: MediaTime) {
        let length = reading.format.rate.interval.seconds
        for band in AudioReactive.Source.allCases {
            levels[band, default: Buckets(length: length)]
                .add(reading.level[band], at: time.seconds)
            transients[band, default: Buckets(length: length)]
                .add(reading.transient[band], at: time.seconds)
        }
        end = max(end, time.seconds + duration.seconds)
    }

    mutating func add(_ beat: Beat, from time: MediaTime, _ duration: MediaTime) {
        if beats.count < Self.beatLimit { beats.append((time.seconds, Double(beat.strength))) }
        tempi.add(beat.tempo, at: time.seconds)
        end = max(end, time.seconds + duration.seconds)
    }

    mutating func add(_ parameters: Parameters, from time: MediaTime, _ duration: MediaTime) {
        for parameter in Parameter.allCases {
            values[parameter, default: Buckets(length: 1.0 / 240)]
                .add(parameters.value(parameter), at: time.seconds)
        }
        end = max(end, time.seconds + duration.seconds)
    }

    // MARK: Drawing

    /// One row of the plot.
    private enum Lane {
        case band(AudioReactive.Source)
        case parameter(Parameter, ClosedRange<Double>)
        case tempo(ClosedRange<Double>)
    }

    private func lanes(_ show: [Parameter]?) -> [Lane] {
        var lanes: [Lane] = []
        if !levels.isEmpty { lanes += AudioReactive.Source.allCases.map { .band($0) } }
        if let range = tempi.range { lanes.append(.tempo(range)) }
        for parameter in show ?? Parameter.allCases {
            guard let range = values[parameter]?.range else { continue }
            if show == nil, range.lowerBound == range.upperBound { continue }
            lanes.append(.parameter(parameter, range))
        }
        return lanes
    }

    func drawn(width: Int, title: String, show: [Parameter]?) -> Canvas {
        let lanes = lanes(show)
        let pitch = Style.laneHeight + Style.gap
        let height = min(Style.top + max(1, lanes.count) * pitch + Style.bottom, 16_384)
        var canvas = Canvas(width: width, height: height, Style.background)
        let area = Style.left..<max(Style.left + 1, width - Style.right)
        drawHeader(title, on: &canvas)
        for index in lanes.indices {
            let top = Style.top + index * pitch
            canvas.fill(area, top..<top + Style.laneHeight, Style.lane)
        }
        let bottom = Style.top + max(1, lanes.count) * pitch
        axis(area)
            .draw(Style.top..<bottom, on: &canvas, grid: Style.grid, text: Style.faint)
        for (index, lane) in lanes.enumerated() {
            draw(lane, area, top: Style.top + index * pitch, on: &canvas)
        }
        drawBeats(area, bottom: bottom - Style.gap, on: &canvas)
        if lanes.isEmpty {
            canvas.write(
                "nothing changes",
                x: area.lowerBound + 20,
                y: Style.top + 40,
                scale: 2,
                Style.faint
            )
        }
        return canvas
    }

    private func drawHeader(_ title: String, on canvas: inout Canvas) {
        canvas.write(title.isEmpty ? "Modulation" : title, x: 24, y: 20, scale: 3, Style.text)
        var x = Style.left
        func entry(_ text: String, _ color: Color) {
            canvas.fill(x..<x + 14, 57..<71, color)
            canvas.write(text, x: x + 22, y: 56, scale: 2, Style.faint)
            x += 22 + Canvas.width(of: text, scale: 2) + 36
        }
        if !levels.isEmpty {
            entry("filled: level", 0x8A_97A5)
            entry("spikes: transient", 0xD8_E0E8)
        }
        if !beats.isEmpty { entry("lines: beats", Style.beat) }
        if !values.isEmpty { entry("parameters", Style.parameter) }
    }

    private func axis(_ area: Range<Int>) -> TimeAxis { TimeAxis(area: area, end: end) }

    private func draw(_ lane: Lane, _ area: Range<Int>, top: Int, on canvas: inout Canvas) {
        switch lane {
        case .band(let band):
            let color = Style.bands[band] ?? Style.text
            label(band.rawValue, "", 0...1, color, top: top, on: &canvas)
            guard let level = levels[band], let transient = transients[band] else { return }
            curve(level, 0...1, area, top, color, isFilled: true, on: &canvas)
            let base = top + Style.laneHeight
            for x in area {
                guard let hit = transient.all(axis(area).times(x)) else { continue }
                let height = Int((hit.greatest * Double(Style.laneHeight - 1)).rounded())
                canvas.fill(x..<x + 1, base - height..<base - max(0, height - 3), color)
                canvas.fill(x..<x + 1, base - height..<base, color, opacity: 0.25)
            }
        case .tempo(let range):
            let wide = range.lowerBound - 5...range.upperBound + 5
            label("tempo", "bpm", wide, Style.beat, top: top, on: &canvas)
            curve(tempi, wide, area, top, Style.beat, isFilled: false, on: &canvas)
        case .parameter(let parameter, let range):
            let unit = parameter.info.unit
            label(parameter.name, unit, range, Style.parameter, top: top, on: &canvas)
            guard let values = values[parameter] else { return }
            curve(values, range, area, top, Style.parameter, isFilled: false, on: &canvas)
        }
    }

    private func label(
        _ name: String,
        _ unit: String,
        _ range: ClosedRange<Double>,
        _ color: Color,
        top: Int,
        on canvas: inout Canvas
    ) {
        // Names are of different lengths; the longest must not reach the numbers.
        canvas.write(name, x: 24, y: top + 20, scale: name.count > 14 ? 1 : 2, color)
        canvas.write(unit, x: 24, y: top + 48, scale: 2, Style.faint)
        for (value, y) in [
            (range.upperBound, top), (range.lowerBound, top + Style.laneHeight - 16),
        ] {
            let text = Self.text(value)
            let x = Style.left - 10 - Canvas.width(of: text, scale: 2)
            canvas.write(text, x: x, y: y, scale: 2, Style.faint)
        }
    }

    /// A number with at most three figures behind the point.
    private static func text(_ value: Double) -> String {
        let rounded = (value * 1000).rounded() / 1000
        let text = "\(rounded)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private func curve(
        _ values: Buckets,
        _ range: ClosedRange<Double>,
        _ area: Range<Int>,
        _ top: Int,
        _ color: Color,
        isFilled: Bool,
        on canvas: inout Canvas
    ) {
        let span = range.upperBound - range.lowerBound
        func row(_ value: Double) -> Int {
            let part = span > 0 ? (value - range.lowerBound) / span : 0.5
            return top + Int(((1 - part) * Double(Style.laneHeight - 3)).rounded())
        }
        var last: ClosedRange<Int>?
        for x in area {
            guard let all = values.all(axis(area).times(x)) else {
                // A value stands until the next one.
                if let last, !isFilled {
                    canvas.fill(x..<x + 1, last.upperBound..<last.upperBound + 2, color)
                }
                continue
            }
            if isFilled {
                let mean = row(all.mean)
                canvas.fill(x..<x + 1, mean..<top + Style.laneHeight, color, opacity: 0.35)
                canvas.fill(x..<x + 1, mean..<mean + 2, color, opacity: 0.8)
                continue
            }
            var rows = row(all.greatest)...row(all.least)
            // Joined to the column before.
            if let last {
                if last.upperBound < rows.lowerBound { rows = last.upperBound...rows.upperBound }
                if last.lowerBound > rows.upperBound { rows = rows.lowerBound...last.lowerBound }
            }
            canvas.fill(x..<x + 1, rows.lowerBound..<rows.upperBound + 2, color)
            last = row(all.greatest)...row(all.least)
        }
    }

    private func drawBeats(_ area: Range<Int>, bottom: Int, on canvas: inout Canvas) {
        guard end > 0 else { return }
        for beat in beats {
            let x = axis(area).column(beat.time)
            canvas.fill(
                x..<x + 1,
                Style.top..<bottom,
                Style.beat,
                opacity: 0.1 + 0.3 * beat.strength
            )
            canvas.fill(x..<x + 1, Style.top - 8..<Style.top, Style.beat, opacity: 0.9)
        }
    }
}
