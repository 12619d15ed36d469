public import Codecs
import Foundation

/// A stream as a host of lumen sends it, made by x265, and the pictures that it decodes to.
public struct HEVCFixture: Sendable {
    /// Its access units.
    public let units: [HEVCAccessUnit]
    /// The SHA-256 of each picture's planes, in the order of showing, as FFmpeg decodes it whole.
    public let pictures: [String]

    /// All of its bytes.
    public var bytes: [UInt8] { units.flatMap(\.bytes) }

    /// Encodes moving pictures: each differs from all others.
    ///
    /// - Parameters:
    ///   - frames: how many.
    ///   - size: x265 crashes with several slices at widths of 64 and less.
    ///   - rate: pictures a second.
    ///   - pixels: FFmpeg's name of the layout.
    ///   - source: FFmpeg's source of pictures; nil: testsrc2.
    ///   - options: x265's, beside those that hosts' encoders have.
    /// - Throws: `ToolFailure` when FFmpeg fails.
    public init(
        frames: Int,
        size: String = "96x64",
        rate: Int = 30,
        pixels: String = "yuv420p",
        source: String? = nil,
        _ options: String
    ) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("whole.h265")
        try Tools.ffmpeg(
            "-f",
            "lavfi",
            "-i",
            "\(source ?? "testsrc2")=s=\(size):r=\(rate):d=\(Double(frames) / Double(rate))",
            "-pix_fmt",
            pixels,
            "-c:v",
            "libx265",
            "-preset",
            "ultrafast",
            "-tune",
            "zerolatency",
            "-x265-params",
            "log-level=error:repeat-headers=1:info=0:bframes=0:scenecut=0:" + options,
            file
        )
        units = try Self.units(Array(try folder.bytes("whole.h265")))
        pictures = try Self.pictures(file)
    }

    /// Cuts a byte stream into access units.
    ///
    /// - Parameters:
    ///   - bytes: the stream.
    ///   - piece: how many bytes the reader gets at once.
    /// - Returns: the units.
    /// - Throws: `CodecError` where one is longer than any is.
    public static func units(_ bytes: [UInt8], piece: Int = 1 << 20) throws -> [HEVCAccessUnit] {
        var reader = HEVCAccessUnitReader()
        var units: [HEVCAccessUnit] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            reader.append(bytes[start..<min(start + piece, bytes.count)])
            while let unit = try reader.next() { units.append(unit) }
        }
        reader.finish()
        while let unit = try reader.next() { units.append(unit) }
        return units
    }

    /// The SHA-256 of each picture that FFmpeg decodes of a file.
    public static func pictures(_ path: String) throws -> [String] {
        let text = try Tools.ffmpeg(
            "-i",
            path,
            "-map",
            "0:v",
            "-fps_mode",
            "passthrough",
            "-f",
            "framehash",
            "-hash",
            "sha256",
            "-"
        )
        return String(decoding: text, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .compactMap {
                $0.split(separator: ",").last.map {
                    String($0).trimmingCharacters(in: .whitespaces)
                }
            }
    }
}
