import CLibAV

/// The discrete Fourier transform of real signals of one length, a power of two.
///
/// X[k] = Σ x[n] · e^(−2πi·k·n/size), unscaled. O(size · log size), no allocation per transform.
/// Deterministic on one kind of CPU; other kinds may differ in the last bits.
@safe public struct RealFourierTransform: ~Copyable {
    /// Samples a transform takes, 64…65536.
    public let size: Int
    /// Complex numbers a transform gives: size / 2 + 1, from 0 to half the sample rate.
    public var binCount: Int { size / 2 + 1 }

    private let plan: Plan
    private let input: Scratch
    private let output: Scratch

    /// Prepares transforms of `size` samples: a power of two in 64…65536.
    ///
    /// - Throws: `CodecError` when memory runs out.
    public init(size: Int) throws(CodecError) {
        precondition(
            (64...65_536).contains(size) && size.nonzeroBitCount == 1,
            "A transform's size is a power of two in 64…65536."
        )
        let plan = try Plan(size)
        let input = try Scratch(size)
        let output = try Scratch(size + 2)
        self.size = size
        self.plan = plan
        self.input = input
        self.output = output
    }

    /// Transforms `samples`.
    ///
    /// - Parameters:
    ///   - samples: `size` of them.
    ///   - bins: gets `binCount` complex numbers, real and imaginary parts in turn.
    public mutating func transform(_ samples: Span<Float>, into bins: inout MutableSpan<Float>) {
        precondition(samples.count == size, "A transform of \(size) takes \(size) samples.")
        precondition(bins.count == 2 * binCount, "A transform gives \(2 * binCount) floats.")
        // The library wants aligned memory, and may write to its input.
        unsafe samples.withUnsafeBufferPointer { source in
            if let base = source.baseAddress {
                unsafe input.pointer.update(from: base, count: size)
            }
        }
        unsafe plan.run(output.pointer, input.pointer)
        unsafe bins.withUnsafeMutableBufferPointer { target in
            unsafe target.baseAddress?.update(from: output.pointer, count: size + 2)
        }
    }

    /// Owns an `AVTXContext`.
    @safe struct Plan: ~Copyable {
        private let context: OpaquePointer
        private let function: av_tx_fn

        init(_ size: Int) throws(CodecError) {
            var context: OpaquePointer?
            var function: av_tx_fn?
            var scale: Float = 1
            let code = unsafe av_tx_init(
                &context,
                &function,
                AV_TX_FLOAT_RDFT,
                0,
                Int32(size),
                &scale,
                0
            )
            try check("av_tx_init", code, "Fourier transform of \(size)")
            guard let made = unsafe context, let run = unsafe function else {
                throw CodecError(
                    call: "av_tx_init",
                    code: foxfire_error_nomem,
                    text: "out of memory",
                    subject: "Fourier transform of \(size)"
                )
            }
            unsafe self.context = made
            unsafe self.function = run
        }

        deinit {
            var owned: OpaquePointer? = unsafe context
            unsafe av_tx_uninit(&owned)
        }

        func run(_ output: UnsafeMutablePointer<Float>, _ input: UnsafeMutablePointer<Float>) {
            unsafe function(context, output, input, MemoryLayout<Float>.stride)
        }
    }

    /// Owns floats aligned for the library's vectors.
    @safe struct Scratch: ~Copyable {
        let pointer: UnsafeMutablePointer<Float>

        init(_ count: Int) throws(CodecError) {
            let size = count * MemoryLayout<Float>.stride
            guard let memory = unsafe av_mallocz(size) else {
                throw CodecError(
                    call: "av_mallocz",
                    code: foxfire_error_nomem,
                    text: "out of memory",
                    subject: "Fourier transform"
                )
            }
            unsafe pointer = memory.assumingMemoryBound(to: Float.self)
        }

        deinit { unsafe av_free(pointer) }
    }
}
