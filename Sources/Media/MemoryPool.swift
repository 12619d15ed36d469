import Glibc

/// Keeps freed buffers for the next taker, by size class, so that a running graph allocates little.
///
/// There is one for the process, so that a lease needs no reference to where it came from.
@usableFromInline enum MemoryPool {
    private struct State {
        /// Addresses of free buffers, four size classes an octave: at most a quarter is unused.
        var shelves = [[UInt]](repeating: [], count: 64 * 4)
        var kept = 0
    }

    /// How many bytes of free buffers are kept; what comes back beyond is freed.
    private static let limit = 256 << 20
    private static let alignment = 64
    private static let state = Locked(State())

    /// The class of a request, and the size all buffers of that class have.
    private static func shelf(for byteCount: Int) -> (index: Int, size: Int) {
        let wanted = max(byteCount, alignment)
        let octave = Int.bitWidth - 1 - wanted.leadingZeroBitCount
        let step = 1 << (octave - 2)
        let quarters = (wanted - (1 << octave) + step - 1) / step
        return (octave * 4 + quarters, (1 << octave) + quarters * step)
    }

    @usableFromInline static func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let (index, size) = shelf(for: byteCount)
        let kept = state.withLock { state -> UInt? in
            guard let address = state.shelves[index].popLast() else { return nil }
            state.kept -= size
            return address
        }
        if let kept, let pointer = unsafe UnsafeMutableRawPointer(bitPattern: kept) {
            return unsafe pointer
        }
        let rounded = (size + alignment - 1) & ~(alignment - 1)
        guard let fresh = unsafe aligned_alloc(alignment, rounded) else {
            fatalError("Out of memory: \(size) bytes could not be had.")
        }
        return unsafe fresh
    }

    @usableFromInline static func give(back pointer: UnsafeMutableRawPointer, _ byteCount: Int) {
        let (index, size) = shelf(for: byteCount)
        let kept = state.withLock { state -> Bool in
            guard state.kept + size <= limit else { return false }
            state.shelves[index].append(UInt(bitPattern: pointer))
            state.kept += size
            return true
        }
        if !kept { unsafe free(pointer) }
    }
}
