/// The agents' arrays, as a worker sees them.
@safe struct AgentPointers {
    var x: UnsafeMutablePointer<Float>
    var y: UnsafeMutablePointer<Float>
    /// The heading as a unit vector, so that turning needs no trigonometry.
    var headingX: UnsafeMutablePointer<Float>
    var headingY: UnsafeMutablePointer<Float>
    /// Who an agent is, whatever its place in the arrays: the key of its random numbers.
    var identity: UnsafeMutablePointer<UInt32>
}

/// Four agents at a time: sense, turn, move.
///
/// Every operation is a plain IEEE one in a fixed order, without fused multiply-add, so that other
/// vector widths can give the same bits.
@safe struct AgentStep {
    // Four, not eight: the work on eight does not fit the sixteen registers of plain x86-64.
    typealias Lanes = SIMD4<Float>
    typealias Indices = SIMD4<Int32>
    typealias Words = SIMD4<UInt32>

    private let trail: UnsafePointer<Float>
    private let stride: Indices
    private let width: Indices
    private let sizeX: Lanes
    private let sizeY: Lanes
    private let endX: Lanes
    private let endY: Lanes
    private let bias: Lanes
    private let constants: StepConstants

    /// 1.5 × 2^23: a float of this size has whole numbers only, so adding it rounds to the nearest
    /// one and leaves it in the low bits, also for numbers below 0.
    private static let magic: Float = 12_582_912

    /// - Parameters:
    ///   - grid: the map.
    ///   - trail: the start of the padded trail, its margins filled.
    ///   - constants: of this step.
    init(grid: Grid, trail: UnsafePointer<Float>, constants: StepConstants) {
        unsafe self.trail = trail
        stride = SIMD4(repeating: Int32(grid.stride))
        width = SIMD4(repeating: Int32(grid.width))
        sizeX = Lanes(repeating: Float(grid.width))
        sizeY = Lanes(repeating: Float(grid.height))
        endX = Lanes(repeating: Float(grid.width) - 0.5)
        endY = Lanes(repeating: Float(grid.height) - 0.5)
        bias = Lanes(repeating: Self.magic + Float(grid.reach))
        self.constants = constants
    }

    /// Works on agents `range` and counts each in the cell it moves to.
    @inline(__always)
    func run(_ agents: AgentPointers, _ range: Range<Int>, counts: UnsafeMutablePointer<UInt32>) {
        var index = range.lowerBound
        while index &+ 4 <= range.upperBound {
            let cells = group(agents, at: index)
            for lane in 0..<4 {
                unsafe counts[Int(truncatingIfNeeded: cells[lane])] &+= 1
            }
            index &+= 4
        }
        let rest = range.upperBound &- index
        if rest > 0 { unsafe tail(agents, at: index, count: rest, counts: counts) }
    }

    /// The last agents of a range, fewer than four: the same work on a copy with idle lanes.
    @inline(never)
    private func tail(
        _ agents: AgentPointers,
        at index: Int,
        count: Int,
        counts: UnsafeMutablePointer<UInt32>
    ) {
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 16) { floats in
            unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 4) { words in
                guard let base = floats.baseAddress, let keys = words.baseAddress else { return }
                unsafe floats.initialize(repeating: 0)
                unsafe words.initialize(repeating: 0)
                let copy = unsafe AgentPointers(
                    x: base,
                    y: base + 4,
                    headingX: base + 8,
                    headingY: base + 12,
                    identity: keys
                )
                unsafe copy.x.update(from: agents.x + index, count: count)
                unsafe copy.y.update(from: agents.y + index, count: count)
                unsafe copy.headingX.update(from: agents.headingX + index, count: count)
                unsafe copy.headingY.update(from: agents.headingY + index, count: count)
                unsafe copy.identity.update(from: agents.identity + index, count: count)
                let cells = group(copy, at: 0)
                for lane in 0..<count {
                    unsafe counts[Int(truncatingIfNeeded: cells[lane])] &+= 1
                }
                unsafe (agents.x + index).update(from: copy.x, count: count)
                unsafe (agents.y + index).update(from: copy.y, count: count)
                unsafe (agents.headingX + index).update(from: copy.headingX, count: count)
                unsafe (agents.headingY + index).update(from: copy.headingY, count: count)
            }
        }
    }

    /// Works on the four agents from `index` on and returns the cells they are in afterwards.
    @inline(__always)
    private func group(_ agents: AgentPointers, at index: Int) -> Indices {
        var x = unsafe UnsafeRawPointer(agents.x + index).loadUnaligned(as: Lanes.self)
        var y = unsafe UnsafeRawPointer(agents.y + index).loadUnaligned(as: Lanes.self)
        var headingX = unsafe UnsafeRawPointer(agents.headingX + index)
            .loadUnaligned(as: Lanes.self)
        var headingY = unsafe UnsafeRawPointer(agents.headingY + index)
            .loadUnaligned(as: Lanes.self)
        let identity = unsafe UnsafeRawPointer(agents.identity + index)
            .loadUnaligned(as: Words.self)

        let alongX = headingX * constants.sideAhead
        let alongY = headingY * constants.sideAhead
        let acrossX = headingX * constants.sideAcross
        let acrossY = headingY * constants.sideAcross
        let middle = sense(x + headingX * constants.ahead, y + headingY * constants.ahead)
        let plus = sense(x + (alongX - acrossY), y + (alongY + acrossX))
        let minus = sense(x + (alongX + acrossY), y + (alongY - acrossX))

        let random = RandomBits.drawn(identity ^ constants.key)
        let anySide = Lanes(
            bits: SIMD4(repeating: constants.turnSine.bitPattern) ^ (random & 0x8000_0000)
        )
        var sine = Lanes(repeating: 0)
        sine.replace(with: constants.turnSine, where: plus .> minus)
        sine.replace(with: -constants.turnSine, where: plus .< minus)
        sine.replace(with: anySide, where: (middle .< plus) .& (middle .< minus))
        sine.replace(with: 0, where: (middle .> plus) .& (middle .> minus))
        // The sine is 0 where nothing is to be turned, and at a turn angle of 0.
        var cosine = Lanes(repeating: constants.turnCosine)
        cosine.replace(with: 1, where: sine .== 0)
        (headingX, headingY) = (
            headingX * cosine - headingY * sine, headingX * sine + headingY * cosine
        )
        if constants.chaos > 0 {
            // 23 random bits as a number in −1 ..< 1; the turn by its half angle's tangent.
            let unit = Lanes(bits: (random & 0x007F_FFFF) | 0x3F80_0000) - 1.5
            let tangent = (unit + unit) * constants.chaos
            let square = tangent * tangent
            let scale = 1 / (1 + square)
            let cosine = (1 - square) * scale
            let sine = (tangent + tangent) * scale
            (headingX, headingY) = (
                headingX * cosine - headingY * sine, headingX * sine + headingY * cosine
            )
        }
        // One step of Newton's method keeps the length at 1 against rounding.
        let correction = 1.5 - 0.5 * (headingX * headingX + headingY * headingY)
        headingX *= correction
        headingY *= correction

        x = wrapped(x + headingX * constants.speed, size: sizeX, end: endX)
        y = wrapped(y + headingY * constants.speed, size: sizeY, end: endY)
        unsafe UnsafeMutableRawPointer(agents.x + index).storeBytes(of: x, as: Lanes.self)
        unsafe UnsafeMutableRawPointer(agents.y + index).storeBytes(of: y, as: Lanes.self)
        unsafe UnsafeMutableRawPointer(agents.headingX + index)
            .storeBytes(of: headingX, as: Lanes.self)
        unsafe UnsafeMutableRawPointer(agents.headingY + index)
            .storeBytes(of: headingY, as: Lanes.self)
        let magic = Lanes(repeating: Self.magic)
        return whole(y + magic) &* (width & 0x7FFF) &+ whole(x + magic)
    }

    /// The trail at the cells nearest to these places, which may lie in the margin.
    @inline(__always)
    private func sense(_ x: Lanes, _ y: Lanes) -> Lanes {
        let cells = whole(y + bias) &* (stride & 0x7FFF) &+ whole(x + bias)
        let trails = unsafe Lanes(
            trail[Int(truncatingIfNeeded: cells[0])],
            trail[Int(truncatingIfNeeded: cells[1])],
            trail[Int(truncatingIfNeeded: cells[2])],
            trail[Int(truncatingIfNeeded: cells[3])]
        )
        let crowded = constants.crowdTurn - trails
        return trails.replacing(with: crowded, where: crowded .< trails)
    }

    /// The whole number in the low bits of a float that the magic number was added to.
    ///
    /// Known to have 15 bits, it is multiplied by one instruction even without SSE 4.
    @inline(__always)
    private func whole(_ biased: Lanes) -> Indices {
        Indices(truncatingIfNeeded: biased.bits) & 0x7FFF
    }

    /// Brings a coordinate that is at most one map away back to −0.5 ..< size − 0.5.
    @inline(__always)
    private func wrapped(_ value: Lanes, size: Lanes, end: Lanes) -> Lanes {
        let none = Lanes(repeating: 0)
        let above = value + none.replacing(with: size, where: value .< -0.5)
        // Last, because the addition may have been rounded up to the end.
        return above - none.replacing(with: size, where: above .>= end)
    }
}

extension SIMD4<Float> {
    /// The lanes' IEEE encodings.
    @inline(__always) var bits: SIMD4<UInt32> { unsafe unsafeBitCast(self, to: SIMD4<UInt32>.self) }

    /// Makes the lanes that have these IEEE encodings.
    @inline(__always) init(bits: SIMD4<UInt32>) {
        self = unsafe unsafeBitCast(bits, to: SIMD4<Float>.self)
    }
}
