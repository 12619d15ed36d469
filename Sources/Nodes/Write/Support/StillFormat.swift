import Codecs
import Media
import Graph

/// What the still of a pair or a Motion Photo is written as.
enum StillFormat: String, CaseIterable {
    case heic, jpeg

    /// The ending of its file's name.
    var ending: String { self == .heic ? "heic" : "jpg" }

    /// What can be written on this machine in its place.
    ///
    /// - Parameter canEncodeHEIC: whether there is an encoder.
    /// - Returns: the format, and what is to be told where it is another.
    func available(canEncodeHEIC: Bool = HEIFEncoder.isAvailable) -> (StillFormat, String?) {
        guard self == .heic, !canEncodeHEIC else { return (self, nil) }
        return (.jpeg, "libheif here has no HEVC encoder: the still becomes a JPEG")
    }

    /// Encodes a still.
    ///
    /// - Parameters:
    ///   - picture: of any format.
    ///   - quality: 1…100.
    ///   - metadata: date and description.
    ///   - identifier: names the pair that it belongs to.
    ///   - xmp: an XMP packet.
    ///   - environment: tells how it was made.
    /// - Returns: the file.
    /// - Throws: `CodecError` when it cannot be encoded.
    func encode(
        _ picture: VideoFrame,
        quality: Int,
        _ metadata: StillMetadata,
        identifier: String?,
        xmp: String?,
        _ environment: NodeEnvironment
    ) throws -> [UInt8] {
        let target = picture.format.asRGB(keepsAlpha: false)
        var scaler = try Scaler(from: picture.format, to: self == .jpeg ? target.shallow : target)
        let rgb = try scaler.convert(picture)
        let exif = metadata.exif(
            environment,
            identifier: identifier,
            jpeg: self == .jpeg ? rgb.format : nil
        )
        switch self {
        case .heic:
            let encoder = try HEIFEncoder(HEIFEncoder.Settings(quality: quality))
            return try encoder.encode(rgb, tiff: exif.tiff, xmp: xmp)
        case .jpeg:
            return try JPEGEncoder(quality: quality).encode(rgb, tiff: exif.tiff, xmp: xmp)
        }
    }
}
