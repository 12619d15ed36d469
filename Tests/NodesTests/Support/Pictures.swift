import Graph
import Media
import TestSupport

@testable import Nodes

/// Pictures for tests: a gradient with a bar that moves, so that no two are alike.
enum Pictures {
    static func format(
        _ width: Int = 64,
        _ height: Int = 48,
        _ layout: PixelLayout = .rgb24,
        color: ColorInfo? = nil
    ) -> VideoFormat {
        let isRGB = [.rgb24, .rgba32, .rgb48, .rgba64].contains(layout)
        return VideoFormat(
            width: width,
            height: height,
            layout: layout,
            color: color ?? (isRGB ? .rgb709 : .video709)
        )
    }

    static func picture(_ index: Int, _ format: VideoFormat = format()) -> VideoFrame {
        var bytes = Writable<UInt8>(repeating: 0, count: format.byteCount)
        let isWide = format.layout.bytesPerSample == 2
        bytes.withMutableSpan { span in
            for (number, plane) in format.planes.enumerated() {
                let samples = plane.stride / format.layout.bytesPerSample
                for row in 0..<plane.height {
                    for column in 0..<samples {
                        let pixel = column / format.layout.samplesPerPixel
                        let isBar = (pixel + index * 3) % 16 < 4
                        let value =
                            number > 0 ? 128 : isBar ? 200 : 30 + (row + column * 7) % 100
                        let place = plane.offset + row * plane.stride
                        if isWide {
                            // 10 of 16 bits in planes, all of them in packed pixels.
                            let wide = format.layout.isPlanar ? value * 4 : value * 257
                            span[place + column * 2] = UInt8(wide & 255)
                            span[place + column * 2 + 1] = UInt8(wide >> 8)
                        } else {
                            span[place + column] = UInt8(value)
                        }
                    }
                }
            }
        }
        return VideoFrame(format: format, bytes: bytes)
    }

    /// The bytes of a picture, for comparisons: a failed expectation cannot show a payload.
    static func bytes(_ picture: VideoFrame) -> [UInt8] {
        picture.bytes.withSpan { span in span.indices.map { span[$0] } }
    }
}

/// Makes pictures for tests of whole graphs.
struct PictureSource: Node {
    static let kind = "source.pictures"
    static let execution = Execution.serial
    static let entry = CatalogueEntry(
        kind: kind,
        type: Self.self,
        summary: "Makes pictures for tests.",
        discussion: ""
    )

    let video: Output<VideoFrame>
    let format: VideoFormat
    let count: Int64
    let rate: Rate
    private var index: Int64 = 0

    init(_ c: inout Contract) {
        video = c.output("video", "Pictures with a moving bar.")
        let size = c.size(
            "size",
            default: PixelSize(width: 64, height: 48),
            in: 1...1000,
            .pixels,
            "Their size."
        )
        let layout = c.choice("layout", default: PixelLayout.rgb24, "Their layout.")
        format = Pictures.format(size.width, size.height, layout)
        count = Int64(c.integer("count", default: 10, in: 0...1_000_000, .frames, "How many."))
        rate = c.rate("fps", default: Rate(30), in: Rate(1)...Rate(1000), .perSecond, "How often.")
    }

    func resolve(_ f: inout Formats) {
        f.set(
            video,
            format,
            rate: rate,
            duration: rate.time(of: count),
            bytesPerPacket: format.byteCount
        )
    }

    mutating func run(_ io: inout IO) {
        guard index < count else { return }
        io.emit(
            Pictures.picture(Int(index), format),
            at: rate.time(of: index),
            duration: rate.interval,
            on: video
        )
        index += 1
        io.more()
    }
}
