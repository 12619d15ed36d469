public import Media

/// How a stored picture is turned to be seen: EXIF's eight ways (tag 0x0112).
public enum Orientation: Int, Sendable, CaseIterable {
    case upright = 1, mirrored, halfTurn, mirroredHalfTurn
    case mirroredQuarterLeft, quarterRight, mirroredQuarterRight, quarterLeft

    /// The one that turns by a number of quarters clockwise.
    ///
    /// - Parameter degrees: a multiple of 90.
    public init(clockwise degrees: Int) {
        switch (degrees % 360 + 360) % 360 / 90 {
        case 1: self = .quarterRight
        case 2: self = .halfTurn
        case 3: self = .quarterLeft
        default: self = .upright
        }
    }

    /// Whether width and height change places.
    public var swapsSides: Bool { rawValue >= 5 }

    /// What pictures of a format become; nil for 4:2:2 that would become 4:4:0, which is no layout.
    ///
    /// - Parameter source: their format.
    /// - Returns: the same with other sides.
    public func turned(_ source: VideoFormat) -> VideoFormat? {
        let shift = source.layout.chromaShift
        if swapsSides, shift.horizontal != shift.vertical { return nil }
        return VideoFormat(
            width: swapsSides ? source.height : source.width,
            height: swapsSides ? source.width : source.height,
            layout: source.layout,
            color: source.color
        )
    }

    /// Turns a picture, plane by plane.
    ///
    /// - Parameter picture: of a format that `turned` takes.
    /// - Returns: the picture as it is to be seen.
    public func apply(_ picture: VideoFrame) -> VideoFrame {
        let source = picture.format
        if self == .upright { return picture }
        guard let target = turned(source) else {
            preconditionFailure("Pictures of \(source) cannot be turned by a quarter.")
        }
        let unit = source.layout.samplesPerPixel * source.layout.bytesPerSample
        var bytes = Writable<UInt8>(uninitialized: target.byteCount)
        unsafe bytes.withUnsafeMutablePointer { output in
            unsafe picture.bytes.withUnsafePointer { input in
                for (from, to) in zip(source.planes, target.planes) {
                    let plane = unsafe PlaneTurn(
                        input: UnsafeRawPointer(input + from.offset),
                        output: UnsafeMutableRawPointer(output + to.offset),
                        width: from.stride / unit,
                        height: from.height,
                        turn: self
                    )
                    switch unit {
                    case 1: plane.move(UInt8.self)
                    case 2: plane.move(UInt16.self)
                    case 4: plane.move(UInt32.self)
                    case 8: plane.move(UInt64.self)
                    default: plane.moveBytes(unit)
                    }
                }
            }
        }
        return VideoFrame(format: target, bytes: bytes)
    }
}

/// One plane on its way.
@safe private struct PlaneTurn {
    let input: UnsafeRawPointer
    let output: UnsafeMutableRawPointer
    let width: Int
    let height: Int
    let turn: Orientation

    /// From a place in the result to its place in the source: start, step across, step down.
    private var steps: (start: Int, across: Int, down: Int) {
        switch turn {
        case .upright: (0, 1, width)
        case .mirrored: (width - 1, -1, width)
        case .halfTurn: (width * height - 1, -1, -width)
        case .mirroredHalfTurn: (width * (height - 1), 1, -width)
        case .mirroredQuarterLeft: (0, width, 1)
        case .quarterRight: (width * (height - 1), -width, 1)
        case .mirroredQuarterRight: (width * height - 1, -width, -1)
        case .quarterLeft: (width - 1, width, -1)
        }
    }

    private var sides: (across: Int, down: Int) {
        turn.swapsSides ? (height, width) : (width, height)
    }

    func move<Pixel: BitwiseCopyable>(_: Pixel.Type) {
        let (start, across, down) = steps
        let from = unsafe input.assumingMemoryBound(to: Pixel.self)
        let to = unsafe output.assumingMemoryBound(to: Pixel.self)
        var place = 0
        for row in 0..<sides.down {
            var source = start &+ row &* down
            for _ in 0..<sides.across {
                unsafe to[place] = from[source]
                place &+= 1
                source &+= across
            }
        }
    }

    func moveBytes(_ unit: Int) {
        let (start, across, down) = steps
        var place = unsafe output
        for row in 0..<sides.down {
            var source = start + row * down
            for _ in 0..<sides.across {
                unsafe place.copyMemory(from: input + source * unit, byteCount: unit)
                unsafe place += unit
                source += across
            }
        }
    }
}
