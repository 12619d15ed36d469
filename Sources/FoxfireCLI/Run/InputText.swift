import Codecs
import Media

/// Texts that command lines name.
enum InputText {
    /// Reads a file, or standard input where `path` is `-`.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - limit: a longer text is refused.
    /// - Returns: its bytes.
    /// - Throws: `FileError` when it cannot be read, `Failure` when it is too long.
    static func read(_ path: String, limit: Int) throws -> [UInt8] {
        let source = try FileSource(path: path)
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            var target = buffer.mutableSpan
            let count = try source.read(into: &target)
            if count == 0 { return text }
            text += buffer.prefix(count)
            guard text.count <= limit else {
                throw Failure(
                    .usage,
                    Message(.error, "usage", "\(path): a text has at most \(limit) bytes")
                )
            }
        }
    }
}
