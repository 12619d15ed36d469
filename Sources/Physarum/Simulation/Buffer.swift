import Glibc

/// Memory that a simulation holds for its whole life, zeroed at first.
@safe struct Buffer<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
    // Sole owner of its memory, so it may cross threads.
    let pointer: UnsafeMutablePointer<Element>
    let count: Int

    /// Takes zeroed memory for `count` elements.
    ///
    /// - Throws: `SimulationError.outOfMemory` when the system has not that much.
    init(zeroed count: Int) throws(SimulationError) {
        let bytes = max(count, 1) * MemoryLayout<Element>.stride
        // Fresh pages are zero already; only calloc knows which are fresh.
        guard let memory = unsafe calloc(bytes, 1) else {
            throw .outOfMemory(byteCount: bytes)
        }
        unsafe pointer = memory.bindMemory(to: Element.self, capacity: count)
        self.count = count
    }

    deinit { unsafe free(pointer) }
}
