import CDeflate
import Media

/// PNG's chunks: length, name, contents, checksum (ISO/IEC 15948).
enum PNGChunk {
    /// Appends a chunk.
    static func append(_ name: String, _ contents: [UInt8], to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: 8))
        bytes += contents
        seal(name, at: start, in: &bytes)
    }

    /// Fills in the length and the name of the chunk that begins at `start` and reaches to the end of
    /// `bytes`, and appends its checksum.
    static func seal(_ name: String, at start: Int, in bytes: inout [UInt8]) {
        let length = UInt32(bytes.count - start - 8)
        bytes.replaceSubrange(start..<start + 4, with: bigEndian(length))
        bytes.replaceSubrange(start + 4..<start + 8, with: name.utf8)
        let checksum = unsafe bytes.withUnsafeBytes { buffer in
            let part = unsafe UnsafeRawBufferPointer(rebasing: buffer[(start + 4)...])
            return unsafe libdeflate_crc32(0, part.baseAddress, part.count)
        }
        bytes += bigEndian(checksum)
    }

    static func header(_ format: VideoFormat, _ kind: PNGKind, into bytes: inout [UInt8]) {
        let sides = bigEndian(UInt32(format.width)) + bigEndian(UInt32(format.height))
        append("IHDR", sides + [kind.depth, kind.colorType, 0, 0, 0], to: &bytes)
    }

    /// Says what the numbers mean as light.
    ///
    /// sRGB has a chunk of its own. Anything else is said by its code points (cICP), and, for readers
    /// that do not know those, as nearly as the older chunks can; Display P3 by a profile too.
    static func color(
        _ color: ColorInfo,
        isGray: Bool,
        _ compressor: borrowing PNGEncoder.Compressor,
        into bytes: inout [UInt8]
    ) {
        let isSRGB = color.transfer == .sRGB && color.primaries == .bt709
        if isSRGB {
            append("sRGB", [0], to: &bytes)
        } else {
            let codes = [color.primaries.rawValue, color.transfer.rawValue, 0, 1]
            append("cICP", codes, to: &bytes)
        }
        if color.primaries == .displayP3, color.isShownAsSRGB, !isGray,
            let profile = ICCProfile.bytes(for: .displayP3)
        {
            // Its name, and that it is compressed by deflate.
            let head = Array("Display P3".utf8) + [0, 0]
            append("iCCP", head + compressor.compressed(profile), to: &bytes)
        }
        switch color.transfer {
        case .sRGB, .bt709, .bt601, .bt2020:
            // Screens show BT.709 material by a curve near 2.2, not by the inverse of the camera's.
            append("gAMA", bigEndian(45_455), to: &bytes)
        case .linear: append("gAMA", bigEndian(100_000), to: &bytes)
        case .pq, .hlg: return
        }
        append("cHRM", chromaticities(color.primaries).flatMap(bigEndian), to: &bytes)
    }

    /// White, red, green and blue, x and y in turn, in 1/100,000 (H.273 table 2).
    private static func chromaticities(_ primaries: ColorInfo.Primaries) -> [UInt32] {
        let white: [UInt32] = [31_270, 32_900]
        switch primaries {
        case .bt709: return white + [64_000, 33_000, 30_000, 60_000, 15_000, 6_000]
        case .bt470bg: return white + [64_000, 33_000, 29_000, 60_000, 15_000, 6_000]
        case .bt601: return white + [63_000, 34_000, 31_000, 59_500, 15_500, 7_000]
        case .bt2020: return white + [70_800, 29_200, 17_000, 79_700, 13_100, 4_600]
        case .displayP3: return white + [68_000, 32_000, 26_500, 69_000, 15_000, 6_000]
        }
    }

    /// Appends text: `tEXt` where Latin-1 holds it, else `iTXt`.
    static func text(_ key: String, _ value: String, into bytes: inout [UInt8])
        throws(CodecError)
    {
        guard let name = latin1(key), (1...79).contains(name.count), key.first != " ",
            key.last != " ", !key.contains("  "),
            name.allSatisfy({ (32...126).contains($0) || $0 >= 161 })
        else {
            throw CodecError(
                call: "encode",
                code: 0,
                text: "\"\(key)\" cannot be the name of a text chunk",
                subject: "PNG",
                hint: "names are 1 to 79 printable Latin-1 characters"
            )
        }
        let text = value.replacing("\0", with: " ")
        if let plain = latin1(text), plain.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 10 }) {
            append("tEXt", name + [0] + plain, to: &bytes)
        } else {
            append("iTXt", name + [0, 0, 0, 0, 0] + Array(text.utf8), to: &bytes)
        }
    }

    private static func latin1(_ text: String) -> [UInt8]? {
        var result: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            result.append(byte)
        }
        return result
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
