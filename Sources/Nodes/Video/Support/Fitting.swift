import Media

/// Where pictures lie within others of other shapes.
enum Fitting {
    /// The largest even size of a picture's shape within another.
    static func inner(_ source: VideoFormat, width: Int, height: Int) -> (width: Int, height: Int) {
        let isWide = source.width * height >= source.height * width
        let inWidth = isWide ? width : height * source.width / source.height & ~1
        let inHeight = isWide ? width * source.height / source.width & ~1 : height
        return (min(width, max(2, inWidth)), min(height, max(2, inHeight)))
    }

    /// The smallest size of a picture's shape that covers another.
    static func outer(_ source: VideoFormat, width: Int, height: Int) -> (width: Int, height: Int) {
        let isWide = source.width * height >= source.height * width
        func up(_ number: Int, _ divisor: Int) -> Int { (number + divisor - 1) / divisor }
        return isWide
            ? (up(height * source.width, source.height), height)
            : (width, up(width * source.height, source.width))
    }

    /// The middle of a picture that is at least as large as `target` and of its layout.
    static func cropped(_ picture: VideoFrame, _ target: VideoFormat) -> VideoFrame {
        let from = picture.format
        let shift = target.layout.chromaShift
        let left = (from.width - target.width) / 2 & ~((1 << shift.horizontal) - 1)
        let top = (from.height - target.height) / 2 & ~((1 << shift.vertical) - 1)
        let unit = target.layout.samplesPerPixel * target.layout.bytesPerSample
        var bytes = Writable<UInt8>(uninitialized: target.byteCount)
        for (index, plane) in target.planes.enumerated() {
            let outer = from.planes[index]
            let column = (index > 0 ? left >> shift.horizontal : left) * unit
            let row = index > 0 ? top >> shift.vertical : top
            for line in 0..<plane.height {
                bytes.copy(
                    picture.bytes,
                    from: outer.offset + (row + line) * outer.stride + column,
                    count: plane.stride,
                    to: plane.offset + line * plane.stride
                )
            }
        }
        return VideoFrame(format: target, bytes: bytes)
    }

    /// A picture in the middle of a black one.
    static func framed(_ picture: VideoFrame, _ target: VideoFormat) -> VideoFrame {
        var bytes = Writable<UInt8>(uninitialized: target.byteCount)
        let (from, to) = (picture.format, target)
        let shift = target.layout.chromaShift
        let left = (to.width - from.width) / 2 & ~((1 << shift.horizontal) - 1)
        let top = (to.height - from.height) / 2 & ~((1 << shift.vertical) - 1)
        let isDeep = target.layout.bytesPerSample == 2
        let unit = target.layout.samplesPerPixel * target.layout.bytesPerSample
        for (index, plane) in to.planes.enumerated() {
            let black = blackSample(target, plane: index)
            bytes.withMutableSpan { span in
                for place in stride(from: 0, to: plane.stride * plane.height, by: isDeep ? 2 : 1) {
                    span[plane.offset + place] = UInt8(truncatingIfNeeded: black)
                    if isDeep {
                        span[plane.offset + place + 1] = UInt8(truncatingIfNeeded: black >> 8)
                    }
                }
            }
            let inner = from.planes[index]
            let isChroma = index > 0
            let column = (isChroma ? left >> shift.horizontal : left) * unit
            let row = isChroma ? top >> shift.vertical : top
            for line in 0..<inner.height {
                bytes.copy(
                    picture.bytes,
                    from: inner.offset + line * inner.stride,
                    count: inner.stride,
                    to: plane.offset + (row + line) * plane.stride + column
                )
            }
        }
        return VideoFrame(format: target, bytes: bytes)
    }

    private static func blackSample(_ format: VideoFormat, plane: Int) -> Int {
        let scale: Int
        switch format.layout {
        case .yuv420p10, .yuv422p10, .yuv444p10: scale = 4
        case .rgb48, .rgba64: scale = 256
        default: scale = 1
        }
        if plane > 0 { return 128 * scale }
        return format.color.range == .limited ? 16 * scale : 0
    }
}
