import Codecs
import Graph
import Media

/// What a still says of itself beside its pixels: what it shows, when, and how it was made.
struct StillMetadata {
    let date: String?
    let description: String?

    /// Declares `date` and `description`.
    init(_ c: inout Contract) {
        date = c.optionalString(
            "date",
            "When it was taken, as \"2026-12-03 04:05:06\"; without it no date is stored."
        )
        description = c.optionalString("description", "What it shows, in words.")
        c.require(
            date.map(Self.isDate) ?? true,
            "date",
            "must be a date and a time, as in \"2026-12-03 04:05:06\""
        )
    }

    private static func isDate(_ text: String) -> Bool {
        let pattern = Array("dddd-dd-dd dd:dd:dd".utf8)
        let bytes = Array(text.replacing("T", with: " ").utf8)
        guard bytes.count == pattern.count else { return false }
        let isShaped = zip(bytes, pattern).allSatisfy { byte, expected in
            expected == UInt8(ascii: "d") ? (48...57).contains(byte) : byte == expected
        }
        func number(_ range: Range<Int>) -> Int {
            bytes[range].reduce(0) { $0 * 10 + Int($1) - 48 }
        }
        return isShaped && (1...12).contains(number(5..<7)) && (1...31).contains(number(8..<10))
            && number(11..<13) < 24 && number(14..<16) < 60 && number(17..<19) < 61
    }

    /// Whether anything was given.
    var isGiven: Bool { date != nil || description != nil }

    /// The EXIF block of a still.
    ///
    /// - Parameters:
    ///   - environment: tells what writes.
    ///   - identifier: names the pair that it belongs to.
    ///   - jpeg: the size of a JPEG, whose EXIF must tell it.
    /// - Returns: the block.
    func exif(
        _ environment: NodeEnvironment,
        identifier: String? = nil,
        jpeg: VideoFormat? = nil
    ) -> EXIFBlock {
        EXIFBlock(
            contentIdentifier: identifier,
            date: date,
            software: environment.software,
            description: description,
            width: jpeg?.width,
            height: jpeg?.height
        )
    }

    /// The XMP packet of a still.
    ///
    /// - Parameters:
    ///   - environment: tells how it was made.
    ///   - motion: what lies behind it.
    /// - Returns: the packet's text; nil where there is nothing to tell.
    func xmp(_ environment: NodeEnvironment, motion: XMPPacket.Motion? = nil) -> String? {
        if environment.provenance.isEmpty, motion == nil { return nil }
        return XMPPacket(
            creatorTool: environment.software,
            provenance: environment.provenance,
            motion: motion
        ).text
    }
}

extension NodeEnvironment {
    /// What wrote an output, with its version, where that is known.
    var software: String? {
        provenance.first { $0.key == "foxfire" }.map { "foxfire \($0.value)" }
    }
}
