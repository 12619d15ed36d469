/// Memory from the pool that is being written; `frozen()` turns it into what a payload holds.
@safe @frozen public struct Writable<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
    // Sole owner of its memory, so it may cross threads.
    @usableFromInline let lease: Lease<Element>

    /// How many elements there are.
    @inlinable public var count: Int { lease.count }

    @inlinable var pointer: UnsafeMutablePointer<Element> { unsafe lease.pointer }

    /// Takes memory for `count` elements; its contents are unspecified.
    ///
    /// - Parameter count: elements; at least 0.
    @inlinable public init(uninitialized count: Int) {
        precondition(count >= 0, "Memory needs a count of at least 0.")
        let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        precondition(!overflow, "Memory of \(count) elements is beyond the address space.")
        unsafe lease = Lease(
            pointer: MemoryPool.take(bytes).bindMemory(to: Element.self, capacity: count),
            count: count
        )
    }

    /// Takes memory for `count` elements, all equal to `value`.
    public init(repeating value: Element, count: Int) {
        self.init(uninitialized: count)
        unsafe pointer.update(repeating: value, count: count)
    }

    /// Takes memory holding the elements of `array`.
    @inlinable public init(copying array: [Element]) {
        self.init(uninitialized: array.count)
        unsafe array.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress else { return }
            unsafe pointer.update(from: base, count: source.count)
        }
    }

    /// Runs `body` with the elements.
    @inlinable @inline(__always)
    public func withSpan<Result: ~Copyable, Failure: Error>(
        _ body: (Span<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let span = unsafe Span(_unsafeStart: UnsafePointer(pointer), count: count)
        return try body(span)
    }

    /// Runs `body` with the elements, to read and to write.
    @inlinable @inline(__always)
    public mutating func withMutableSpan<Result: ~Copyable, Failure: Error>(
        _ body: (inout MutableSpan<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var span = unsafe MutableSpan(_unsafeStart: pointer, count: count)
        return try body(&span)
    }

    /// Copies elements of a lease.
    ///
    /// - Parameters:
    ///   - source: where they are.
    ///   - start: the first of them.
    ///   - count: how many.
    ///   - place: where the first of them goes.
    public mutating func copy(
        _ source: borrowing Lease<Element>,
        from start: Int,
        count: Int,
        to place: Int
    ) {
        precondition(
            start >= 0 && place >= 0 && count >= 0 && start + count <= source.count
                && place + count <= self.count,
            "What is copied lies in both."
        )
        unsafe (pointer + place).update(from: source.pointer + start, count: count)
    }

    /// Runs `body` with the address of the elements, for a C library to fill.
    @inlinable @unsafe public mutating func withUnsafeMutablePointer<Result, Failure: Error>(
        _ body: (UnsafeMutablePointer<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(pointer)
    }

    /// Ends writing: the memory becomes a lease that many may read.
    @inlinable public consuming func frozen() -> Lease<Element> { lease }
}

/// Immutable memory from the pool, which gets it back when the lease ends.
@safe @frozen public struct Lease<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
    // Nobody writes to it any more, so it may be read by many threads.
    @usableFromInline let pointer: UnsafeMutablePointer<Element>
    /// How many elements there are.
    public let count: Int

    /// The memory held, in bytes.
    public var byteCount: Int { count * MemoryLayout<Element>.stride }

    @inlinable init(pointer: UnsafeMutablePointer<Element>, count: Int) {
        unsafe self.pointer = pointer
        self.count = count
    }

    @inlinable deinit {
        unsafe MemoryPool.give(
            back: UnsafeMutableRawPointer(pointer),
            count * MemoryLayout<Element>.stride
        )
    }

    /// Runs `body` with the elements.
    @inlinable @inline(__always)
    public func withSpan<Result: ~Copyable, Failure: Error>(
        _ body: (Span<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let span = unsafe Span(_unsafeStart: UnsafePointer(pointer), count: count)
        return try body(span)
    }

    /// Runs `body` with the address of the elements, for a C library to read.
    @inlinable @unsafe public func withUnsafePointer<Result, Failure: Error>(
        _ body: (UnsafePointer<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafePointer(pointer))
    }
}
