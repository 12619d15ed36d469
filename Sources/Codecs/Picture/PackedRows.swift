/// Takes packed rows of red, green and blue apart into one row per colour, and puts them together.
///
/// Three interleaved streams of sixteen are taken apart by four perfect shuffles: a shuffle of 48
/// sends place p to 2p mod 47, so that four send 3k + c to 16c + k. A machine without byte shuffles
/// has the interleaving this needs.
enum PackedRows {
    /// Takes a row of pixels of `channels` (3 or 4) samples apart; a fourth sample is dropped.
    static func split<Sample: PictureSample>(
        _ row: UnsafePointer<Sample>,
        channels: Int,
        count: Int,
        into red: UnsafeMutablePointer<Sample>,
        _ green: UnsafeMutablePointer<Sample>,
        _ blue: UnsafeMutablePointer<Sample>
    ) {
        var index = 0
        if channels == 3 {
            while index &+ Sample.group <= count {
                let at = unsafe UnsafeRawPointer(row + 3 &* index)
                unsafe Sample.split(
                    at,
                    UnsafeMutableRawPointer(red + index),
                    UnsafeMutableRawPointer(green + index),
                    UnsafeMutableRawPointer(blue + index)
                )
                index &+= Sample.group
            }
        }
        while index < count {
            let at = unsafe row + channels &* index
            unsafe red[index] = at[0]
            unsafe green[index] = at[1]
            unsafe blue[index] = at[2]
            index &+= 1
        }
    }

    /// Puts rows together into pixels of `channels` (3 or 4) samples; a fourth is opaque.
    static func join<Sample: PictureSample>(
        _ red: UnsafePointer<Sample>,
        _ green: UnsafePointer<Sample>,
        _ blue: UnsafePointer<Sample>,
        channels: Int,
        count: Int,
        into row: UnsafeMutablePointer<Sample>
    ) {
        var index = 0
        if channels == 3 {
            while index &+ Sample.group <= count {
                unsafe Sample.join(
                    UnsafeRawPointer(red + index),
                    UnsafeRawPointer(green + index),
                    UnsafeRawPointer(blue + index),
                    UnsafeMutableRawPointer(row + 3 &* index)
                )
                index &+= Sample.group
            }
        }
        while index < count {
            let at = unsafe row + channels &* index
            unsafe at[0] = red[index]
            unsafe at[1] = green[index]
            unsafe at[2] = blue[index]
            if channels == 4 { unsafe at[3] = .max }
            index &+= 1
        }
    }
}

/// A sample of a picture in memory: a byte, or two in the machine's order.
protocol PictureSample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & SendableMetatype {
    /// Pixels that one step of taking apart or putting together handles.
    static var group: Int { get }
    /// Takes `group` pixels of three samples apart.
    static func split(
        _ source: UnsafeRawPointer,
        _ red: UnsafeMutableRawPointer,
        _ green: UnsafeMutableRawPointer,
        _ blue: UnsafeMutableRawPointer
    )
    /// Puts `group` pixels of three samples together.
    static func join(
        _ red: UnsafeRawPointer,
        _ green: UnsafeRawPointer,
        _ blue: UnsafeRawPointer,
        _ target: UnsafeMutableRawPointer
    )
}

extension UInt8: PictureSample {
    static var group: Int { 16 }

    @inline(__always) static func split(
        _ source: UnsafeRawPointer,
        _ red: UnsafeMutableRawPointer,
        _ green: UnsafeMutableRawPointer,
        _ blue: UnsafeMutableRawPointer
    ) {
        var (a, b, c) = unsafe (
            source.loadUnaligned(as: SIMD16<UInt8>.self),
            source.loadUnaligned(fromByteOffset: 16, as: SIMD16<UInt8>.self),
            source.loadUnaligned(fromByteOffset: 32, as: SIMD16<UInt8>.self)
        )
        for _ in 0..<4 {
            (a, b, c) = (
                interleaved(a.lowHalf, b.highHalf),
                interleaved(a.highHalf, c.lowHalf),
                interleaved(b.lowHalf, c.highHalf)
            )
        }
        unsafe red.storeBytes(of: a, as: SIMD16<UInt8>.self)
        unsafe green.storeBytes(of: b, as: SIMD16<UInt8>.self)
        unsafe blue.storeBytes(of: c, as: SIMD16<UInt8>.self)
    }

    @inline(__always) static func join(
        _ red: UnsafeRawPointer,
        _ green: UnsafeRawPointer,
        _ blue: UnsafeRawPointer,
        _ target: UnsafeMutableRawPointer
    ) {
        var (a, b, c) = unsafe (
            red.loadUnaligned(as: SIMD16<UInt8>.self),
            green.loadUnaligned(as: SIMD16<UInt8>.self),
            blue.loadUnaligned(as: SIMD16<UInt8>.self)
        )
        for _ in 0..<4 {
            (a, b, c) = (
                SIMD16(lowHalf: a.evenHalf, highHalf: b.evenHalf),
                SIMD16(lowHalf: c.evenHalf, highHalf: a.oddHalf),
                SIMD16(lowHalf: b.oddHalf, highHalf: c.oddHalf)
            )
        }
        unsafe target.storeBytes(of: a, as: SIMD16<UInt8>.self)
        unsafe target.storeBytes(of: b, toByteOffset: 16, as: SIMD16<UInt8>.self)
        unsafe target.storeBytes(of: c, toByteOffset: 32, as: SIMD16<UInt8>.self)
    }
}

extension UInt16: PictureSample {
    // Of 24 samples a shuffle sends p to 2p mod 23, so that three send 3k + c to 8c + k.
    static var group: Int { 8 }

    @inline(__always) static func split(
        _ source: UnsafeRawPointer,
        _ red: UnsafeMutableRawPointer,
        _ green: UnsafeMutableRawPointer,
        _ blue: UnsafeMutableRawPointer
    ) {
        var (a, b, c) = unsafe (
            source.loadUnaligned(as: SIMD8<UInt16>.self),
            source.loadUnaligned(fromByteOffset: 16, as: SIMD8<UInt16>.self),
            source.loadUnaligned(fromByteOffset: 32, as: SIMD8<UInt16>.self)
        )
        for _ in 0..<3 {
            (a, b, c) = (
                interleaved(a.lowHalf, b.highHalf),
                interleaved(a.highHalf, c.lowHalf),
                interleaved(b.lowHalf, c.highHalf)
            )
        }
        unsafe red.storeBytes(of: a, as: SIMD8<UInt16>.self)
        unsafe green.storeBytes(of: b, as: SIMD8<UInt16>.self)
        unsafe blue.storeBytes(of: c, as: SIMD8<UInt16>.self)
    }

    @inline(__always) static func join(
        _ red: UnsafeRawPointer,
        _ green: UnsafeRawPointer,
        _ blue: UnsafeRawPointer,
        _ target: UnsafeMutableRawPointer
    ) {
        var (a, b, c) = unsafe (
            red.loadUnaligned(as: SIMD8<UInt16>.self),
            green.loadUnaligned(as: SIMD8<UInt16>.self),
            blue.loadUnaligned(as: SIMD8<UInt16>.self)
        )
        for _ in 0..<3 {
            (a, b, c) = (
                SIMD8(lowHalf: a.evenHalf, highHalf: b.evenHalf),
                SIMD8(lowHalf: c.evenHalf, highHalf: a.oddHalf),
                SIMD8(lowHalf: b.oddHalf, highHalf: c.oddHalf)
            )
        }
        unsafe target.storeBytes(of: a, as: SIMD8<UInt16>.self)
        unsafe target.storeBytes(of: b, toByteOffset: 16, as: SIMD8<UInt16>.self)
        unsafe target.storeBytes(of: c, toByteOffset: 32, as: SIMD8<UInt16>.self)
    }
}

/// The elements of two vectors in turn.
@inline(__always)
private func interleaved(_ even: SIMD8<UInt8>, _ odd: SIMD8<UInt8>) -> SIMD16<UInt8> {
    var result = SIMD16<UInt8>()
    result.evenHalf = even
    result.oddHalf = odd
    return result
}

/// The elements of two vectors in turn.
@inline(__always)
private func interleaved(_ even: SIMD4<UInt16>, _ odd: SIMD4<UInt16>) -> SIMD8<UInt16> {
    var result = SIMD8<UInt16>()
    result.evenHalf = even
    result.oddHalf = odd
    return result
}
