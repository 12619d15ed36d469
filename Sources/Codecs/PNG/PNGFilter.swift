import Media

/// PNG's filters: each row is stored as its difference from its left or from the row above.
enum PNGFilter {
    private static let left: UInt8 = 1
    private static let above: UInt8 = 2

    /// All rows, each after its filter's number, as the compressor takes them.
    static func filtered(_ picture: VideoFrame, _ kind: PNGKind) -> Writable<UInt8> {
        let width = picture.format.width * kind.pixelBytes
        let height = picture.format.height
        var rows = Writable<UInt8>(uninitialized: (width + 1) * height)
        let isWide = kind.depth == 16
        unsafe rows.withUnsafeMutablePointer { target in
            unsafe picture.bytes.withUnsafePointer { source in
                var scratch = RowScratch(width)
                for row in 0..<height {
                    let current = unsafe source + row * width
                    unsafe scratch.filter(
                        current,
                        swapped: isWide,
                        pixel: kind.pixelBytes,
                        to: target + row * (width + 1)
                    )
                }
            }
        }
        return rows
    }

    /// The row before, in PNG's byte order, and what a filter that lost made of a row.
    @safe private struct RowScratch: ~Copyable {
        private let width: Int
        private var previous: Writable<UInt8>
        private var current: Writable<UInt8>
        private var other: Writable<UInt8>

        init(_ width: Int) {
            self.width = width
            previous = Writable(repeating: 0, count: width)
            current = Writable(uninitialized: width)
            other = Writable(uninitialized: width)
        }

        /// Filters one row by whichever of two filters leaves the smaller numbers.
        mutating func filter(
            _ row: UnsafePointer<UInt8>,
            swapped: Bool,
            pixel: Int,
            to target: UnsafeMutablePointer<UInt8>
        ) {
            let width = width
            unsafe current.withUnsafeMutablePointer { current in
                if swapped {
                    unsafe swapBytes(row, current, width)
                } else {
                    unsafe current.update(from: row, count: width)
                }
            }
            let horizontal = unsafe current.withUnsafeMutablePointer { row in
                unsafe differences(row, row, pixel, width, target + 1)
            }
            let vertical = unsafe current.withUnsafeMutablePointer { row in
                unsafe previous.withUnsafeMutablePointer { above in
                    unsafe other.withUnsafeMutablePointer { other in
                        unsafe differencesAbove(row, above, width, other)
                    }
                }
            }
            if vertical < horizontal {
                unsafe target[0] = PNGFilter.above
                unsafe other.withUnsafeMutablePointer { other in
                    unsafe (target + 1).update(from: other, count: width)
                }
            } else {
                unsafe target[0] = PNGFilter.left
            }
            swap(&previous, &current)
        }
    }
}

/// Big-endian samples from little-endian ones.
private func swapBytes(
    _ source: UnsafePointer<UInt8>,
    _ target: UnsafeMutablePointer<UInt8>,
    _ count: Int
) {
    var index = 0
    while index &+ 1 < count {
        unsafe target[index] = source[index &+ 1]
        unsafe target[index &+ 1] = source[index]
        index &+= 2
    }
}

/// Each byte minus the one a pixel before; returns the sum of the differences' sizes.
private func differences(
    _ row: UnsafePointer<UInt8>,
    _ before: UnsafePointer<UInt8>,
    _ pixel: Int,
    _ count: Int,
    _ target: UnsafeMutablePointer<UInt8>
) -> UInt64 {
    for index in 0..<min(pixel, count) { unsafe target[index] = row[index] }
    var sum: UInt32 = 0
    var index = pixel
    while index < count {
        let difference = unsafe row[index] &- before[index &- pixel]
        unsafe target[index] = difference
        sum &+= UInt32(min(difference, 0 &- difference))
        index &+= 1
    }
    return UInt64(sum)
}

/// Each byte minus the one above; returns the sum of the differences' sizes.
private func differencesAbove(
    _ row: UnsafePointer<UInt8>,
    _ above: UnsafePointer<UInt8>,
    _ count: Int,
    _ target: UnsafeMutablePointer<UInt8>
) -> UInt64 {
    var sum: UInt32 = 0
    for index in 0..<count {
        let difference = unsafe row[index] &- above[index]
        unsafe target[index] = difference
        sum &+= UInt32(min(difference, 0 &- difference))
    }
    return UInt64(sum)
}
