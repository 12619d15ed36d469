import Codecs
import Media

/// A picture of one luma value with a moving bar, so that no two are alike.
func picture(_ index: Int, width: Int = 64, height: Int = 48, layout: PixelLayout = .yuv420p)
    -> VideoFrame
{
    let format = VideoFormat(width: width, height: height, layout: layout, color: .video709)
    var bytes = [UInt8](repeating: 0, count: format.byteCount)
    let isWide = layout.bytesPerSample == 2
    for (number, plane) in format.planes.enumerated() {
        for row in 0..<plane.height {
            for column in 0..<plane.stride / layout.bytesPerSample {
                let isBar = (column + index * 3) % 16 < 4
                let value = number == 0 ? (isBar ? 200 : 60 + row) : 128
                let place = plane.offset + row * plane.stride
                if isWide {
                    let wide = value * 4
                    bytes[place + column * 2] = UInt8(wide & 255)
                    bytes[place + column * 2 + 1] = UInt8(wide >> 8)
                } else {
                    bytes[place + column] = UInt8(value)
                }
            }
        }
    }
    return VideoFrame(format: format, bytes: Writable(copying: bytes))
}

/// Encoded packets of a film: video, then audio.
func encodeVideo(
    _ settings: VideoEncoder.Settings,
    frames: Int,
    rate: Rate,
    layout: PixelLayout = .yuv420p
) throws -> (EncodedFormat, [EncodedUnit]) {
    var encoder = try VideoEncoder(
        settings,
        input: picture(0, layout: layout).format,
        frameRate: rate
    )
    var units: [EncodedUnit] = []
    for index in 0..<frames {
        units += try encoder.encode(
            picture(index, layout: layout),
            at: rate.time(of: Int64(index))
        )
    }
    units += try encoder.finish()
    return (encoder.format, units)
}

func encodeAudio(
    _ settings: AudioEncoder.Settings,
    _ channels: [[Float]],
    rate: Int,
    blockSize: Int = 1024
) throws -> (EncodedFormat, [EncodedUnit]) {
    var encoder = try AudioEncoder(
        settings,
        input: AudioFormat(sampleRate: rate, channels: channels.count)
    )
    var units: [EncodedUnit] = []
    for (block, time) in blocks(channels, rate: rate, size: blockSize) {
        units += try encoder.encode(block, at: time)
    }
    units += try encoder.finish()
    return (encoder.format, units)
}

/// Writes streams into a file, in the order of decoding times.
func mux(
    _ container: Container,
    _ path: String,
    _ streams: [(EncodedFormat, [EncodedUnit])],
    metadata: [String: String] = [:]
) throws {
    let file = try OutputFile(path: path)
    var muxer = try Muxer(
        container,
        to: .file(file),
        streams: streams.map(\.0),
        metadata: metadata
    )
    var next = Array(repeating: 0, count: streams.count)
    while true {
        let waiting = streams.indices.filter { next[$0] < streams[$0].1.count }
        let first = waiting.min { left, right in
            let (a, b) = (streams[left].1[next[left]], streams[right].1[next[right]])
            return a.decodingTime < b.decodingTime
        }
        guard let first else { break }
        try muxer.write(streams[first].1[next[first]], stream: first)
        next[first] += 1
    }
    try muxer.finish()
    try file.commit()
}
