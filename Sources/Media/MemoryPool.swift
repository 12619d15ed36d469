import Glibc

/// Keeps freed buffers for the next taker, by size class, so that a running graph allocates little.
///
/// There is one for the process, so that a lease needs no reference to where it came from. Small
/// buffers go through a magazine of the thread's own first: a lock is taken once for many of them.
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

    @usableFromInline static func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let size = SizeClass(holding: max(byteCount, alignment))
        if size.index < Magazine.classes, let pointer = unsafe Magazine.current.take(size) {
            return unsafe pointer
        }
        let kept = state.withLock { state -> UInt? in
            guard let address = state.shelves[size.index].popLast() else { return nil }
            state.kept -= size.bytes
            return address
        }
        if let kept, let pointer = unsafe UnsafeMutableRawPointer(bitPattern: kept) {
            return unsafe pointer
        }
        let rounded = (size.bytes + alignment - 1) & ~(alignment - 1)
        guard let fresh = unsafe aligned_alloc(alignment, rounded) else {
            fatalError("Out of memory: \(size.bytes) bytes could not be had.")
        }
        return unsafe fresh
    }

    @usableFromInline static func give(back pointer: UnsafeMutableRawPointer, _ byteCount: Int) {
        let size = SizeClass(holding: max(byteCount, alignment))
        if size.index < Magazine.classes {
            Magazine.current.give(UInt(bitPattern: pointer), size)
        } else {
            shelve([UInt(bitPattern: pointer)], size)
        }
    }

    /// Puts free buffers of one class where every thread finds them, or frees them.
    fileprivate static func shelve(_ addresses: [UInt], _ size: SizeClass) {
        let kept = state.withLock { state -> Int in
            let fitting = min(addresses.count, max(0, (limit - state.kept) / size.bytes))
            state.shelves[size.index] += addresses[..<fitting]
            state.kept += fitting * size.bytes
            return fitting
        }
        for address in addresses[kept...] {
            unsafe free(UnsafeMutableRawPointer(bitPattern: address))
        }
    }

    /// Takes up to `count` free buffers of one class.
    fileprivate static func unshelve(_ count: Int, _ size: SizeClass) -> [UInt] {
        state.withLock { state in
            let taken = Array(state.shelves[size.index].suffix(count))
            state.shelves[size.index].removeLast(taken.count)
            state.kept -= taken.count * size.bytes
            return taken
        }
    }
}

/// The size that all buffers of a class have, and the class's number.
private struct SizeClass {
    let index: Int
    let bytes: Int

    /// The smallest class that holds `byteCount` bytes.
    init(holding byteCount: Int) {
        let octave = Int.bitWidth - 1 - byteCount.leadingZeroBitCount
        let step = 1 << (octave - 2)
        let quarters = (byteCount - (1 << octave) + step - 1) / step
        self.init(octave * 4 + quarters)
    }

    init(_ index: Int) {
        self.index = index
        let octave = index / 4
        bytes = (1 << octave) + (index % 4) * (1 << (octave - 2))
    }
}

/// One thread's own few free buffers of each small class.
@safe private struct Magazine {
    /// Buffers of up to 64 KiB go through magazines.
    static let classes = 16 * 4 + 1
    /// How many buffers of a class a thread keeps, and how many go to or come from the shelf at once.
    private static let capacity = 32
    private static let batch = 16

    /// A count and `capacity` addresses for each class.
    private let slots: UnsafeMutablePointer<UInt>

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        // A thread that ends hands its buffers to the others.
        let code = unsafe pthread_key_create(&key) { slots in
            guard let slots = unsafe slots else { return }
            let magazine = unsafe Magazine(slots: slots.assumingMemoryBound(to: UInt.self))
            for index in 24..<Magazine.classes {
                let size = SizeClass(index)
                magazine.shelve(Magazine.capacity, size)
            }
            unsafe slots.deallocate()
        }
        precondition(code == 0, "pthread_key_create failed with \(code).")
        return key
    }()

    private init(slots: UnsafeMutablePointer<UInt>) { unsafe self.slots = slots }

    /// The calling thread's magazine.
    static var current: Magazine {
        if let slots = unsafe pthread_getspecific(key) {
            return unsafe Magazine(slots: slots.assumingMemoryBound(to: UInt.self))
        }
        let count = classes * (capacity + 1)
        let slots = UnsafeMutablePointer<UInt>.allocate(capacity: count)
        unsafe slots.initialize(repeating: 0, count: count)
        unsafe pthread_setspecific(key, slots)
        return unsafe Magazine(slots: slots)
    }

    func take(_ size: SizeClass) -> UnsafeMutableRawPointer? {
        let slot = unsafe slots + size.index * (Self.capacity + 1)
        if unsafe slot.pointee == 0 {
            for address in MemoryPool.unshelve(Self.batch, size) {
                unsafe slot.pointee += 1
                unsafe slot[Int(slot.pointee)] = address
            }
            if unsafe slot.pointee == 0 { return nil }
        }
        unsafe slot.pointee -= 1
        return unsafe UnsafeMutableRawPointer(bitPattern: slot[Int(slot.pointee) + 1])
    }

    func give(_ address: UInt, _ size: SizeClass) {
        let slot = unsafe slots + size.index * (Self.capacity + 1)
        if unsafe slot.pointee == Self.capacity { shelve(Self.batch, size) }
        unsafe slot.pointee += 1
        unsafe slot[Int(slot.pointee)] = address
    }

    /// Hands up to `count` buffers of a class to the other threads.
    private func shelve(_ count: Int, _ size: SizeClass) {
        let slot = unsafe slots + size.index * (Self.capacity + 1)
        var addresses: [UInt] = []
        while unsafe slot.pointee > 0, addresses.count < count {
            unsafe addresses.append(slot[Int(slot.pointee)])
            unsafe slot.pointee -= 1
        }
        if !addresses.isEmpty { MemoryPool.shelve(addresses, size) }
    }
}
