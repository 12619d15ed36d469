import Foundation
import Media
import TestSupport
import Testing

@testable import Codecs

/// What a sequence parameter set tells, against what the encoder was asked for.
@Suite struct HEVCSequenceTests {
    private func sequence(_ source: String, _ pixels: String, _ options: String) throws
        -> HEVCSequence
    {
        let folder = try TemporaryFolder()
        try Tools.ffmpeg(
            "-f",
            "lavfi",
            "-i",
            source,
            "-frames:v",
            "2",
            "-pix_fmt",
            pixels,
            "-c:v",
            "libx265",
            "-preset",
            "ultrafast",
            "-x265-params",
            "log-level=error:\(options)",
            folder.file("a.h265")
        )
        let units = try HEVCFixture.units(Array(folder.bytes("a.h265")))
        return try #require(units.first?.sequence)
    }

    @Test(arguments: [
        ("1920x1080", "30000/1001", "yuv420p", 8), ("1280x720", "60", "yuv420p10le", 10),
        ("98x70", "25", "yuv444p", 8), ("98x70", "50", "yuv422p10le", 10),
    ])
    func `size without what is only coded, depth, chroma and rate`(
        size: String,
        rate: String,
        pixels: String,
        depth: Int
    ) throws {
        let found = try sequence("testsrc2=s=\(size):r=\(rate)", pixels, "keyint=30")
        #expect("\(found.width)x\(found.height)" == size)
        #expect(found.bitDepth == depth)
        #expect(
            found.chromaFormat
                == (pixels.hasPrefix("yuv420") ? 1 : pixels.hasPrefix("yuv422") ? 2 : 3)
        )
        let parts = rate.split(separator: "/").compactMap { Int32($0) }
        #expect(found.frameRate == Rate(parts[0], parts.count > 1 ? parts[1] : 1))
    }

    @Test func `colours as the stream tells them, and none where it tells none`() throws {
        let none = try sequence("testsrc2=s=96x64", "yuv420p", "keyint=30")
        #expect(none.color.matrix == 2 && none.color.primaries == 2)
        let pq = try sequence(
            "testsrc2=s=96x64",
            "yuv420p10le",
            "colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:range=full"
        )
        #expect(pq.color.primaries == 9 && pq.color.transfer == 16 && pq.color.matrix == 9)
        #expect(pq.color.isFullRange)
    }

    @Test func `reordering is told`() throws {
        #expect(try sequence("testsrc2=s=96x64", "yuv420p", "bframes=0").reorderLimit == 0)
        #expect(try sequence("testsrc2=s=96x64", "yuv420p", "bframes=3").reorderLimit > 0)
    }
}
