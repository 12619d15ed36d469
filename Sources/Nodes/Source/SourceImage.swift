import Codecs
import Graph
import Media

/// Reads one picture: PNG, JPEG, HEIC or AVIF.
///
/// It comes out upright, turned as the file says, as gray or full-range RGB of 8 or 16 bits, at time 0. Colours
/// of sRGB, Display P3 and BT.2020 are known by their profiles or code points. HEIC and AVIF are decoded in a
/// process of their own, so that a crafted file cannot take the run down.
///
/// Memory: the file, and three pictures. Deterministic.
struct SourceImage: Node, ~Copyable {
    static let kind = "source.image"
    static let execution = Execution.blocking

    let video: Output<VideoFrame>
    let file: InputFile
    /// The file is decoded once: what `resolve` decoded is what `run` gives.
    private let decoded = DecodedImage()

    init(_ c: inout Contract) {
        video = c.output("video", "The picture, at time 0.")
        file = c.inputFile("path", "The picture; - is standard input.")
    }

    func resolve(_ f: inout Formats) throws {
        if file.isStandardInput, !f.environment.mayReadStandardInput { return }
        let format = try decoded.picture(file, f.environment).format
        f.set(video, format, bytesPerPacket: format.byteCount)
    }

    mutating func run(_ io: inout IO) throws {
        let picture = try decoded.picture(file, io.environment)
        decoded.forget()
        io.emit(picture, at: .zero, flags: .key, on: video)
        io.end()
    }
}

/// A picture that `resolve` decodes and `run` gives.
private final class DecodedImage {
    private static let byteLimit = 256 << 20
    private var known: VideoFrame?

    func picture(_ file: InputFile, _ environment: NodeEnvironment) throws -> VideoFrame {
        if let known { return known }
        let name = file.isStandardInput ? "standard input" : file.path
        let bytes =
            try file.isStandardInput
            ? FileContents.read(0, name: name, limit: Self.byteLimit)
            : FileContents.read(file.path, limit: Self.byteLimit)
        guard bytes.count <= Self.byteLimit else {
            throw Problem(
                .file,
                "\(name) has more than \(Self.byteLimit >> 20) MiB, the most that is read of a picture",
                pointer: "/path"
            )
        }
        let (picture, warning) = try StillPicture.decode(bytes, name: name)
        if let warning { environment.warn("\(name): \(warning)") }
        known = picture
        return picture
    }

    /// The picture is not held longer than others hold it.
    func forget() { known = nil }
}
