import CLibAV

/// A C library's call that failed: which call, its code and text, on what, and what may help.
public struct CodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The C function that failed, as in `avcodec_open2`; of our own checks, what was being done.
    public let call: String
    /// The library's error number; 0 when the library had nothing against it and we do.
    public let code: Int32
    /// What was wrong, in the library's words or ours.
    public let text: String
    /// The file, the stream or the codec it was about.
    public let subject: String
    /// What to do about it, where that is known.
    public let hint: String?

    /// Says all of it.
    public init(call: String, code: Int32, text: String, subject: String, hint: String? = nil) {
        self.call = call
        self.code = code
        self.text = text
        self.subject = subject
        self.hint = hint
    }

    /// Whether trying again later may help: the library ran out of memory.
    public var isTemporary: Bool { code == foxfire_error_nomem }

    /// The same error, with the file that it is about before its subject.
    func within(_ file: String) -> CodecError {
        CodecError(call: call, code: code, text: text, subject: "\(file): \(subject)", hint: hint)
    }

    /// Subject, text, call and hint in one line.
    public var description: String {
        "\(subject): \(text) (\(call))" + (hint.map { "; \($0)" } ?? "")
    }
}

/// Throws a `CodecError` when `code` is negative, and returns it otherwise.
@discardableResult
func check(_ call: String, _ code: Int32, _ subject: String, hint: String? = nil)
    throws(CodecError) -> Int32
{
    if code >= 0 { return code }
    throw CodecError(
        call: call,
        code: code,
        text: describe(code),
        subject: subject,
        hint: hint
    )
}

/// Turns the null that a C allocation may give into an error.
func allocated<T>(_ call: String, _ pointer: UnsafeMutablePointer<T>?)
    throws(CodecError) -> UnsafeMutablePointer<T>
{
    if let pointer = unsafe pointer { return unsafe pointer }
    throw CodecError(
        call: call,
        code: foxfire_error_nomem,
        text: "out of memory",
        subject: "libav"
    )
}

/// Turns the null that a C allocation may give into an error.
func allocated(_ call: String, _ pointer: OpaquePointer?) throws(CodecError) -> OpaquePointer {
    if let pointer = unsafe pointer { return unsafe pointer }
    throw CodecError(
        call: call,
        code: foxfire_error_nomem,
        text: "out of memory",
        subject: "libav"
    )
}

/// The library's words for an error number, and the last error it logged on this thread, if any.
func describe(_ code: Int32) -> String {
    let words = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
        guard let base = buffer.baseAddress else { return "error \(code)" }
        unsafe av_strerror(code, base, buffer.count)
        return unsafe String(cString: base)
    }
    guard let logged = LibraryLog.takeLast() else { return words }
    return "\(words): \(logged)"
}
