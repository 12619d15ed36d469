import Glibc
import Media

/// Small texts that are there whole or not at all.
///
/// Many a second are written, by many processes into one folder: unlike an `OutputFile` it follows no link, looks for
/// nothing that earlier runs left, and waits for the disk only where asked to.
enum AtomicText {
    /// A name beside a path that nobody else uses.
    static func temporaryPath(_ path: String) -> String {
        let own = "\(getpid())-\(UInt32.random(in: 0 ... .max))"
        return "\(Folder.parent(of: path))/.\(Folder.name(of: path)).\(own)"
    }

    /// Writes beside the name, then renames.
    ///
    /// - Parameters:
    ///   - text: the whole content.
    ///   - path: its folder must exist.
    ///   - isDurable: whether it is on the disk when this returns; else the system may take its time.
    /// - Throws: `FileError`; what was there is whole then.
    static func write(_ text: String, to path: String, isDurable: Bool) throws(FileError) {
        let temporary = temporaryPath(path)
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw FileError(path: path, call: "open", code: errno) }
        var code = FileContents.write(Array(text.utf8).span, to: descriptor)
        if code == 0, isDurable, fsync(descriptor) != 0 { code = errno }
        close(descriptor)
        if code == 0, unsafe rename(temporary, path) != 0 { code = errno }
        if code != 0 {
            unsafe unlink(temporary)
            throw FileError(path: path, call: "write", code: code)
        }
        if isDurable { OutputFile.flush(folder: Folder.parent(of: path)) }
    }
}
