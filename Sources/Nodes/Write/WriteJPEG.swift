import Codecs
import Graph
import Media

/// Writes pictures as JPEG files: a numbered sequence, or one still.
///
/// A path with a number, as in `frames/%06d.jpg`, names a sequence; without one the first picture is written,
/// and no more is read. Colours are told as sRGB or Display P3 by a profile. Pictures are never marked as
/// turned, and alpha is left out. How the picture was made is stored as XMP.
///
/// Memory: about three times a picture, for each of the engine's workers. Deterministic.
struct WriteJPEG: Node, ~Copyable {
    static let kind = "write.jpeg"
    static let execution = Execution.stateless

    let video: Input<VideoFrame>
    let files: PictureFiles
    let encoder: JPEGEncoder
    let metadata: StillMetadata

    init(_ c: inout Contract) {
        video = c.input("video", .inOrder, "Pictures.")
        files = PictureFiles(&c, ending: "jpg", endings: ["jpg", "jpeg"])
        let quality = c.integer(
            "quality",
            default: 92,
            in: 1...100,
            .none,
            "More is better and larger."
        )
        let chroma: ChromaSampling = c.choice(
            "chroma",
            default: .half,
            "How finely colour is stored."
        )
        encoder = JPEGEncoder(quality: quality, chroma: chroma)
        metadata = StillMetadata(&c)
    }

    func resolve(_ f: inout Formats) {
        guard let source = f[video] else { return }
        var wanted = source.layout == .gray8 ? source : source.asRGB(keepsAlpha: false)
        wanted = wanted.shallow
        f.request(video, wanted)
    }

    mutating func run(_ io: inout IO) throws {
        let (encoder, metadata, environment) = (encoder, metadata, io.environment)
        let xmp = metadata.xmp(environment)
        try files.write(&io, video) { picture in
            let tiff = metadata.exif(environment, jpeg: picture.format).tiff
            return try encoder.encode(picture, tiff: tiff, xmp: xmp)
        }
    }
}

extension VideoFormat {
    /// The same with 8 bits a sample, for RGB and gray, and full range.
    var shallow: VideoFormat {
        var color = color
        color.range = .full
        return VideoFormat(
            width: width,
            height: height,
            layout: layout == .rgb48 ? .rgb24 : layout,
            color: color
        )
    }
}
