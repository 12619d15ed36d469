import Graph
import Media
import Physarum

/// Where a picture lets agents be born.
enum Birthplace {
    /// What pictures are read as; the transfer is taken for sRGB's, whatever it is.
    static func format(of source: VideoFormat) -> VideoFormat {
        var color = source.color
        color.range = .full
        color.matrix = .rgb
        return VideoFormat(
            width: source.width,
            height: source.height,
            layout: .rgb24,
            color: color
        )
    }

    /// The light of a picture, averaged down to about the size of a map.
    ///
    /// - Throws: `Problem` when all of it is black.
    static func read(_ picture: VideoFrame, _ size: PixelSize) throws -> SpawnPicture {
        let format = picture.format
        precondition(format.layout == .rgb24, "The picture was asked for as rgb24.")
        // How many pixels to each side are averaged; the map shows no more of them.
        let side = max(1, max(format.width / size.width, format.height / size.height))
        let (columns, rows) = (max(1, format.width / side), max(1, format.height / side))
        let linear = (0..<256).map { code -> Float in
            let value = Double(code) / 255
            // IEC 61966-2-1.
            let light =
                value <= 0.04045
                ? value / 12.92
                : PortableMath.exp2(PortableMath.log2((value + 0.055) / 1.055) * 2.4)
            return Float(light)
        }
        let light = picture.bytes.withSpan { bytes in
            (0..<columns * rows).map { cell -> Float in
                var sum: Float = 0
                for y in 0..<side {
                    for x in 0..<side {
                        let row = cell / columns * side + y
                        let place = 3 * (row * format.width + cell % columns * side + x)
                        sum += 0.2126 * linear[Int(bytes[place])]
                        sum += 0.7152 * linear[Int(bytes[place + 1])]
                        sum += 0.0722 * linear[Int(bytes[place + 2])]
                    }
                }
                return sum / Float(side * side)
            }
        }
        guard let result = SpawnPicture(width: columns, light: light) else {
            throw Problem(
                .format,
                "the picture that says where agents are born is black",
                hint: "give one with some light in it"
            )
        }
        return result
    }
}
