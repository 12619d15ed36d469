import Glibc

/// Keeps freed buffers for the next taker, by size class, so that a running graph allocates little.
public final class MemoryPool: Sendable {
    /// The pool that all payloads share unless told otherwise.
    public static let shared = MemoryPool(keeping: 256 << 20)

    private struct Shelf {
        /// Addresses of free buffers, all of the class's size.
        var free: [UInt] = []
    }

    private struct State {
        var shelves: [Shelf]
        var kept = 0
    }

    private static let alignment = 64
    private let state: Locked<State>
    private let limit: Int

    /// Makes an empty pool.
    ///
    /// - Parameter limit: how many bytes of free buffers it keeps; what comes back beyond is freed.
    public init(keeping limit: Int) {
        self.limit = limit
        // Four classes an octave: at most a quarter of a buffer is unused.
        state = Locked(State(shelves: Array(repeating: Shelf(), count: 64 * 4)))
    }

    deinit {
        state.withLock { state in
            for shelf in state.shelves {
                for address in shelf.free { unsafe free(UnsafeMutableRawPointer(bitPattern: address)) }
            }
        }
    }

    /// The class of a request, and the size all buffers of that class have.
    private static func shelf(for byteCount: Int) -> (index: Int, size: Int) {
        let wanted = max(byteCount, alignment)
        let octave = Int.bitWidth - 1 - wanted.leadingZeroBitCount
        let step = 1 << (octave - 2)
        let quarters = (wanted - (1 << octave) + step - 1) / step
        return (octave * 4 + quarters, (1 << octave) + quarters * step)
    }

    @usableFromInline func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let (index, size) = Self.shelf(for: byteCount)
        let kept = state.withLock { state -> UInt? in
            guard let address = state.shelves[index].free.popLast() else { return nil }
            state.kept -= size
            return address
        }
        if let kept, let pointer = unsafe UnsafeMutableRawPointer(bitPattern: kept) {
            return unsafe pointer
        }
        let rounded = (size + Self.alignment - 1) & ~(Self.alignment - 1)
        guard let fresh = unsafe aligned_alloc(Self.alignment, rounded) else {
            fatalError("Out of memory: \(size) bytes could not be had.")
        }
        return unsafe fresh
    }

    @usableFromInline func give(back pointer: UnsafeMutableRawPointer, _ byteCount: Int) {
        let (index, size) = Self.shelf(for: byteCount)
        let kept = state.withLock { state -> Bool in
            guard state.kept + size <= limit else { return false }
            state.shelves[index].free.append(UInt(bitPattern: pointer))
            state.kept += size
            return true
        }
        if !kept { unsafe free(pointer) }
    }
}
