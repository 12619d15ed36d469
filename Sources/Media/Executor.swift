/// Runs the parts of one piece of work, maybe at the same time, and returns when all are done.
///
/// The engine lends its workers through this; a library's user may bring any other.
public protocol Executor: Sendable {
    /// Calls `body` once for each part of `0..<parts`, in any order, and returns after the last.
    func run(parts: Int, _ body: @Sendable (Int) -> Void)
}

/// Runs all parts one after another on the calling thread.
public struct SerialExecutor: Executor {
    /// Makes an executor that needs nothing.
    public init() {}

    /// Calls `body` for each part, in order.
    public func run(parts: Int, _ body: @Sendable (Int) -> Void) {
        for part in 0..<parts { body(part) }
    }
}

extension Executor {
    /// Hands out `buffer` in bands of whole rows, each to one call of `body`.
    ///
    /// The bands follow from `rows` and `bandRows` alone, so results do not depend on how many
    /// threads there are.
    ///
    /// - Parameters:
    ///   - buffer: what is written; its count must be a multiple of `rows`.
    ///   - rows: how many rows of equal length the buffer holds.
    ///   - bandRows: how many rows a part gets; the last may get fewer.
    ///   - body: gets the elements of its rows and the rows' numbers.
    public func split<Element>(
        _ buffer: inout Writable<Element>,
        rows: Int,
        bandRows: Int = 16,
        _ body: @Sendable (inout MutableSpan<Element>, Range<Int>) -> Void
    ) {
        precondition(rows > 0 && bandRows > 0, "A split needs at least one row a band.")
        precondition(buffer.count % rows == 0, "The buffer is not a whole number of rows.")
        let rowLength = buffer.count / rows
        let bands = (rows + bandRows - 1) / bandRows
        // Bands do not overlap, so the parts may write through one pointer at the same time.
        nonisolated(unsafe) let base = unsafe buffer.pointer
        run(parts: bands) { band in
            let first = band * bandRows
            let last = min(rows, first + bandRows)
            let part = unsafe UnsafeMutableBufferPointer(
                start: base + first * rowLength,
                count: (last - first) * rowLength
            )
            var span = unsafe MutableSpan(_unsafeElements: part)
            body(&span, first..<last)
        }
    }
}
