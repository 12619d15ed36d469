public import Media

/// Eight colour bars, and how they were changed on the way through a codec.
public enum ColorBars {
    /// White, yellow, cyan, green, magenta, red, blue, black, at 75 percent but for white.
    public static let colors: [[Int]] = [
        [255, 255, 255], [191, 191, 0], [0, 191, 191], [0, 191, 0], [191, 0, 191], [191, 0, 0],
        [0, 0, 191], [0, 0, 0],
    ]

    /// A picture of bars, each 32 pixels wide and 64 high.
    ///
    /// - Parameter primaries: of the colours.
    /// - Returns: 256x64 pixels of rgb24, with sRGB's transfer.
    public static func picture(_ primaries: ColorInfo.Primaries = .bt709) -> VideoFrame {
        let color = ColorInfo(matrix: .rgb, range: .full, primaries: primaries, transfer: .sRGB)
        let format = VideoFormat(width: 256, height: 64, layout: .rgb24, color: color)
        let row = (0..<256).flatMap { colors[$0 / 32].map { UInt8($0) } }
        let bytes = (0..<64).flatMap { _ in row }
        return VideoFrame(format: format, bytes: Writable(copying: bytes))
    }

    /// The greatest difference between the middle of a bar and its colour.
    ///
    /// - Parameter rgb: 256x64 pixels of rgb24.
    /// - Returns: in codes of 255; 255 for another size.
    public static func error(_ rgb: [UInt8]) -> Int {
        guard rgb.count == 256 * 64 * 3 else { return 255 }
        var worst = 0
        for (index, color) in colors.enumerated() {
            for channel in 0..<3 {
                // The pixels in the middle of the bar, where no neighbour is mixed in.
                var sum = 0
                for row in 24..<40 {
                    for column in 12..<20 {
                        sum += Int(rgb[(row * 256 + index * 32 + column) * 3 + channel])
                    }
                }
                worst = max(worst, abs((sum + 64) / 128 - color[channel]))
            }
        }
        return worst
    }
}
