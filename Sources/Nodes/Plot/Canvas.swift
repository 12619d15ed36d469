import Media

/// A picture that plots are drawn on.
struct Canvas {
    /// Red, green, blue as they are stored, 0xRRGGBB.
    typealias Color = UInt32

    let width: Int
    let height: Int
    private var bytes: [UInt8]

    init(width: Int, height: Int, _ color: Color) {
        self.width = width
        self.height = height
        bytes = Array(repeating: 0, count: 3 * width * height)
        fill(0..<width, 0..<height, color)
    }

    /// Lays a colour over columns and rows; what is beyond the picture is left out.
    ///
    /// - Parameters:
    ///   - columns: from the left.
    ///   - rows: from the top.
    ///   - color: the colour.
    ///   - opacity: 0…1.
    mutating func fill(
        _ columns: Range<Int>,
        _ rows: Range<Int>,
        _ color: Color,
        opacity: Double = 1
    ) {
        let parts = [16, 8, 0].map { Double(color >> UInt32($0) & 0xFF) * opacity }
        for row in rows.clamped(to: 0..<height) {
            for column in columns.clamped(to: 0..<width) {
                let place = 3 * (row * width + column)
                for (channel, part) in parts.enumerated() {
                    let below = Double(bytes[place + channel]) * (1 - opacity)
                    bytes[place + channel] = UInt8(min(max((part + below).rounded(), 0), 255))
                }
            }
        }
    }

    /// How wide a text is, in pixels.
    static func width(of text: String, scale: Int) -> Int {
        max(0, text.count * BitmapFont.advance - 1) * scale
    }

    /// Writes a text whose upper left corner is given.
    mutating func write(_ text: String, x: Int, y: Int, scale: Int, _ color: Color) {
        for (index, letter) in text.enumerated() {
            let left = x + index * BitmapFont.advance * scale
            for (row, bits) in BitmapFont.rows(of: letter).enumerated() {
                for column in 0..<BitmapFont.width where bits >> UInt8(4 - column) & 1 == 1 {
                    let (right, top) = (left + column * scale, y + row * scale)
                    fill(right..<right + scale, top..<top + scale, color)
                }
            }
        }
    }

    /// The picture.
    var frame: VideoFrame {
        VideoFrame(
            format: VideoFormat(width: width, height: height, layout: .rgb24, color: .rgb709),
            bytes: Writable(copying: bytes)
        )
    }
}
