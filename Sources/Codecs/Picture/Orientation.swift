public import Media

/// How a stored picture is turned to be seen: EXIF's eight ways (tag 0x0112).
public enum Orientation: Int, Sendable, CaseIterable {
    case upright = 1, mirrored, halfTurn, mirroredHalfTurn
    case mirroredQuarterLeft, quarterRight, mirroredQuarterRight, quarterLeft

    /// Whether width and height change places.
    public var swapsSides: Bool { rawValue >= 5 }

    /// Turns a picture.
    ///
    /// - Parameter picture: gray or RGB; planes of luma and chroma are not taken.
    /// - Returns: the picture as it is to be seen.
    public func apply(_ picture: VideoFrame) -> VideoFrame {
        let source = picture.format
        precondition(!source.layout.isPlanar, "Pictures are turned as gray or RGB.")
        if self == .upright { return picture }
        let target = VideoFormat(
            width: swapsSides ? source.height : source.width,
            height: swapsSides ? source.width : source.height,
            layout: source.layout,
            color: source.color
        )
        let unit = source.layout.samplesPerPixel * source.layout.bytesPerSample
        // From a place in the result to its place in the source: start, step across, step down.
        let (width, height) = (source.width, source.height)
        let (start, across, down): (Int, Int, Int) =
            switch self {
            case .upright: (0, 1, width)
            case .mirrored: (width - 1, -1, width)
            case .halfTurn: (width * height - 1, -1, -width)
            case .mirroredHalfTurn: (width * (height - 1), 1, -width)
            case .mirroredQuarterLeft: (0, width, 1)
            case .quarterRight: (width * (height - 1), -width, 1)
            case .mirroredQuarterRight: (width * height - 1, -width, -1)
            case .quarterLeft: (width - 1, width, -1)
            }
        var bytes = Writable<UInt8>(uninitialized: target.byteCount)
        unsafe bytes.withUnsafeMutablePointer { output in
            unsafe picture.bytes.withUnsafePointer { input in
                var place = unsafe output
                for row in 0..<target.height {
                    var from = start + row * down
                    for _ in 0..<target.width {
                        unsafe place.update(from: input + from * unit, count: unit)
                        unsafe place += unit
                        from += across
                    }
                }
            }
        }
        return VideoFrame(format: target, bytes: bytes)
    }
}
