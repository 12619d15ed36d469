import Media

/// Text files that appear when they are whole.
enum TextFile {
    /// Writes a file, replacing an older one.
    ///
    /// - Throws: `FileError`; the older file is then still whole.
    static func write(_ text: String, to path: String) throws(FileError) {
        let file = try OutputFile(path: path)
        try file.write(Array(text.utf8).span)
        try file.commit()
    }
}
