public import Media

/// Decodes stills of any kind that we know, upright.
public enum StillPicture {
    /// Decodes a still.
    ///
    /// HEIC and AVIF are decoded in a process of their own.
    ///
    /// - Parameters:
    ///   - bytes: the whole file: PNG, JPEG, HEIC or AVIF.
    ///   - name: what errors call it.
    /// - Returns: gray8 or full-range RGB, turned as the file says, and what cannot be kept of its colours.
    /// - Throws: `CodecError` for another kind of file, or one that cannot be decoded.
    public static func decode(_ bytes: [UInt8], name: String) throws -> (
        picture: VideoFrame, warning: String?
    ) {
        let file = try StillFile(bytes, name: name)
        if file.kind == .heic {
            // The decoder turns as the file itself says; what EXIF says beside that is information only.
            return (try HEIFProcess.decode(bytes, name: name), nil)
        }
        let stored: VideoFrame
        do throws(CodecError) {
            stored =
                try file.kind == .jpeg ? JPEGDecoder.decode(bytes) : PNGDecoder.decode(bytes)
        } catch {
            throw error.within(name)
        }
        var told: (identifier: String?, orientation: Int) = (nil, 1)
        // A block that does not hold together tells nothing; the picture is there all the same.
        if let tiff = file.tiff, let found = try? EXIFBlock.read(tiff) { told = found }
        let upright = (Orientation(rawValue: told.orientation) ?? .upright).apply(stored)
        if let codes = file.codes {
            return (upright.relabeled(codes.primaries, codes.transfer), nil)
        }
        guard let profile = file.profile else { return (upright, nil) }
        guard let primaries = ICCProfile.primaries(of: profile) else {
            let what =
                "its colour profile is of neither sRGB, Display P3 nor BT.2020: it is left out"
            return (upright, stored.format.layout == .gray8 ? nil : what)
        }
        return (upright.relabeled(primaries, .sRGB), nil)
    }
}

extension VideoFrame {
    /// The same samples with other primaries and transfer.
    fileprivate func relabeled(_ primaries: ColorInfo.Primaries, _ transfer: ColorInfo.Transfer)
        -> VideoFrame
    {
        var color = format.color
        color.primaries = primaries
        color.transfer = transfer
        guard color != format.color, format.layout != .gray8 else { return self }
        var copy = Writable<UInt8>(uninitialized: bytes.count)
        copy.copy(bytes, from: 0, count: bytes.count, to: 0)
        return VideoFrame(
            format: VideoFormat(
                width: format.width,
                height: format.height,
                layout: format.layout,
                color: color
            ),
            bytes: copy
        )
    }
}
