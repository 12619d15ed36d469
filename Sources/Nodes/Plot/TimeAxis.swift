/// The axis of time of a plot: columns of pixels for a stretch from 0 on.
struct TimeAxis {
    /// The columns.
    let area: Range<Int>
    /// Where the last column ends, in seconds.
    let end: Double

    /// The column of a time.
    func column(_ time: Double) -> Int {
        area.lowerBound + min(Int(time / end * Double(area.count)), area.count - 1)
    }

    /// The times of a column.
    func times(_ column: Int) -> Range<Double> {
        let step = end / Double(area.count)
        let first = Double(column - area.lowerBound) * step
        return first..<first + step
    }

    /// Draws a grid of round times, at least 110 pixels apart, over rows, and what they are below.
    func draw(
        _ rows: Range<Int>,
        on canvas: inout Canvas,
        grid: Canvas.Color,
        text color: Canvas.Color
    ) {
        guard end > 0 else { return }
        let steps = [
            0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
            3600, 7200, 14_400, 36_000, 86_400, 864_000,
        ]
        let fitting = steps.first { $0 / end * Double(area.count) >= 110 } ?? 864_000
        var index = 0
        while Double(index) * fitting <= end {
            let time = Double(index) * fitting
            let x = column(time)
            canvas.fill(x..<x + 1, rows, grid)
            let text = Self.text(ofTime: time, step: fitting)
            let half = Canvas.width(of: text, scale: 2) / 2
            let left = min(max(x - half, 0), canvas.width - 2 * half - 2)
            canvas.write(text, x: left, y: rows.upperBound + 8, scale: 2, color)
            index += 1
        }
    }

    private static func text(ofTime time: Double, step: Double) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        if step < 1 {
            let hundredths = Int((time * 100).rounded())
            let (whole, part) = hundredths.quotientAndRemainder(dividingBy: 100)
            return step < 0.1 ? "\(whole).\(two(part)) s" : "\(whole).\(part / 10) s"
        }
        let seconds = Int(time.rounded())
        if seconds >= 3600 {
            return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
        }
        return "\(seconds / 60):\(two(seconds % 60))"
    }
}
